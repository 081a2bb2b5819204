"""Who may use an engine when.

A C engine runs one search at a time and keeps its caller until it ends. Python wants more: threads that wait for their
turn, a Ctrl-C that is heard at once, callbacks whose exceptions come out where the search was asked for. So a search
that the main thread asks for runs in a thread of its own, while the main thread waits where signals reach it."""
from __future__ import annotations

import atexit
import os
import threading
import weakref
from contextlib import contextmanager
from typing import Any, Callable, Iterator

from . import _library as c

# Windows does not wake a waiting thread for a Ctrl-C; elsewhere the wait ends by itself.
PATIENCE = 0.05
Post = Callable[["tuple[str, Any]"], object]
Work = Callable[["Search"], Any]
_UNDER_WAY: set[Search] = set()


class Search:
    """One thing that is asked of an engine: waits for its turn, runs, and can be stopped at any moment."""

    def __init__(self, turns: Turns, caller: int | None) -> None:
        self.turns = turns
        self.caller, self.runner = caller, caller  # the thread that waits for it, and the one that searches
        self.thread: threading.Thread | None = None
        self.stopped = False
        self.post: Post = lambda item: None
        self.failure: BaseException | None = None
        self.done = threading.Event()

    def stop(self) -> None:
        """Answers at once with the best it has, or never begins."""
        with self.turns.gate:
            self.stopped = True
            if self.turns.busy is self:
                c.engine_stop(self.turns.handle)
            self.turns.gate.notify_all()

    def asks(self, thread: int | None) -> bool:
        """Whether a thread would wait for itself: it is in a callback of this search, which cannot go on meanwhile."""
        return thread == self.runner or (thread == self.caller and not self.stopped)

    def fail(self, failure: BaseException) -> None:
        """A callback has raised this: the search ends, and its caller gets it."""
        if self.failure is None:
            self.failure = failure
        self.stop()

    def guard(self, callback: Callable[[Any], object], make: Callable[[Any], Any]) -> Callable[[Any, Any], None]:
        """A callback for C: what it raises is kept, and nothing is told after that."""

        def told(user: Any, pointer: Any) -> None:
            if self.failure is None:
                try:
                    callback(make(pointer.contents))
                except BaseException as failure:
                    self.fail(failure)

        return told

    def run(self, work: Callable[[], Any]) -> Any:
        """Does the work when it is its turn; None when it was stopped before."""
        self.runner = threading.get_ident()
        with self.turns.held(self) as mine:
            found = work() if mine else None
        if self.failure is not None:
            raise self.failure
        return found

    def begin(self, work: Work, post: Post) -> None:
        """Runs in a thread of its own and posts ("info", report), then ("end", (what was found, what was raised))."""
        self.post = post

        def body() -> None:
            found, failure = None, None
            try:
                found = self.run(lambda: work(self))
            except BaseException as error:
                failure = error
            finally:
                _UNDER_WAY.discard(self)
                self.done.set()
                post(("end", (found, failure)))

        self.thread = threading.Thread(target=body, name="sortie search", daemon=True)
        _UNDER_WAY.add(self)
        self.thread.start()

    def finish(self) -> None:
        """Stops it and waits until it has let the engine go. A Ctrl-C may have come before its thread began."""
        self.stop()
        while not self.done.wait(PATIENCE) and self.thread and self.thread.is_alive():
            pass
        _UNDER_WAY.discard(self)


def unfold(kind: str, told: Any) -> Any:
    """A report as it is; an end as what was found, or raised as what went wrong."""
    if kind != "end":
        return told
    found, failure = told
    if failure is not None:
        raise failure
    return found


class Turns:
    """An engine's handle and those who wait for it."""

    def __init__(self, handle: Any) -> None:
        self.handle = handle
        self.forget()
        _ALL.add(self)

    def forget(self) -> None:
        """Nobody waits: in the child of a fork the threads that did are gone."""
        self.gate = threading.Condition()
        self.busy: Search | None = None

    @contextmanager
    def held(self, search: Search) -> Iterator[bool]:
        """Waits for the engine and has it for a while; False when the search was stopped before."""
        with self.gate:
            if self.busy and self.busy.asks(search.caller or search.runner):
                raise c.SortieError("the engine is searching already: it cannot be asked from its own callback")
            while self.busy and not search.stopped:
                self.gate.wait()
            if not self.handle:
                raise c.SortieError("the engine is closed")
            if not search.stopped:
                self.busy = search
                c.engine_arm(self.handle)  # from here on a stop counts, though the search has not begun
        try:
            yield self.busy is search
        finally:
            with self.gate:
                if self.busy is search:
                    self.busy = None
                self.gate.notify_all()

    def close(self) -> None:
        """Stops the search under way and gives the engine back."""
        with self.gate:
            if self.busy and self.busy.asks(threading.get_ident()):
                raise c.SortieError("the engine is searching already: it cannot be closed from its own callback")
            if self.busy:
                c.engine_stop(self.handle)
            while self.busy:
                self.gate.wait(PATIENCE)
            handle, self.handle = self.handle, None
            self.gate.notify_all()
        if handle:
            c.engine_free(handle)


_ALL: weakref.WeakSet[Turns] = weakref.WeakSet()


def _in_child() -> None:
    _UNDER_WAY.clear()
    for turns in list(_ALL):
        turns.forget()


def _at_exit() -> None:
    """A search nobody waits for any more must not outlive the interpreter it calls back to."""
    for search in list(_UNDER_WAY):
        search.finish()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_in_child)
atexit.register(_at_exit)


@contextmanager
def no_search(what: str) -> Iterator[None]:
    """For what changes all engines at once: refused while any of them searches, and none begins meanwhile."""
    held = []
    try:
        for turns in list(_ALL):
            turns.gate.acquire()
            held.append(turns)
            if turns.busy:
                raise c.SortieError(f"expected no search under way for {what}")
        yield
    finally:
        for turns in held:
            turns.gate.release()
