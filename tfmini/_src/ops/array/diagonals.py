"""Diagonals and bands of tensors and of batches of matrices; `eye`."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.errors import invalid
from tfmini._src.devices.cuda.device_constants import fixed
from tfmini._src.graph.opdef import op, public, raw
from tfmini._src.graph.public_functions import overridable
from tfmini._src.graph.scopes import colocate_with, name_scope
from tfmini._src.graph.shape_inference import (
    Dims,
    InferenceError,
    merge,
    merge_dim,
    same_shape,
    with_rank,
    with_rank_at_least,
)
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.operands import ANY, INDEX64, dense, shape_text

_NUMBERS = (
    *(dtypes.bfloat16, dtypes.float16, dtypes.float32, dtypes.float64),
    *(dtypes.int32, dtypes.int64, dtypes.complex64, dtypes.complex128),
)
_WORDS = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}  # by itemsize


# Tensors -----------------------------------------------------------------------------------------


@op("Diag", "diagonal: T -> output: T", T=_NUMBERS)
def diag_op(xp, diagonal):
    if not diagonal.ndim:
        invalid("Input must be at least rank 1, got 0")
    result = xp.zeros(diagonal.size**2, diagonal.dtype)
    result[:: diagonal.size + 1] = diagonal.reshape(-1)
    return result.reshape(diagonal.shape * 2)


@diag_op.gradient
def _(op, grad):
    return ops.diag_part(grad)


@diag_op.infer
def _(op) -> Dims:
    dims = with_rank_at_least(op.inputs[0]._dims, 1)
    return None if dims is None else dims * 2


@public
def diag(diagonal: TensorLike, name: str | None = None) -> Tensor:
    """Creates a tensor with `diagonal` on the diagonal and zeros elsewhere.

    Args:
      diagonal: a tensor of shape [d1 ... dk].

    Returns:
      A tensor of shape [d1 ... dk, d1 ... dk].
    """
    return raw.Diag(diagonal, name=name)


@op("DiagPart", "input: T -> diagonal: T", gradient=lambda op, grad: ops.diag(grad), T=_NUMBERS)
def diag_part_op(xp, value):
    shape, half = value.shape, value.ndim // 2
    if value.ndim % 2:
        invalid(
            f"The rank of the tensor should be {' ' * 41}even and positive, got shape "
            f"{shape_text(shape)}"
        )
    for i in range(half):
        if shape[i] != shape[i + half]:
            invalid(
                f"Invalid shape {shape_text(shape)}: dimensions {i} and {i + half} do not match."
            )
    size = math.prod(shape[:half])
    return value.reshape(size * size)[:: size + 1].reshape(shape[:half]).copy()


@diag_part_op.infer
def _(op) -> Dims:
    dims = op.inputs[0]._dims
    if dims is None:
        return None
    if not dims or len(dims) % 2:
        raise InferenceError(f"Input must have even and non-zero rank, input rank is {len(dims)}")
    half = len(dims) // 2
    return tuple([merge_dim(a, b) for a, b in zip(dims[:half], dims[half:])])


@public
def diag_part(input: TensorLike, name: str | None = None) -> Tensor:
    """Extracts the diagonal of a tensor; inverse of `tf.diag`.

    Args:
      input: a tensor of shape [d1 ... dk, d1 ... dk].

    Returns:
      A tensor of shape [d1 ... dk].
    """
    return raw.DiagPart(input, name=name)


# Batches of matrices -----------------------------------------------------------------------------


@op("MatrixDiag", "diagonal: T -> output: T", T=ANY)
def matrix_diag_op(xp, diagonal):
    diagonal = dense(diagonal)
    if not diagonal.ndim:
        invalid(f"diagonal must be at least 1-dim, received shape: {shape_text(diagonal.shape)}")
    size = diagonal.shape[-1]
    result = xp.zeros((*diagonal.shape, size), diagonal.dtype)
    positions = xp.arange(size)
    result[..., positions, positions] = diagonal
    return result


@matrix_diag_op.infer
def _(op) -> Dims:
    dims = with_rank_at_least(op.inputs[0]._dims, 1)
    return None if dims is None else (*dims, dims[-1])


@matrix_diag_op.gradient
def _(op, grad):
    return ops.matrix_diag_part(grad)


def _check_matrices(value: Any) -> None:
    if np.ndim(value) < 2:
        invalid(f"input must be at least 2-dim, received shape: {shape_text(np.shape(value))}")


def _smaller(a: int | None, b: int | None) -> int | None:
    if a == 0 or b == 0:
        return 0
    return None if a is None or b is None else min(a, b)


@op("MatrixDiagPart", "input: T -> diagonal: T", T=ANY)
def matrix_diag_part_op(xp, value):
    _check_matrices(value)
    return value.diagonal(0, -2, -1).copy()


@matrix_diag_part_op.infer
def _(op) -> Dims:
    dims = with_rank_at_least(op.inputs[0]._dims, 2)
    return None if dims is None else (*dims[:-2], _smaller(*dims[-2:]))


@matrix_diag_part_op.gradient
def _(op, grad):
    dims = op.inputs[0]._dims
    if dims is not None and None not in dims[-2:] and dims[-2] == dims[-1]:
        return ops.matrix_diag(grad)
    return ops.matrix_set_diag(ops.zeros_like(op.inputs[0]), grad)


@op("MatrixSetDiag", "input: T, diagonal: T -> output: T", T=ANY)
def matrix_set_diag_op(xp, value, diagonal):
    _check_matrices(value)
    if not np.ndim(diagonal):
        invalid("diagonal must be at least 1-dim, received shape: []")
    *batch, rows, columns = value.shape
    size = min(rows, columns)
    expected = (*batch, size)
    if diagonal.shape != expected:
        invalid(
            "Either first dimensions of diagonal don't match input.shape[:-2], or "
            "diagonal.shape[:-1] is not equal to the longests diagonal in range "
            "[lower_diag_index:upper_diag_index].\n"
            f"Input shape: {shape_text(value.shape)}\n"
            f"Diagonal shape: {shape_text(diagonal.shape)}\n"
            f"Expected diagonal shape: {shape_text(expected)}"
        )
    result = value.copy()
    step = columns + 1
    result.reshape(*batch, rows * columns)[..., : size * step : step] = diagonal
    return result


@matrix_set_diag_op.infer
def _(op) -> Dims:
    dims = with_rank_at_least(op.inputs[0]._dims, 2)
    diagonal = with_rank_at_least(op.inputs[1]._dims, 1)
    if dims is None:
        return None if diagonal is None else (*diagonal[:-1], None, None)
    diagonal = with_rank(diagonal, len(dims) - 1)
    merge_dim(_smaller(*dims[-2:]), diagonal[-1])
    return merge(dims, (*diagonal[:-1], None, None)) if None in dims else dims


@matrix_set_diag_op.gradient
def _(op, grad):
    shape = op.inputs[0].get_shape().merge_with(grad.get_shape())
    batch_shape = shape[:-2].merge_with(op.inputs[1].get_shape()[:-1])
    matrix_shape = shape[-2:]
    if batch_shape.is_fully_defined() and matrix_shape.is_fully_defined():
        diagonal_shape: Any = batch_shape.as_list() + [min(matrix_shape.as_list())]
    else:
        with colocate_with(grad):
            grad_shape = ops.shape(grad)
            rank = ops.rank(grad)
            batches = ops.slice(grad_shape, [0], [rank - 2])
            sizes = ops.slice(grad_shape, [rank - 2], [2])
            diagonal_shape = ops.concat([batches, [ops.reduce_min(sizes)]], 0)
    zeros = ops.zeros(diagonal_shape, dtype=grad.dtype)
    return ops.matrix_set_diag(grad, zeros), ops.matrix_diag_part(grad)


@public
def matrix_diag(
    diagonal: TensorLike,
    name: str = "diag",
    k: TensorLike = 0,
    num_rows: TensorLike = -1,
    num_cols: TensorLike = -1,
    padding_value: TensorLike = 0,
) -> Tensor:
    """Creates square matrices with `diagonal` on the main diagonal and zeros elsewhere.

    Args:
      diagonal: a tensor of shape [..., n].
      k, num_rows, num_cols, padding_value: ignored, as in TensorFlow 1.15.

    Returns:
      A tensor of shape [..., n, n].
    """
    return raw.MatrixDiag(diagonal, name=name)


@public
@overridable
def matrix_diag_part(
    input: TensorLike, name: str = "diag_part", k: TensorLike = 0, padding_value: TensorLike = 0
) -> Tensor:
    """Extracts the main diagonal of each matrix in a batch.

    Args:
      input: a tensor of shape [..., m, n].
      k, padding_value: ignored, as in TensorFlow 1.15.

    Returns:
      A tensor of shape [..., min(m, n)].
    """
    return raw.MatrixDiagPart(input, name=name)


@public
def matrix_set_diag(
    input: TensorLike, diagonal: TensorLike, name: str = "set_diag", k: TensorLike = 0
) -> Tensor:
    """Replaces the main diagonal of each matrix in a batch.

    Args:
      input: a tensor of shape [..., m, n].
      diagonal: the new values, of shape [..., min(m, n)].
      k: ignored, as in TensorFlow 1.15.
    """
    return raw.MatrixSetDiag(input, diagonal, name=name)


@op(
    "MatrixBandPart",
    "input: T, num_lower: Tindex, num_upper: Tindex -> band: T",
    infer=same_shape,
    static_inputs=("num_lower", "num_upper"),
    T=ANY,
    Tindex=INDEX64,
)
def matrix_band_part_op(xp, value, num_lower, num_upper):
    _check_matrices(value)
    for name, limit in (("num_lower", num_lower), ("num_upper", num_upper)):
        if limit.ndim:
            invalid(f"{name} must be scalar, got shape {shape_text(limit.shape)}")
    rows, columns = value.shape[-2:]
    problem = "must be negative or less or equal to number of"
    if num_lower > rows:
        invalid(f"num_lower {problem} rows ({rows}) got: {num_lower}")
    if num_upper > columns:
        invalid(f"num_upper {problem} columns ({columns}) got: {num_upper}")
    band = rows, columns, int(num_lower), int(num_upper)
    if xp is np and value.dtype.itemsize in _WORDS and value.dtype.kind != "O":
        word = _WORDS[value.dtype.itemsize]
        return np.bitwise_and(value.view(word), _band_words(word, *band)).view(value.dtype)
    return xp.where(fixed(xp, _band(*band)), value, xp.zeros((), value.dtype))


@matrix_band_part_op.gradient
def _(op, grad):
    return ops.matrix_band_part(grad, op.inputs[1], op.inputs[2]), None, None


@lru_cache(maxsize=16)
def _band(rows: int, columns: int, lower: int, upper: int) -> np.ndarray:
    """Returns a bool mask [rows, columns] of a band around the diagonal."""
    above = np.arange(columns) - np.arange(rows)[:, None]  # distance above the diagonal
    array = np.ones((rows, columns), bool)
    if lower >= 0:
        array &= -above <= lower
    if upper >= 0:
        array &= above <= upper
    return array


@lru_cache(maxsize=16)
def _band_words(word: type, rows: int, columns: int, lower: int, upper: int) -> np.ndarray:
    """Returns the bit masks of a band: all bits set inside, none outside. `&` is five times as fast as `np.where`."""
    return np.where(_band(rows, columns, lower, upper), ~word(0), word(0))


def _keeps_all(input: Any, num_lower: Any, num_upper: Any) -> bool:
    rows, columns = np.shape(input)[-2:]
    return not (0 <= num_lower < rows or 0 <= num_upper < columns)


matrix_band_part_op.forwards(band="input", when=_keeps_all)


@public
def matrix_band_part(
    input: TensorLike, num_lower: TensorLike, num_upper: TensorLike, name: str | None = None
) -> Tensor:
    """Sets the elements outside a band around the main diagonal to zero, in each matrix of a batch.

    Args:
      input: a tensor of shape [..., m, n].
      num_lower, num_upper: the number of subdiagonals and superdiagonals to keep, integer scalars; negative keeps all.

    Example: `tf.matrix_band_part(x, -1, 0)` is the lower triangle.
    """
    return raw.MatrixBandPart(input, num_lower, num_upper, name=name)


@public
def eye(
    num_rows: Any,
    num_columns: Any = None,
    batch_shape: Any = None,
    dtype: DTypeLike = dtypes.float32,
    name: str | None = None,
) -> Tensor:
    """Creates an identity matrix or a batch of identity matrices.

    Args:
      num_rows, num_columns: the matrix size, ints or int32 scalars; matrices are square by default.
      batch_shape: a list of ints or an int32 vector.
      dtype: the dtype of the result.

    Returns:
      A tensor of shape `batch_shape + [num_rows, num_columns]`.

    Raises:
      TypeError: if a size is neither an int nor a tensor.
    """
    with name_scope(name, default_name="eye", values=[num_rows, num_columns, batch_shape]):
        is_square = num_columns is None
        batch_shape = [] if batch_shape is None else batch_shape
        num_columns = num_rows if num_columns is None else num_columns
        if isinstance(num_rows, Tensor) or isinstance(num_columns, Tensor):
            size: Any = ops.minimum(num_rows, num_columns)
        elif isinstance(num_rows, int | np.integer) and isinstance(num_columns, int | np.integer):
            is_square = num_rows == num_columns
            size = min(num_rows, num_columns)
        else:
            raise TypeError("num_rows and num_columns must be positive integer values.")
        if isinstance(batch_shape, Tensor) or isinstance(size, Tensor):
            batch_shape = ops.convert_to_tensor(batch_shape, name="shape", dtype=dtypes.int32)
            diagonal_shape: Any = ops.concat((batch_shape, [size]), axis=0)
            if not is_square:
                shape: Any = ops.concat((batch_shape, [num_rows, num_columns]), axis=0)
        else:
            diagonal_shape = [*batch_shape, size]
            shape = [*batch_shape, num_rows, num_columns]
        ones = ops.ones(diagonal_shape, dtype=dtype)
        if is_square:
            return matrix_diag(ones)
        return matrix_set_diag(ops.zeros(shape, dtype=dtype), ones)
