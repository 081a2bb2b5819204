"""The engine: the best move, the best lines, and reports while it thinks."""
from __future__ import annotations

import asyncio
import ctypes
import queue
import threading
from contextlib import closing
from ctypes import byref, c_int, c_void_p
from types import TracebackType
from typing import TYPE_CHECKING, Any, AsyncGenerator, AsyncIterator, Callable, Generator, Iterator, TypedDict

from . import _library as c
from ._line import Line, Step
from ._position import Position
from ._turns import PATIENCE, Search, Turns, Work, unfold

if TYPE_CHECKING:
    from typing_extensions import Unpack

GREEDY, MINIMAX, ALPHABETA, ENGINE = range(4)
BEST, EXACT, WIN = range(3)
INFINITY = 1070000000
WIN_VALUE = 30000
ALL_CORES = -1
_METHODS = {"greedy": GREEDY, "minimax": MINIMAX, "alphabeta": ALPHABETA, "engine": ENGINE}
_GOALS = {"best": BEST, "exact": EXACT, "win": WIN}


class Limits(TypedDict, total=False):
    """What limits a search."""

    method: str  # engine, greedy, minimax, alphabeta
    goal: str  # best, exact, win
    depth: int
    nodes: int  # deterministic on one thread
    seconds: float
    cpu_seconds: float  # summed over threads
    seconds_left: float  # for the rest of the game: the search divides it itself
    cpu_seconds_left: float


def _limits(
    lines: int = 1,
    method: str = "engine",
    goal: str = "best",
    depth: int = 0,
    nodes: int = 0,
    seconds: float = 0.0,
    cpu_seconds: float = 0.0,
    seconds_left: float = 0.0,
    cpu_seconds_left: float = 0.0,
) -> c.Limits:
    """The struct for C. An engine that is told no limit thinks for a second."""
    if method not in _METHODS or goal not in _GOALS:
        raise c.SortieError(f"expected a method of {list(_METHODS)} and a goal of {list(_GOALS)}")
    limits = c.Limits(
        method=_METHODS[method],
        goal=_GOALS[goal],
        depth=c.whole("a depth", depth, 0, c.MOST_INT),
        nodes=c.whole("nodes", nodes, 0, c.MOST_LONG),
        wall_seconds=c.seconds(seconds),
        cpu_seconds=c.seconds(cpu_seconds),
        wall_seconds_left=c.seconds(seconds_left),
        cpu_seconds_left=c.seconds(cpu_seconds_left),
        multi_pv=lines,
        whole_line=method != "engine",
    )
    named = (depth, nodes, seconds, cpu_seconds, seconds_left, cpu_seconds_left)
    if method == "engine" and goal == "best" and not any(named):
        limits.wall_seconds = 1.0
    return limits


