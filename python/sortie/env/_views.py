"""Positions as arrays."""
from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .._library import SortieError
from .._position import Position, plane_names

Planes = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.int8]


def planes(position: Position) -> Planes:
    """[plane, row, column] from the view of the side to move."""
    return np.frombuffer(position.planes(), np.uint8).reshape(-1, position.rows, position.columns).copy()


def mask(position: Position) -> Mask:
    """One number an action: 1 where it is legal. Of the type that Gymnasium's spaces sample by."""
    return np.frombuffer(position.mask(), np.int8).copy()


def turned(game: str) -> list[int]:
    """The order of planes in which the other side sees them: what is own and what is other's change places."""
    names = plane_names(game)
    swapped = {"own": "other", "other": "own", "own field": "other field", "other field": "own field"}
    return [names.index(swapped.get(name, name)) for name in names]


def reward_of(position: Position, margin: bool) -> float:
    """What the first side gets for a game that is over."""
    return float(position.score if margin else np.sign(position.score))


def to_action(action: Any) -> int:
    """A whole number out of what learners hand over."""
    if isinstance(action, np.ndarray) and action.size == 1:
        action = action.item()
    if isinstance(action, bool) or not isinstance(action, (int, np.integer)):
        raise SortieError(f"expected an action, a whole number, found {action!r}")
    return int(action)
