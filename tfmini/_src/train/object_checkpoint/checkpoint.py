"""`tf.train.Checkpoint`: saves and restores objects by attribute names."""

from __future__ import annotations

import os
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.functions.tf_function import Function
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.scopes import colocate_with, device
from tfmini._src.session.base_session import BaseSession
from tfmini._src.train.checkpoints.checkpoint_management import write_state_file
from tfmini._src.train.object_checkpoint.object_saver import ObjectSaver
from tfmini._src.train.object_checkpoint.restore_status import default_session, start_restore
from tfmini._src.variables.auto_trackable import AutoTrackable
from tfmini._src.variables.trackable import NoDependency, Trackable
from tfmini._src.variables.variable import Variable


class Checkpoint(AutoTrackable):
    """Saves and restores objects by attribute names: variables, layers, optimizers, lists and dicts.

    Args:
      **kwargs: objects to set as attributes; others can be added later.

    Raises:
      ValueError: for unsupported objects.

    Example:
      checkpoint = tf.train.Checkpoint(optimizer=optimizer, layer=layer, step=step)
      path = checkpoint.save("/tmp/model/run", session=session)
      checkpoint.restore(path).assert_consumed().run_restore_ops(session)
    """

    def __init__(self, **kwargs: Any):
        for name, value in sorted(kwargs.items()):
            if not isinstance(value, Trackable | Function):
                raise ValueError(
                    "`Checkpoint` was expecting a trackable object (an object derived from `TrackableBase`), "
                    f"got {value}. If you believe this object should be trackable (i.e. it is part of the "
                    "TensorFlow Python API and manages state), please open an issue."
                )
            setattr(self, name, value)
        self._save_counter: Any = None
        self._count_op: Any = None
        self._saver = ObjectSaver(self)

    def write(self, file_prefix: str, session: BaseSession | None = None) -> Any:
        """Writes a checkpoint without numbering it or recording it as the latest.

        Args:
          file_prefix: the checkpoint prefix; the directory is created if missing.
          session: the session with the values, by default the default session; None in eager mode.

        Returns:
          The prefix; in a `tf.function`, a tensor, in which case each call of the function writes the checkpoint.
        """
        file_prefix = os.fspath(file_prefix)
        written = self._saver.save(file_prefix, default_session(session))
        return os.fsdecode(file_prefix) if written is None else written

    @property
    def save_counter(self) -> Any:
        """The variable that counts calls of `save`, created if missing."""
        if self._save_counter is None:
            with device("/cpu:0"):
                counter = Variable(
                    0, name="save_counter", dtype=dtypes.int64, trainable=False, use_resource=True
                )
                self._save_counter = NoDependency(counter)
                self._track_trackable(counter, "save_counter")
        return self._save_counter

    def save(self, file_prefix: str, session: BaseSession | None = None) -> str:
        """Writes a numbered checkpoint and records it in `checkpoint` as the latest.

        Args:
          file_prefix: prefix before "-1", "-2" ...
          session: the session with the values, by default the default session; None in eager mode.

        Returns:
          The prefix with the number.

        Raises:
          NotImplementedError: in a function, where file names cannot be numbered; use `write` instead.
        """
        if get_default_graph().building_function:
            raise NotImplementedError(
                "Calling tf.train.Checkpoint.save() from a function is not supported: use tf.train.Checkpoint.write()."
            )
        count = self._count(default_session(session))
        path = self.write(f"{file_prefix}-{count}", session=session)
        write_state_file(os.path.dirname(file_prefix), path, [path], relative=True)
        return path

    def _count(self, session: Any) -> int:
        """Increments the checkpoint count; returns it."""
        if session is None:
            return int(self.save_counter.assign_add(1).numpy())
        if self._save_counter is None:
            session.run(self.save_counter.initializer)
        if self._count_op is None:
            with colocate_with(self.save_counter):
                self._count_op = NoDependency(self.save_counter.assign_add(1, read_value=True))
        return int(session.run(self._count_op))

    def restore(self, save_path: str | None) -> Any:
        """Restores the objects from a checkpoint.

        In graph mode, `run_restore_ops` or `initialize_or_restore` of the returned status restores the objects
        reachable at that time. In eager mode, objects are restored immediately, or when they are attached.

        Args:
          save_path: the prefix of a Checkpoint's or Saver's checkpoint, or None.

        Returns:
          A status object with the methods `assert_consumed`, `assert_existing_objects_matched`,
          `assert_nontrivial_match`, `expect_partial`, `run_restore_ops(session)` and `initialize_or_restore(session)`.

        Raises:
          NotFoundError: if the checkpoint does not exist.
        """
        status = start_restore(self._saver, save_path and os.fspath(save_path))
        assert self.save_counter is not None
        return status
