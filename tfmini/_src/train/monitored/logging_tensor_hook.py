"""`LoggingTensorHook`, which logs the values of tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base import logs
from tfmini._src.graph.default_graph import get_default_graph
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
      tensors: a dict of tensors or tensor names by tag, or a list in which each is its own tag.
      every_n_iter: interval in runs.
      every_n_secs: interval in seconds, instead of runs.
      at_end: whether to also log at the end; without an interval, logs only then.
      formatter: a function from the dict of values by tag to a string.

    Raises:
      ValueError: if both or neither of the intervals are given, or `every_n_iter` is not positive; at the start,
        if a tensor belongs to another graph, or a name denotes an operation with several outputs.

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
        logs_only_at_end = at_end and every_n_iter is None and every_n_secs is None
        if not logs_only_at_end and (every_n_iter is None) == (every_n_secs is None):
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
        if not logs_only_at_end:
            self._timer = SecondOrStepTimer(every_secs=every_n_secs, every_steps=every_n_iter)
        self._log_at_end = at_end

    def begin(self) -> None:
        """Looks up the tensors."""
        self._timer.reset()
        self._iter_count = 0
        self._current_tensors = {
            tag: _find_element(tensor) for tag, tensor in self._tensors.items()
        }

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


def _find_element(value: Any) -> Any:
    """Returns a tensor or operation of the default graph, by name."""
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
