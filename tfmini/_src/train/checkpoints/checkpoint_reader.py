"""Inspects checkpoints without a graph, and waits for new ones."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from typing import Any

from tfmini._src.base import logs, proto
from tfmini._src.base.dtypes import DType, as_dtype
from tfmini._src.base.errors import NotFoundError, UnimplementedError
from tfmini._src.formats.checkpoint_v1 import OldCheckpoint
from tfmini._src.formats.gfile_functions import isdir
from tfmini._src.formats.schemes import local_path
from tfmini._src.formats.slice_specs import shape_text
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.ops.files.save_restore_v2 import open_checkpoint
from tfmini._src.train.checkpoints.checkpoint_management import latest_checkpoint


class CheckpointReader:
    """Reads the tensors of a checkpoint; returned by `tf.train.NewCheckpointReader`.

    Args:
      filepattern: the prefix of a version 2 checkpoint, or the path of a version 1 checkpoint.

    Raises:
      NotFoundError: if it does not exist.
      DataLossError: if it is corrupt; also raised by reads.
    """

    def __init__(self, filepattern: str):
        self._checkpoint = open_checkpoint(local_path(filepattern))

    def has_tensor(self, tensor_str: str) -> bool:
        """Whether the checkpoint contains a tensor of this name."""
        return tensor_str in self._checkpoint

    def get_tensor(self, tensor_str: str) -> Any:
        """Returns the value of a tensor as a numpy array, numpy scalar, or bytes (scalar strings).

        Raises:
          NotFoundError: for an unknown tensor.
        """
        checkpoint = self._checkpoint
        if isinstance(checkpoint, OldCheckpoint):
            if tensor_str not in checkpoint:
                raise NotFoundError(None, None, f"{tensor_str} not found in checkpoint file")
            if checkpoint.count_slices(tensor_str) > 1:
                raise UnimplementedError(None, None, "Sliced checkpoints are not supported")
        return checkpoint.read(tensor_str)[()]

    def _describe_entry(self) -> Iterator[tuple[str, tuple[int, ...], DType]]:
        checkpoint = self._checkpoint
        if isinstance(checkpoint, OldCheckpoint):
            for name in checkpoint.names:
                yield name, checkpoint.shape(name), checkpoint.dtype(name)
        else:
            for name, entry in checkpoint.entries():
                yield name, tuple(d.size for d in entry.shape.dim), as_dtype(entry.dtype)

    def get_variable_to_shape_map(self) -> dict[str, list[int]]:
        """Returns a dict from tensor name to shape."""
        return {name: list(shape) for name, shape, _ in self._describe_entry()}

    def get_variable_to_dtype_map(self) -> dict[str, DType]:
        """Returns a dict from tensor name to dtype."""
        return {name: dtype for name, _, dtype in self._describe_entry()}

    def debug_string(self) -> bytes:
        """Returns one line per tensor, with its dtype and shape."""
        checkpoint = self._checkpoint
        lines = []
        if isinstance(checkpoint, OldCheckpoint):
            for name, shape, dtype in self._describe_entry():
                count = checkpoint.count_slices(name)
                suffix = f", {count} slices" if count > 1 else ""
                lines.append(name.encode() + _describe(dtype.as_datatype_enum, shape, suffix))
        else:
            for key, entry in checkpoint.raw_entries():
                if not entry.slices:
                    shape = tuple(d.size for d in entry.shape.dim)
                    lines.append(key + _describe(entry.dtype, shape, ""))
        return b"".join(lines)


def _describe(enum: int, shape: tuple[int, ...], suffix: str) -> bytes:
    return f" ({proto.DataType.Name(enum)}) {shape_text(shape)}{suffix}\n".encode()


def new_checkpoint_reader(filepattern: Any) -> CheckpointReader:
    """Returns a CheckpointReader for the checkpoint with this prefix.

    Args:
      filepattern: the prefix, or the file of a checkpoint of version 1.

    Raises:
      NotFoundError: if it does not exist.
      DataLossError: if it is corrupt.

    Example:
      reader = tf.train.NewCheckpointReader("/tmp/model-100")
      reader.get_variable_to_shape_map(), reader.get_tensor("w")
    """
    if not isinstance(filepattern, str | bytes):
        raise TypeError(f"Expected binary or unicode string, got {filepattern!r}")
    return CheckpointReader(os.fsdecode(filepattern))


def resolve_checkpoint(directory_or_prefix: Any) -> str | None:
    """Returns the latest checkpoint of a directory, or a prefix as a string; raises TypeError for other values."""
    if not isinstance(directory_or_prefix, str | bytes | os.PathLike):
        raise TypeError(f"Expected binary or unicode string, got {directory_or_prefix!r}")
    path: Any = directory_or_prefix
    if isdir(path):
        return latest_checkpoint(path)
    return os.fsdecode(path) if isinstance(path, bytes) else path


def load_checkpoint(ckpt_dir_or_file: str) -> CheckpointReader:
    """Opens a checkpoint for reading.

    Args:
      ckpt_dir_or_file: its prefix, or a directory for its latest checkpoint.

    Raises:
      ValueError: if the directory contains no checkpoint.
      NotFoundError: if no checkpoint with this prefix exists.
    """
    prefix = resolve_checkpoint(ckpt_dir_or_file)
    if prefix is None:
        raise ValueError(
            f"Couldn't find 'checkpoint' file or checkpoints in given directory {ckpt_dir_or_file}"
        )
    return new_checkpoint_reader(prefix)


def load_variable(ckpt_dir_or_file: str, name: str) -> Any:
    """Returns the value of a variable in a checkpoint, as a numpy array.

    Args:
      ckpt_dir_or_file: the prefix of the checkpoint, or a directory.
      name: the name of the variable, with or without ":0".

    Raises:
      NotFoundError: if the checkpoint lacks the variable.
    """
    return load_checkpoint(ckpt_dir_or_file).get_tensor(name.removesuffix(":0"))


def load_global_step(checkpoint_dir: str) -> Any:
    """Returns the global step in the latest checkpoint of a directory; 0 if either is missing."""
    latest_path = latest_checkpoint(checkpoint_dir)
    reader = None if latest_path is None else CheckpointReader(latest_path)
    if reader is None or not reader.has_tensor(GraphKeys.GLOBAL_STEP):
        return 0
    return reader.get_tensor(GraphKeys.GLOBAL_STEP)


def list_variables(ckpt_dir_or_file: str) -> list[tuple[str, list[int]]]:
    """Lists the variables of a checkpoint as sorted (name, shape) pairs.

    Args:
      ckpt_dir_or_file: the prefix of the checkpoint, or a directory.
    """
    return sorted(load_checkpoint(ckpt_dir_or_file).get_variable_to_shape_map().items())


def wait_for_new_checkpoint(
    checkpoint_dir: str,
    last_checkpoint: str | None = None,
    seconds_to_sleep: float = 1,
    timeout: float | None = None,
) -> str | None:
    """Waits for a new latest checkpoint in a directory.

    Args:
      checkpoint_dir: the directory.
      last_checkpoint: the last known checkpoint.
      seconds_to_sleep: polling interval.
      timeout: maximum wait in seconds; None for no limit.

    Returns:
      The prefix of the checkpoint; None on timeout.
    """
    logs.info("Waiting for new checkpoint at %s", checkpoint_dir)
    stop = None if timeout is None else time.time() + timeout
    while True:
        prefix = latest_checkpoint(checkpoint_dir)
        if prefix is not None and prefix != last_checkpoint:
            logs.info("Found new checkpoint at %s", prefix)
            return prefix
        if stop is not None and time.time() + seconds_to_sleep > stop:
            return None
        time.sleep(seconds_to_sleep)


def checkpoints_iterator(
    checkpoint_dir: str,
    min_interval_secs: float = 0,
    timeout: float | None = None,
    timeout_fn: Callable[[], Any] | None = None,
) -> Iterator[str]:
    """Yields the checkpoints of a directory as they appear; if several appear at once, only the latest.

    Args:
      checkpoint_dir: the directory.
      min_interval_secs: minimum interval between two checkpoints, in seconds.
      timeout: seconds without a new checkpoint before the iterator ends; None for never.
      timeout_fn: called on timeout; iteration ends if it returns a true value.

    Example:
      for prefix in tf.train.checkpoints_iterator("/tmp/model", timeout=600):
          saver.restore(session, prefix)
    """
    latest_path = None
    while True:
        checkpoint = wait_for_new_checkpoint(checkpoint_dir, latest_path, timeout=timeout)
        if checkpoint is None:
            if not timeout_fn:
                logs.info("Timed-out waiting for a checkpoint.")
                return
            if timeout_fn():
                return
            continue
        start = time.time()
        latest_path = checkpoint
        yield checkpoint
        remaining = start + min_interval_secs - time.time()
        if remaining > 0:
            time.sleep(remaining)
