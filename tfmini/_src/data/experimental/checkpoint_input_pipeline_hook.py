"""`CheckpointInputPipelineHook`, which resumes an Estimator's input pipeline at its saved position."""

from __future__ import annotations

from typing import Any

from tfmini._src.data.iterator import _COLLECTION
from tfmini._src.data.iterator_saveable import IteratorSaveable
from tfmini._src.graph.collections import get_collection
from tfmini._src.session.session import Session
from tfmini._src.train.checkpoints.checkpoint_management import latest_checkpoint
from tfmini._src.train.checkpoints.saver import Saver
from tfmini._src.train.monitored.checkpoint_saver_hook import CheckpointSaverHook
from tfmini._src.train.monitored.session_run_hook import (
    SessionRunContext,
    SessionRunHook,
    SessionRunValues,
)


class CheckpointInputPipelineHook(SessionRunHook):
    """Saves the positions of the graph's iterators with model checkpoints, and resumes from these positions.

    Args:
      estimator: a `tf.estimator.Estimator`, which defines the directory and settings.

    Example: `estimator.train(input_fn, hooks=[tf.data.experimental.CheckpointInputPipelineHook(estimator)])`.
    """

    def __init__(self, estimator: Any):
        config = estimator._config
        prefix = "input"
        if config.num_worker_replicas > 1:
            prefix += f"_{config.task_type}_{config.task_id}"
        self._checkpoint_saver_hook = CheckpointSaverHook(
            estimator.model_dir,
            save_secs=config.save_checkpoints_secs,
            save_steps=config.save_checkpoints_steps,
            checkpoint_basename=prefix + ".ckpt",
        )
        self._latest_filename = "checkpoint_" + prefix
        self._first_run = True

    def begin(self) -> None:
        """Creates a Saver for all iterators."""
        hook = self._checkpoint_saver_hook
        if hook._saver is None and hook._scaffold is None:
            saveables = [
                IteratorSaveable(handle, handle.name, "-state")
                for handle in get_collection(_COLLECTION)
            ]
            hook._saver = _NamedSaver(saveables, self._latest_filename)
        hook.begin()

    def before_run(self, run_context: SessionRunContext) -> Any:
        """On the first run, restores the positions in the latest checkpoint, or saves them without a checkpoint."""
        if self._first_run:
            self._restore_or_save(run_context.session)
            self._first_run = False
        return self._checkpoint_saver_hook.before_run(run_context)

    def _restore_or_save(self, session: Any) -> None:
        hook = self._checkpoint_saver_hook
        path = latest_checkpoint(hook._checkpoint_dir, latest_filename=self._latest_filename)
        if path:
            hook._get_saver().restore(session, path)
            return
        step = session.run(hook._global_step_tensor)
        hook._save(session, step)
        hook._timer.update_last_triggered_step(step)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        """Saves the positions when due."""
        self._checkpoint_saver_hook.after_run(run_context, run_values)

    def end(self, session: Session) -> None:
        """Saves the final positions."""
        self._checkpoint_saver_hook.end(session)


class _NamedSaver(Saver):
    """A Saver with its own checkpoint state file."""

    def __init__(self, var_list: Any, latest_filename: str):
        super().__init__(var_list)
        self._latest_filename = latest_filename

    def save(
        self,
        sess: Any,
        save_path: str,
        global_step: Any = None,
        latest_filename: str | None = None,
        *args: Any,
        **kwargs: Any,
    ) -> Any:
        """Same as `Saver.save`, with this state file by default."""
        name = latest_filename or self._latest_filename
        return super().save(sess, save_path, global_step, name, *args, **kwargs)