class Engine:
    """Searches, one at a time: other threads wait for their turn. threads=-1: all cores; megabytes=None: a modest
    table.

        with sortie.Engine() as engine:
            print(engine.go(position, seconds=1))

    What limits a search: depth, nodes, seconds and cpu_seconds of this move, seconds_left and cpu_seconds_left of the
    whole game; with none of them it takes a second. method: engine, greedy, minimax or alphabeta; goal: best, exact or
    win. Ctrl-C stops a search, and the engine can be used on. In a child made by fork it goes on with threads of its
    own, unless it was searching when the child was made."""

    def __init__(self, threads: int = 1, megabytes: int | None = None) -> None:
        handle, error = c.Handle(), c.Error()
        options = c.Options(
            threads=c.whole("threads", threads, -1, c.MOST_INT),
            hash_bytes=c.whole("megabytes", megabytes or 0, 0, c.MOST_MEGABYTES) << 20,
        )
        c.check(c.engine_new(byref(options), byref(handle), byref(error)), error)
        self._turns = Turns(handle)
        self.threads = threads

    def close(self) -> None:
        """Stops what is under way and gives memory and threads back; may be called twice."""
        self._turns.close()

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __del__(self) -> None:
        turns = getattr(self, "_turns", None)
        if turns and turns.handle and not turns.busy:
            c.engine_free(turns.handle)
            turns.handle = None

    def __repr__(self) -> str:
        state = "closed" if not self._turns.handle else "searching" if self._turns.busy else "idle"
        return f"<sortie.Engine threads={self.threads} {state}>"

    def __copy__(self) -> Engine:
        raise TypeError("an engine cannot be copied; make another")

    def __deepcopy__(self, memo: dict[int, Any]) -> Engine:
        return self.__copy__()

    def __reduce__(self) -> str:
        raise TypeError("an engine cannot be copied to another process; make one there")

    # -- searches --

    def go(
        self,
        position: Position,
        *,
        on_info: Callable[[Line], object] | None = None,
        on_step: Callable[[Step], object] | None = None,
        **limits: Unpack[Limits],
    ) -> Line:
        """The best move. on_info is told what is best so far, in the thread that waits; on_step sees every step of
        greedy, minimax and alphabeta, in the thread that searches. What they raise ends the search and comes out
        here."""
        found: list[Line] = self._wait(self._work(position, None, on_info is not None, on_step, limits), on_info)
        return found[0]

    def analyze(
        self,
        position: Position,
        lines: int = 3,
        *,
        on_info: Callable[[Line], object] | None = None,
        **limits: Unpack[Limits],
    ) -> list[Line]:
        """The best moves, best first."""
        found: list[Line] = self._wait(self._work(position, lines, on_info is not None, None, limits), on_info)
        return found

    def stream(self, position: Position, lines: int | None = None, **limits: Unpack[Limits]) -> Stream:
        """What is best so far, report by report, for `for` and `async for`; the answer comes last. Leaving the loop
        stops the search."""
        return Stream(self, self._work(position, lines, True, None, limits))

    async def go_async(
        self, position: Position, *, on_info: Callable[[Line], object] | None = None, **limits: Unpack[Limits]
    ) -> Line:
        """go for asyncio: the loop runs on meanwhile; a task that is cancelled stops its search."""
        work = self._work(position, None, on_info is not None, None, limits)
        found: list[Line] = await self._wait_async(work, on_info)
        return found[0]

    async def analyze_async(
        self,
        position: Position,
        lines: int = 3,
        *,
        on_info: Callable[[Line], object] | None = None,
        **limits: Unpack[Limits],
    ) -> list[Line]:
        """analyze for asyncio."""
        work = self._work(position, lines, on_info is not None, None, limits)
        found: list[Line] = await self._wait_async(work, on_info)
        return found

    def stop(self) -> None:
        """From another thread: the search under way answers at once."""
        turns = self._turns
        with turns.gate:
            if turns.handle:
                c.engine_stop(turns.handle)

    def clear(self) -> None:
        """Forgets what earlier searches learnt."""
        self._wait(lambda search: c.engine_clear(self._turns.handle))

    def counters(self) -> str:
        """What the last search counted, as lines for people; "" where the game counts nothing."""
        counted: str = self._wait(lambda search: c.take(c.engine_counters(self._turns.handle)))
        return counted

    # -- how they are run --

    def _work(
        self,
        position: Position,
        lines: int | None,
        reports: bool,
        on_step: Callable[[Step], object] | None,
        limits: Limits,
    ) -> Work:
        """A search as a function of its Search. Others may play on the position meanwhile: it has a copy. Without a
        number of lines it is about the best move alone."""
        board = position.copy()
        most = 1 if lines is None else min(c.whole("lines", lines, 1, c.MOST_INT), max(len(board.moves()), 1))
        asked = _limits(most, **limits)

        def work(search: Search) -> list[Line]:
            results, count, error = (c.Result * most)(), c_int(1), c.Error()
            results[0].size = ctypes.sizeof(c.Result)
            if reports:
                asked.on_info = c.OnInfo(search.guard(lambda line: search.post(("info", line)), Line._of))
            if on_step:
                asked.on_step = c.OnStep(search.guard(on_step, Step._of))
            if lines is None:
                status = c.engine_go(self._turns.handle, board._handle, byref(asked), results, byref(error))
            else:
                status = c.engine_analyze(
                    self._turns.handle, board._handle, byref(asked), results, most, byref(count), byref(error)
                )
            c.check(status, error)
            return [Line._of(result) for result in results[: count.value]]

        return work

    def _wait(self, work: Work, on_info: Callable[[Line], object] | None = None) -> Any:
        """Runs a search and waits for its end. Only the main thread hears signals, and only while it waits."""
        if on_info is None and threading.current_thread() is not threading.main_thread():
            search = Search(self._turns, threading.get_ident())
            return search.run(lambda: work(search))
        with closing(self._reports(work)) as reports:  # closed even where a Ctrl-C comes between two reports
            for kind, told in reports:
                if kind == "info" and on_info:
                    on_info(told)
        return told

    def _reports(self, work: Work) -> Generator[tuple[str, Any], None, None]:
        """("info", line) for every report, then ("end", what was found); leaving early stops the search."""
        search = Search(self._turns, threading.get_ident())
        mail: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()
        kind = "info"
        try:
            search.begin(work, mail.put)
            while kind != "end":
                try:
                    kind, told = mail.get(timeout=PATIENCE)
                except queue.Empty:
                    continue
                yield kind, unfold(kind, told)
        finally:
            search.finish()

    async def _wait_async(self, work: Work, on_info: Callable[[Line], object] | None) -> Any:
        reports = self._reports_async(work)
        try:
            async for kind, told in reports:
                if kind == "info" and on_info:
                    on_info(told)
        finally:
            await reports.aclose()
        return told

    async def _reports_async(self, work: Work) -> AsyncGenerator[tuple[str, Any], None]:
        search, loop = Search(self._turns, None), asyncio.get_running_loop()
        mail: asyncio.Queue[tuple[str, Any]] = asyncio.Queue()

        def post(item: tuple[str, Any]) -> None:
            try:
                loop.call_soon_threadsafe(mail.put_nowait, item)
            except RuntimeError:  # the loop is closed: nobody listens
                pass

        kind = "info"
        try:
            search.begin(work, post)
            while kind != "end":
                kind, told = await mail.get()
                yield kind, unfold(kind, told)
        finally:
            search.stop()  # a search after it waits for its turn outside of the loop


