"""As much of Gymnasium's and PettingZoo's classes as is used here, for machines that have neither."""
from __future__ import annotations

from typing import Any, Iterator

import numpy as np


class Space:
    """A set of values to draw from."""

    def __init__(self, shape: tuple[int, ...] | None = None, dtype: Any = None) -> None:
        self.shape, self.dtype = shape, dtype
        self.seed()

    def seed(self, seed: int | None = None) -> None:
        self.np_random = np.random.default_rng(seed)

    def __contains__(self, value: Any) -> bool:
        return bool(self.contains(value))

    def contains(self, value: Any) -> bool:
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and repr(self) == repr(other)


class Discrete(Space):
    """0 to n - 1."""

    def __init__(self, n: int) -> None:
        super().__init__((), np.dtype(np.int64))
        self.n = np.int64(n)

    def sample(self, mask: Any = None) -> np.int64:
        allowed = np.arange(self.n) if mask is None else np.flatnonzero(mask)
        return np.int64(self.np_random.choice(allowed)) if len(allowed) else np.int64(0)

    def contains(self, value: Any) -> bool:
        return isinstance(value, (int, np.integer)) and 0 <= int(value) < int(self.n)

    def __repr__(self) -> str:
        return f"Discrete({self.n})"


class Box(Space):
    """Arrays of one shape and type with bounds."""

    def __init__(self, low: int, high: int, shape: tuple[int, ...], dtype: Any) -> None:
        super().__init__(tuple(shape), np.dtype(dtype))
        self.low, self.high = np.full(shape, low, dtype), np.full(shape, high, dtype)

    def sample(self) -> Any:
        return self.np_random.integers(self.low, self.high, dtype=self.dtype, endpoint=True)

    def contains(self, value: Any) -> bool:
        return (
            isinstance(value, np.ndarray)
            and value.shape == self.shape
            and np.can_cast(value.dtype, self.dtype)
            and bool(np.all(value >= self.low) and np.all(value <= self.high))
        )

    def __repr__(self) -> str:
        return f"Box({self.low.flat[0]}, {self.high.flat[0]}, {self.shape}, {self.dtype})"


class Dict(Space):
    """Named values."""

    def __init__(self, spaces: dict[str, Any]) -> None:
        self.spaces = dict(spaces)
        super().__init__()

    def seed(self, seed: int | None = None) -> None:
        for number, space in enumerate(self.spaces.values()):
            space.seed(None if seed is None else seed + number)

    def sample(self) -> dict[str, Any]:
        return {name: space.sample() for name, space in self.spaces.items()}

    def contains(self, value: Any) -> bool:
        return (
            isinstance(value, dict)
            and value.keys() == self.spaces.keys()
            and all(value[name] in space for name, space in self.spaces.items())
        )

    def __getitem__(self, name: str) -> Any:
        return self.spaces[name]

    def __repr__(self) -> str:
        return f"Dict({self.spaces})"


class GymBase:
    """What an environment has by itself: chance that a seed repeats."""

    metadata: dict[str, Any] = {}
    render_mode: str | None = None
    spec = None
    _np_random: Any = None

    @property
    def unwrapped(self) -> Any:
        return self

    @property
    def np_random(self) -> Any:
        if self._np_random is None:
            self._np_random = np.random.default_rng()
        return self._np_random

    @np_random.setter
    def np_random(self, value: Any) -> None:
        self._np_random = value

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        if seed is not None:
            self._np_random = np.random.default_rng(seed)

    def close(self) -> None:
        pass

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *error: Any) -> None:
        self.close()


class AECBase:
    """Agents in turns: who is asked, what was earned, and how those leave whose game is over."""

    metadata: dict[str, Any] = {}
    possible_agents: list[str]
    agents: list[str]
    agent_selection: str
    rewards: dict[str, float]
    terminations: dict[str, bool]
    truncations: dict[str, bool]
    infos: dict[str, dict[str, Any]]
    _cumulative_rewards: dict[str, float]

    @property
    def num_agents(self) -> int:
        return len(self.agents)

    @property
    def max_num_agents(self) -> int:
        return len(self.possible_agents)

    @property
    def unwrapped(self) -> Any:
        return self

    def __str__(self) -> str:
        return str(self.metadata.get("name", type(self).__name__))

    def observe(self, agent: str) -> Any:
        raise NotImplementedError

    def agent_iter(self, max_iter: int = 2**63) -> Iterator[str]:
        """The agent whose turn it is, as long as there is one."""
        while self.agents and max_iter > 0:
            max_iter -= 1
            yield self.agent_selection

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """What the agent whose turn it is sees, has earned since its last turn, and whether it is over."""
        agent = self.agent_selection
        seen = self.observe(agent) if observe else None
        return (
            seen,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def _accumulate_rewards(self) -> None:
        for agent, reward in self.rewards.items():
            self._cumulative_rewards[agent] += reward

    def _was_dead_step(self, action: Any) -> None:
        """An agent whose game is over leaves; the next one is asked."""
        if action is not None:
            raise ValueError("expected None as the action of an agent whose game is over")
        leaving = self.agent_selection
        for table in (self.terminations, self.truncations, self.rewards, self._cumulative_rewards, self.infos):
            del table[leaving]  # type: ignore[attr-defined]
        self.agents.remove(leaving)
        if self.agents:
            self.agent_selection = self.agents[0]
        for agent in self.rewards:
            self.rewards[agent] = 0.0
