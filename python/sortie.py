"""sortie from Python: positions, moves, the engine and the textbook's searches, over the C library with ctypes alone.

    import sortie
    position = sortie.Position.start("gomoku")
    position.play("H8")
    engine = sortie.Engine()
    print(engine.go(position, seconds=1).move)
    position                    # in a notebook: the board as a picture

The library is looked for in $SORTIE_LIBRARY, in the build folder beside this file, and where the system keeps libraries.
"""
import ctypes
import ctypes.util
import math
import operator
import os
import threading
from contextlib import contextmanager
from ctypes import POINTER, byref, c_char, c_char_p, c_double, c_int, c_size_t, c_uint64, c_void_p

__all__ = ["Engine", "Line", "Position", "SortieError", "Step", "answer", "games", "version"]

GREEDY, MINIMAX, ALPHABETA, ENGINE = range(4)
BEST, EXACT, WIN = range(3)
INFINITY = 1070000000
_METHODS = {"greedy": GREEDY, "minimax": MINIMAX, "alphabeta": ALPHABETA, "engine": ENGINE}
_GOALS = {"best": BEST, "exact": EXACT, "win": WIN}
_STEPS = ("enter", "leaf", "return", "cut")
_MOST_LINE = 256
_MOST_MEGABYTES = ctypes.c_size_t(-1).value >> 20
_Move = c_char * 32


class SortieError(ValueError):
    """What was given is wrong; `line` and `column` say where, when it is a text."""

    def __init__(self, text, line=0, column=0):
        super().__init__(f"{line}:{column}: {text}" if line else text)
        self.line, self.column = line, column


# -- the structs of sortie.h --


class _Error(ctypes.Structure):
    _fields_ = [("line", c_int), ("column", c_int), ("text", c_char * 240)]


class _Sized(ctypes.Structure):
    """A struct that begins with its own size."""

    def __init__(self, **values):
        super().__init__(**values)
        self.size = ctypes.sizeof(self)


class _GameInfo(_Sized):
    _fields_ = [("size", c_size_t), ("name", c_char_p), ("title", c_char_p), ("sides", c_char_p * 2)] + [
        (name, c_int)
        for name in (
            "least_size", "most_size", "usual_size", "most_moves", "most_plies", "margin", "numbered_from_zero",
            "stones_on_points", "has_engine",
        )
    ]


class _Start(_Sized):
    _fields_ = [("size", c_size_t), ("rules", c_char_p), ("rows", c_int), ("columns", c_int), ("random", c_int),
                ("seed", c_uint64)]


class _Cell(_Sized):
    _fields_ = [("size", c_size_t), ("ink", c_int), ("glyph", c_char), ("label", c_char * 12), ("last", c_int)]


class _Options(_Sized):
    _fields_ = [("size", c_size_t), ("threads", c_int), ("hash_bytes", c_size_t)]


class _Result(_Sized):
    _fields_ = [("size", c_size_t), ("move", _Move), ("value", c_int), ("proved", c_int), ("lower", c_int),
                ("upper", c_int), ("depth", c_int), ("line", c_int), ("nodes", c_uint64), ("leaves", c_uint64),
                ("cutoffs", c_uint64), ("wall_seconds", c_double), ("cpu_seconds", c_double), ("line_length", c_int),
                ("line_moves", _Move * _MOST_LINE), ("win", c_double), ("draw", c_double), ("loss", c_double)]


class _Step(_Sized):
    _fields_ = [("size", c_size_t), ("kind", c_int), ("move", _Move), ("depth", c_int), ("value", c_int),
                ("alpha", c_int), ("beta", c_int)]


_OnInfo = ctypes.CFUNCTYPE(None, c_void_p, POINTER(_Result))
_OnStep = ctypes.CFUNCTYPE(None, c_void_p, POINTER(_Step))
_OnLog = ctypes.CFUNCTYPE(None, c_void_p, POINTER(c_char), c_size_t)


