"""Checkpoints of version 1: their ops read them; none is written."""

from __future__ import annotations

from typing import Any, NoReturn

from tfmini._src.base.errors import UnimplementedError
from tfmini._src.graph.opdef import Attr, op
from tfmini._src.graph.shape_inference import Dims, input_value, with_rank
from tfmini._src.ops.files.deferred_restore import read_old
from tfmini._src.ops.files.save_restore_v2 import check_vector, file_name, open_old, static_part
from tfmini._src.ops.operands import ANY
from tfmini._src.ops.string.string_elements import single, utf8_text

_TYPES = Attr("list(type)", minimum=1)
# Why no file of version 1 is written.
NOT_WRITTEN = (
    "Checkpoints of version 1 are read and not written: they take twice the memory, and TensorFlow 1.15 restores "
    "those of version 2 too. Use tf.train.Saver(write_version=tf.train.SaverDef.V2), the default."
)


def _refuse() -> NoReturn:
    raise UnimplementedError(None, None, NOT_WRITTEN)


@op(
    "Save",
    "filename: string, tensor_names: string, data: T -> ",
    stateful=True,
    T=_TYPES,
)
def save_op(xp, filename, tensor_names, data):
    _refuse()


@save_op.infer
def _(op) -> list[Dims]:
    with_rank(op.inputs[0]._dims, 0)
    check_vector(op.inputs[1], len(op.inputs) - 2)
    return []


@op(
    "SaveSlices",
    "filename: string, tensor_names: string, shapes_and_slices: string, data: T -> ",
    stateful=True,
    T=_TYPES,
)
def save_slices_op(xp, filename, tensor_names, shapes_and_slices, data):
    _refuse()


@save_slices_op.infer
def _(op) -> list[Dims]:
    with_rank(op.inputs[0]._dims, 0)
    for each in op.inputs[1:3]:
        check_vector(each, len(op.inputs) - 3)
    return []


@op(
    "Restore",
    "file_pattern: string, tensor_name: string -> tensor: dt",
    stateful=True,
    dt=ANY,
    preferred_shard=-1,
)
def restore_op(xp, file_pattern, tensor_name, *, dt):
    return _read(file_pattern, tensor_name, b"", dt)


@restore_op.infer
def _(op) -> Dims:
    for value in op.inputs:
        with_rank(value._dims, 0)
    return None


@op(
    "RestoreSlice",
    "file_pattern: string, tensor_name: string, shape_and_slice: string -> tensor: dt",
    stateful=True,
    dt=ANY,
    preferred_shard=-1,
)
def restore_slice_op(xp, file_pattern, tensor_name, shape_and_slice, *, dt):
    return _read(file_pattern, tensor_name, shape_and_slice, dt)


@restore_slice_op.infer
def _(op) -> Dims:
    for value in op.inputs:
        with_rank(value._dims, 0)
    spec = input_value(op, 2)
    return None if spec is None else static_part(utf8_text(spec.item()))


def _read(pattern: Any, name: Any, spec: Any, dtype: Any) -> Any:
    checkpoint = open_old(file_name(pattern))
    return read_old(checkpoint, utf8_text(single(name)), utf8_text(single(spec)), dtype)
