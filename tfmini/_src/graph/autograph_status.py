"""AutoGraph's conversion status per thread, and a lazy loader of AutoGraph."""

from __future__ import annotations

import enum
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any


class Status(enum.Enum):
    """AutoGraph status of a call: unspecified, converting, or not converting."""

    UNSPECIFIED = 0
    ENABLED = 1
    DISABLED = 2


@dataclass
class PythonLoops:
    """Limits for loops that AutoGraph leaves to Python.

    Attributes:
      max_iterations: number of `while` iterations above which a loop is considered infinite.
    """

    max_iterations: int = 100_000_000


python_loops = PythonLoops()


class _Stack(threading.local):
    def __init__(self) -> None:
        self.statuses = [Status.UNSPECIFIED]


# Source rewriters, (module tree, source) to tree: also applied to converted code.
rewriters: list[Callable[[Any, bytes], Any]] = []

# Translators of a function's source lines to the language that AutoGraph reads, (function, lines) to lines.
line_sources: list[Callable[[Any, list[str]], list[str]]] = []

_thread_statuses = _Stack()

_loaders: list[Callable[[], Callable[..., Callable[..., Any]]]] = []


def convert_by(load: Callable[[], Callable[..., Callable[..., Any]]]) -> None:
    """Registers `load()`, which imports AutoGraph and returns its `convert_on_call`; called on the first conversion."""
    _loaders[:] = [load]


def conversion_status() -> Status:
    """This thread's current status."""
    return _thread_statuses.statuses[-1]


@contextmanager
def conversion(status: Status) -> Iterator[None]:
    """Context manager that sets the status for its block."""
    _thread_statuses.statuses.append(status)
    try:
        yield
    finally:
        _thread_statuses.statuses.pop()


def convert_if_enabled(
    function: Callable[..., Any],
    status: Status | None = None,
    user_requested: bool = False,
    features: object = None,
) -> Callable[..., Any]:
    """Returns a function that AutoGraph converts when called, if `status` (default: the current one) allows.

    Args:
      function: the user's function; tfmini's own are called unconverted unless `user_requested`.
      status: ENABLED or UNSPECIFIED converts it; DISABLED calls it unconverted.
      user_requested: whether the program requests the conversion explicitly, as `tf.function` does.
      features: additional `tf.autograph.experimental.Feature`s.
    """
    if status is None:
        status = conversion_status()
    if getattr(function, "__ag_compiled", False):
        return function
    if status is Status.DISABLED:
        return _call_unconverted(function)
    return _loaders[0]()(function, user_requested, features)


def _call_unconverted(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(*args: object, **kwargs: object) -> Any:
        with conversion(Status.DISABLED):
            return function(*args, **kwargs)

    return call


def python_value_error(task: str) -> str:
    """Returns the error message for Python code that needs a tensor's value during graph construction."""
    status = conversion_status()
    if status is Status.DISABLED:
        return (
            f"{task} is not allowed: AutoGraph is disabled in this function. Try decorating it directly with "
            "@tf.function."
        )
    if status is Status.ENABLED:
        return (
            f"{task} is not allowed: AutoGraph did not convert this function. Try decorating it directly with "
            "@tf.function."
        )
    return f"{task} is not allowed in Graph execution. Use Eager execution or decorate this function with @tf.function."
