"""Positions: a board, whose turn it is, and the moves played on it."""
from __future__ import annotations

import os
from ctypes import byref, c_int32, c_size_t, c_uint8, c_void_p
from typing import Any, TypedDict

from . import _library as c
from ._line import Line
from ._turns import no_search


class Game(TypedDict):
    """What is known of a game beforehand."""

    name: str
    title: str
    rules: list[str]
    sides: list[str]
    least_size: int
    most_size: int
    usual_size: int
    most_moves: int
    most_plies: int
    margin: bool


def version() -> str:
    """The version of the library."""
    return c.version().decode()  # type: ignore[no-any-return]


def _rules_of(name: bytes) -> list[str]:
    rules: list[str] = []
    while (rule := c.game_rules(name, len(rules))) is not None:
        rules.append(rule.decode())
    return rules


def _about(name: bytes) -> Game:
    info, error = c.GameInfo(), c.Error()
    c.check(c.game_about(name, byref(info), byref(error)), error)
    return {
        "name": name.decode(),
        "title": info.title.decode(),
        "rules": _rules_of(name),
        "sides": [side.decode() for side in info.sides],
        "least_size": info.least_size,
        "most_size": info.most_size,
        "usual_size": info.usual_size,
        "most_moves": info.most_moves,
        "most_plies": info.most_plies,
        "margin": bool(info.margin),
    }


def games() -> list[Game]:
    """Every game: a dictionary of its name, title, rule sets, sides and sizes."""
    found: list[Game] = []
    while (name := c.game_name(len(found))) is not None:
        found.append(_about(name))
    return found


def plane_names(game: str) -> list[str]:
    """What the planes of a game show: "own", "other", ..."""
    names: list[str] = []
    while (name := c.game_plane(c.to_name(game) or b"", len(names))) is not None:
        names.append(name.decode())
    return names


def _counted(count: int) -> int:
    if count < 0:
        raise MemoryError("out of memory")
    return count


