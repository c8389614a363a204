"""The hook that writes checkpoints, and its listeners."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from tfmini._src.base import logs, proto
from tfmini._src.graph.collections import get_collection
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.train.events.file_writer import FileWriterCache
from tfmini._src.train.global_step import global_step_read_for
from tfmini._src.train.meta_graph.export_meta_graph import create_meta_graph_def
from tfmini._src.train.meta_graph.write_graph import write_graph
from tfmini._src.train.monitored.second_or_step_timer import SecondOrStepTimer
from tfmini._src.train.monitored.session_run_hook import (
    SessionRunArgs,
    SessionRunContext,
    SessionRunHook,
    SessionRunValues,
)

if TYPE_CHECKING:
    from tfmini._src.session.session import Session
    from tfmini._src.train.checkpoints.saver import Saver
    from tfmini._src.train.input_queues.coordinator import Coordinator
    from tfmini._src.train.monitored.scaffold import Scaffold


class CheckpointSaverListener:
    """Base class of listeners called around each checkpoint of a CheckpointSaverHook.

    Example:
      class Copier(tf.train.CheckpointSaverListener):
          def after_save(self, session, global_step_value):
              print("saved at", global_step_value)
    """

    def begin(self) -> None:
        """Called once before the session is created; may add nodes."""

    def before_save(self, session: Session, global_step_value: int) -> None:
        """Called before a checkpoint is written."""

    def after_save(self, session: Session, global_step_value: int) -> Any:
        """Called after a checkpoint is written; may return True to request a stop."""

    def end(self, session: Session, global_step_value: int) -> None:
        """Called at the end of the session."""


class CheckpointSaverHook(SessionRunHook):
    """Writes a checkpoint at the start, every n steps or seconds, and at the end.

    Args:
      checkpoint_dir: the directory.
      save_secs: interval in seconds.
      save_steps: interval in steps, instead of seconds.
      saver: a Saver.
      checkpoint_basename: checkpoint name before the step.
      scaffold: a Scaffold with a saver, instead of `saver`; by default the saver in the SAVERS collection.
      listeners: a list of CheckpointSaverListeners.

    Raises:
      ValueError: if both a Saver and a Scaffold are given, or both or neither of the intervals.
    """

    def __init__(
        self,
        checkpoint_dir: str,
        save_secs: float | None = None,
        save_steps: int | None = None,
        saver: Saver | None = None,
        checkpoint_basename: str = "model.ckpt",
        scaffold: Scaffold | None = None,
        listeners: list[Any] | None = None,
    ):
        logs.info("Create CheckpointSaverHook.")
        if saver is not None and scaffold is not None:
            raise ValueError("You cannot provide both saver and scaffold.")
        self._saver = saver
        self._checkpoint_dir = checkpoint_dir
        self._save_path = os.path.join(checkpoint_dir, checkpoint_basename)
        self._scaffold = scaffold
        self._timer = SecondOrStepTimer(every_secs=save_secs, every_steps=save_steps)
        self._listeners = listeners or []
        self._steps_per_run = 1

    def _set_steps_per_run(self, steps_per_run: int) -> None:
        self._steps_per_run = steps_per_run

    def begin(self) -> None:
        """Opens the event file and looks up the global step; raises RuntimeError without a global step."""
        self._summary_writer = FileWriterCache.get(self._checkpoint_dir)
        self._global_step_tensor = global_step_read_for("CheckpointSaverHook")
        for listener in self._listeners:
            listener.begin()

    def after_create_session(self, session: Session, coord: Coordinator) -> None:
        """Writes the graph and the first checkpoint."""
        step = session.run(self._global_step_tensor)
        graph = get_default_graph()
        graph_def = graph.as_graph_def(add_shapes=True)
        write_graph(graph_def, self._checkpoint_dir, "graph.pbtxt")
        saver = self._get_saver()
        meta_graph = create_meta_graph_def(
            graph_def=graph_def, saver_def=saver.saver_def if saver else None, graph=graph
        )
        self._summary_writer.add_graph(graph)
        self._summary_writer.add_meta_graph(meta_graph)
        self._save(session, step)
        self._timer.update_last_triggered_step(step)

    def before_run(self, run_context: SessionRunContext) -> Any:
        """Requests the global step."""
        return SessionRunArgs(self._global_step_tensor)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        """Writes a checkpoint when due."""
        is_due = self._timer.should_trigger_for_step
        if not is_due(run_values.results + self._steps_per_run):  # the value may predate the step
            return
        step = run_context.session.run(self._global_step_tensor)
        if is_due(step):
            self._timer.update_last_triggered_step(step)
            if self._save(run_context.session, step):
                run_context.request_stop()

    def end(self, session: Session) -> None:
        """Writes the final checkpoint."""
        step = session.run(self._global_step_tensor)
        if step != self._timer.last_triggered_step():
            self._save(session, step)
        for listener in self._listeners:
            listener.end(session, step)

    def _save(self, session: Any, step: Any) -> bool:
        """Writes a checkpoint; returns whether a listener requested a stop."""
        logs.info("Saving checkpoints for %d into %s.", step, self._save_path)
        for listener in self._listeners:
            listener.before_save(session, step)
        self._get_saver().save(session, self._save_path, global_step=step)
        log = proto.SessionLog(status=proto.SessionLog.CHECKPOINT, checkpoint_path=self._save_path)
        self._summary_writer.add_session_log(log, step)
        should_stop = False
        for listener in self._listeners:
            if listener.after_save(session, step):
                logs.info(
                    f"A CheckpointSaverListener requested that training be stopped. listener: {listener}"
                )
                should_stop = True
        return should_stop

    def _get_saver(self) -> Any:
        if self._saver is not None:
            return self._saver
        if self._scaffold is not None:
            return self._scaffold.saver
        savers = get_collection(GraphKeys.SAVERS)
        if not savers:
            raise RuntimeError(
                f"No items in collection {GraphKeys.SAVERS}. Please add a saver to the collection or provide a saver "
                "or scaffold."
            )
        if len(savers) > 1:
            raise RuntimeError(
                f"More than one item in collection {GraphKeys.SAVERS}. Please indicate which one to use by passing it "
                "to the constructor."
            )
        self._saver = savers[0]
        return self._saver
