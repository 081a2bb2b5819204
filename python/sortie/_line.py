"""What searches say: lines of play and single steps."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

_STEPS = ("enter", "leaf", "return", "cut")


@dataclass(frozen=True, repr=False)
class Line:
    """One answer of the engine: the move, its value for the side to move, and the line of best play; in a game of wins
    also the chances to win, to draw and to lose, where the engine knows them. `number` says which of the best moves it
    is, from 0. Two lines are equal when they say the same, however long it took."""

    move: str
    value: int
    depth: int
    exact: bool
    bounds: tuple[int, int] | None
    moves: tuple[str, ...]
    chances: tuple[float, float, float] | None
    number: int
    nodes: int = field(compare=False)
    leaves: int = field(compare=False)
    cutoffs: int = field(compare=False)
    seconds: float = field(compare=False)
    cpu_seconds: float = field(compare=False)

    @classmethod
    def _of(cls, result: Any) -> Line:
        """Copies the C struct, which lives no longer than the call it came with."""
        known = result.win + result.draw + result.loss > 0
        return cls(
            move=result.move.decode(),
            value=result.value,
            depth=result.depth,
            exact=bool(result.proved) and result.lower == result.upper,
            bounds=(result.lower, result.upper) if result.proved else None,
            moves=tuple(result.line_moves[i].value.decode() for i in range(result.line_length)),
            chances=(result.win, result.draw, result.loss) if known else None,
            number=result.line,
            nodes=result.nodes,
            leaves=result.leaves,
            cutoffs=result.cutoffs,
            seconds=result.wall_seconds,
            cpu_seconds=result.cpu_seconds,
        )

    def __repr__(self) -> str:
        return f"<sortie.Line {self.move}: {self.value}{' exact' if self.exact else ''}, depth {self.depth}>"


@dataclass(frozen=True, repr=False)
class Step:
    """One step of a textbook search: kind is enter, leaf, return or cut; the root's move is ""."""

    kind: str
    move: str
    depth: int
    value: int
    alpha: int
    beta: int

    @classmethod
    def _of(cls, step: Any) -> Step:
        return cls(_STEPS[step.kind], step.move.decode(), step.depth, step.value, step.alpha, step.beta)

    def __repr__(self) -> str:
        return f"<sortie.Step {self.kind} {self.move or 'root'} depth {self.depth}: {self.value}>"