class Position:
    """A board, whose turn it is, and the moves played on it. Made by start, parse or load.

    Positions are equal when their boards and sides to move are; one that is a key of a dictionary must not be played
    on."""

    def __init__(self, handle: c_void_p) -> None:
        self._handle = handle

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            c.position_free(self._handle)

    # -- making one --

    @classmethod
    def start(
        cls,
        game: str,
        rules: str | None = None,
        size: int = 0,
        seed: int | None = None,
        *,
        rows: int = 0,
        columns: int = 0,
    ) -> Position:
        """The starting board of a size, or of so many rows and columns; with a seed, values, blocks or opening stones
        are drawn by chance."""
        handle, error = c.Handle(), c.Error()
        if size and rows:
            raise c.SortieError("expected a size, or rows and columns, found both")
        start = c.Start(
            rules=c.to_name(rules),
            rows=c.whole("a size", rows or size, 0, c.MOST_INT),
            columns=c.whole("columns", columns, 0, c.MOST_INT),
            random=seed is not None,
            seed=c.whole("a seed", seed or 0, 0, c.MOST_LONG),
        )
        c.check(c.position_start(c.to_name(game) or b"", byref(start), byref(handle), byref(error)), error)
        return cls(handle)

    @classmethod
    def parse(cls, text: str | bytes, format: str | None = None) -> Position:
        """Any file sortie knows: a course's input file, sortie's own text, or a game record (SGF). The format is found
        by looking unless it is named."""
        handle, error, data = c.Handle(), c.Error(), c.to_bytes(text)
        c.check(c.position_parse_as(data, len(data), c.to_name(format), byref(handle), byref(error)), error)
        return cls(handle)

    @classmethod
    def load(cls, path: str | os.PathLike[str], format: str | None = None) -> Position:
        with open(path, "rb") as file:
            return cls.parse(file.read(), format)

    @classmethod
    def _replay(cls, text: str, moves: tuple[str, ...]) -> Position:
        position = cls.parse(text, "position")
        for move in moves:
            position.play(move)
        return position

    def copy(self) -> Position:
        handle, error = c.Handle(), c.Error()
        c.check(c.position_copy(self._handle, byref(handle), byref(error)), error)
        return type(self)(handle)

    def __copy__(self) -> Position:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Position:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        """As text, to other processes and files: the board before the first move, and the moves played since."""
        before = self.copy()
        while before.played:
            before.undo()
        return type(self)._replay, (before.text, tuple(self.history()))

    # -- what it is --

    @property
    def game(self) -> str:
        return c.position_game(self._handle).decode()  # type: ignore[no-any-return]

    @property
    def rules(self) -> str:
        return c.position_rules(self._handle).decode()  # type: ignore[no-any-return]

    @property
    def rows(self) -> int:
        return c.position_rows(self._handle)  # type: ignore[no-any-return]

    @property
    def columns(self) -> int:
        return c.position_columns(self._handle)  # type: ignore[no-any-return]

    @property
    def to_move(self) -> int:
        """0 the first side, 1 the second."""
        return c.position_to_move(self._handle)  # type: ignore[no-any-return]

    @property
    def is_over(self) -> bool:
        return bool(c.position_is_over(self._handle))

    @property
    def played(self) -> int:
        """How many moves can be taken back."""
        return c.position_played(self._handle)  # type: ignore[no-any-return]

    @property
    def score(self) -> int:
        """From the first side's view: the margin as it stands, or 1, 0, -1 in a game of wins."""
        return c.position_score(self._handle)  # type: ignore[no-any-return]

    def cell(self, row: int, column: int) -> tuple[str, str]:
        """The character and the number on a square, counted from 0 at the top left: ("X", "12")."""
        cell, error = c.Cell(), c.Error()
        row, column = c.whole("a row", row, 0, c.MOST_INT), c.whole("a column", column, 0, c.MOST_INT)
        c.check(c.position_cell(self._handle, row, column, byref(cell), byref(error)), error)
        return cell.glyph.decode(), cell.label.decode()

    # -- moves --

    def moves(self) -> list[str]:
        """The legal moves in the game's order."""
        count = _counted(c.position_moves(self._handle, None, 0))
        room = (c.Move * max(count, 1))()
        c.position_moves(self._handle, room, count)
        return [move.value.decode() for move in room[:count]]

    def play(self, move: str | bytes) -> Position:
        error = c.Error()
        c.check(c.position_play(self._handle, c.to_name(move) or b"", byref(error)), error)
        return self

    def undo(self) -> Position:
        """Takes back the last move played."""
        error = c.Error()
        c.check(c.position_undo(self._handle, byref(error)), error)
        return self

    def history(self) -> list[str]:
        """The moves played, the first one first; those that undo would take back."""
        moves, error = [], c.Error()
        for index in range(self.played):
            move = c.Move()
            c.check(c.position_move(self._handle, index, byref(move), byref(error)), error)
            moves.append(move.value.decode())
        return moves

    def swap(self) -> bool | None:
        """Gomoku, one stone on the board: whether the engine as second player would take that stone over. None where
        there is no swap."""
        answer = c.position_swap(self._handle)
        return None if answer < 0 else bool(answer)

    def swap_opening(self, seed: int = 0) -> str:
        """A first stone neither side is better with, for games with the swap."""
        move, error = c.Move(), c.Error()
        seed = c.whole("a seed", seed, 0, c.MOST_LONG)
        c.check(c.position_swap_opening(self._handle, seed, byref(move), byref(error)), error)
        return move.value.decode()

    def proved(self) -> Line | None:
        """What the certificates given to `add_proofs` say of it, without a search: a line, or None."""
        result = c.Result()
        return Line._of(result) if c.position_proved(self._handle, byref(result)) else None

    # -- in numbers: actions, and all squares row by row from the top left --

    @property
    def actions(self) -> int:
        """How many actions there are on this board, legal or not. A move's action stays the same for the whole game."""
        return c.position_actions(self._handle)  # type: ignore[no-any-return]

    def legal(self) -> list[int]:
        """The legal actions, in the order of moves."""
        room = (c_int32 * max(_counted(c.position_legal(self._handle, None, 0)), 1))()
        return room[: _counted(c.position_legal(self._handle, room, len(room)))]

    def action(self, move: str) -> int:
        """The action of a legal move."""
        found: int = c.position_action(self._handle, c.to_name(move) or b"")
        if found < 0:
            raise c.SortieError(f"expected a legal move, found {move!r}")
        return found

    def action_name(self, action: int) -> str:
        """The move an action stands for, be it legal or not."""
        move, error = c.Move(), c.Error()
        action = c.whole("an action", action, 0, c.MOST_INT)
        c.check(c.position_action_name(self._handle, action, byref(move), byref(error)), error)
        return move.value.decode()

    def play_action(self, action: int) -> Position:
        error = c.Error()
        c.check(c.position_play_action(self._handle, c.whole("an action", action, 0, c.MOST_INT), byref(error)), error)
        return self

    def history_actions(self) -> list[int]:
        """The moves played, as actions."""
        return [c.position_move_action(self._handle, index) for index in range(self.played)]

    def _fill(self, function: Any, unit: Any = c_uint8) -> Any:
        """What a function writes into an array of the length it asks for."""
        room = (unit * _counted(function(self._handle, None, 0)))()
        _counted(function(self._handle, room, len(room)))
        return room

    def mask(self) -> bytes:
        """One byte an action: 1 where it is legal."""
        return bytes(self._fill(c.position_mask))

    def board(self) -> bytes:
        """One byte a square: 0 empty, 1 and 2 the sides' pieces, 3 a block, 4 and 5 their fields, 6 both fields."""
        return bytes(self._fill(c.position_board))

    def values(self) -> list[int]:
        """What each square is worth; 0 in games without values."""
        return list(self._fill(c.position_values, c_int32))

    def planes(self) -> bytes:
        """The planes a learner sees, from the view of the side to move, one after the other: `plane_names` says
        which."""
        return bytes(self._fill(c.position_planes))

    # -- as text and picture --

    @property
    def text(self) -> str:
        """sortie's own text; parse reads it."""
        return c.take(c.position_text(self._handle))

    @property
    def sgf(self) -> str:
        """The game as an SGF record; parse reads it. Not every game has one."""
        out, error = c_void_p(), c.Error()
        c.check(c.position_sgf(self._handle, byref(out), byref(error)), error)
        return c.take(out.value)

    @property
    def svg(self) -> str:
        """A picture: a whole SVG document."""
        return c.take(c.position_svg(self._handle))

    @property
    def caption(self) -> str:
        """In words: "X to move, O leads by 3"."""
        return c.take(c.position_caption(self._handle))

    def drawing(self, colour: bool = False) -> str:
        """The board in plain letters, or in the colours of a terminal."""
        return c.take(c.position_drawing(self._handle, bool(colour)))

    def __str__(self) -> str:
        return self.drawing()

    def __repr__(self) -> str:
        return f"<sortie.Position {self.game} {self.rows}x{self.columns}: {self.caption}>"

    def __hash__(self) -> int:
        return c.position_hash(self._handle)  # type: ignore[no-any-return]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.text == other.text

    def _repr_svg_(self) -> str:
        return self.svg


def verify(certificate: bytes) -> str:
    """Checks certificates (docs/proofs.md), believing nothing but the rules, and says what they prove as `sortie verify`
    prints it. One that does not hold raises SortieError, which says at which byte and why."""
    error, proves = c.Error(), c_void_p()
    c.check(c.proof_verify(certificate, len(certificate), byref(proves), byref(error)), error)
    return c.take(proves.value)


def add_proofs(game: str, certificate: bytes) -> int:
    """Adds certificates (docs/proofs.md) to what is known of a game, for all engines; returns how many positions are
    known then. A file whose digest and moves are in order is believed: `verify` checks it."""
    error, known = c.Error(), c_size_t()
    with no_search("add_proofs"):
        c.check(c.proofs_add(c.to_name(game) or b"", certificate, len(certificate), byref(known), byref(error)), error)
    return known.value
