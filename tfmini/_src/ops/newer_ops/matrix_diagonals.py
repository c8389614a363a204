"""Several diagonals of a matrix as rows padded to the longest: `tf.linalg.diag`, `diag_part`, `set_diag`.

Diagonal k starts k columns to the right of the main diagonal, or -k rows below it if k is negative. The rows are
ordered from the upper diagonal to the lower; `align` specifies the side to which diagonals above and below the main one
are aligned ("RIGHT_LEFT").
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tfmini._src.base.errors import invalid
from tfmini._src.graph.opdef import Attr, op
from tfmini._src.graph.shape_inference import Dims, input_value, with_rank_at_least
from tfmini._src.ops.operands import ANY, dense, shape_text

_ALIGN = Attr(
    "string", "RIGHT_LEFT", allowed=("LEFT_RIGHT", "RIGHT_LEFT", "LEFT_LEFT", "RIGHT_RIGHT")
)


def _diagonal_range(k: Any) -> tuple[int, int]:
    """Returns the lowest and highest diagonals."""
    bounds = np.asarray(k).reshape(-1).tolist()
    if len(bounds) not in (1, 2):
        invalid(f"diag_index must have one or two elements, received {len(bounds)} elements.")
    low, high = bounds[0], bounds[-1]
    if low > high:
        invalid(f"lower_diag_index must not be larger than upper_diag_index: {low} > {high}")
    return low, high


def _length(k: int, rows: int, columns: int) -> int:
    return max(0, min(rows + min(k, 0), columns - max(k, 0)))


def _longest(low: int, high: int, rows: int, columns: int) -> int:
    return max(_length(k, rows, columns) for k in range(low, high + 1))


def _indices(
    low: int, high: int, rows: int, columns: int, align: str
) -> Iterator[tuple[int, slice, Any, Any]]:
    """Returns each diagonal's row among the packed ones, its slice of that row, and its row and column indices."""
    max_length = _longest(low, high, rows, columns)
    for row, k in enumerate(range(high, low - 1, -1)):
        length = _length(k, rows, columns)
        side = align.split("_")[0 if k >= 0 else 1]
        start = max_length - length if side == "RIGHT" else 0
        steps = np.arange(length)
        yield row, slice(start, start + length), steps + max(-k, 0), steps + max(k, 0)


def _check_range(low: int, high: int, rows: int, columns: int) -> None:
    for name, k in (("lower_diag_index", low), ("upper_diag_index", high)):
        if not (-rows < k < columns) and k != 0:
            invalid(f"{name} is out of bound: {k} It must be between {-rows} and {columns}")


def _diagonals(
    xp: Any, diagonal: Any, k: Any, num_rows: Any, num_cols: Any, padding: Any, align: str
) -> Any:
    low, high = _diagonal_range(k)
    diagonal = dense(diagonal)
    packed = diagonal if high > low else diagonal[..., None, :]
    if high > low and (diagonal.ndim < 2 or diagonal.shape[-2] != high - low + 1):
        invalid(
            "The number of diagonals provided in the input does not match the lower_diag_index and upper_diag_index "
            f"range: {shape_text(diagonal.shape)}, {low}, {high}"
        )
    max_length = packed.shape[-1]
    least_rows, least_columns = max_length - min(high, 0), max_length + max(low, 0)
    rows, columns = int(num_rows), int(num_cols)
    if rows == -1 and columns == -1:
        rows = columns = max(least_rows, least_columns)
    rows = least_rows if rows == -1 else rows
    columns = least_columns if columns == -1 else columns
    if rows < least_rows or columns < least_columns:
        invalid(f"The number of rows or columns is too small: {rows}, {columns}")
    array = xp.full((*packed.shape[:-2], rows, columns), padding, diagonal.dtype)
    for row, part, diagonal_rows, diagonal_columns in _indices(low, high, rows, columns, align):
        array[..., diagonal_rows, diagonal_columns] = packed[..., row, part]
    return array