class _Limits(_Sized):
    _fields_ = [("size", c_size_t), ("method", c_int), ("goal", c_int), ("depth", c_int), ("nodes", c_uint64),
                ("wall_seconds", c_double), ("cpu_seconds", c_double), ("cpu_seconds_left", c_double),
                ("wall_seconds_left", c_double), ("multi_pv", c_int), ("on_info", _OnInfo), ("on_step", _OnStep),
                ("user", c_void_p), ("whole_line", c_int)]


class _CourseInfo(_Sized):
    _fields_ = [("size", c_size_t), ("format", c_char_p), ("title", c_char_p), ("answer_file", c_char_p),
                ("log_file", c_char_p), ("warning", c_char_p), ("battle", c_int), ("method", c_int), ("depth", c_int),
                ("cpu_seconds_left", c_double), ("wall_seconds", c_double)]


class _Orders(_Sized):
    _fields_ = [("size", c_size_t), ("limits", POINTER(_Limits)), ("on_log", _OnLog), ("user", c_void_p)]


# -- the library --


def _load():
    here = os.path.dirname(os.path.abspath(__file__))
    candidates = [os.environ.get("SORTIE_LIBRARY"), os.path.join(here, "..", "build", "libsortie.so.1"),
                  os.path.join(here, "sortie.dll"), ctypes.util.find_library("sortie"), "libsortie.so.1"]
    for candidate in candidates:
        if candidate:
            try:
                return ctypes.CDLL(candidate), ctypes.PyDLL(candidate)
            except OSError:
                pass
    raise ImportError("expected libsortie: install it, or name its file in SORTIE_LIBRARY")


# Short calls keep the interpreter's lock, so that threads cannot use one position at the same time; searches let it go.
_searching, _library = _load()


def _function(name, result, *arguments, library=_library):
    function = getattr(library, "sortie_" + name)
    function.restype, function.argtypes = result, arguments
    return function


_E, _H = POINTER(_Error), c_void_p
_version = _function("version", c_char_p)
_free = _function("free", None, c_void_p)
_game_name = _function("game_name", c_char_p, c_int)
_game_rules = _function("game_rules", c_char_p, c_char_p, c_int)
_game_about = _function("game_about", c_int, c_char_p, POINTER(_GameInfo), _E)
_start = _function("position_start", c_int, c_char_p, POINTER(_Start), POINTER(_H), _E)
_parse = _function("position_parse", c_int, c_char_p, c_size_t, POINTER(_H), _E)
_copy = _function("position_copy", c_int, _H, POINTER(_H), _E)
_position_free = _function("position_free", None, _H)
_game = _function("position_game", c_char_p, _H)
_rules = _function("position_rules", c_char_p, _H)
_rows = _function("position_rows", c_int, _H)
_columns = _function("position_columns", c_int, _H)
_to_move = _function("position_to_move", c_int, _H)
_is_over = _function("position_is_over", c_int, _H)
_played = _function("position_played", c_int, _H)
_score = _function("position_score", c_int, _H)
_hash = _function("position_hash", c_uint64, _H)
_moves = _function("position_moves", c_int, _H, POINTER(_Move), c_int)
_play = _function("position_play", c_int, _H, c_char_p, _E)
_undo = _function("position_undo", c_int, _H, _E)
_cell = _function("position_cell", c_int, _H, c_int, c_int, POINTER(_Cell), _E)
_text = _function("position_text", c_void_p, _H)
_svg = _function("position_svg", c_void_p, _H)
_caption = _function("position_caption", c_void_p, _H)
_drawing = _function("position_drawing", c_void_p, _H, c_int)
_engine_new = _function("engine_new", c_int, POINTER(_Options), POINTER(_H), _E)
_engine_free = _function("engine_free", None, _H)
_go = _function("engine_go", c_int, _H, _H, POINTER(_Limits), POINTER(_Result), _E, library=_searching)
_analyze = _function("engine_analyze", c_int, _H, _H, POINTER(_Limits), POINTER(_Result), c_int, POINTER(c_int), _E,
                     library=_searching)
