"""What functions say to AutoGraph, which tfmini does not have: it holds of functions that stay as they are."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable
from typing import Any

_DEFAULT: Any = object()  # of `tf.while_loop`


class Feature(enum.Enum):
    """What AutoGraph may rewrite, for `experimental_autograph_options` of `tf.function`."""

    ALL = "ALL"
    AUTO_CONTROL_DEPS = "AUTO_CONTROL_DEPS"
    ASSERT_STATEMENTS = "ASSERT_STATEMENTS"
    BUILTIN_FUNCTIONS = "BUILTIN_FUNCTIONS"
    EQUALITY_OPERATORS = "EQUALITY_OPERATORS"
    LISTS = "LISTS"
    NAME_SCOPES = "NAME_SCOPES"

    @classmethod
    def all(cls) -> tuple[Feature, ...]:
        """All of them."""
        return tuple(cls)

    @classmethod
    def all_but(cls, exclude: Feature | Iterable[Feature]) -> tuple[Feature, ...]:
        """All but one, or some, and without ALL itself."""
        without = {cls.ALL, *([exclude] if isinstance(exclude, Feature) else exclude)}
        return tuple(feature for feature in cls if feature not in without)


def do_not_convert(func: Callable | None = None) -> Any:
    """A decorator that leaves a function as it is: no function is rewritten.

    Example: `@tf.autograph.experimental.do_not_convert` in a script that imports tensorflow.
    """
    return do_not_convert if func is None else func


def set_loop_options(
    parallel_iterations: Any = _DEFAULT,
    back_prop: Any = _DEFAULT,
    swap_memory: Any = _DEFAULT,
    maximum_iterations: Any = _DEFAULT,
) -> None:
    """Options of the `tf.while_loop` that a Python loop around it becomes; a loop that stays one has none.

    As in TensorFlow they concern only loops that AutoGraph has rewritten, and here none is.
    """


def trace(*args: Any) -> None:
    """Prints its arguments while a graph is made.

    Example: `tf.autograph.trace(tf.constant(1))` prints the tensor, not its value.
    """
    print(*args)
