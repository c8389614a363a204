"""AutoGraph directives: `trace` prints during graph construction, `set_loop_options` configures a loop."""

from __future__ import annotations

from typing import Any

_DEFAULT: Any = object()  # options of `tf.while_loop`


def set_loop_options(
    parallel_iterations: object = _DEFAULT,
    back_prop: object = _DEFAULT,
    swap_memory: object = _DEFAULT,
    maximum_iterations: object = _DEFAULT,
) -> None:
    """Declares options for the `tf.while_loop` of the enclosing Python loop.

    Has no effect, as in TensorFlow 1.15.5, which reads the options but does not pass them to the loop.
    """


def trace(*args: Any) -> None:
    """Prints its arguments during graph construction.

    Example: `tf.autograph.trace(tf.constant(1))` prints the tensor, not its value.
    """
    print(*args)