_stop = _function("engine_stop", None, _H)
_clear = _function("engine_clear", None, _H)
_course_parse = _function("course_parse", c_int, c_char_p, c_size_t, c_char_p, POINTER(_H), _E)
_course_free = _function("course_free", None, _H)
_course_about = _function("course_about", c_int, _H, POINTER(_CourseInfo), _E)
_course_answer = _function("course_answer", c_int, _H, _H, POINTER(_Orders), POINTER(c_void_p), POINTER(_Result), _E,
                           library=_searching)


def _check(status, error):
    if status == 1:
        raise MemoryError(error.text.decode() or "out of memory")
    if status:
        raise SortieError(error.text.decode(), error.line, error.column)


def _take(pointer):
    """A text of the library as a Python one; its memory is given back."""
    if not pointer:
        raise MemoryError("out of memory")
    try:
        return ctypes.string_at(pointer).decode()
    finally:
        _free(pointer)


def _bytes(text):
    return text if isinstance(text, bytes) else text.encode()


def _whole(name, value, least, most):
    """A whole number that C can hold; ctypes would cut off what is too large."""
    value = operator.index(value)
    if not least <= value <= most:
        raise SortieError(f"expected {name} of {least} to {most}, found {value}")
    return value


def _seconds(value):
    value = float(value)
    if not (math.isfinite(value) and value >= 0):
        raise SortieError(f"expected seconds of 0 or more, found {value}")
    return value


_INT = 2**31 - 1
_LONG = 2**64 - 1


def version():
    return _version().decode()


def games():
    """Every game: a dictionary of its name, title, rule sets, sides and sizes."""
    found, error = [], _Error()
    while (name := _game_name(len(found))) is not None:
        info = _GameInfo()
        _check(_game_about(name, byref(info), byref(error)), error)
        rules = []
        while (rule := _game_rules(name, len(rules))) is not None:
            rules.append(rule.decode())
        found.append({
            "name": name.decode(), "title": info.title.decode(), "rules": rules,
            "sides": [side.decode() for side in info.sides], "least_size": info.least_size,
            "most_size": info.most_size, "usual_size": info.usual_size, "margin": bool(info.margin),
        })
    return found


