"""Ops that write and read version 1 checkpoints."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base.dtypes import quantized_to_integers
from tfmini._src.base.errors import invalid
from tfmini._src.formats.checkpoint_v1_writer import OldCheckpointWriter
from tfmini._src.formats.ordered_code import FULL_EXTENT
from tfmini._src.graph.attributes import to_str
from tfmini._src.graph.opdef import Attr, op
from tfmini._src.graph.shape_inference import Dims, input_value, with_rank
from tfmini._src.ops.files.deferred_restore import read_old
from tfmini._src.ops.files.save_restore_v2 import (
    check_vector,
    file_name,
    open_old,
    parse_slice_spec,
    static_part,
)
from tfmini._src.ops.operands import ANY, dense
from tfmini._src.ops.string.string_elements import flat, list_strings, scalar_string

_TYPES = Attr("list(type)", minimum=1)


def _save(filename: Any, tensor_names: Any, specs: Any, data: Any, dtypes: Any) -> tuple[()]:
    """Writes tensors to a file, as slices if specs are passed."""
    if np.size(filename) != 1:
        invalid(
            f"Input 0 (filename) must be a string scalar; got a tensor of {np.size(filename)}elements"
        )
    names = [to_str(name) for name in list_strings(tensor_names)]
    if specs is not None and np.size(specs) != len(names):
        invalid(
            f"Expected {len(names)} elements for the tensor shapes and slices but got {np.size(specs)}"
        )
    if len(data) != len(names):
        fixed = 2 if specs is None else 3
        invalid(
            f"Expected totally {len(names) + fixed} inputs as input #1 (which is a string tensor of saved names) "
            f"contains {len(names)} names, but received {len(data) + fixed} inputs"
        )
    positions = (
        [""] * len(names) if specs is None else [to_str(spec) for spec in list_strings(specs)]
    )
    writer = OldCheckpointWriter()
    for i in sorted(range(len(names)), key=names.__getitem__):
        value = dense(data[i])
        shape, extents = list(value.shape), [FULL_EXTENT] * value.ndim
        if positions[i]:
            shape, extents = parse_slice_spec(positions[i], value)
        writer.add(names[i], shape, extents, quantized_to_integers(value), dtypes[i])
    writer.write(file_name(flat(filename)[0]))
    return ()


@op(
    "Save",
    "filename: string, tensor_names: string, data: T -> ",
    stateful=True,
    T=_TYPES,
    uses_files=True,
)
def save_op(xp, filename, tensor_names, data, *, T):
    return _save(filename, tensor_names, None, data, T)


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
    uses_files=True,
)
def save_slices_op(xp, filename, tensor_names, shapes_and_slices, data, *, T):
    return _save(filename, tensor_names, shapes_and_slices, data, T)


@save_slices_op.infer
def _(op) -> list[Dims]:
    with_rank(op.inputs[0]._dims, 0)
    for vector in op.inputs[1:3]:
        check_vector(vector, len(op.inputs) - 3)
    return []


@op(
    "Restore",
    "file_pattern: string, tensor_name: string -> tensor: dt",
    stateful=True,
    dt=ANY,
    preferred_shard=-1,
    uses_files=True,
)
def restore_op(xp, file_pattern, tensor_name, *, dt):
    return _read_slice(file_pattern, tensor_name, b"", dt)


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
    uses_files=True,
)
def restore_slice_op(xp, file_pattern, tensor_name, shape_and_slice, *, dt):
    return _read_slice(file_pattern, tensor_name, shape_and_slice, dt)


@restore_slice_op.infer
def _(op) -> Dims:
    for value in op.inputs:
        with_rank(value._dims, 0)
    spec = input_value(op, 2)
    return None if spec is None else static_part(to_str(scalar_string(spec)))


def _read_slice(pattern: Any, name: Any, spec: Any, dtype: Any) -> Any:
    if np.size(pattern) != 1:
        invalid(
            f"Input 0 (file_pattern) must be a string scalar; got a tensor of {np.size(pattern)}elements"
        )
    checkpoint = open_old(file_name(pattern))
    return read_old(checkpoint, _first(name), _first(spec), dtype)


def _first(strings: Any) -> str:
    """Returns the first string of a tensor; TensorFlow ignores the others."""
    if not np.size(strings):
        invalid("The tensor name and its slice must not be empty")
    return to_str(flat(strings)[0])
