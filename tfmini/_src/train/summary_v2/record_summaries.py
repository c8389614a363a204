"""Summary settings of a thread: recording condition, writer, step."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from typing import Any

from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.train.global_step import get_or_create_global_step


class _Defaults(threading.local):
    """The settings of a thread: writer, recording condition and step, None if unset."""

    writer: Any = None
    condition: Any = None
    step: Any = None


DEFAULTS = _Defaults()


def should_record_summaries() -> Tensor:
    """Returns whether to record summaries in this thread, a scalar bool Tensor; False by default.

    Example: `tf.cond(tf.contrib.summary.should_record_summaries(), costly_summaries, tf.no_op)`
    """
    return recording_condition(default_condition=False)


def recording_condition(default_condition: bool) -> Tensor:
    """Returns the recording condition of the thread, or `default_condition` if unset."""
    condition = DEFAULTS.condition
    if callable(condition):
        condition = condition()
    return ops.logical_and(True, default_condition if condition is None else condition)


@contextlib.contextmanager
def record_if(condition: Any) -> Iterator[None]:
    """Context manager that sets the recording condition of summaries.

    Args:
      condition: a bool, a scalar bool Tensor, or a function that returns one, called for each summary.
    """
    previous_condition, DEFAULTS.condition = DEFAULTS.condition, condition
    try:
        yield
    finally:
        DEFAULTS.condition = previous_condition


def record_summaries_every_n_global_steps(n: Any, global_step: Any = None) -> Any:
    """Context manager that records summaries every n global steps.

    Args:
      n: interval in steps, a number or int64 scalar.
      global_step: an integer scalar; by default the graph's global step, created if missing.

    Returns:
      A context manager.

    Example:
      with writer.as_default(), tf.contrib.summary.record_summaries_every_n_global_steps(100):
          tf.contrib.summary.scalar("loss", loss)
    """
    if global_step is None:
        global_step = get_or_create_global_step()

    def should() -> Tensor:
        with get_default_graph().device("cpu:0"):
            return ops.equal(global_step % n, 0)

    return record_if(should if executing_eagerly() else should())


def always_record_summaries() -> Any:
    """Context manager that records all summaries."""
    return record_if(True)


def never_record_summaries() -> Any:
    """Context manager that records no summaries."""
    return record_if(False)


def get_step() -> Any:
    """Returns the thread's summary step; None if it is not set."""
    return DEFAULTS.step


def set_step(step: Any) -> None:
    """Sets the thread's default summary step.

    Args:
      step: an integer, a variable (read when a function runs), or None.
    """
    DEFAULTS.step = step