class Position:
    """A board, whose turn it is, and the moves played on it. Made by start, parse or load."""

    def __init__(self, handle):
        self._handle = handle

    def __del__(self):
        if getattr(self, "_handle", None):
            _position_free(self._handle)

    @classmethod
    def start(cls, game, rules=None, size=0, seed=None):
        """The starting board; with a seed, values, blocks or opening stones are drawn by chance."""
        handle, error = _H(), _Error()
        start = _Start(rules=_bytes(rules) if rules else None, rows=_whole("a size", size, 0, _INT),
                       random=seed is not None, seed=_whole("a seed", seed or 0, 0, _LONG))
        _check(_start(_bytes(game), byref(start), byref(handle), byref(error)), error)
        return cls(handle)

    @classmethod
    def parse(cls, text):
        """Any file sortie knows: a course's input file, sortie's own text, or a game record."""
        handle, error, data = _H(), _Error(), _bytes(text)
        _check(_parse(data, len(data), byref(handle), byref(error)), error)
        return cls(handle)

    @classmethod
    def load(cls, path):
        with open(path, "rb") as file:
            return cls.parse(file.read())

    def copy(self):
        handle, error = _H(), _Error()
        _check(_copy(self._handle, byref(handle), byref(error)), error)
        return type(self)(handle)

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def __reduce__(self):
        """As text, to other processes and files: the same board, but moves played before cannot be taken back there."""
        return type(self).parse, (self.text,)

    game = property(lambda self: _game(self._handle).decode())
    rules = property(lambda self: _rules(self._handle).decode())
    rows = property(lambda self: _rows(self._handle))
    columns = property(lambda self: _columns(self._handle))
    to_move = property(lambda self: _to_move(self._handle), doc="0 the first side, 1 the second")
    is_over = property(lambda self: bool(_is_over(self._handle)))
    played = property(lambda self: _played(self._handle), doc="how many moves can be taken back")
    score = property(lambda self: _score(self._handle), doc="from the first side's view")
    text = property(lambda self: _take(_text(self._handle)), doc="sortie's own text; parse reads it")
    svg = property(lambda self: _take(_svg(self._handle)))
    caption = property(lambda self: _take(_caption(self._handle)))

    def moves(self):
        """The legal moves in the game's order."""
        count = _moves(self._handle, None, 0)
        if count < 0:
            raise MemoryError("out of memory")
        room = (_Move * max(count, 1))()
        _moves(self._handle, room, count)
        return [move.value.decode() for move in room[:count]]

    def play(self, move):
        error = _Error()
        _check(_play(self._handle, _bytes(move), byref(error)), error)
        return self

    def undo(self):
        error = _Error()
        _check(_undo(self._handle, byref(error)), error)
        return self

    def cell(self, row, column):
        """The character and the number on a square, counted from 0 at the top left: ("X", "12")."""
        cell, error = _Cell(), _Error()
        row, column = _whole("a row", row, 0, _INT), _whole("a column", column, 0, _INT)
        _check(_cell(self._handle, row, column, byref(cell), byref(error)), error)
        return cell.glyph.decode(), cell.label.decode()

    def __str__(self):
        return _take(_drawing(self._handle, 0))

    def __repr__(self):
        return f"<sortie.Position {self.game} {self.rows}x{self.columns}: {self.caption}>"

    def __hash__(self):
        return _hash(self._handle)

    def __eq__(self, other):
        return isinstance(other, Position) and self.text == other.text

    def _repr_svg_(self):
        return self.svg


class Line:
    """One answer of the engine: the move, its value for the side to move, and the line of best play; in a game of wins
    also the chances to win, to draw and to lose, where the engine knows them."""

    def __init__(self, result):
        self.move = result.move.decode()
        self.value, self.depth = result.value, result.depth
        self.exact = bool(result.proved) and result.lower == result.upper
        self.bounds = (result.lower, result.upper) if result.proved else None
        self.nodes, self.leaves, self.cutoffs = result.nodes, result.leaves, result.cutoffs
        self.seconds, self.cpu_seconds = result.wall_seconds, result.cpu_seconds
        self.chances = (result.win, result.draw, result.loss) if result.win + result.draw + result.loss > 0 else None
        self.moves = [result.line_moves[i].value.decode() for i in range(result.line_length)]

    def __repr__(self):
        return f"<sortie.Line {self.move}: {self.value}{' exact' if self.exact else ''}, depth {self.depth}>"


class Step:
    """One step of a textbook search: kind is enter, leaf, return or cut; the root's move is ""."""

    def __init__(self, step):
        self.kind, self.move = _STEPS[step.kind], step.move.decode()
        self.depth, self.value, self.alpha, self.beta = step.depth, step.value, step.alpha, step.beta

    def __repr__(self):
        return f"<sortie.Step {self.kind} {self.move or 'root'} depth {self.depth}: {self.value}>"


