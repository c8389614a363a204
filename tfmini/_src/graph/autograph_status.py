"""AutoGraph's status for the Python functions called now, and a lazy loader of AutoGraph."""

from __future__ import annotations

import enum
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any


class Status(enum.Enum):
    """The status of AutoGraph around a call: unknown, converting, or not converting."""

    UNSPECIFIED = 0
    ENABLED = 1
    DISABLED = 2


@dataclass
class PythonLoops:
    """Limits of loops that AutoGraph leaves to Python.

    Attributes:
      most_iterations: those of a `while` that are taken for an infinite loop.
    """

    most_iterations: int = 100_000_000


python_loops = PythonLoops()


class _Stack(threading.local):
    def __init__(self) -> None:
        self.statuses = [Status.UNSPECIFIED]


# What changes the source of programs, (tree of a module, source) to tree, changes converted code too.
rewriters: list[Callable[[Any, bytes], Any]] = []

# What the lines of a function's file are in the language that AutoGraph reads, (function, lines) to lines.
line_sources: list[Callable[[Any, list[str]], list[str]]] = []

_stack = _Stack()

_loaders: list[Callable[[], Callable[..., Callable[..., Any]]]] = []


def convert_by(load: Callable[[], Callable[..., Callable[..., Any]]]) -> None:
    """Sets the `load()` that returns AutoGraph's `converted`, called when a function is first converted."""
    _loaders[:] = [load]


def conversion_status() -> Status:
    """The status of this thread."""
    return _stack.statuses[-1]


@contextmanager
def conversion(status: Status) -> Iterator[None]:
    """A block with this status."""
    _stack.statuses.append(status)
    try:
        yield
    finally:
        _stack.statuses.pop()


def converted(
    function: Callable[..., Any],
    status: Status | None = None,
    user_requested: bool = False,
    features: object = None,
) -> Callable[..., Any]:
    """A function that AutoGraph converts at its call, if `status` (by default the current one) allows.

    Args:
      function: the program's; functions of tfmini are called as they are, unless `user_requested`.
      status: ENABLED or UNSPECIFIED: it is converted; DISABLED: it is called as it is.
      user_requested: whether the program asks for this conversion, as `tf.function` does.
      features: `tf.autograph.experimental.Feature`s beyond the usual ones.
    """
    if status is None:
        status = conversion_status()
    if getattr(function, "__ag_compiled", False):
        return function
    if status is Status.DISABLED:
        return _as_it_is(function)
    return _loaders[0]()(function, user_requested, features)


def _as_it_is(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(*args: object, **kwargs: object) -> Any:
        with conversion(Status.DISABLED):
            return function(*args, **kwargs)

    return call


def not_allowed(task: str) -> str:
    """The error message for Python code that needs a tensor's value while the graph is built."""
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
