"""Many games side by side."""
from __future__ import annotations

from ctypes import byref
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _library as c
from .._position import Position
from ._spaces import Box, Dict, Discrete

Observation = dict[str, npt.NDArray[Any]]
Step = tuple[Observation, npt.NDArray[np.float32], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]]


class BatchEnv:
    """`count` games of one kind, stepped together; the caller plays both sides.

        env = BatchEnv("gomoku", count=512)
        seen, info = env.reset(seed=1)
        while ...:
            actions = choose(seen["observation"], seen["action_mask"])        # one for each game
            seen, rewards, terminations, truncations, info = env.step(actions)

    A game that has ended starts again at once: what is seen is then the new game, the rest tells how the old one ended.
    With restart=False it stays over, its mask is all 0 and its actions are not looked at. Rewards are the first side's:
    1 where it has won, -1 where it has lost; info has "to_move" (0 or 1: whose view the planes are) and "scores".
    Arrays are the caller's to keep. `random`: starts drawn by chance, each game's its own."""

    def __init__(
        self,
        game: str,
        count: int = 1,
        rules: str | None = None,
        size: int = 0,
        *,
        rows: int = 0,
        columns: int = 0,
        seed: int = 0,
        random: bool = False,
        restart: bool = True,
    ) -> None:
        self._handle: Any = None
        if size and rows:
            raise c.SortieError("expected a size, or rows and columns, found both")
        self._game = c.to_name(game) or b""
        self._start = c.Start(
            rules=c.to_name(rules),
            rows=c.whole("a size", rows or size, 0, c.MOST_INT),
            columns=c.whole("columns", columns, 0, c.MOST_INT),
            random=bool(random),
        )
        self._options = c.BatchOptions(count=c.whole("a count", count, 1, c.MOST_INT), restart=bool(restart))
        self._make(seed)
        self.count: int = c.batch_count(self._handle)
        self.actions: int = c.batch_actions(self._handle)
        self.shape = (c.batch_planes(self._handle), c.batch_rows(self._handle), c.batch_columns(self._handle))
        self.single_action_space = Discrete(self.actions)
        self.single_observation_space = Dict(
            {"observation": Box(0, 255, self.shape, np.uint8), "action_mask": Box(0, 1, (self.actions,), np.int8)}
        )

    def _make(self, seed: int) -> None:
        handle, error = c.Handle(), c.Error()
        self._options.seed = c.whole("a seed", seed, 0, c.MOST_LONG)
        c.check(c.batch_new(self._game, byref(self._start), byref(self._options), byref(handle), byref(error)), error)
        self.close()
        self._handle = handle

    def close(self) -> None:
        if getattr(self, "_handle", None):
            c.batch_free(self._handle)
            self._handle = None

    __del__ = close

    def __enter__(self) -> BatchEnv:
        return self

    def __exit__(self, *error: Any) -> None:
        self.close()

    def __len__(self) -> int:
        return self.count

    def __repr__(self) -> str:
        return f"<sortie.env.BatchEnv {self._game.decode()} {self.shape[1]}x{self.shape[2]}, {self.count} games>"

    def __reduce__(self) -> str:
        raise TypeError("a batch cannot be copied; make another")

    def _open(self) -> Any:
        if not self._handle:
            raise c.SortieError("the batch is closed")
        return self._handle

    def reset(self, seed: int | None = None) -> tuple[Observation, dict[str, Any]]:
        """Starts all games anew; with a seed, chance begins anew too."""
        error = c.Error()
        if seed is not None:
            self._make(seed)
        else:
            c.check(c.batch_reset(self._open(), -1, byref(error)), error)
        seen, _, _, _, info = self._observe()
        return seen, info

    def step(self, actions: npt.ArrayLike) -> Step:
        """Plays one action in each game; an illegal one is refused, and then no game has moved."""
        given, error = np.asarray(actions), c.Error()
        if given.shape != (self.count,) or not np.issubdtype(given.dtype, np.integer):
            raise c.SortieError(f"expected {self.count} whole numbers, found {given.dtype} of shape {given.shape}")
        if given.dtype != np.int32:
            given = np.clip(given, -1, c.MOST_INT).astype(np.int32)
        given = np.ascontiguousarray(given)
        c.check(c.batch_step(self._open(), given.ctypes.data, byref(error)), error)
        return self._observe()

    def random_step(self) -> tuple[npt.NDArray[np.int32], Step]:
        """Plays a legal action by chance in each game, and says which (-1 where the game was over)."""
        actions, error = np.empty(self.count, np.int32), c.Error()
        c.check(c.batch_random_step(self._open(), actions.ctypes.data, byref(error)), error)
        return actions, self._observe()

    def position(self, index: int) -> Position:
        """A copy of one of the games, to be drawn, searched or kept."""
        handle, error = c.Handle(), c.Error()
        index = c.whole("a game", index, 0, self.count - 1)
        c.check(c.batch_position(self._open(), index, byref(handle), byref(error)), error)
        return Position(handle)

    def _observe(self) -> Step:
        planes = np.empty((self.count, *self.shape), np.uint8)
        masks = np.empty((self.count, self.actions), np.int8)
        to_move, scores = np.empty(self.count, np.int32), np.empty(self.count, np.int32)
        rewards, over, error = np.empty(self.count, np.float32), np.empty(self.count, np.uint8), c.Error()
        where = c.Observation(
            planes=planes.ctypes.data,
            masks=masks.ctypes.data,
            to_move=to_move.ctypes.data,
            rewards=rewards.ctypes.data,
            over=over.ctypes.data,
            scores=scores.ctypes.data,
        )
        c.check(c.batch_observe(self._open(), byref(where), byref(error)), error)
        return (
            {"observation": planes, "action_mask": masks},
            rewards,
            over.view(np.bool_),
            np.zeros(self.count, np.bool_),
            {"to_move": to_move, "scores": scores},
        )