class Engine:
    """Searches, one at a time: other threads wait for their turn. In a child made by fork it goes on with threads of its
    own, unless it was searching when the child was made. threads=-1: all cores; megabytes=None: a modest table."""

    def __init__(self, threads=1, megabytes=None):
        handle, error = _H(), _Error()
        options = _Options(threads=_whole("threads", threads, -1, _INT),
                           hash_bytes=_whole("megabytes", megabytes or 0, 0, _MOST_MEGABYTES) << 20)
        _check(_engine_new(byref(options), byref(handle), byref(error)), error)
        self._handle = handle
        self._forget_turns()

    def _forget_turns(self):
        self._lock, self._process, self._searcher = threading.Lock(), os.getpid(), None

    @contextmanager
    def _turn(self):
        """Holds the engine for one search. Whoever asks for it again from inside that search would wait for ever."""
        if self._process != os.getpid():
            self._forget_turns()  # nobody is left here who could give the lock back
        if self._searcher == threading.get_ident():
            raise SortieError("the engine is searching already: it cannot be asked from its own on_step")
        with self._lock:
            self._searcher = threading.get_ident()
            try:
                yield
            finally:
                self._searcher = None

    def __copy__(self):
        raise TypeError("an engine cannot be copied; make another")

    def __deepcopy__(self, memo):
        self.__copy__()

    def __reduce__(self):
        self.__copy__()

    def __del__(self):
        if getattr(self, "_handle", None):
            _engine_free(self._handle)

    def _limits(self, method, goal, depth, nodes, seconds, lines, on_step):
        if method not in _METHODS or goal not in _GOALS:
            raise SortieError(f"expected a method of {list(_METHODS)} and a goal of {list(_GOALS)}")
        if method == "engine" and not (depth or nodes or seconds) and goal == "best":
            seconds = 1.0
        limits = _Limits(method=_METHODS[method], goal=_GOALS[goal], depth=_whole("a depth", depth, 0, _INT),
                         nodes=_whole("nodes", nodes, 0, _LONG), wall_seconds=_seconds(seconds), multi_pv=lines,
                         whole_line=method != "engine")
        if on_step:
            limits.on_step = _OnStep(lambda user, step: on_step(Step(step.contents)))
        return limits

    def go(self, position, method="engine", goal="best", depth=0, nodes=0, seconds=0.0, on_step=None):
        """The best move. method: engine, greedy, minimax or alphabeta; on_step sees every step of the last three."""
        limits = self._limits(method, goal, depth, nodes, seconds, 1, on_step)
        result, error, board = _Result(), _Error(), position.copy()  # others may play on theirs meanwhile
        with self._turn():
            _check(_go(self._handle, board._handle, byref(limits), byref(result), byref(error)), error)
        return Line(result)

    def analyze(self, position, lines=3, method="engine", goal="best", depth=0, nodes=0, seconds=0.0):
        """The best moves, best first."""
        board = position.copy()
        lines = min(_whole("lines", lines, 1, _INT), max(len(board.moves()), 1))
        limits = self._limits(method, goal, depth, nodes, seconds, lines, None)
        results, count, error = (_Result * lines)(), c_int(), _Error()
        results[0].size = ctypes.sizeof(_Result)
        with self._turn():
            _check(_analyze(self._handle, board._handle, byref(limits), results, lines, byref(count), byref(error)), error)
        return [Line(result) for result in results[: count.value]]

    def stop(self):
        """From another thread: the search under way answers at once."""
        _stop(self._handle)

    def clear(self):
        with self._turn():
            _clear(self._handle)


def answer(text, engine=None):
    """Answers a course file as its course expects: a dictionary of file names and their contents."""
    course, error, data, pieces = _H(), _Error(), _bytes(text), []
    engine = engine or Engine()
    _check(_course_parse(data, len(data), None, byref(course), byref(error)), error)
    try:
        info, result, out = _CourseInfo(), _Result(), c_void_p()
        _check(_course_about(course, byref(info), byref(error)), error)
        orders = _Orders(on_log=_OnLog(lambda user, bytes_, length: pieces.append(bytes_[:length])))
        with engine._turn():
            _check(_course_answer(course, engine._handle, byref(orders), byref(out), byref(result), byref(error)), error)
        files = {info.answer_file.decode(): _take(out.value)}
        if info.log_file:
            files[info.log_file.decode()] = b"".join(pieces).decode()
        return files
    finally:
        _course_free(course)
