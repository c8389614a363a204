"""`tf.train.Saver`: saves and restores session variables, and manages the retained checkpoints."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tfmini._src.base import logs, proto
from tfmini._src.base.error_hints import add_hint
from tfmini._src.base.errors import (
    FailedPreconditionError,
    InvalidArgumentError,
    NotFoundError,
    OpError,
)
from tfmini._src.formats.gfile_functions import isdir
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.graphdef.collection_protos import register_proto_function
from tfmini._src.graph.prefixes import prepend_name_scope, strip_name_scope
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.ops import ops
from tfmini._src.session.base_session import BaseSession
from tfmini._src.train.checkpoints.checkpoint_management import (
    is_checkpoint,
    meta_graph_filename,
    modification_times,
    remove_files,
    write_state_file,
)
from tfmini._src.train.checkpoints.object_checkpoints import object_keys, renamed_saveables
from tfmini._src.train.checkpoints.restore_hints import hint_restore_error
from tfmini._src.train.checkpoints.saveables import checked_saveables
from tfmini._src.train.checkpoints.saver_builder import V2, BulkSaverBuilder, by_device
from tfmini._src.train.global_step import global_step as value_of_step
from tfmini._src.train.meta_graph.export_meta_graph import export_meta_graph
from tfmini._src.variables.collections import saveable_objects

_V1_IS_DEPRECATED = (
    "*******************************************************",
    "TensorFlow's V1 checkpoint format has been deprecated.",
    "Consider switching to the more efficient V2 format:",
    "   `tf.train.Saver(write_version=tf.train.SaverDef.V2)`",
    "now on by default.",
    "*******************************************************",
)
_NAME_LOOKUP_WARNING = (
    "Saver is deprecated, please switch to tf.train.Checkpoint or tf.keras.Model.save_weights for training "
    "checkpoints. When executing eagerly variables do not necessarily have unique names, and so the "
    "variable.name-based lookups Saver performs are error-prone."
)
_TENSORS = ("filename_tensor_name", "save_tensor_name", "restore_op_name")


class Saver:
    """Saves variables to checkpoints and restores them.

    A checkpoint consists of `PREFIX.index` and `PREFIX.data-00000-of-00001`; its graph is in `PREFIX.meta`, and the
    file `checkpoint` records the latest checkpoint. Checkpoints are written atomically.

    Args:
      var_list: the variables, as a list or as a dict by checkpoint name; by default all saveable objects of the graph.
      reshape: whether a variable may be restored from a different shape with the same number of elements.
      sharded: whether to write one shard per device.
      max_to_keep: number of recent checkpoints to keep; None or 0 keeps all.
      keep_checkpoint_every_n_hours: interval in hours at which an expiring checkpoint is kept permanently.
      name: the name scope of the nodes, by default "save".
      restore_sequentially: ignored, as by TensorFlow's default builder.
      saver_def: a SaverDef whose nodes are already in the graph.
      builder: builder of the nodes, by default a BulkSaverBuilder.
      defer_build: whether to postpone adding the nodes until `build` is called.
      allow_empty: whether to do nothing, rather than raise an error, if there are no variables.
      write_version: a SaverDef.CheckpointFormatVersion; version 1 is deprecated.
      pad_step_number: whether to zero-pad the step in checkpoint names to eight digits.
      save_relative_paths: whether paths in `checkpoint` are relative to the directory.
      filename: default prefix if none is fed to the nodes.

    Raises:
      TypeError, ValueError: if `var_list` is not saveable, is empty, or contains duplicates.

    Example:
      saver = tf.train.Saver(max_to_keep=3)
      path = saver.save(session, "/tmp/model/run", global_step=100)
      saver.restore(session, path)
    """

    def __init__(
        self,
        var_list: Sequence[Any] | Mapping[str, Any] | None = None,
        reshape: bool = False,
        sharded: bool = False,
        max_to_keep: int | None = 5,
        keep_checkpoint_every_n_hours: float = 10000.0,
        name: str | None = None,
        restore_sequentially: bool = False,
        saver_def: Any = None,
        builder: object = None,
        defer_build: bool = False,
        allow_empty: bool = False,
        write_version: int = V2,
        pad_step_number: bool = False,
        save_relative_paths: bool = False,
        filename: str | None = None,
    ):
        if defer_build and var_list:
            raise ValueError(
                "If `var_list` is provided then build cannot be deferred. Either set "
                "defer_build=False or var_list=None."
            )
        if executing_eagerly():
            logs.warning(_NAME_LOOKUP_WARNING)
            if var_list is None:
                raise RuntimeError(
                    "When eager execution is enabled, `var_list` must specify a list or dict of variables to save"
                )
            self.saver_def = saver_def = proto.SaverDef(
                max_to_keep=max_to_keep or 0,
                keep_checkpoint_every_n_hours=keep_checkpoint_every_n_hours,
                version=write_version,
                sharded=sharded,
            )
        self._var_list = var_list
        self._reshape = reshape
        self._sharded = sharded
        self._max_to_keep = max_to_keep
        self._keep_checkpoint_every_n_hours = keep_checkpoint_every_n_hours
        self._name = name
        self._restore_sequentially = restore_sequentially
        self.saver_def = saver_def
        self._builder = builder
        self._is_built = False
        self._allow_empty = allow_empty
        self._is_empty: bool | None = None
        self._write_version = write_version
        self._pad_step_number = pad_step_number
        self._save_relative_paths = save_relative_paths
        self._filename = filename
        self._last_checkpoints: list[tuple[str, float]] = []
        self._checkpoints_to_be_deleted: list[tuple[str, float]] = []
        self._next_checkpoint_time = 0.0
        self._object_restore_saver: Saver | None = None
        if executing_eagerly():
            self._is_built = True
            self._next_checkpoint_time = time.time() + keep_checkpoint_every_n_hours * 3600
            return
        if not defer_build:
            self.build()
        if self.saver_def:
            self._check_saver_def()
            self._write_version = self.saver_def.version

    def build(self) -> None:
        """Adds the nodes if `defer_build` is set; raises RuntimeError in eager mode."""
        if executing_eagerly():
            raise RuntimeError("Use save/restore instead of build in eager mode.")
        if self._is_built:
            return
        self._is_built = True
        if not self.saver_def:
            builder = self._find_builder()
            if self._var_list is None:
                self._var_list = saveable_objects()
            if not self._var_list:
                if not self._allow_empty:
                    raise ValueError("No variables to save")
                self._is_empty = True
                return
            self._is_empty = False
            self.saver_def = builder.build(
                self._var_list,
                reshape=self._reshape,
                sharded=self._sharded,
                max_to_keep=self._max_to_keep,
                keep_checkpoint_every_n_hours=self._keep_checkpoint_every_n_hours,
                name=self._name,
                restore_sequentially=self._restore_sequentially,
                filename=self._filename,
            )
        elif self._name:
            for field in _TENSORS:
                scoped_name = prepend_name_scope(getattr(self.saver_def, field), self._name)
                setattr(self.saver_def, field, scoped_name)
        self._check_saver_def()
        hours = self.saver_def.keep_checkpoint_every_n_hours
        self._next_checkpoint_time = time.time() + hours * 3600

    def _find_builder(self) -> Any:
        if self._builder is None:
            self._builder = BulkSaverBuilder(self._write_version)
        return self._builder

    def _check_saver_def(self) -> None:
        if not isinstance(self.saver_def, proto.SaverDef):
            raise ValueError(f"saver_def must be a saver_pb2.SaverDef: {self.saver_def}")
        for field in _TENSORS[1:]:
            if not getattr(self.saver_def, field):
                raise ValueError(f"saver_def must specify the {field}: {self.saver_def}")

    # Checkpoint retention ------------------------------------------------------------------------

    @property
    def last_checkpoints(self) -> list[str]:
        """The prefixes of the retained checkpoints, oldest first."""
        return [path for path, _ in self._last_checkpoints]

    def set_last_checkpoints(self, last_checkpoints: list[str]) -> None:
        """Sets the list of retained checkpoints without timestamps, so that none is preserved or deleted by age."""
        assert isinstance(last_checkpoints, list)
        self._last_checkpoints = [(path, np.inf) for path in last_checkpoints]

    def set_last_checkpoints_with_time(
        self, last_checkpoints_with_time: list[tuple[str, float]]
    ) -> None:
        """Sets the list of retained checkpoints, with creation times in seconds since 1970."""
        assert isinstance(last_checkpoints_with_time, list)
        self._last_checkpoints = last_checkpoints_with_time

    def recover_last_checkpoints(self, checkpoint_paths: list[str]) -> None:
        """Sets the list of retained checkpoints to the existing ones of `checkpoint_paths`."""
        existing = []
        for path in checkpoint_paths:
            times = modification_times([path])
            if times:
                existing.append((path, times[0]))
        self.set_last_checkpoints_with_time(existing)

    def _record(self, path: str) -> None:
        """Adds a retained checkpoint, and queues the oldest for deletion if too many are retained."""
        if not self.saver_def.max_to_keep:
            return
        self._last_checkpoints = [pair for pair in self._last_checkpoints if pair[0] != path]
        self._last_checkpoints.append((path, time.time()))
        if len(self._last_checkpoints) > self.saver_def.max_to_keep:
            self._checkpoints_to_be_deleted.append(self._last_checkpoints.pop(0))

    def _delete_one(self, meta_graph_suffix: str) -> None:
        """Deletes the oldest checkpoint above the limit, unless `keep_checkpoint_every_n_hours` preserves it."""
        if not self._checkpoints_to_be_deleted:
            return
        path, result = self._checkpoints_to_be_deleted.pop(0)
        if result > self._next_checkpoint_time:
            self._next_checkpoint_time += self.saver_def.keep_checkpoint_every_n_hours * 3600
            return
        try:
            remove_files(path, self.saver_def.version, meta_graph_suffix)
        except Exception as error:  # leftover files are harmless
            logs.warning("Ignoring: %s", str(error))

    # Conversion to a proto -----------------------------------------------------------------------

    def as_saver_def(self) -> Any:
        """Returns the SaverDef: the names of the save and restore nodes, and the retention settings."""
        return self.saver_def

    def to_proto(self, export_scope: str | None = None) -> Any:
        """Returns the SaverDef with names relative to `export_scope`; None for nodes outside it."""
        if export_scope is None:
            return self.saver_def
        if not all(getattr(self.saver_def, f).startswith(export_scope) for f in _TENSORS):
            return None
        message = proto.SaverDef()
        message.CopyFrom(self.saver_def)
        for field in _TENSORS:
            setattr(message, field, strip_name_scope(getattr(message, field), export_scope))
        return message

    @staticmethod
    def from_proto(saver_def: proto.SaverDef, import_scope: str | None = None) -> Saver:
        """Creates a Saver from existing nodes, which `saver_def` names within `import_scope`."""
        return Saver(saver_def=saver_def, name=import_scope)

    # Saving --------------------------------------------------------------------------------------

    def save(
        self,
        sess: Any,
        save_path: str,
        global_step: TensorLike | None = None,
        latest_filename: str | None = None,
        meta_graph_suffix: str = "meta",
        write_meta_graph: bool = True,
        write_state: bool = True,
        strip_default_attrs: bool = False,
        save_debug_info: bool = False,
    ) -> str | Any:
        """Writes a checkpoint and its graph, and records it as the latest in the `checkpoint` file.

        The state file is written last (in TensorFlow, the graph is), so the checkpoint it names is complete
        even if the process is killed.

        Args:
          sess: the session with the values; None in eager mode.
          save_path: the checkpoint prefix; its directory is created if the parent exists.
          global_step: appended to the name: a number, or a tensor or its name.
          latest_filename: name of the checkpoint state file, by default "checkpoint".
          meta_graph_suffix: suffix of the graph file.
          write_meta_graph: whether to write the graph.
          write_state: whether to record the checkpoint as the latest and delete old ones.
          strip_default_attrs: whether to omit attrs with default values from the graph.
          save_debug_info: whether to also write node creation sites.

        Returns:
          The prefix with the step, for `restore`; None without variables.

        Raises:
          ValueError: if the parent directory does not exist, or `latest_filename` is not a file name.
          FailedPreconditionError: if a variable is uninitialized.
          TypeError: if `sess` is not a session.
          UnicodeEncodeError: if the path cannot be encoded in UTF-8.
        """
        if not self._is_built:
            raise RuntimeError("`build()` should be called before save if defer_build==True")
        if self._write_version != V2:
            for line in _V1_IS_DEPRECATED:
                logs.warning(line)
        if isinstance(save_path, os.PathLike):
            save_path = os.fspath(save_path)
        latest_filename = "checkpoint" if latest_filename is None else latest_filename
        if os.path.split(latest_filename)[0]:
            raise ValueError("'latest_filename' must not contain path components")
        prefix = self._prefix(sess, save_path, global_step, latest_filename)
        if not executing_eagerly() and not isinstance(sess, BaseSession):
            raise TypeError(f"'sess' must be a Session; {sess}")
        os.path.dirname(save_path)  # raises TypeError for an invalid path before writing
        os.fsdecode(prefix).encode()
        saved = None if self._is_empty else self._write(sess, save_path, prefix)
        if write_meta_graph and not executing_eagerly():
            with sess.graph.as_default():
                self.export_meta_graph(
                    meta_graph_filename(prefix, meta_graph_suffix),
                    strip_default_attrs=strip_default_attrs,
                    save_debug_info=save_debug_info,
                )
        if saved is not None and write_state:  # last, when the files that it names already exist
            self._record(saved)
            write_state_file(
                os.path.dirname(save_path),
                saved,
                self.last_checkpoints,
                latest_filename,
                self._save_relative_paths,
            )
            self._delete_one(meta_graph_suffix)
        return saved

    def _prefix(self, sess: Any, save_path: str, global_step: Any, latest_filename: str) -> str:
        if global_step is None:
            if os.path.basename(save_path) == latest_filename and not self._sharded:
                raise ValueError(
                    f"'latest_filename' collides with 'save_path': '{latest_filename}' and '{save_path}'"
                )
            return save_path
        if not isinstance(global_step, int | np.integer):
            global_step = value_of_step(sess, global_step)
        return f"{save_path}-{global_step:0{8 if self._pad_step_number else 1}d}"

    def _write(self, sess: Any, save_path: str, prefix: str) -> str:
        """Writes the checkpoint; returns its prefix."""
        names = self.saver_def
        try:
            if executing_eagerly():
                saveables = checked_saveables(self._var_list)
                per_device = by_device(saveables) if self._sharded else None
                self._find_builder().save(ops.constant(prefix), saveables, per_device)
                return prefix
            return os.fsdecode(
                sess.run(names.save_tensor_name, {names.filename_tensor_name: os.fsencode(prefix)})
            )
        except (FailedPreconditionError, NotFoundError):
            if isdir(os.path.dirname(save_path)):
                raise
            raise ValueError(
                f"Parent directory of {save_path} doesn't exist, can't save."
            ) from None

    def export_meta_graph(
        self,
        filename: str | None = None,
        collection_list: Sequence[str] | None = None,
        as_text: bool = False,
        export_scope: str | None = None,
        clear_devices: bool = False,
        clear_extraneous_savers: bool = False,
        strip_default_attrs: bool = False,
        save_debug_info: bool = False,
    ) -> Any:
        """Exports the default graph with this Saver as a MetaGraphDef, optionally to a file.

        Args:
          filename: the file, or None.
          collection_list: keys of the collections to export, by default all.
          as_text: whether to write the text format.
          export_scope: the name scope to export; None for all.
          clear_devices: whether to omit the devices of nodes.
          clear_extraneous_savers: whether to omit other Savers and their nodes.
          strip_default_attrs: whether to omit attrs with default values.
          save_debug_info: whether to write node creation sites to a file next to it.
        """
        arguments = locals()
        del arguments["self"]
        graph_def = get_default_graph().as_graph_def(add_shapes=True)
        return export_meta_graph(graph_def=graph_def, saver_def=self.saver_def, **arguments)

    # Restoring -----------------------------------------------------------------------------------

    def restore(self, sess: Any, save_path: str | None) -> None:
        """Restores session variables, initialized or not, from a checkpoint.

        Args:
          sess: the session; None in eager mode.
          save_path: the prefix, as returned by `save` or `latest_checkpoint`.

        Raises:
          ValueError: if the checkpoint does not exist.
          NotFoundError: if the checkpoint lacks a variable.
          InvalidArgumentError: if a shape or dtype differs.
        """
        if self._is_empty:
            return
        if save_path is None:
            raise add_hint(
                ValueError("Can't load save_path when it is None."),
                "tf.train.latest_checkpoint returns None if the directory has no file 'checkpoint'.",
            )
        prefix = os.fsdecode(save_path)
        try:
            self._restore(sess, prefix)
        except (ValueError, OpError) as error:
            hint_restore_error(error, prefix)
            raise

    def _restore(self, sess: Any, prefix: str) -> None:
        if not is_checkpoint(prefix):
            raise ValueError("The passed save_path is not a valid checkpoint: " + prefix)
        logs.info("Restoring parameters from %s", prefix)
        names = self.saver_def
        try:
            if executing_eagerly():
                saveables = checked_saveables(self._var_list)
                per_device = by_device(saveables) if self._sharded else None
                settings = per_device, self._restore_sequentially, self._reshape
                self._find_builder().restore(ops.constant(prefix), saveables, *settings)
                return
            sess.run(names.restore_op_name, {names.filename_tensor_name: os.fsencode(prefix)})
        except NotFoundError as error:
            keys = object_keys(prefix)
            if keys is None:
                reason = "a Variable name or other graph key that is missing"
                raise _explain(error, reason) from error
            self._restore_objects(sess, prefix, keys)
        except InvalidArgumentError as error:
            reason = "a mismatch between the current graph and the graph"
            raise _explain(error, reason) from error

    def _restore_objects(self, sess: Any, prefix: str, keys: dict[str, str]) -> None:
        """Restores a `tf.train.Checkpoint` checkpoint, whose keys differ from variable names."""
        logs.warning(
            "Restoring an object-based checkpoint using a name-based saver. This may be somewhat fragile, and will "
            "re-build the Saver. Instead, consider loading object-based checkpoints using tf.train.Checkpoint()."
        )
        variables = saveable_objects() if self._var_list is None else self._var_list
        saveables = renamed_saveables(variables, keys)
        if self._object_restore_saver is None:
            self._object_restore_saver = Saver(saveables)
        self._object_restore_saver.restore(sess, prefix)


def _explain(error: Any, reason: str) -> Any:
    """Returns a restore error extended by its likely cause."""
    message = (
        f"Restoring from checkpoint failed. This is most likely due to {reason} from the checkpoint. Please ensure "
        "that you have not altered the graph expected based on the checkpoint. Original error:\n\n"
        f"{error.message}"
    )
    return type(error)(error.node_def, error.op, message)


register_proto_function(
    GraphKeys.SAVERS,
    proto_type="SaverDef",
    to_proto=Saver.to_proto,
    from_proto=Saver.from_proto,
)
