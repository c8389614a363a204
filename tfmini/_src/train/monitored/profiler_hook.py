"""The hook that traces steps periodically, as timelines and for TensorBoard."""

from __future__ import annotations

import os
from typing import Any

from tfmini._src.base import logs, proto
from tfmini._src.formats.gfile import FileIO
from tfmini._src.session.timeline import Timeline
from tfmini._src.train.events.file_writer import FileWriterCache
from tfmini._src.train.global_step import global_step_read_for
from tfmini._src.train.monitored.second_or_step_timer import SecondOrStepTimer
from tfmini._src.train.monitored.session_run_hook import (
    SessionRunArgs,
    SessionRunContext,
    SessionRunHook,
    SessionRunValues,
)


class ProfilerHook(SessionRunHook):
    """Traces a step every n steps or seconds to `timeline-STEP.json`, for chrome://tracing or Perfetto.

    Also writes compute times and memory usage to the event file.

    Args:
      save_steps: interval in steps.
      save_secs: interval in seconds, instead of steps.
      output_dir: the output directory.
      show_dataflow: whether timelines show the data flow between nodes.
      show_memory: whether timelines show tensor sizes and lifetimes.

    Raises:
      ValueError: if both or neither of the intervals are given.

    Example:
      hook = tf.train.ProfilerHook(save_steps=100, output_dir="/tmp/traces")
      with tf.train.MonitoredTrainingSession(hooks=[hook]) as session: ...
    """

    def __init__(
        self,
        save_steps: int | None = None,
        save_secs: float | None = None,
        output_dir: str = "",
        show_dataflow: bool = True,
        show_memory: bool = False,
    ):
        self._output_file = os.path.join(output_dir, "timeline-{}.json")
        self._file_writer = FileWriterCache.get(output_dir)
        self._show_dataflow = show_dataflow
        self._show_memory = show_memory
        self._timer = SecondOrStepTimer(every_secs=save_secs, every_steps=save_steps)

    def begin(self) -> None:
        """Looks up the global step; raises RuntimeError if the graph has no global step."""
        self._next_step: Any = None
        self._global_step_tensor = global_step_read_for("ProfilerHook")

    def before_run(self, run_context: SessionRunContext) -> Any:
        """Requests the global step and, if due, a trace."""
        self._request_summary = self._next_step is not None and self._timer.should_trigger_for_step(
            self._next_step
        )
        options = None
        if self._request_summary:
            options = proto.RunOptions(trace_level=proto.RunOptions.FULL_TRACE)
        return SessionRunArgs({"global_step": self._global_step_tensor}, options=options)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        """Writes the trace."""
        global_step = run_values.results["global_step"]
        if self._next_step is None:
            self._timer.update_last_triggered_step(global_step)
        step = global_step + 1
        if self._request_summary:
            step = run_context.session.run(self._global_step_tensor)
            self._timer.update_last_triggered_step(step)
            metadata = run_values.run_metadata
            self._save(step, self._output_file.format(step), metadata.step_stats)
            self._file_writer.add_run_metadata(metadata, f"step_{step}")
        self._next_step = step + 1

    def _save(self, step: Any, save_path: str, step_stats: Any) -> None:
        """Writes a timeline."""
        logs.info("Saving timeline for %d into '%s'.", step, save_path)
        text = Timeline(step_stats).generate_chrome_trace_format(
            show_dataflow=self._show_dataflow, show_memory=self._show_memory
        )
        with FileIO(save_path, "w") as file:
            file.write(text)
