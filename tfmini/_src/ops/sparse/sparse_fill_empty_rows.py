"""Filling of empty rows of sparse tensors with a default value."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base.errors import invalid
from tfmini._src.devices.host.native import sparse_rows
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.opdef import op, public, raw
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.shape_inference import (
    Dims,
    InferenceError,
    checked_ranks,
    input_dims,
    merge_dim,
    with_rank,
)
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.operands import ANY, dense, shape_text
from tfmini._src.ops.sparse.sparse_indices import as_sparse


@op(
    "SparseFillEmptyRows",
    "indices: int64, values: T, dense_shape: int64, default_value: T -> output_indices: int64, "
    "output_values: T, empty_row_indicator: bool, reverse_index_map: int64",
    static_inputs=("indices", "dense_shape", "default_value"),
    T=ANY,
)
def sparse_fill_empty_rows_op(xp, positions, values, shape, default_value):
    default_value = dense(default_value)
    if (shape.ndim, positions.ndim, values.ndim, default_value.ndim) != (1, 2, 1, 0):
        _check_ranks(shape, positions, values, default_value)
    if not len(shape):
        invalid("dense_shape must not be empty")
    rows = int(shape[0])
    if rows < 0:  # TensorFlow ends the process
        invalid(f"dense_shape[0] must not be negative, got {rows}")
    count = len(positions)
    if len(values) < count:  # TensorFlow reads out of bounds
        invalid(f"There are {count} indices, but {len(values)} values")
    if not rows:
        if count:
            invalid(f"Received SparseTensor with dense_shape[0] = 0 but indices.shape[0] = {count}")
        return positions, values, xp.zeros(0, bool), xp.zeros(0, "i8")
    if xp is np:
        result = sparse_rows.fill_empty_rows(positions, values[:count], rows, default_value)
        if result is not None:
            return result
    row = positions[:, 0]
    if count and (row.min() < 0 or row.max() >= rows):
        i = int(((row < 0) | (row >= rows)).argmax())
        invalid(f"indices({i}, 0) is invalid: {row[i]} >= {rows}")
    counts = xp.bincount(row, minlength=rows)
    empty = counts == 0
    empty_rows = xp.flatnonzero(empty)
    is_sorted = not (row[1:] < row[:-1]).any()
    if not len(empty_rows) and is_sorted:
        return positions.copy(), values[:count].copy(), empty, xp.arange(count)
    # Each row is as long as before, or one element if it was empty.
    starts = xp.cumsum(counts + empty) - (counts + empty)
    order = None if is_sorted else xp.argsort(row, kind="stable")
    position = xp.arange(count)
    if order is not None:
        position[order] = xp.arange(count)
    position += (starts - (xp.cumsum(counts) - counts))[row]
    all_indices = xp.zeros((count + len(empty_rows), positions.shape[1]), "i8")
    all_values = xp.empty(len(all_indices), values.dtype)
    all_indices[starts[empty_rows], 0] = empty_rows
    all_values[starts[empty_rows]] = default_value[()]
    all_indices[position], all_values[position] = positions, values[:count]
    return all_indices, all_values, empty, position


def _check_ranks(shape: Any, positions: Any, values: Any, default_value: Any) -> None:
    for label, rank_name, rank, tensor in (
        ("dense_shape", "vector", 1, shape),
        ("indices", "matrix", 2, positions),
        ("values", "vector", 1, values),
        ("default_value", "scalar", 0, default_value),
    ):
        if tensor.ndim != rank:
            invalid(f"{label} must be a {rank_name}, saw: {shape_text(tensor.shape)}")


@sparse_fill_empty_rows_op.infer
def _(op) -> list[Dims]:
    positions = with_rank(op.inputs[0]._dims, 2)
    values = with_rank(op.inputs[1]._dims, 1)
    (rank,) = with_rank(op.inputs[2]._dims, 1)
    with_rank(op.inputs[3]._dims, 0)
    count = merge_dim(positions[0], values[0])
    merge_dim(positions[1], rank)
    if rank == 0:
        raise InferenceError("dense_shape must not be empty")
    shape = input_dims(op, 2)
    rows = None if shape is None else shape[0]
    return [(None, rank), (None,), (rows,), (count,)]


@sparse_fill_empty_rows_op.gradient
def _(op, places_grad, values_grad, empty_grad, map_grad):
    grad, default_grad = raw.SparseFillEmptyRowsGrad(op.outputs[3], values_grad)
    return None, grad, None, default_grad


@op(
    "SparseFillEmptyRowsGrad",
    "reverse_index_map: int64, grad_values: T -> d_values: T, d_default_value: T",
    infer=checked_ranks(None, 1, result=lambda op: [with_rank(op.inputs[0]._dims, 1), ()]),
    static_inputs=("reverse_index_map",),
    T=ANY,
)
def sparse_fill_empty_rows_grad_op(xp, positions, grad):
    for label, tensor in (("reverse_index_map", positions), ("grad_values", grad)):
        if tensor.ndim != 1:
            invalid(f"{label} must be a vector, saw: {shape_text(tensor.shape)}")
    is_outside = (positions < 0) | (positions >= len(grad))
    if is_outside.any():
        i = int(is_outside.argmax())
        invalid(f"Elements in reverse index must be in [0, {len(grad)}) but got {positions[i]}")
    filled = xp.ones(len(grad), bool)
    filled[positions] = False
    return grad[positions], xp.sum(grad[filled], dtype=grad.dtype)


@public
def sparse_fill_empty_rows(
    sp_input: TensorLike, default_value: TensorLike, name: str | None = None
) -> tuple[SparseTensor, Tensor]:
    """Adds one element, in the first column, to each empty row of a SparseTensor.

    Args:
      sp_input: SparseTensor [rows, ...].
      default_value: scalar of the same dtype, the value to add.

    Returns:
      (the SparseTensor, a bool vector [rows] that marks the empty rows).

    Raises:
      InvalidArgumentError (when run): if a row is out of range.
    """
    sp_input = as_sparse(sp_input)
    with name_scope(name, "SparseFillEmptyRows", [sp_input]):
        default_value = ops.convert_to_tensor(default_value, dtype=sp_input.values.dtype)
        positions, values, empty, _ = raw.SparseFillEmptyRows(
            sp_input.indices, sp_input.values, sp_input.dense_shape, default_value
        )
        return SparseTensor(positions, values, sp_input.dense_shape), empty
