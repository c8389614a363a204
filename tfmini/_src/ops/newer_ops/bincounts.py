"""Counts of integers in vectors and in rows of dense, ragged and sparse matrices: TensorFlow 2's `tf.math.bincount`."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.graph.opdef import op
from tfmini._src.graph.shape_inference import Dims, input_value
from tfmini._src.ops.operands import shape_text

_TYPES: dict[str, Any] = {
    "Tidx": (dtypes.int32, dtypes.int64),
    "T": (dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64),
    "binary_output": False,
}


def _bincount(
    rows: Any, values: Any, count: int | None, size: Any, weights: Any, binary: bool
) -> Any:
    """Counts each number per row, or sums its weights: [count, size]; without rows, [size]."""
    length = int(np.asarray(size).reshape(-1)[0])
    if length < 0:
        invalid(f"size ({length}) must be non-negative")
    if values.size and values.min() < 0:
        invalid("Input must be non-negative")
    if weights.size and weights.size != values.size:
        invalid(
            f"weights {shape_text(weights.shape)} must be empty or of the input's shape, {shape_text(values.shape)}"
        )
    array = np.zeros(((count or 1), length), weights.dtype)
    in_range = values < length
    position = (rows[in_range] if count is not None else 0, values[in_range])
    if binary:
        array[position] = 1
    else:
        np.add.at(array, position, weights.reshape(-1)[in_range] if weights.size else 1)
    return array[0] if count is None else array[:count]


@op(
    "DenseBincount",
    "input: Tidx, size: Tidx, weights: T -> output: T",
    through_host=True,
    static_inputs=("size",),
    **_TYPES,
)
def dense_bincount_op(xp, value, size, weights, *, binary_output):
    if value.ndim > 2:
        invalid(f"Shape must be at most rank 2 but is rank {value.ndim}")
    if value.ndim < 2:
        return _bincount(None, value.reshape(-1), None, size, weights, binary_output)
    rows = np.repeat(np.arange(len(value)), value.shape[1])
    return _bincount(rows, value.reshape(-1), len(value), size, weights, binary_output)


@dense_bincount_op.infer
def _(op) -> Dims:
    dims, size = op.inputs[0]._dims, input_value(op, 1)
    if dims is None:
        return None
    length = None if size is None else int(size)
    return (length,) if len(dims) < 2 else (dims[0], length)


@op(
    "RaggedBincount",
    "splits: int64, values: Tidx, size: Tidx, weights: T -> output: T",
    infer=lambda op: (None, None),
    through_host=True,
    static_inputs=("size",),
    **_TYPES,
)
def ragged_bincount_op(xp, splits, values, size, weights, *, binary_output):
    if (
        not splits.size
        or splits[0] != 0
        or splits[-1] != values.size
        or (np.diff(splits) < 0).any()
    ):
        invalid("Splits must start with 0, end with the number of values and not decrease")
    count = len(splits) - 1
    rows = np.repeat(np.arange(count), np.diff(splits))
    return _bincount(rows, values.reshape(-1), count, size, weights, binary_output)


@op(
    "SparseBincount",
    "indices: int64, values: Tidx, dense_shape: int64, size: Tidx, weights: T -> output: T",
    infer=lambda op: None,
    through_host=True,
    static_inputs=("dense_shape", "size"),
    **_TYPES,
)
def sparse_bincount_op(xp, indices, values, dense_shape, size, weights, *, binary_output):
    if len(dense_shape) == 1:
        return _bincount(None, values, None, size, weights, binary_output)
    count = int(dense_shape[0])
    rows = indices[:, 0]
    if rows.size and (rows.min() < 0 or rows.max() >= count):
        invalid(f"Index out of bound: an index of the sparse input is not in the {count} rows")
    return _bincount(rows, values, count, size, weights, binary_output)
