"""Ops that write and read checkpoints: SaveV2, RestoreV2, and the merging of shards from several devices.

Saving writes the arrays of variables one by one, and restored arrays are used by the variables directly, so that
neither copies all arrays at once.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from tfmini._src.base.errors import InvalidArgumentError, invalid
from tfmini._src.formats.bundle import Bundle
from tfmini._src.formats.bundle_files import index_path
from tfmini._src.formats.bundle_recovery import open_bundle
from tfmini._src.formats.bundle_writer import BundleWriter, merge_bundles
from tfmini._src.formats.checkpoint_v1 import OldCheckpoint
from tfmini._src.formats.glob_pattern import match_paths
from tfmini._src.formats.ordered_code import Extent
from tfmini._src.formats.schemes import local_path
from tfmini._src.formats.slice_specs import parse_spec, shape_text, slice_shape
from tfmini._src.graph.attributes import to_str
from tfmini._src.graph.opdef import Attr, op
from tfmini._src.graph.shape_inference import (
    Dims,
    InferenceError,
    checked_ranks,
    input_value,
    merge,
    with_rank,
)
from tfmini._src.ops.files.deferred_restore import CheckpointTensors, DeferredTensor, defer_restore
from tfmini._src.ops.operands import dense
from tfmini._src.ops.string.string_elements import array_shape, list_strings, scalar_string

_TYPES = Attr("list(type)", minimum=1)


def _syncs() -> bool:
    """Whether saves sync to disk, according to an environment variable that is read on each call."""
    return os.environ.get("TFMINI_SYNC", "0") not in ("", "0")


def file_name(value: Any) -> str:
    """Converts a scalar string to a file system path."""
    return os.fsdecode(local_path(scalar_string(value)))


# Saving ----------------------------------------------------------------------------------------


@op(
    "SaveV2",
    "prefix: string, tensor_names: string, shape_and_slices: string, tensors: dtypes -> ",
    stateful=True,
    dtypes=_TYPES,
    uses_files=True,
)
def save_v2_op(xp, prefix, tensor_names, shape_and_slices, tensors, *, dtypes):
    if array_shape(prefix) not in ((), (1,)):
        invalid(
            f"Input prefix should be a scalar tensor, got {shape_text(array_shape(prefix))} instead."
        )
    count, slices = _check_vectors(tensor_names, shape_and_slices)
    _check_numbers(count, slices)
    if count != len(tensors):
        invalid(f"Got {count} tensor names but {len(tensors)} tensors.")
    names = [to_str(name) for name in list_strings(tensor_names)]
    specs = [to_str(spec) for spec in list_strings(shape_and_slices)]
    with BundleWriter(file_name(prefix), _syncs()) as writer:
        for i in sorted(range(len(names)), key=names.__getitem__):
            value = dense(tensors[i])
            if dtypes[i].name == "variant" and not all(type(v) is bytes for v in value.flat):
                invalid(f"{names[i]} is a variant that cannot be saved")
            if not specs[i]:
                writer.add(names[i], value, dtypes[i])
                continue
            shape, extents = parse_slice_spec(specs[i], value)
            writer.add_slice(names[i], shape, extents, value, dtypes[i])
        writer.finish()
    return ()


def parse_slice_spec(spec: str, value: np.ndarray) -> tuple[list[int], list[Extent]]:
    """Parses a slice spec into the shape of the full tensor and the position of the slice."""
    shape, extents = parse_spec(spec)
    if slice_shape(shape, extents) != list(value.shape):
        invalid(
            "Slice in shape_and_slice specification does not match the shape of the tensor to  save: "
            f"{spec}, tensor: {shape_text(value.shape)}"
        )
    return shape, extents


def _check_vectors(names: Any, specs: Any) -> tuple[int, int]:
    """Checks the numbers of names and specs."""
    shapes = array_shape(names), array_shape(specs)
    if any(len(shape) != 1 for shape in shapes):
        shape_texts = [shape_text(shape) for shape in shapes]
        invalid(
            "Input tensor_names and shape_and_slices should be an 1-D tensors, got "
            f"{shape_texts[0]} and {shape_texts[1]} instead."
        )
    return shapes[0][0], shapes[1][0]


def _check_numbers(names: int, specs: int) -> None:
    if names != specs:
        text = "tensor_names and shape_and_slices have different number of elements"
        invalid(f"{text}: {names} vs. {specs}")


def check_vector(value: Any, count: int) -> None:
    """Raises InferenceError for a vector that cannot hold one string per tensor."""
    (size,) = with_rank(value._dims, 1)
    if size is not None and size != count:
        raise InferenceError(f"Dimension must be {count} but is {size}")


@save_v2_op.infer
def _(op) -> list[Dims]:
    prefix, names, specs, *tensors = op.inputs
    with_rank(prefix._dims, 0)
    for vector in (names, specs):
        check_vector(vector, len(tensors))
    return []


# Restoring -------------------------------------------------------------------------------------


def open_checkpoint(prefix: str) -> Bundle | OldCheckpoint:
    """Opens the checkpoint with a prefix, as version 2 if it has a table, else the matching files of version 1."""
    if os.path.exists(index_path(prefix)):
        return open_bundle(prefix)
    return open_old(prefix)


def open_old(pattern: str) -> OldCheckpoint:
    """Opens the version 1 checkpoint in the files that match a pattern; raises the errors of `open_checkpoint`."""
    directory = os.path.dirname(pattern)
    if directory and not os.path.isdir(directory):
        invalid(
            f"Unsuccessful TensorSliceReader constructor: Failed to get matching files on {pattern}: "
            f"Not found: {directory}; No such file or directory",
        )
    # As TensorFlow's messages name them.
    path = os.fsencode(pattern if directory else f"./{pattern}")
    files = [path] if os.path.lexists(path) and not path.endswith(b"/") else match_paths(path)
    paths = sorted(map(os.fsdecode, files))
    return _open_old_version(pattern, tuple(paths), tuple(map(_file_version, paths)))


def _file_version(path: str) -> tuple[int, ...]:
    """Returns numbers that change when a file is replaced or written to."""
    try:
        status = os.stat(path)
    except OSError:
        return ()
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


@functools.lru_cache(maxsize=1)  # graphs of old versions have an op for each variable
def _open_old_version(
    pattern: str, paths: tuple[str, ...], versions: tuple[tuple[int, ...], ...]
) -> OldCheckpoint:
    return OldCheckpoint(paths, pattern)


@op(
    "RestoreV2",
    "prefix: string, tensor_names: string, shape_and_slices: string -> tensors: dtypes",
    stateful=True,
    dtypes=_TYPES,
    uses_files=True,
)
def restore_v2_op(xp, prefix, tensor_names, shape_and_slices, *, dtypes):
    return _restoring(prefix, tensor_names, shape_and_slices, dtypes).read_all()


def _restoring(
    prefix: Any, tensor_names: Any, shape_and_slices: Any, dtypes: Any
) -> CheckpointTensors:
    count, slices = _check_vectors(tensor_names, shape_and_slices)
    if count != len(dtypes):
        invalid(f"Got {count} tensor names, but {len(dtypes)} expected dtypes.")
    _check_numbers(count, slices)
    names = [to_str(name) for name in list_strings(tensor_names)]
    specs = [to_str(spec) for spec in list_strings(shape_and_slices)]
    return CheckpointTensors(open_checkpoint(file_name(prefix)), names, specs, dtypes)


def restore_one_by_one(
    prefix: Any, tensor_names: Any, shape_and_slices: Any, dtypes: Any, cells: Sequence[Any]
) -> tuple[DeferredTensor, ...]:
    """Returns RestoreV2 tensors for the variables with these cells; each is read by its `read` on demand."""
    return defer_restore(_restoring(prefix, tensor_names, shape_and_slices, dtypes), cells)


@restore_v2_op.infer
def _(op) -> list[Dims]:
    prefix, names, specs = op.inputs
    with_rank(prefix._dims, 0)
    merge(with_rank(names._dims, 1), with_rank(specs._dims, 1))
    count = len(op.attrs["dtypes"])
    value = input_value(op, 2)
    if value is None:
        return [None] * count
    if value.size != count:
        raise InferenceError("The number of shape_and_slice doesn't match tensor outputs.")
    return [static_part(to_str(spec)) for spec in value.tolist()]


def static_part(spec: str) -> Dims:
    """Returns the static shape of the slice in `spec`."""
    if not spec:
        return None
    try:
        return tuple(slice_shape(*parse_spec(spec)))
    except InvalidArgumentError as error:
        raise InferenceError(error.message) from None


# Shards ----------------------------------------------------------------------------------------


@op(
    "MergeV2Checkpoints",
    "checkpoint_prefixes: string, destination_prefix: string -> ",
    infer=checked_ranks(1, 0, result=[]),
    stateful=True,
    delete_old_dirs=True,
    uses_files=True,
)
def merge_v2_checkpoints_op(xp, checkpoint_prefixes, destination_prefix, *, delete_old_dirs):
    if len(array_shape(checkpoint_prefixes)) != 1:
        shape = shape_text(array_shape(checkpoint_prefixes))
        invalid(f"Input checkpoint_prefixes should be an 1-D tensor, got {shape} instead.")
    _check_scalar("destination_prefix", destination_prefix)
    prefixes = [os.fsdecode(local_path(prefix)) for prefix in list_strings(checkpoint_prefixes)]
    merge_bundles(prefixes, file_name(destination_prefix), delete_old_dirs, _syncs())
    return ()


@op(
    "ShardedFilename",
    "basename: string, shard: int32, num_shards: int32 -> filename: string",
)
def sharded_filename_op(xp, basename, shard, num_shards):
    for name, value in (("basename", basename), ("shard", shard), ("num_shards", num_shards)):
        _check_scalar(name, value)
    return scalar_string(basename) + f"-{int(shard):05d}-of-{int(num_shards):05d}".encode()


@op("ShardedFilespec", "basename: string, num_shards: int32 -> filename: string")
def sharded_filespec_op(xp, basename, num_shards):
    for name, value in (("basename", basename), ("num_shards", num_shards)):
        _check_scalar(name, value)
    return scalar_string(basename) + f"-?????-of-{int(num_shards):05d}".encode()


def _check_scalar(name: str, value: Any) -> None:
    shape: Sequence[int] = array_shape(value)
    if shape:
        invalid(f"{name} must be a scalar, got shape {shape_text(shape)}")


def _scalars(op: Any) -> Dims:
    for value in op.inputs:
        with_rank(value._dims, 0)
    return ()


sharded_filename_op.infer(_scalars)
sharded_filespec_op.infer(_scalars)
