"""Operand checks and static shapes of ops on square matrices."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.graph.shape_inference import Dims, merge, merge_dim, with_rank_at_least

MATRIX = (*(dtypes.float64, dtypes.float32, dtypes.float16, dtypes.complex64, dtypes.complex128),)
DETERMINANT = (
    *(dtypes.float16, dtypes.float32, dtypes.float64, dtypes.complex64, dtypes.complex128),
)


def check_square(value: Any) -> None:
    """Raises InvalidArgumentError unless `value` is [..., n, n]."""
    if value.ndim < 2:
        invalid(f"Input tensor 0 must have rank >= 2, got {value.ndim}")
    if value.shape[-1] != value.shape[-2]:
        invalid("Input matrix must be square.")


def check_system(matrix: Any, rhs: Any, square: bool = True) -> None:
    """Raises InvalidArgumentError unless `matrix @ x = rhs` has compatible shapes, including batch dimensions."""
    if matrix.ndim < 2:
        invalid(f"Input tensor 0 must have rank >= 2, got {matrix.ndim}")
    if matrix.ndim != rhs.ndim:
        invalid("All input tensors must have the same rank.")
    if matrix.shape[:-2] != rhs.shape[:-2]:
        invalid("All input tensors must have the same outer dimensions.")
    if square and matrix.shape[-1] != matrix.shape[-2]:
        invalid("First input (lhs) must be a square matrix.")
    if matrix.shape[-2] != rhs.shape[-2]:
        invalid("Input matrix and rhs are incompatible.")


def starts_with_nan(xp: Any, value: Any) -> bool:
    """Whether the first pivot of a matrix is NaN; TensorFlow only reports such matrices as not invertible."""
    return bool(value.size and xp.isnan(value[..., 0, 0]).any())


def to_lapack_precision(value: Any) -> Any:
    """Converts `value` to a precision that LAPACK supports, half to float32."""
    return value.astype("f") if value.dtype.char == "e" else value


def conjugate_transpose(xp: Any, value: Any) -> Any:
    """Returns the conjugate transpose of each matrix, as a view if possible."""
    value = value.swapaxes(-1, -2)
    return xp.conjugate(value) if value.dtype.kind == "c" else value


def square_shape(op: Any) -> Dims:
    """Returns the shape of the first input, a batch of square matrices."""
    dims = with_rank_at_least(op.inputs[0]._dims, 2)
    if dims is None:
        return None
    size = merge_dim(dims[-2], dims[-1])
    return (*dims[:-2], size, size)


def batch_shape(op: Any) -> Dims:
    """Returns the batch dimensions of the first input, a batch of square matrices."""
    dims = with_rank_at_least(op.inputs[0]._dims, 2)
    if dims is None:
        return None
    merge_dim(dims[-1], dims[-2])
    return dims[:-2]


def solution_shape(op: Any, square: bool = True) -> Dims:
    """Returns the static shape of x in `matrix @ x = rhs`."""
    matrix = with_rank_at_least(op.inputs[0]._dims, 2)
    rows, columns = (None, None) if matrix is None else matrix[-2:]
    if square:
        rows = columns = merge_dim(rows, columns)
    rhs = with_rank_at_least(op.inputs[1]._dims, 2)
    rhs_rows, rhs_columns = (None, None) if rhs is None else rhs[-2:]
    batch = merge(None if matrix is None else matrix[:-2], None if rhs is None else rhs[:-2])
    merged = merge_dim(rows, rhs_rows)
    return None if batch is None else (*batch, merged if square else columns, rhs_columns)
