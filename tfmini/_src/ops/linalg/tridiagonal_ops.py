"""Products and linear systems of tridiagonal matrices stored as three diagonals."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.devices.host.native import linear_systems
from tfmini._src.graph.opdef import op, raw
from tfmini._src.graph.shape_inference import InferenceError, merge, merge_dim, with_rank_at_least
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops

TRIDIAGONAL = (*(dtypes.float64, dtypes.float32, dtypes.complex64, dtypes.complex128),)
_SINGULAR = "The matrix is not invertible."
_PIVOTS = "The matrix is either not invertible, or requires pivoting. Try setting partial_pivoting = True."


@op(
    "TridiagonalMatMul",
    "superdiag: T, maindiag: T, subdiag: T, rhs: T -> output: T",
    long_running=True,
    T=TRIDIAGONAL,
)
def tridiagonal_mat_mul_op(xp, superdiag, maindiag, subdiag, rhs):
    _check_matrices(superdiag, maindiag, subdiag, rhs)
    expected = (*rhs.shape[:-2], 1, rhs.shape[-2])
    for diagonal, name in (
        (superdiag, "superdiagonal"),
        (maindiag, "main diagonal"),
        (subdiag, "subdiagonal"),
    ):
        if diagonal.shape != expected:
            invalid(f"Invalid {name} shape.")
    above, middle, below = (x.swapaxes(-1, -2) for x in (superdiag, maindiag, subdiag))
    product = middle * rhs
    product[..., :-1, :] += above[..., :-1, :] * rhs[..., 1:, :]
    product[..., 1:, :] += below[..., 1:, :] * rhs[..., :-1, :]
    return product


def _check_matrices(*values: Any) -> None:
    """Raises InvalidArgumentError unless all arguments are batches of matrices with equal batch shapes."""
    for index, value in enumerate(values):
        if value.ndim < 2:
            invalid(f"Input tensor {index} must have rank >= 2, got {value.ndim}")
        if value.ndim != values[0].ndim:
            invalid("All input tensors must have the same rank.")
        if value.shape[:-2] != values[0].shape[:-2]:
            invalid("All input tensors must have the same outer dimensions.")


@tridiagonal_mat_mul_op.infer
def _(op):
    above, middle, below, rhs = (with_rank_at_least(x._dims, 2) for x in op.inputs)
    batch = None if rhs is None else rhs[:-2]
    for diagonal in (above, middle, below):
        batch = merge(None if diagonal is None else diagonal[:-2], batch)
    diagonals = merge(below, merge(above, middle))
    if diagonals is not None and rhs is not None:
        merge_dim(diagonals[-1], rhs[-2])
    return rhs


@tridiagonal_mat_mul_op.gradient
def _(op, grad):
    above, diagonal, below = (ops.matrix_transpose(x, conjugate=True) for x in op.inputs[:3])
    rhs = ops.conj(op.inputs[3])
    sums = [
        ops.reduce_sum(_rows_up(rhs) * grad, axis=-1),
        ops.reduce_sum(rhs * grad, axis=-1),
        ops.reduce_sum(_rows_down(rhs) * grad, axis=-1),
    ]
    rhs_grad = _rows_down(above * grad) + diagonal * grad + _rows_up(below * grad)
    return (*(ops.expand_dims(total, -2) for total in sums), rhs_grad)


def _rows_up(x: Tensor) -> Tensor:
    """Shifts rows up by one and fills the last row with zeros."""
    padding = _padding(x, [[0, 1], [0, 0]])
    return ops.pad(x[..., 1:, :], padding)


def _rows_down(x: Tensor) -> Tensor:
    padding = _padding(x, [[1, 0], [0, 0]])
    return ops.pad(x[..., :-1, :], padding)


def _padding(x: Tensor, last: list) -> Tensor:
    zeros = ops.zeros((ops.rank(x) - 2, 2), dtype=dtypes.int32)
    return ops.concat([zeros, ops.constant(last)], axis=0)


@op(
    "TridiagonalSolve",
    "diagonals: T, rhs: T -> output: T",
    through_host=True,
    partial_pivoting=True,
    T=TRIDIAGONAL,
)
def tridiagonal_solve_op(xp, diagonals, rhs, *, partial_pivoting):
    _check_matrices(diagonals, rhs)
    rows, size = diagonals.shape[-2:]
    if rows != 3:
        invalid(f"Expected diagonals to be provided as a matrix with 3 rows, got {rows} rows.")
    if rhs.shape[-2] != size:
        invalid(
            "Expected the same number of left-hand sides and right-hand sides, got "
            f"{size} and {rhs.shape[-2]}."
        )
    if not rhs.size:
        return xp.zeros_like(rhs)
    if size == 1:
        if not diagonals[..., 1, :].all():
            invalid("The matrix is not invertible: it is a scalar with value zero.")
        return rhs / diagonals[..., 1:2, :]
    flat = diagonals.reshape(-1, 3, size)
    sides = rhs.reshape(len(flat), size, -1)
    try:
        solution = linear_systems.solve_tridiagonal(flat, sides, partial_pivoting)
    except np.linalg.LinAlgError:
        invalid(_SINGULAR if partial_pivoting else _PIVOTS)
    if solution is not None:
        return solution.reshape(rhs.shape)
    return _eliminate(flat, sides, partial_pivoting).reshape(rhs.shape)


def _eliminate(diagonals: np.ndarray, rhs: np.ndarray, pivoting: bool) -> np.ndarray:
    """Solves many systems by row-wise elimination; `pivoting` allows swapping a row with the next."""
    above, diagonal, below = diagonals.swapaxes(0, 1)
    last = diagonal.shape[-1] - 1
    # The upper triangle: the diagonal and two superdiagonals.
    rows = [np.empty_like(diagonal) for _ in range(3)]
    x = rhs.copy()
    pivot, upper = diagonal[:, 0], above[:, 0]
    for i in range(last):
        under, next_above = below[:, i + 1], above[:, i + 1] if i + 1 < last else 0 * pivot
        row, other = x[:, i].copy(), x[:, i + 1].copy()
        swap = (abs(under) > abs(pivot)) if pivoting else np.zeros(len(x), bool)
        rows[0][:, i] = first = np.where(swap, under, pivot)
        if not first.all():
            invalid(_SINGULAR if pivoting else _PIVOTS)
        rows[1][:, i] = np.where(swap, diagonal[:, i + 1], upper)
        rows[2][:, i] = np.where(swap, next_above, 0)
        factor = np.where(swap, pivot, under) / first
        pivot = np.where(swap, upper, diagonal[:, i + 1]) - factor * rows[1][:, i]
        upper = np.where(swap, 0, next_above) - factor * rows[2][:, i]
        choice = swap[:, None]
        x[:, i] = np.where(choice, other, row)
        x[:, i + 1] = np.where(choice, row, other) - factor[:, None] * x[:, i]
    if not pivot.all():
        invalid(_SINGULAR if pivoting else _PIVOTS)
    rows[0][:, last] = pivot
    for i in range(last, -1, -1):
        for distance in (1, 2):
            if i + distance <= last:
                x[:, i] -= rows[distance][:, i, None] * x[:, i + distance]
        x[:, i] /= rows[0][:, i, None]
    return x


@tridiagonal_solve_op.infer
def _(op):
    diagonals, rhs = (with_rank_at_least(x._dims, 2) for x in op.inputs)
    if diagonals is None or rhs is None:
        return rhs
    merge(diagonals[:-2], rhs[:-2])
    if diagonals[-2] not in (None, 3):
        raise InferenceError(f"Dimension must be 3 but is {diagonals[-2]}")
    merge_dim(diagonals[-1], rhs[-2])
    return rhs


@tridiagonal_solve_op.gradient
def _(op, grad):
    pivoting = op.attrs["partial_pivoting"]
    transposed = _transpose(op.inputs[0])
    rhs_grad = raw.TridiagonalSolve(transposed, grad, partial_pivoting=pivoting)
    return -_three_diagonals(rhs_grad, op.outputs[0]), rhs_grad


def _transpose(diagonals: Tensor) -> Tensor:
    diagonal = diagonals[..., 1, :]
    if diagonals.shape.is_fully_defined():
        batch = diagonals.shape.as_list()[:-2]
        zeros = ops.zeros([*batch, 1], dtype=diagonals.dtype)
        above = ops.concat((diagonals[..., 2, 1:], zeros), axis=-1)
        below = ops.concat((zeros, diagonals[..., 0, :-1]), axis=-1)
    else:
        rank = ops.rank(diagonals)
        zeros = ops.zeros((rank - 2, 2), dtype=dtypes.int32)
        padding = ops.concat((zeros, ops.constant([[0, 1]])), axis=0)
        above = ops.pad(diagonals[..., 2, 1:], padding)
        padding = ops.concat((zeros, ops.constant([[1, 0]])), axis=0)
        below = ops.pad(diagonals[..., 0, :-1], padding)
    return ops.stack([above, diagonal, below], axis=-2)


def _three_diagonals(x: Tensor, y: Tensor) -> Tensor:
    """Returns the three diagonals of `x @ transpose(y)`."""
    diagonal = ops.reduce_sum(x * y, axis=-1)
    if y.shape.is_fully_defined():
        dims = x.shape.as_list()
        zeros = ops.zeros([*dims[:-2], 1, dims[-1]], dtype=x.dtype)
        above = ops.reduce_sum(x * ops.concat((y[..., 1:, :], zeros), axis=-2), axis=-1)
        below = ops.reduce_sum(x * ops.concat((zeros, y[..., :-1, :]), axis=-2), axis=-1)
    else:
        zeros = ops.zeros((ops.rank(y) - 2, 2), dtype=dtypes.int32)
        padding = ops.concat((zeros, ops.constant([[0, 1], [0, 0]])), axis=0)
        above = ops.reduce_sum(x * ops.pad(y[..., 1:, :], padding), axis=-1)
        padding = ops.concat((zeros, ops.constant([[1, 0], [0, 0]])), axis=0)
        below = ops.reduce_sum(x * ops.pad(y[..., :-1, :], padding), axis=-1)
    return ops.stack([above, diagonal, below], axis=-2)
