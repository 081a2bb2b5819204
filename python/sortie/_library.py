"""The C library behind the package: its file, its structs and its functions, as include/sortie/sortie.h has them."""
from __future__ import annotations

import ctypes
import ctypes.util
import glob
import math
import operator
import os
from ctypes import POINTER, Structure, c_char, c_char_p, c_double, c_int, c_int32, c_size_t, c_uint64, c_void_p
from typing import Any, Callable

MOST_LINE = 256
MOST_INT = 2**31 - 1
MOST_LONG = 2**64 - 1
MOST_MEGABYTES = c_size_t(-1).value >> 20
Move = c_char * 32
Handle = c_void_p


class SortieError(ValueError):
    """What was given is wrong; `line` and `column` say where, when it is a text."""

    def __init__(self, text: str, line: int = 0, column: int = 0) -> None:
        super().__init__(text, line, column)
        self.line, self.column = line, column

    def __str__(self) -> str:
        return f"{self.line}:{self.column}: {self.args[0]}" if self.line else str(self.args[0])


# -- the structs of sortie.h --


class Error(Structure):
    _fields_ = [("line", c_int), ("column", c_int), ("text", c_char * 240)]


class Sized(Structure):
    """A struct that begins with its own size."""

    def __init__(self, **values: Any) -> None:
        super().__init__(**values)
        self.size = ctypes.sizeof(self)


class GameInfo(Sized):
    _fields_ = [("size", c_size_t), ("name", c_char_p), ("title", c_char_p), ("sides", c_char_p * 2)] + [
        (name, c_int)
        for name in (
            "least_size",
            "most_size",
            "usual_size",
            "most_moves",
            "most_plies",
            "margin",
            "numbered_from_zero",
            "stones_on_points",
            "has_engine",
        )
    ]


class Start(Sized):
    _fields_ = [
        ("size", c_size_t),
        ("rules", c_char_p),
        ("rows", c_int),
        ("columns", c_int),
        ("random", c_int),
        ("seed", c_uint64),
    ]


class Cell(Sized):
    _fields_ = [("size", c_size_t), ("ink", c_int), ("glyph", c_char), ("label", c_char * 12), ("last", c_int)]


class Options(Sized):
    _fields_ = [("size", c_size_t), ("threads", c_int), ("hash_bytes", c_size_t)]


class Result(Sized):
    _fields_ = [
        ("size", c_size_t),
        ("move", Move),
        ("value", c_int),
        ("proved", c_int),
        ("lower", c_int),
        ("upper", c_int),
        ("depth", c_int),
        ("line", c_int),
        ("nodes", c_uint64),
        ("leaves", c_uint64),
        ("cutoffs", c_uint64),
        ("wall_seconds", c_double),
        ("cpu_seconds", c_double),
        ("line_length", c_int),
        ("line_moves", Move * MOST_LINE),
        ("win", c_double),
        ("draw", c_double),
        ("loss", c_double),
    ]


class StepInfo(Sized):
    _fields_ = [
        ("size", c_size_t),
        ("kind", c_int),
        ("move", Move),
        ("depth", c_int),
        ("value", c_int),
        ("alpha", c_int),
        ("beta", c_int),
    ]


OnInfo = ctypes.CFUNCTYPE(None, c_void_p, POINTER(Result))
OnStep = ctypes.CFUNCTYPE(None, c_void_p, POINTER(StepInfo))
OnLog = ctypes.CFUNCTYPE(None, c_void_p, POINTER(c_char), c_size_t)


class Limits(Sized):
    _fields_ = [
        ("size", c_size_t),
        ("method", c_int),
        ("goal", c_int),
        ("depth", c_int),
        ("nodes", c_uint64),
        ("wall_seconds", c_double),
        ("cpu_seconds", c_double),
        ("cpu_seconds_left", c_double),
        ("wall_seconds_left", c_double),
        ("multi_pv", c_int),
        ("on_info", OnInfo),
        ("on_step", OnStep),
        ("user", c_void_p),
        ("whole_line", c_int),
    ]


class CourseInfo(Sized):
    _fields_ = [
        ("size", c_size_t),
        ("format", c_char_p),
        ("title", c_char_p),
        ("answer_file", c_char_p),
        ("log_file", c_char_p),
        ("warning", c_char_p),
        ("battle", c_int),
        ("method", c_int),
        ("depth", c_int),
        ("cpu_seconds_left", c_double),
        ("wall_seconds", c_double),
    ]


class BatchOptions(Sized):
    _fields_ = [("size", c_size_t), ("count", c_int), ("restart", c_int), ("seed", c_uint64)]


