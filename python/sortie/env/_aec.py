"""Two agents in turns, as PettingZoo has it."""
from __future__ import annotations

from typing import Any

import numpy as np

from .._library import SortieError
from .._position import Position
from ._spaces import AECBase, Box, Dict, Discrete
from ._views import mask, planes, reward_of, to_action, turned


class AECEnv(AECBase):  # type: ignore[misc]
    """A game of "player_0", the first side, and "player_1".

    An agent sees {"observation": planes, "action_mask": ...} from its own view; the mask of an agent whose turn it is
    not is all 0. Rewards come when the game is over: 1 and -1, 0 and 0, or with margin=True the difference of points;
    they add up to 0. `random`: starts drawn by chance, by the seed given to reset. An illegal action is refused with
    SortieError and changes nothing."""

    metadata = {"name": "sortie_v1", "render_modes": ["ansi", "svg"], "is_parallelizable": False, "render_fps": 1}

    def __init__(
        self,
        game: str = "gomoku",
        rules: str | None = None,
        size: int = 0,
        *,
        rows: int = 0,
        columns: int = 0,
        random: bool = False,
        margin: bool = False,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        if render_mode not in (None, *self.metadata["render_modes"]):  # type: ignore[misc]
            raise SortieError(f"expected a render mode of {self.metadata['render_modes']}, found {render_mode!r}")
        self.render_mode, self._margin, self._random = render_mode, margin, random
        self._board = {"game": game, "rules": rules, "size": size, "rows": rows, "columns": columns}
        self.position = Position.start(**self._board)  # type: ignore[arg-type]
        self.possible_agents = ["player_0", "player_1"]
        self.agents: list[str] = []
        self._chance = np.random.default_rng()
        self._turned = turned(game)
        shape, count = planes(self.position).shape, self.position.actions
        self.action_spaces = {agent: Discrete(count) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: Dict({"observation": Box(0, 255, shape, np.uint8), "action_mask": Box(0, 1, (count,), np.int8)})
            for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None:
            self._chance = np.random.default_rng(seed)
        chance = int(self._chance.integers(2**63)) if self._random else None
        self.position = Position.start(**self._board, seed=chance)  # type: ignore[arg-type]
        self.agents = list(self.possible_agents)
        self.rewards = {agent: 0.0 for agent in self.agents}
        self._cumulative_rewards = {agent: 0.0 for agent in self.agents}
        self.terminations = {agent: False for agent in self.agents}
        self.truncations = {agent: False for agent in self.agents}
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.position.to_move]

    def observe(self, agent: str) -> dict[str, Any]:
        seen, allowed = planes(self.position), mask(self.position)
        if self.possible_agents[self.position.to_move] != agent:
            seen, allowed = seen[self._turned], np.zeros_like(allowed)
        return {"observation": seen, "action_mask": allowed}

    def state(self) -> Any:
        """The board as the first player sees it."""
        return self.observe(self.possible_agents[0])["observation"]

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.position.play_action(to_action(action))
        self._cumulative_rewards[agent] = 0.0
        self.agent_selection = self.possible_agents[self.position.to_move]
        if self.position.is_over:
            first = reward_of(self.position, self._margin)
            self.rewards = dict(zip(self.possible_agents, (first, 0.0 - first)))
            self.terminations = {name: True for name in self.agents}
            self.agent_selection = self.possible_agents[1 - self.possible_agents.index(agent)]
        self._accumulate_rewards()

    def render(self) -> str | None:
        return (
            None
            if self.render_mode is None
            else (self.position.svg if self.render_mode == "svg" else self.position.drawing())
        )

    def close(self) -> None:
        pass
