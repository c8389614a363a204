"""Directives to AutoGraph: `trace` prints while a graph is built, `set_loop_options` applies to a loop."""

from __future__ import annotations

from typing import Any

_DEFAULT: Any = object()  # of `tf.while_loop`


def set_loop_options(
    parallel_iterations: Any = _DEFAULT,
    back_prop: Any = _DEFAULT,
    swap_memory: Any = _DEFAULT,
    maximum_iterations: Any = _DEFAULT,
) -> None:
    """Options of the `tf.while_loop` that a Python loop around it becomes.

    As in TensorFlow 1.15.5, which reads them and hands none to the loop, they change nothing.
    """


def trace(*args: Any) -> None:
    """Prints its arguments while a graph is made.

    Example: `tf.autograph.trace(tf.constant(1))` prints the tensor, not its value.
    """
    print(*args)