class Observation(Sized):
    _fields_ = [("size", c_size_t)] + [
        (name, c_void_p) for name in ("planes", "masks", "to_move", "rewards", "over", "scores", "values")
    ]


class Orders(Sized):
    _fields_ = [
        ("size", c_size_t),
        ("limits", POINTER(Limits)),
        ("on_log", OnLog),
        ("user", c_void_p),
        ("cpu_seconds_spent", c_double),
    ]


# -- the file --

_NAMES = ("libsortie.so", "sortie.dll", "libsortie.dll", "libsortie.dylib")


def _candidates() -> list[str]:
    """Where the library may be: where the environment says, in the wheel, beside it in the zip for Windows, in the tree
    this file is part of, below the same prefix, and where the system keeps libraries."""
    here = os.path.dirname(os.path.abspath(__file__))
    tree = os.path.join(here, "..", "..", "build")
    found = [os.path.join(here, name) for name in _NAMES] + [os.path.join(here, "..", "sortie.dll")]
    if os.path.exists(os.path.join(here, "..", "..", "CMakeLists.txt")):
        built = [os.path.join(tree, folder, name) for folder in (".", "python") for name in _NAMES]
        found += sorted(filter(os.path.exists, built), key=os.path.getmtime, reverse=True)
    above = os.path.join(
        here, "..", "..", ".."
    )  # PREFIX/share/sortie/sortie, or PREFIX/lib/python3/dist-packages/sortie
    for prefix in (above, os.path.join(above, "..")):
        for folder in ("lib", os.path.join("lib", "*-linux-*"), "lib64"):
            found += sorted(glob.glob(os.path.join(prefix, folder, "libsortie.so.[0-9]")), reverse=True)
    system = ctypes.util.find_library("sortie")
    return [name for name in found if os.path.exists(name)] + ([system] if system else [])


def _load() -> tuple[ctypes.CDLL, ctypes.PyDLL]:
    asked = os.environ.get("SORTIE_LIBRARY")
    for candidate in [asked] if asked else _candidates():
        try:
            return ctypes.CDLL(candidate), ctypes.PyDLL(candidate)
        except OSError as error:
            if asked:
                raise ImportError(f"expected libsortie in SORTIE_LIBRARY={asked}: {error}") from None
    raise ImportError("expected libsortie: install it, or name its file in SORTIE_LIBRARY")


# Short calls keep the interpreter's lock, so that threads cannot use one position at the same time; searches let it go.
_searching, _library = _load()


def _function(name: str, result: Any, *arguments: Any, searches: bool = False) -> Callable[..., Any]:
    try:
        function = getattr(_searching if searches else _library, "sortie_" + name)
    except AttributeError:
        raise ImportError(f"expected a libsortie of this version: {_library._name} lacks sortie_{name}") from None
    function.restype, function.argtypes = result, arguments
    return function  # type: ignore[no-any-return]


