"""`tf.train.CheckpointManager`: retains recent checkpoints in a directory."""

from __future__ import annotations

import os
import time
from typing import Any

import numpy as np

from tfmini._src.base import logs
from tfmini._src.graph.default_stack import get_default_session
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.train.checkpoints.checkpoint_management import (
    get_checkpoint_state,
    remove_files,
    write_state_file,
)
from tfmini._src.train.global_step import global_step
from tfmini._src.train.object_checkpoint.checkpoint import Checkpoint


class CheckpointManager:
    """Saves checkpoints to a directory and deletes old ones.

    Args:
      checkpoint: a `tf.train.Checkpoint`.
      directory: the directory.
      max_to_keep: number of recent checkpoints to keep; None keeps all.
      keep_checkpoint_every_n_hours: interval in hours at which an expiring checkpoint is kept permanently, or None.
      checkpoint_name: checkpoint name before the number.

    Raises:
      ValueError: if `max_to_keep` is not positive.

    Example:
      manager = tf.train.CheckpointManager(checkpoint, "/tmp/model", max_to_keep=3)
      with tf.Session():
          checkpoint.restore(manager.latest_checkpoint).initialize_or_restore()
          manager.save()
    """

    def __init__(
        self,
        checkpoint: Checkpoint,
        directory: str,
        max_to_keep: int | None,
        keep_checkpoint_every_n_hours: float | None = None,
        checkpoint_name: str = "ckpt",
    ):
        self._checkpoint = checkpoint
        self._count_op: Any = None
        if max_to_keep is not None and max_to_keep <= 0:
            raise ValueError(
                f"Expected a positive integer or `None` for `max_to_max_to_keep`, got {max_to_keep}."
            )
        self._max_to_keep = max_to_keep
        self._hours = keep_checkpoint_every_n_hours
        self._directory = directory
        self._prefix = os.path.join(directory, checkpoint_name)
        self._latest: str | None = None
        # Modification times of deletable checkpoints, oldest first.
        self._times: dict[str, float] = {}
        now = time.time()
        self._last_preserved = now - 1.0
        state = get_checkpoint_state(directory)
        if state is None:
            return
        self._latest = state.model_checkpoint_path
        self._last_preserved = state.last_preserved_timestamp
        if now < self._last_preserved:
            logs.warning(
                "time.time() returned a value %f seconds behind the last preserved checkpoint timestamp.",
                self._last_preserved - now,
            )
            self._last_preserved = now
        paths = list(state.all_model_checkpoint_paths)
        times = list(state.all_model_checkpoint_timestamps) or [self._last_preserved] * len(paths)
        for path, result in zip(paths, times):
            if min(result, now) > self._last_preserved:
                self._times[path] = min(result, now)

    @property
    def latest_checkpoint(self) -> str | None:
        """The prefix of the latest checkpoint, for `Checkpoint.restore`, or None."""
        return self._latest

    @property
    def checkpoints(self) -> list[str]:
        """The prefixes of retained checkpoints, oldest first, except those kept permanently."""
        return list(self._times)

    def save(self, checkpoint_number: int | None = None) -> str:
        """Writes a checkpoint in the default session and deletes expired ones.

        Args:
          checkpoint_number: an integer or integer variable, by default a running number.

        Returns:
          The prefix of the checkpoint.
        """
        session: Any = None if executing_eagerly() else get_default_session()
        counter = self._count(session)
        if checkpoint_number is None:
            checkpoint_number = counter
        if not isinstance(checkpoint_number, int | np.integer):
            checkpoint_number = global_step(session, checkpoint_number)
        path = self._checkpoint.write(f"{self._prefix}-{checkpoint_number}")
        self._times.pop(path, None)
        self._times[path] = time.time()
        self._latest = path
        self._write_state()  # written before the files of the previous state are deleted
        self._sweep()
        self._write_state()
        return path

    def _count(self, session: Any) -> Any:
        """Increments the checkpoint counter; returns its variable."""
        is_new = self._checkpoint._save_counter is None
        counter = self._checkpoint.save_counter
        if session is None:
            counter.assign_add(1)
            return counter
        if is_new:
            session.run(counter.initializer)
        if self._count_op is None:
            self._count_op = counter.assign_add(1, read_value=False)
        session.run(self._count_op)
        return counter

    def _sweep(self) -> None:
        while self._max_to_keep and len(self._times) > self._max_to_keep:
            path = next(iter(self._times))
            result = self._times.pop(path)
            if self._hours and result - self._hours * 3600.0 >= self._last_preserved:
                self._last_preserved = result
            else:
                remove_files(path, 2, "meta")

    def _write_state(self) -> None:
        write_state_file(
            self._directory,
            str(self._latest),
            list(self._times),
            relative=True,
            all_model_checkpoint_timestamps=list(self._times.values()),
            last_preserved_timestamp=self._last_preserved,
        )
