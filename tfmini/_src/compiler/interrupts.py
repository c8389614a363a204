"""Deferred Ctrl-C: raised after a state-changing plan ends, so no update is left half-applied.

Loops stop after the current iteration, also when their session is closed. A second Ctrl-C is raised immediately.
"""

from __future__ import annotations

import threading

# The C functions: the wrappers in `signal` cost more than a small step.
from _signal import SIGINT, getsignal  # type: ignore[import-not-found]
from _signal import signal as set_handler
from types import FrameType
from typing import Any

from tfmini._src.base.errors import CancelledError
from tfmini._src.base.locks import after_fork

_MAIN = threading.main_thread().ident

# Threads whose loops must end, with the exceptions to raise in their steps. Usually empty; loops check it.
STOPPED: dict[int | None, type[BaseException]] = {}

# Threads that run a part of another thread's step, with that thread: calls nested too deeply for its stack.
RUNS_FOR: dict[int, int] = {}


class Stopped(BaseException):
    """Raised in the loops of a step that its caller abandoned."""


def stop(closed: list[bool]) -> None:
    """Raises if this thread's loops must stop or the session is closed."""
    thread = threading.get_ident()
    kind = STOPPED.pop(RUNS_FOR.get(thread, thread), None)
    if kind is not None:
        raise kind
    if closed:
        raise CancelledError(None, None, "Loop execution was cancelled.")


class DeferredInterrupts:
    """Context manager that defers the first Ctrl-C to its end; no effect outside the main thread."""

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
    """Resets the state in a process forked while the main thread, which the child lacks, was in such a block."""
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