class Stream:
    """Reports of a search as they come; each loop over it is a search of its own."""

    def __init__(self, engine: Engine, work: Work) -> None:
        self._engine, self._work = engine, work

    def __iter__(self) -> Iterator[Line]:
        with closing(self._engine._reports(self._work)) as reports:
            for kind, told in reports:
                yield from told if kind == "end" else (told,)

    async def __aiter__(self) -> AsyncIterator[Line]:
        reports = self._engine._reports_async(self._work)
        try:
            async for kind, told in reports:
                for line in told if kind == "end" else (told,):
                    yield line
        finally:
            await reports.aclose()


def answer(text: str | bytes, engine: Engine | None = None, format: str | None = None) -> dict[str, str]:
    """Answers a course file as its course expects: a dictionary of file names and their contents."""
    course, error, data, pieces = c.Handle(), c.Error(), c.to_bytes(text), []
    used = engine or Engine()
    c.check(c.course_parse(data, len(data), c.to_name(format), byref(course), byref(error)), error)

    def work(search: Search) -> str:
        out, orders = c_void_p(), c.Orders()
        orders.on_log = c.OnLog(lambda user, piece, length: pieces.append(piece[:length]))
        status = c.course_answer(course, used._turns.handle, byref(orders), byref(out), None, byref(error))
        c.check(status, error)
        return c.take(out.value)

    try:
        info = c.CourseInfo()
        c.check(c.course_about(course, byref(info), byref(error)), error)
        files = {info.answer_file.decode(): used._wait(work)}
        if info.log_file:
            files[info.log_file.decode()] = b"".join(pieces).decode()
        return files
    finally:
        c.course_free(course)
        if not engine:
            used.close()
