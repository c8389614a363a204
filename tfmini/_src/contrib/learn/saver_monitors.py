"""Monitors that write summaries, steps per second and checkpoints."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any

from tfmini._src.base import logs, proto
from tfmini._src.contrib.learn.base_monitors import BaseMonitor, EveryN, find_output
from tfmini._src.train.events.file_writer import FileWriter, FileWriterCache

if TYPE_CHECKING:
    from tfmini._src.graph.tensor import Tensor
    from tfmini._src.session.base_session import BaseSession
    from tfmini._src.session.session import Session
    from tfmini._src.train.checkpoints.saver import Saver


class SummarySaver(EveryN):
    """Writes summaries.

    Args:
      summary_op: a serialized Summary; None for the scaffold's.
      save_steps: interval in steps.
      output_dir: event directory; by default the Estimator's.
      summary_writer: alternatively, a `tf.summary.FileWriter`.
      scaffold: a `tf.train.Scaffold`.
    """

    def __init__(
        self,
        summary_op: Tensor,
        save_steps: int = 100,
        output_dir: str | None = None,
        summary_writer: FileWriter | None = None,
        scaffold: Any = None,
    ):
        super().__init__(every_n_steps=save_steps)
        self._summary_op, self._scaffold = summary_op, scaffold
        if summary_writer is None and output_dir:
            summary_writer = FileWriter(output_dir)
        self._summary_writer = summary_writer

    def set_estimator(self, estimator: Any) -> None:
        """Sets the trained Estimator; its model directory is the default event directory."""
        super().set_estimator(estimator)
        if self._summary_writer is None:
            self._summary_writer = FileWriter(estimator.model_dir)

    def every_n_step_begin(self, step: int) -> list[Any]:
        """Returns the summaries, if any."""
        if self._summary_op is None and self._scaffold is not None:
            self._summary_op = self._scaffold.summary_op
        return [] if self._summary_op is None else [self._summary_op]

    def every_n_step_end(self, step: int, outputs: dict[Any, Any]) -> bool:
        """Writes the summaries; never requests a stop."""
        if self._summary_op is not None and self._summary_writer:
            self._summary_writer.add_summary(find_output(outputs, self._summary_op), step)
        return False

    def end(self, session: Session | None = None) -> None:
        """Flushes the writer."""
        super().end(session=session)
        if self._summary_writer:
            self._summary_writer.flush()


class StepCounter(EveryN):
    """Writes the number of steps per second.

    Args:
      every_n_steps: interval in steps.
      output_dir: event directory; by default the Estimator's.
      summary_writer: alternatively, a `tf.summary.FileWriter`.
    """

    def __init__(
        self,
        every_n_steps: int = 100,
        output_dir: str | None = None,
        summary_writer: FileWriter | None = None,
    ):
        super().__init__(every_n_steps=every_n_steps)
        self._last: tuple[int, float] | None = None  # a step and its time
        if summary_writer is None and output_dir:
            summary_writer = FileWriterCache.get(output_dir)
        self._summary_writer = summary_writer

    def set_estimator(self, estimator: Any) -> None:
        """Sets the trained Estimator; its model directory is the default event directory."""
        super().set_estimator(estimator)
        if self._summary_writer is None:
            self._summary_writer = FileWriterCache.get(estimator.model_dir)

    def every_n_step_end(self, current_step: int, outputs: dict[Any, Any]) -> bool:
        """Writes the steps per second since the last time; never requests a stop."""
        now = time.time()
        if self._last is not None and self._summary_writer:
            rate = (current_step - self._last[0]) / max(now - self._last[1], 1e-9)
            value = proto.Summary.Value(tag="global_step/sec", simple_value=rate)
            self._summary_writer.add_summary(proto.Summary(value=[value]), current_step)
        self._last = current_step, now
        return False


class CheckpointSaver(BaseMonitor):
    """Writes checkpoints: after the first step, every n steps or seconds, and at the end.

    Args:
      checkpoint_dir: checkpoint directory.
      save_secs, save_steps: interval between checkpoints; exactly one is required.
      saver: a `tf.train.Saver`; None for the scaffold's.
      checkpoint_basename: prefix of file names.
      scaffold: a `tf.train.Scaffold`.

    Raises:
      ValueError: if both `save_secs` and `save_steps` are given, or neither.
    """

    def __init__(
        self,
        checkpoint_dir: str,
        save_secs: float | None = None,
        save_steps: int | None = None,
        saver: Saver | None = None,
        checkpoint_basename: str = "model.ckpt",
        scaffold: Any = None,
    ):
        logs.info("Create CheckpointSaver.")
        super().__init__()
        self._saver, self._scaffold = saver, scaffold
        self._summary_writer = FileWriterCache.get(checkpoint_dir)
        self._save_path = os.path.join(checkpoint_dir, checkpoint_basename)
        if save_steps is None and save_secs is None:
            raise ValueError("Either save_steps or save_secs should be provided")
        if save_steps is not None and save_secs is not None:
            raise ValueError("Can not provide both save_steps and save_secs.")
        self._save_secs, self._save_steps = save_secs, save_steps
        self._forget()

    def _forget(self) -> None:
        self._saved: tuple[Any, float] | None = None  # a step and its time
        self._last_begin_step: int | None = None

    def begin(self, max_steps: int | None = None) -> None:
        """Resets the time and step of the last checkpoint."""
        super().begin(max_steps)
        self._forget()

    def step_begin(self, step: int) -> list[Any]:
        """Requests nothing."""
        super().step_begin(step)
        self._last_begin_step = step
        return []

    def post_step(self, step: int, session: BaseSession) -> None:
        """Writes a checkpoint if one is due."""
        super().post_step(step, session)
        saved = self._saved or self._save(step, session)
        if self._save_steps is not None and step >= saved[0] + self._save_steps:
            saved = self._save(step, session)
        if self._save_secs is not None and time.time() >= saved[1] + self._save_secs:
            self._save(step, session)

    def end(self, session: Session | None = None) -> None:
        """Writes the final checkpoint."""
        super().end(session)
        self._save(self._last_begin_step, session)

    def _save(self, step: Any, session: Any) -> tuple[Any, float]:
        if self._saved is not None and self._saved[0] == step:
            return self._saved
        logs.info("Saving checkpoints for %d into %s.", step, self._save_path)
        self._saved = step, time.time()
        saver = self._scaffold.saver if self._saver is None else self._saver
        saver.save(session, self._save_path, global_step=step)
        session_log = proto.SessionLog
        self._summary_writer.add_session_log(
            session_log(status=session_log.CHECKPOINT, checkpoint_path=self._save_path), step
        )
        return self._saved
