"""Hooks that write summaries and steps per second."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import logs, proto
from tfmini._src.graph.tensor import Tensor
from tfmini._src.session.session import Session
from tfmini._src.train.events.file_writer import FileWriter, FileWriterCache
from tfmini._src.train.global_step import get_global_step, global_step_read_for
from tfmini._src.train.monitored.second_or_step_timer import SecondOrStepTimer
from tfmini._src.train.monitored.session_run_hook import (
    SessionRunArgs,
    SessionRunContext,
    SessionRunHook,
    SessionRunValues,
)


class StepCounterHook(SessionRunHook):
    """Writes and logs the global steps per second.

    Args:
      every_n_steps: interval in steps.
      every_n_secs: interval in seconds, instead of steps.
      output_dir: directory of the event file.
      summary_writer: a FileWriter, instead of a directory.

    Raises:
      ValueError: if both or neither of the intervals are given.
    """

    def __init__(
        self,
        every_n_steps: int | None = 100,
        every_n_secs: float | None = None,
        output_dir: str | None = None,
        summary_writer: FileWriter | None = None,
    ):
        if (every_n_steps is None) == (every_n_secs is None):
            raise ValueError("exactly one of every_n_steps and every_n_secs should be provided.")
        self._timer = SecondOrStepTimer(every_steps=every_n_steps, every_secs=every_n_secs)
        self._summary_writer = summary_writer
        self._output_dir = output_dir
        self._last_global_step: Any = None
        self._steps_per_run = 1

    def _set_steps_per_run(self, steps_per_run: int) -> None:
        self._steps_per_run = steps_per_run

    def begin(self) -> None:
        """Opens the event file and looks up the global step; raises RuntimeError without a global step."""
        if self._summary_writer is None and self._output_dir:
            self._summary_writer = FileWriterCache.get(self._output_dir)
        self._global_step_tensor = global_step_read_for("StepCounterHook")
        self._summary_tag = get_global_step().op.name + "/sec"

    def before_run(self, run_context: SessionRunContext) -> Any:
        """Requests the global step."""
        return SessionRunArgs(self._global_step_tensor)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        """Writes the steps per second when due."""
        is_due, global_step = self._timer.should_trigger_for_step, run_values.results
        if is_due(global_step + self._steps_per_run):  # the value may predate the step
            step = run_context.session.run(self._global_step_tensor)
            if is_due(step):
                elapsed_secs, elapsed_steps = self._timer.update_last_triggered_step(step)
                if elapsed_secs is not None:
                    self._log_and_record(elapsed_steps, elapsed_secs, step)
        if global_step == self._last_global_step:
            logs.log_first_n(
                logs.WARN,
                "It seems that global step (tf.train.get_global_step) has not been increased. Current value (could be "
                "stable): %s vs previous value: %s. You could increase the global step by passing "
                "tf.train.get_global_step() to Optimizer.apply_gradients or Optimizer.minimize.",
                5,
                global_step,
                self._last_global_step,
            )
        self._last_global_step = global_step

    def _log_and_record(self, elapsed_steps: Any, elapsed_time: float, global_step: Any) -> None:
        """Writes and logs the steps per second; subclasses may override it."""
        steps_per_sec = elapsed_steps / elapsed_time
        if self._summary_writer is not None:
            value = proto.Summary.Value(tag=self._summary_tag, simple_value=steps_per_sec)
            self._summary_writer.add_summary(proto.Summary(value=[value]), global_step)
        logs.info("%s: %g", self._summary_tag, steps_per_sec)


class SummarySaverHook(SessionRunHook):
    """Writes summaries at the first step, and every n steps or seconds.

    Args:
      save_steps: interval in steps.
      save_secs: interval in seconds, instead of steps.
      output_dir: directory of the event file.
      summary_writer: a FileWriter, instead of a directory.
      scaffold: a Scaffold with the summaries.
      summary_op: a summary, or a list of summaries, instead of `scaffold`.

    Raises:
      ValueError: if both or neither of Scaffold and summaries are given, or of the intervals.
    """

    def __init__(
        self,
        save_steps: int | None = None,
        save_secs: float | None = None,
        output_dir: str | None = None,
        summary_writer: FileWriter | None = None,
        scaffold: Any = None,
        summary_op: Tensor | None = None,
    ):
        if (scaffold is None) == (summary_op is None):
            raise ValueError("Exactly one of scaffold or summary_op must be provided.")
        self._summary_op = summary_op
        self._summary_writer = summary_writer
        self._output_dir = output_dir
        self._scaffold = scaffold
        self._timer = SecondOrStepTimer(every_secs=save_secs, every_steps=save_steps)

    def begin(self) -> None:
        """Opens the event file and looks up the global step; raises RuntimeError without a global step."""
        if self._summary_writer is None and self._output_dir:
            self._summary_writer = FileWriterCache.get(self._output_dir)
        self._next_step: Any = None
        self._global_step_tensor = global_step_read_for("SummarySaverHook")

    def before_run(self, run_context: SessionRunContext) -> Any:
        """Requests the global step and, if due, the summaries."""
        self._request_summary = self._next_step is None or self._timer.should_trigger_for_step(
            self._next_step
        )
        expected = {"global_step": self._global_step_tensor}
        if self._request_summary:
            summaries = self._get_summary_op()
            if summaries is not None:
                expected["summary"] = summaries
        return SessionRunArgs(expected)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        """Writes the summaries."""
        writer = self._summary_writer
        if not writer:
            return
        step = run_values.results["global_step"] + 1
        if self._next_step is None or self._request_summary:
            step = run_context.session.run(self._global_step_tensor)
        if self._next_step is None:
            writer.add_session_log(proto.SessionLog(status=proto.SessionLog.START), step)
        if self._request_summary:
            self._timer.update_last_triggered_step(step)
            for summary in run_values.results.get("summary", ()):
                writer.add_summary(summary, step)
        self._next_step = step + 1

    def end(self, session: Session | None = None) -> None:
        """Flushes the file."""
        if self._summary_writer:
            self._summary_writer.flush()

    def _get_summary_op(self) -> list | None:
        """Returns the summaries as a list; None if there are none."""
        summaries = self._summary_op
        if summaries is None:
            summaries = self._scaffold.summary_op
        if summaries is None or isinstance(summaries, list):
            return summaries
        return [summaries]
