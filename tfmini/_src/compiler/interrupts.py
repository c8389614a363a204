"""Ctrl-C while a plan changes state: it is raised once the plan has ended, so that no update stops half-way.

A loop ends after the iteration that runs, also where its session is closed. A second Ctrl-C is raised at once.
"""

from __future__ import annotations

import threading

# The C functions themselves: `signal` wraps them in conversions that cost more than a small step.
from _signal import SIGINT, getsignal  # type: ignore[import-not-found]
from _signal import signal as set_handler
from types import FrameType
from typing import Any

from tfmini._src.base.errors import CancelledError
from tfmini._src.base.locks import after_fork

_MAIN = threading.main_thread().ident

# The threads whose loops shall end, and what their steps raise: nearly always empty, which loops look at.
STOPPED: dict[int | None, type[BaseException]] = {}

# The threads that run a part of another one's step, by which: calls of functions too deep for that one's stack.
RUNS_FOR: dict[int, int] = {}


class Stopped(BaseException):
    """Raised in a loop of a step whose caller is gone."""


def stop(closed: list[bool]) -> None:
    """Raises if this thread's loops are to end, or those of a closed session."""
    thread = threading.get_ident()
    kind = STOPPED.pop(RUNS_FOR.get(thread, thread), None)
    if kind is not None:
        raise kind
    if closed:
        raise CancelledError(None, None, "Loop execution was cancelled.")


class DeferredInterrupts:
    """A block in which the first Ctrl-C waits for the end; it does nothing outside of the main thread."""

    __slots__ = ("_handler", "_came", "_noted")

    def __enter__(self) -> None:
        self._handler: Any = None
        self._came: FrameType | None = None
        self._noted = False
        if threading.get_ident() == _MAIN:
            handler = getsignal(SIGINT)
            if callable(handler):
                self._handler = handler
                set_handler(SIGINT, self._note)

    def __exit__(self, *unused: object) -> None:
        if self._handler is not None:
            set_handler(SIGINT, self._handler)
            if self._noted:
                STOPPED.pop(_MAIN, None)
                self._handler(SIGINT, self._came)

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self._noted:
            self._handler(number, frame)
        self._noted = True
        self._came = frame
        STOPPED[_MAIN] = Stopped


def _child_of_another_thread() -> None:
    """In a process that was forked while the main thread, which it does not have, was in such a block."""
    global _MAIN
    before, _MAIN = _MAIN, threading.main_thread().ident
    if before == _MAIN:
        return
    STOPPED.clear()
    handler = getsignal(SIGINT)
    while isinstance(block := getattr(handler, "__self__", None), DeferredInterrupts):
        handler = block._handler
        set_handler(SIGINT, handler)


after_fork(_child_of_another_thread)
