"""Supervisor threads: they write summaries, steps per second, and checkpoints."""

from __future__ import annotations

import time
from typing import Any

from tfmini._src.base import logs, proto
from tfmini._src.train.global_step import global_step
from tfmini._src.train.input_queues.coordinator import LooperThread


class SVSummaryThread(LooperThread):
    """Writes the summaries of a Supervisor every n seconds.

    Args:
      sv: the Supervisor.
      sess: its session.
    """

    def __init__(self, sv: Any, sess: Any):
        super().__init__(sv.coord, sv.save_summaries_secs)
        self._sv = sv
        self._sess = sess

    def run_loop(self) -> None:
        """Writes the summaries once."""
        sv, step = self._sv, None
        if sv.global_step is None:
            summary = self._sess.run(sv.summary_op)
        else:
            summary, step = self._sess.run([sv.summary_op, sv.global_step])
        if sv.summary_writer:
            logs.info("Recording summary at step %s.", step)
            sv.summary_writer.add_summary(summary, step)


class SVStepCounterThread(LooperThread):
    """Writes the steps per second.

    Args:
      sv: the Supervisor.
      sess: its session.
      step_counter: the counted tensor, by default the global step.
    """

    def __init__(self, sv: Any, sess: Any, step_counter: Any = None):
        super().__init__(sv.coord, sv.save_summaries_secs)
        self._sv = sv
        self._sess = sess
        self._last_time = 0.0
        self._last_step = 0
        self._step_counter = sv.global_step if step_counter is None else step_counter
        self._summary_tag = f"{self._step_counter.op.name}/sec"

    def start_loop(self) -> None:
        """Records the first step and its time."""
        self._last_time = time.time()
        self._last_step = global_step(self._sess, self._step_counter)

    def run_loop(self) -> None:
        """Writes the steps per second once."""
        step = global_step(self._sess, self._step_counter)
        now = time.time()
        step_count, elapsed = step - self._last_step, now - self._last_time
        self._last_step, self._last_time = step, now
        rate = step_count / elapsed if elapsed > 0.0 else float("inf")
        if self._sv.summary_writer:
            value = proto.Summary.Value(tag=self._summary_tag, simple_value=rate)
            self._sv.summary_writer.add_summary(proto.Summary(value=[value]), step)
        logs.log_first_n(logs.INFO, "%s: %g", 10, self._summary_tag, rate)


class SVTimerCheckpointThread(LooperThread):
    """Writes checkpoints every n seconds.

    Args:
      sv: the Supervisor.
      sess: its session.
    """

    def __init__(self, sv: Any, sess: Any):
        super().__init__(sv.coord, sv.save_model_secs)
        self._sv = sv
        self._sess = sess

    def run_loop(self) -> None:
        """Writes one checkpoint."""
        sv = self._sv
        logs.info("Saving checkpoint to path %s", sv.save_path)
        sv.saver.save(self._sess, sv.save_path, global_step=sv.global_step)
        if sv.summary_writer and sv.global_step is not None:
            log = proto.SessionLog(status=proto.SessionLog.CHECKPOINT, checkpoint_path=sv.save_path)
            sv.summary_writer.add_session_log(log, global_step(self._sess, sv.global_step))
