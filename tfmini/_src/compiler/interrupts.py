"""Deferred Ctrl-C: raised after a state-changing plan ends, so that no update is left half-applied.

Loops stop after the current iteration, also when their session is closed. A second Ctrl-C is raised immediately.
"""

from __future__ import annotations

import threading

# The C functions, because the wrappers in `signal` take longer than a small step.
from _signal import SIGINT, getsignal, signal as set_handler  # type: ignore[import-not-found]
from collections.abc import Callable
from types import FrameType
from typing import Any

from tfmini._src.base.errors import CancelledError
from tfmini._src.base.locks import after_fork

_MAIN = threading.main_thread().ident

# By thread, the function that its loops call after each iteration. Usually empty; loops check it.
LOOP_HOOKS: dict[int | None, Callable[[], object]] = {}

# Threads that run calls nested too deeply for another thread's stack, with the thread whose step they run.
CALLER_THREADS: dict[int, int] = {}


class StepAbandoned(BaseException):
    """Raised in the loops of a step that its caller abandoned."""


def end_loops(thread: int | None) -> None:
    """Ends the loops of a thread after the current iteration by raising `StepAbandoned` in its step."""
    LOOP_HOOKS[thread] = _raise_stopped


def _raise_stopped() -> None:
    LOOP_HOOKS.pop(_step_thread(), None)
    raise StepAbandoned


def _step_thread() -> int:
    """Returns the thread whose step the calling thread runs."""
    thread = threading.get_ident()
    return CALLER_THREADS.get(thread, thread)


def after_iteration(closed: list[bool]) -> None:
    """Calls this thread's hook; raises CancelledError if the session is closed."""
    hook = LOOP_HOOKS.get(_step_thread())
    if hook is not None:
        hook()
    if closed:
        raise CancelledError(None, None, "Loop execution was cancelled.")


class DeferredInterrupts:
    """Context manager that defers the first Ctrl-C to its end; no effect outside the main thread."""

    __slots__ = ("_handler", "_interrupted_frame", "_noted")

    def __enter__(self) -> None:
        self._handler: Any = None
        self._interrupted_frame: FrameType | None = None
        self._noted = False
        if threading.get_ident() == _MAIN:
            handler = getsignal(SIGINT)
            if callable(handler):
                self._handler = handler
                set_handler(SIGINT, self._note_signal)

    def __exit__(self, *unused: object) -> None:
        if self._handler is not None:
            set_handler(SIGINT, self._handler)
            if self._noted:
                LOOP_HOOKS.pop(_MAIN, None)
                self._handler(SIGINT, self._interrupted_frame)

    def _note_signal(self, signum: int, frame: FrameType | None) -> None:
        if self._noted:
            self._handler(signum, frame)
        self._noted = True
        self._interrupted_frame = frame
        end_loops(_MAIN)


def _child_of_another_thread() -> None:
    """Resets the state in a process forked while the parent's main thread was deferring interrupts."""
    global _MAIN
    previous, _MAIN = _MAIN, threading.main_thread().ident
    if previous == _MAIN:
        return
    LOOP_HOOKS.clear()
    handler = getsignal(SIGINT)
    while isinstance(block := getattr(handler, "__self__", None), DeferredInterrupts):
        handler = block._handler
        set_handler(SIGINT, handler)


after_fork(_child_of_another_thread)
