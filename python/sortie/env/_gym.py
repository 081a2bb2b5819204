"""One game against an opponent, as Gymnasium has it."""
from __future__ import annotations

from typing import Any, Callable, Union

import numpy as np

from .._engine import Engine
from .._library import SortieError, whole
from .._position import Position
from ._spaces import Box, Discrete, GymBase
from ._views import Mask, Planes, mask, planes, reward_of, to_action, turned

Opponent = Union[str, Engine, Callable[[Position], Union[int, str]]]
MOST_LEVEL = 9


def level_limits(level: int) -> dict[str, Any]:
    """The levels of `sortie play`: each searches four times the nodes of the one below, the lowest look one move
    ahead."""
    level = whole("a level", level, 1, MOST_LEVEL)
    return {"method": "greedy"} if level <= 2 else {"nodes": 100 << (2 * (level - 3))}


class GymEnv(GymBase):  # type: ignore[misc]
    """A game against `opponent`: "engine", an Engine of yours, "random", or a function from a position to a move or an
    action.

    The engine plays by `level` (1 to 9, as in `sortie play`; the first moves by chance one time in three) or by
    `limits` such as {"nodes": 1000}. `side`: 0 the learner begins, 1 the opponent does, None drawn for each game.
    `random`: starts drawn by chance. The reward comes with the last move: 1, 0 or -1, or with margin=True the
    difference of points. Planes are from the learner's view; info["action_mask"] and action_masks() say what is legal.
    An illegal action loses the game, and info["illegal"] is True; with illegal="refuse" it raises SortieError and
    changes nothing."""

    metadata = {"name": "sortie_v1", "render_modes": ["ansi", "svg"], "render_fps": 1}

    def __init__(
        self,
        game: str = "gomoku",
        rules: str | None = None,
        size: int = 0,
        *,
        rows: int = 0,
        columns: int = 0,
        opponent: Opponent = "engine",
        level: int = 3,
        limits: dict[str, Any] | None = None,
        side: int | None = 0,
        random: bool = False,
        margin: bool = False,
        illegal: str = "lose",
        render_mode: str | None = None,
    ) -> None:
        if render_mode not in (None, *self.metadata["render_modes"]):  # type: ignore[misc]
            raise SortieError(f"expected a render mode of {self.metadata['render_modes']}, found {render_mode!r}")
        if side not in (0, 1, None):
            raise SortieError(f"expected side 0, 1 or None, found {side!r}")
        if not (callable(opponent) or isinstance(opponent, Engine) or opponent in ("engine", "random")):
            raise SortieError(f"expected an opponent: engine, random, an Engine or a function, found {opponent!r}")
        if illegal not in ("lose", "refuse"):
            raise SortieError(f"expected illegal to be lose or refuse, found {illegal!r}")
        self.render_mode, self._margin, self._asked_side, self._illegal = render_mode, margin, side, illegal
        self._board = {"game": game, "rules": rules, "size": size, "rows": rows, "columns": columns}
        self._random, self._level, self._limits = random, level, limits or level_limits(level)
        self._own = Engine() if opponent == "engine" else None
        self._opponent: Opponent = self._own or opponent
        self.side = side or 0
        self.position = Position.start(**self._board)  # type: ignore[arg-type]
        self.action_space = Discrete(self.position.actions)
        self.observation_space = Box(0, 255, planes(self.position).shape, np.uint8)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Planes, dict[str, Any]]:
        """A new game. options: {"side": 0 or 1} for this one."""
        super().reset(seed=seed)
        if seed is not None and self._own:
            self._own.clear()  # what earlier games taught must not change this one
        asked = (options or {}).get("side", self._asked_side)
        self.side = int(self.np_random.integers(2)) if asked is None else whole("a side", asked, 0, 1)
        chance = int(self.np_random.integers(2**63)) if self._random else None
        self.position = Position.start(**self._board, seed=chance)  # type: ignore[arg-type]
        self._let_reply()
        return planes(self.position), self._info()

    def step(self, action: Any) -> tuple[Planes, float, bool, bool, dict[str, Any]]:
        """Plays the action and the opponent's reply."""
        wanted = to_action(action)
        if self.position.is_over:
            raise SortieError("expected a reset: the game is over")
        if self._illegal == "lose" and wanted not in self.position.legal():
            return self._view(), self._worst(), True, False, {**self._info(), "illegal": True}
        self.position.play_action(wanted)
        self._let_reply()
        over = self.position.is_over
        reward = reward_of(self.position, self._margin) * (1 if self.side == 0 else -1) if over else 0.0
        return self._view(), reward, over, False, self._info()

    def _worst(self) -> float:
        """No game ends worse."""
        squares = self.position.rows * self.position.columns
        return -float(max(squares, sum(self.position.values()))) if self._margin else -1.0

    def _let_reply(self) -> None:
        while not self.position.is_over and self.position.to_move != self.side:
            reply = self._choose()
            self.position.play(reply) if isinstance(reply, str) else self.position.play_action(to_action(reply))

    def _choose(self) -> int | str:
        legal = self.position.legal()
        careless = self._own and self._level == 1 and self.np_random.integers(3) == 0
        if careless or self._opponent == "random":
            return legal[int(self.np_random.integers(len(legal)))]
        if isinstance(self._opponent, Engine):
            return self._opponent.go(self.position, **self._limits).move
        return self._opponent(self.position.copy())  # type: ignore[operator]

    def _view(self) -> Planes:
        """The learner's: also at the end, when it may be the other side that would be to move."""
        seen = planes(self.position)
        return seen if self.position.to_move == self.side else seen[turned(self.position.game)]

    def _info(self) -> dict[str, Any]:
        return {"action_mask": mask(self.position), "score": self.position.score, "side": self.side}

    def action_masks(self) -> Mask:
        """What is legal, under the name that libraries with masked policies look for."""
        return mask(self.position)

    def render(self) -> str | None:
        return (
            None
            if self.render_mode is None
            else (self.position.svg if self.render_mode == "svg" else self.position.drawing())
        )

    def close(self) -> None:
        if self._own:
            self._own.close()
