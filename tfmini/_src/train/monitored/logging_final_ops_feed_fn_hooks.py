"""Hooks that log tensors, feed values, and evaluate final ops."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base import logs
from tfmini._src.base.errors import OutOfRangeError
from tfmini._src.base.read_only import read_only
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.default_stack import FeedDict
from tfmini._src.session.session import Session
from tfmini._src.train.monitored.second_or_step_timer import NeverTriggerTimer, SecondOrStepTimer
from tfmini._src.train.monitored.session_run_hook import (
    SessionRunArgs,
    SessionRunContext,
    SessionRunHook,
    SessionRunValues,
)


class LoggingTensorHook(SessionRunHook):
    """Logs tensor values at level INFO, with the elapsed seconds.

    Args:
      tensors: a dict of tensors or their names by tag; or a list of them, each its own tag.
      every_n_iter: interval in runs,
      every_n_secs: or in seconds.
      at_end: whether to also log at the end; alone, logs only then.
      formatter: a function from the dict of values by tag to a string.

    Raises:
      ValueError: if both or neither are given, or `every_n_iter` is not positive; at the start, if a tensor
        belongs to another graph, or a name denotes an operation with several outputs.

    Example: `tf.train.LoggingTensorHook({"loss": loss}, every_n_iter=100)`.
    """

    def __init__(
        self,
        tensors: Any,
        every_n_iter: int | None = None,
        every_n_secs: float | None = None,
        at_end: bool = False,
        formatter: Callable[..., Any] | None = None,
    ):
        only_at_end = at_end and every_n_iter is None and every_n_secs is None
        if not only_at_end and (every_n_iter is None) == (every_n_secs is None):
            raise ValueError(
                "either at_end and/or exactly one of every_n_iter and every_n_secs must be provided."
            )
        if every_n_iter is not None and every_n_iter <= 0:
            raise ValueError(f"invalid every_n_iter={every_n_iter}.")
        if isinstance(tensors, dict):
            self._tag_order = sorted(tensors)
        else:
            self._tag_order = tensors
            tensors = {item: item for item in tensors}
        self._tensors = tensors
        self._formatter = formatter
        self._timer = NeverTriggerTimer()
        if not only_at_end:
            self._timer = SecondOrStepTimer(every_secs=every_n_secs, every_steps=every_n_iter)
        self._log_at_end = at_end

    def begin(self) -> None:
        """Looks up the tensors."""
        self._timer.reset()
        self._iter_count = 0
        self._current_tensors = {tag: _element(tensor) for tag, tensor in self._tensors.items()}

    def before_run(self, run_context: SessionRunContext) -> Any:
        """Requests the values when due."""
        self._should_trigger = self._timer.should_trigger_for_step(self._iter_count)
        return SessionRunArgs(self._current_tensors) if self._should_trigger else None

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        """Logs the values."""
        if self._should_trigger:
            self._log_tensors(run_values.results)
        self._iter_count += 1

    def end(self, session: Session) -> None:
        """Logs the final values if requested."""
        if self._log_at_end:
            self._log_tensors(session.run(self._current_tensors))

    def _log_tensors(self, values: dict) -> None:
        with np.printoptions(suppress=True):
            elapsed_secs, _ = self._timer.update_last_triggered_step(self._iter_count)
            if self._formatter:
                logs.info(self._formatter(values))
                return
            text = ", ".join(f"{tag!s} = {values[tag]!s}" for tag in self._tag_order)
            if elapsed_secs is None:
                logs.info("%s", text)
            else:
                logs.info("%s (%.3f sec)", text, elapsed_secs)


class FinalOpsHook(SessionRunHook):
    """Evaluates `final_ops` at the end of a session.

    Args:
      final_ops: fetches, as for `Session.run`.
      final_ops_feed_dict: the feeds for `final_ops`.

    Example:
      hook = tf.train.FinalOpsHook(accuracy)
      with tf.train.MonitoredSession(hooks=[hook]) as session:
          session.run(train)
      print(hook.final_ops_values)
    """

    final_ops_values: Any = read_only("Fetched values of `final_ops`; None before the end.")

    def __init__(self, final_ops: object, final_ops_feed_dict: FeedDict | None = None):
        self._final_ops = final_ops
        self._final_ops_feed_dict = final_ops_feed_dict
        self._final_ops_values: Any = None

    def end(self, session: Session) -> None:
        """Runs the final ops."""
        if self._final_ops is None:
            return
        try:
            self._final_ops_values = session.run(
                self._final_ops, feed_dict=self._final_ops_feed_dict
            )
        except (OutOfRangeError, StopIteration):
            logs.warning(
                "An OutOfRangeError or StopIteration exception is raised by the code in FinalOpsHook. This typically "
                "means the Ops running by the FinalOpsHook have a dependency back to some input source, which should "
                "not happen. For example, for metrics in tf.estimator.Estimator, all metrics functions return two Ops: "
                "`value_op` and  `update_op`. Estimator.evaluate calls the `update_op` for each batch of the data in "
                "input source and, once it is exhausted, it call the `value_op` to get the metric values. The "
                "`value_op` here should have dependency back to variables reading only, rather than reading another "
                "batch from input. Otherwise, the `value_op`, executed by `FinalOpsHook`, triggers another data "
                "reading, which ends OutOfRangeError/StopIteration. Please fix that."
            )
            raise


class FeedFnHook(SessionRunHook):
    """Feeds each step the values returned by a function.

    Args:
      feed_fn: a function without arguments that returns a feed_dict.
    """

    def __init__(self, feed_fn: Callable[[], dict[Any, Any]]):
        self.feed_fn = feed_fn

    def before_run(self, run_context: SessionRunContext) -> Any:
        """Calls the function."""
        return SessionRunArgs(fetches=None, feed_dict=self.feed_fn())


def _element(value: Any) -> Any:
    """A tensor or operation by name, in the default graph."""
    graph = get_default_graph()
    if not isinstance(value, str):
        if not hasattr(value, "graph") or value.graph is not graph:
            raise ValueError(
                f"Passed {value} should have graph attribute that is equal to current graph {graph}."
            )
        return value
    if ":" in value:
        return graph.as_graph_element(value)
    element = graph.as_graph_element(value + ":0")
    try:
        graph.as_graph_element(value + ":1")
    except (KeyError, ValueError):
        return element
    raise ValueError(
        f"Name {value} is ambiguous, as this `Operation` has multiple outputs (at least 2)."
    )