_E, _H = POINTER(Error), Handle
version = _function("version", c_char_p)
free = _function("free", None, c_void_p)
game_name = _function("game_name", c_char_p, c_int)
game_rules = _function("game_rules", c_char_p, c_char_p, c_int)
game_about = _function("game_about", c_int, c_char_p, POINTER(GameInfo), _E)
position_start = _function("position_start", c_int, c_char_p, POINTER(Start), POINTER(_H), _E)
position_parse_as = _function("position_parse_as", c_int, c_char_p, c_size_t, c_char_p, POINTER(_H), _E)
position_copy = _function("position_copy", c_int, _H, POINTER(_H), _E)
position_free = _function("position_free", None, _H)
position_game = _function("position_game", c_char_p, _H)
position_rules = _function("position_rules", c_char_p, _H)
position_rows = _function("position_rows", c_int, _H)
position_columns = _function("position_columns", c_int, _H)
position_to_move = _function("position_to_move", c_int, _H)
position_is_over = _function("position_is_over", c_int, _H)
position_played = _function("position_played", c_int, _H)
position_score = _function("position_score", c_int, _H)
position_hash = _function("position_hash", c_uint64, _H)
position_moves = _function("position_moves", c_int, _H, POINTER(Move), c_int)
position_play = _function("position_play", c_int, _H, c_char_p, _E)
position_undo = _function("position_undo", c_int, _H, _E)
position_move = _function("position_move", c_int, _H, c_int, POINTER(Move), _E)
position_cell = _function("position_cell", c_int, _H, c_int, c_int, POINTER(Cell), _E)
position_actions = _function("position_actions", c_int, _H)
position_legal = _function("position_legal", c_int, _H, POINTER(c_int32), c_int)
position_mask = _function("position_mask", c_int, _H, c_void_p, c_int)
position_play_action = _function("position_play_action", c_int, _H, c_int32, _E)
position_action = _function("position_action", c_int32, _H, c_char_p)
position_action_name = _function("position_action_name", c_int, _H, c_int32, POINTER(Move), _E)
position_move_action = _function("position_move_action", c_int32, _H, c_int)
position_board = _function("position_board", c_int, _H, c_void_p, c_int)
position_values = _function("position_values", c_int, _H, c_void_p, c_int)
position_planes = _function("position_planes", c_int, _H, c_void_p, c_int)
game_plane = _function("game_plane", c_char_p, c_char_p, c_int)
batch_new = _function("batch_new", c_int, c_char_p, POINTER(Start), POINTER(BatchOptions), POINTER(_H), _E)
batch_free = _function("batch_free", None, _H)
batch_count = _function("batch_count", c_int, _H)
batch_rows = _function("batch_rows", c_int, _H)
batch_columns = _function("batch_columns", c_int, _H)
batch_actions = _function("batch_actions", c_int, _H)
batch_planes = _function("batch_planes", c_int, _H)
batch_step = _function("batch_step", c_int, _H, c_void_p, _E)
batch_random_step = _function("batch_random_step", c_int, _H, c_void_p, _E)
batch_reset = _function("batch_reset", c_int, _H, c_int, _E)
batch_observe = _function("batch_observe", c_int, _H, POINTER(Observation), _E)
batch_position = _function("batch_position", c_int, _H, c_int, POINTER(_H), _E)
position_text = _function("position_text", c_void_p, _H)
position_svg = _function("position_svg", c_void_p, _H)
position_caption = _function("position_caption", c_void_p, _H)
position_drawing = _function("position_drawing", c_void_p, _H, c_int)
position_sgf = _function("position_sgf", c_int, _H, POINTER(c_void_p), _E)
position_swap = _function("position_swap", c_int, _H)
position_swap_opening = _function("position_swap_opening", c_int, _H, c_uint64, POINTER(Move), _E)
position_proved = _function("position_proved", c_int, _H, POINTER(Result))
engine_new = _function("engine_new", c_int, POINTER(Options), POINTER(_H), _E)
engine_free = _function("engine_free", None, _H)
engine_go = _function("engine_go", c_int, _H, _H, POINTER(Limits), POINTER(Result), _E, searches=True)
engine_analyze = _function(
    "engine_analyze", c_int, _H, _H, POINTER(Limits), POINTER(Result), c_int, POINTER(c_int), _E, searches=True
)
engine_stop = _function("engine_stop", None, _H)
engine_arm = _function("engine_arm", None, _H)
engine_clear = _function("engine_clear", None, _H)
engine_counters = _function("engine_counters", c_void_p, _H)
proof_verify = _function("proof_verify", c_int, c_char_p, c_size_t, POINTER(c_void_p), _E)
proofs_add = _function("proofs_add", c_int, c_char_p, c_char_p, c_size_t, POINTER(c_size_t), _E)
course_parse = _function("course_parse", c_int, c_char_p, c_size_t, c_char_p, POINTER(_H), _E)
course_free = _function("course_free", None, _H)
course_about = _function("course_about", c_int, _H, POINTER(CourseInfo), _E)
course_position = _function("course_position", c_int, _H, POINTER(_H), _E)
course_answer = _function(
    "course_answer", c_int, _H, _H, POINTER(Orders), POINTER(c_void_p), POINTER(Result), _E, searches=True
)


# -- in and out --


def check(status: int, error: Error) -> None:
    """Raises what a status and its error say."""
    if status == 1:
        raise MemoryError(error.text.decode() or "out of memory")
    if status:
        raise SortieError(error.text.decode(), error.line, error.column)


def take(pointer: int | None) -> str:
    """A text of the library as a Python one; its memory is given back."""
    if not pointer:
        raise MemoryError("out of memory")
    try:
        return ctypes.string_at(pointer).decode()
    finally:
        free(pointer)


def to_bytes(text: str | bytes) -> bytes:
    return text if isinstance(text, bytes) else text.encode()


def to_name(name: str | bytes | None) -> bytes | None:
    """A word for C, which ends at the first zero byte."""
    if not name:
        return None
    data = to_bytes(name)
    if b"\0" in data:
        raise SortieError(f"expected a name without zero bytes, found {name!r}")
    return data


def whole(name: str, value: Any, least: int, most: int) -> int:
    """A whole number that C can hold; ctypes would cut off what is too large."""
    number = operator.index(value)
    if not least <= number <= most:
        raise SortieError(f"expected {name} of {least} to {most}, found {number}")
    return number


def seconds(value: float) -> float:
    value = float(value)
    if not (math.isfinite(value) and value >= 0):
        raise SortieError(f"expected seconds of 0 or more, found {value}")
    return value