def _extract_diagonals(xp: Any, value: Any, k: Any, padding: Any, align: str) -> Any:
    if value.ndim < 2:
        invalid(f"input must be at least 2-dim, received shape: {shape_text(value.shape)}")
    low, high = _diagonal_range(k)
    rows, columns = value.shape[-2:]
    _check_range(low, high, rows, columns)
    max_length = _longest(low, high, rows, columns)
    array = xp.full((*value.shape[:-2], high - low + 1, max_length), padding, value.dtype)
    for row, part, diagonal_rows, diagonal_columns in _indices(low, high, rows, columns, align):
        array[..., row, part] = value[..., diagonal_rows, diagonal_columns]
    return array if high > low else array[..., 0, :]


def _with_diagonals(xp: Any, value: Any, diagonal: Any, k: Any, align: str) -> Any:
    low, high = _diagonal_range(k)
    rows, columns = value.shape[-2:]
    _check_range(low, high, rows, columns)
    max_length = _longest(low, high, rows, columns)
    count = (high - low + 1,) if high > low else ()
    expected = (*value.shape[:-2], *count, max_length)
    if diagonal.shape != expected:
        invalid(
            "Either first dimensions of diagonal don't match input.shape[:-2], or diagonal.shape[:-1] is not equal to "
            "the longests diagonal in range [lower_diag_index:upper_diag_index].\n"
            f"Input shape: {shape_text(value.shape)}\nDiagonal shape: {shape_text(diagonal.shape)}\n"
            f"Expected diagonal shape: {shape_text(expected)}"
        )
    packed = diagonal if count else diagonal[..., None, :]
    result = value.copy()
    for row, part, diagonal_rows, diagonal_columns in _indices(low, high, rows, columns, align):
        result[..., diagonal_rows, diagonal_columns] = packed[..., row, part]
    return result


def _diagonal_dims(op: Any) -> Dims:
    dims = with_rank_at_least(op.inputs[0]._dims, 1)
    k, rows, columns = (input_value(op, index) for index in (1, 2, 3))
    if dims is None or k is None:
        return None
    low, high = _diagonal_range(k)
    batch, max_length = (dims[:-1] if high == low else dims[:-2]), dims[-1]
    if rows is None or columns is None:
        return (*batch, None, None)
    if max_length is not None and rows == -1 and columns == -1:
        size = max(max_length - min(high, 0), max_length + max(low, 0))
        return (*batch, size, size)
    return (*batch, *(None if size == -1 else int(size) for size in (rows, columns)))


def _part_dims(op: Any) -> Dims:
    dims = with_rank_at_least(op.inputs[0]._dims, 2)
    k = input_value(op, 1)
    if dims is None or k is None:
        return None
    low, high = _diagonal_range(k)
    rows, columns = dims[-2:]
    max_length = None if rows is None or columns is None else _longest(low, high, rows, columns)
    return (*dims[:-2], *([high - low + 1] if high > low else []), max_length)


@op(
    "MatrixDiagV3",
    "diagonal: T, k: int32, num_rows: int32, num_cols: int32, padding_value: T -> output: T",
    infer=_diagonal_dims,
    static_inputs=("k", "num_rows", "num_cols"),
    T=ANY,
    align=_ALIGN,
)
def matrix_diag_v3_op(xp, diagonal, k, num_rows, num_cols, padding_value, *, align):
    return _diagonals(xp, diagonal, k, num_rows, num_cols, padding_value, align)


@op(
    "MatrixDiagPartV3",
    "input: T, k: int32, padding_value: T -> diagonal: T",
    infer=_part_dims,
    static_inputs=("k",),
    T=ANY,
    align=_ALIGN,
)
def matrix_diag_part_v3_op(xp, value, k, padding_value, *, align):
    return _extract_diagonals(xp, value, k, padding_value, align)


@op(
    "MatrixSetDiagV3",
    "input: T, diagonal: T, k: int32 -> output: T",
    infer=lambda op: with_rank_at_least(op.inputs[0]._dims, 2),
    static_inputs=("k",),
    T=ANY,
    align=_ALIGN,
)
def matrix_set_diag_v3_op(xp, value, diagonal, k, *, align):
    return _with_diagonals(xp, value, dense(diagonal), k, align)
