"""Cholesky and LU decompositions, and solutions by Cholesky factors."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.errors import invalid
from tfmini._src.devices.cuda.errors import solver_errors
from tfmini._src.devices.cuda.matmul import matmul
from tfmini._src.devices.host.native import linear_systems
from tfmini._src.devices.host.native.library import build_name
from tfmini._src.devices.host.native.linear_systems import solve_triangles
from tfmini._src.devices.numpy import scipy
from tfmini._src.graph.opdef import Attr, op, public, raw
from tfmini._src.graph.public_functions import overridable
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.shape_inference import Dims, merge_dim, with_rank_at_least
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.linalg.square_matrix import (
    MATRIX,
    check_square,
    conjugate_transpose,
    square_shape,
    starts_with_nan,
    to_lapack_precision,
)


@op("Cholesky", "input: T -> output: T", infer=square_shape, T=MATRIX)
def cholesky_op(xp, value):
    check_square(value)
    try:
        with solver_errors(xp):
            factor = _cholesky_factor(xp, to_lapack_precision(value))
    except np.linalg.LinAlgError:
        if not xp.isnan(value).any():
            invalid("Cholesky decomposition was not successful. The input might not be valid.")
        factor = xp.tril(xp.full(value.shape, np.nan, value.dtype))
    return factor.astype(value.dtype, copy=False)


_MIN_BLOCKED_SIZE, _BLOCK = 128, 64  # minimum size, and block size


def _cholesky_factor(xp: Any, value: Any) -> Any:
    """Computes Cholesky factors, blockwise for large matrices because products are faster than factorization."""
    size = value.shape[-1]
    small = linear_systems.cholesky(value) if xp is np else None
    if small is not None:
        return small
    if xp is not np or size < _MIN_BLOCKED_SIZE or value.dtype.kind == "c" or not build_name():
        return xp.linalg.cholesky(value)
    matrices = value.reshape(-1, size, size)
    factor = np.zeros_like(matrices)
    for begin in range(0, size, _BLOCK):
        end = min(begin + _BLOCK, size)
        column = matrices[:, begin:, begin:end]
        if begin:
            left_panel = factor[:, begin:, :begin]
            column = column - left_panel @ left_panel[:, : end - begin].swapaxes(1, 2)
        top = np.linalg.cholesky(column[:, : end - begin])
        factor[:, begin:end, begin:end] = top
        if end < size:
            lower_panel = np.ascontiguousarray(column[:, end - begin :].swapaxes(1, 2))
            solved = solve_triangles(top, lower_panel, True, False)
            factor[:, end:, begin:end] = solved.swapaxes(1, 2)  # type: ignore[union-attr]
    return factor.reshape(value.shape)


@cholesky_op.gradient
def _(op, grad):
    factor = op.outputs[0]
    rows = ops.shape(factor)[-1]
    batch = ops.shape(factor)[:-2]
    inverse = ops.matrix_triangular_solve(
        factor, ops.eye(rows, batch_shape=batch, dtype=factor.dtype)
    )
    inner_product = ops.matmul(factor, grad, adjoint_a=True)
    inner_product = ops.matrix_set_diag(inner_product, 0.5 * ops.matrix_diag_part(inner_product))
    inner_product = ops.matrix_band_part(inner_product, -1, 0)
    outer = ops.matmul(ops.matmul(inverse, inner_product, adjoint_a=True), inverse)
    outer += ops.adjoint(outer)
    return outer * 0.5


@op(
    "CholeskyGrad",
    "l: T, grad: T -> output: T",
    infer=square_shape,
    T=(dtypes.float16, dtypes.float32, dtypes.float64),
)
def cholesky_grad_op(xp, factor, grad):
    if factor.shape[:-2] != grad.shape[:-2]:
        invalid("All input tensors must have the same outer dimensions.")
    if factor.shape != grad.shape:
        invalid("Inputs (L and grad) must have the same shape.")
    if factor.ndim > 1 and factor.shape[-1] != factor.shape[-2]:
        invalid("Inputs must be a square matrices.")
    check_square(factor)
    lower, upstream = xp.tril(to_lapack_precision(factor)), xp.tril(to_lapack_precision(grad))
    inner_product = xp.tril(matmul(xp, conjugate_transpose(xp, lower), upstream))
    diagonal = xp.arange(factor.shape[-1])
    pivots = lower[..., diagonal, diagonal]
    lower[..., diagonal, diagonal] = xp.where(pivots == 0, np.nan, pivots)  # elements divided by 0
    inner_product[..., diagonal, diagonal] *= 0.5
    # inverse(L)^T @ middle @ inverse(L), symmetrized and halved.
    left = xp.linalg.solve(conjugate_transpose(xp, lower), inner_product)
    solved = conjugate_transpose(
        xp, xp.linalg.solve(conjugate_transpose(xp, lower), conjugate_transpose(xp, left))
    )
    return (0.5 * (solved + conjugate_transpose(xp, solved))).astype(factor.dtype, copy=False)


@public
@overridable
def cholesky(input: TensorLike, name: str | None = None) -> Tensor:
    """Computes Cholesky decompositions `L @ adjoint(L) = input` of positive definite matrices; L is lower triangular.

    Args:
      input: symmetric float or complex tensor [..., n, n]; only its lower triangle is read.

    Returns:
      [..., n, n] Tensor with zeros above the diagonal.

    Raises:
      InvalidArgumentError (when run): if a matrix is not positive definite.
    """
    return raw.Cholesky(input, name=name)


@public
def cholesky_solve(chol: TensorLike, rhs: TensorLike, name: str | None = None) -> Tensor:
    """Solves `A @ x = rhs` using the Cholesky factor `chol` of A.

    Args:
      chol: [..., n, n] float or complex tensor; only its lower triangle is read.
      rhs: [..., n, k] tensor of the same dtype.

    Returns:
      [..., n, k] Tensor.
    """
    with name_scope(name, "cholesky_solve", [chol, rhs]):
        y = raw.MatrixTriangularSolve(chol, rhs, adjoint=False, lower=True)
        return raw.MatrixTriangularSolve(chol, y, adjoint=True, lower=True)


@op(
    "Lu",
    "input: T -> lu: T, p: output_idx_type",
    through_host=True,
    T=MATRIX,
    output_idx_type=Attr("type", dtypes.int32, allowed=(dtypes.int32, dtypes.int64)),
)
def lu_op(xp, value, *, output_idx_type):
    if value.ndim < 2:
        invalid(f"Input tensor must have rank >= 2, got {value.ndim}")
    if value.shape[-1] != value.shape[-2]:
        invalid("Input matrix must be square.")
    size = value.shape[-1]
    matrices = np.asarray(to_lapack_precision(value)).reshape(
        int(np.prod(value.shape[:-2])), size, size
    )
    try:
        native_factors = linear_systems.factors(matrices)
    except np.linalg.LinAlgError:
        invalid("Input is not invertible.")
    if native_factors is not None:
        packed, order = (
            array.reshape(value.shape[: array.ndim - 3 + value.ndim]) for array in native_factors
        )
        packed, order = (
            packed.astype(value.dtype, copy=False),
            order.astype(output_idx_type.numpy, copy=False),
        )
        return xp.asarray(packed), xp.asarray(order)
    packed = np.empty_like(matrices)
    order = np.empty(matrices.shape[:-1], output_idx_type.numpy)
    factorize = scipy.linalg.get_lapack_funcs("getrf", (matrices,))
    if starts_with_nan(np, matrices):
        invalid("Input is not invertible.")
    orders = []
    for index, matrix in enumerate(matrices if size else ()):
        factors, pivots, failed = factorize(matrix)
        if failed:
            invalid("Input is not invertible.")
        packed[index] = factors
        rows = [*range(size)]
        for row, pivot in enumerate(pivots.tolist()):
            rows[row], rows[pivot] = rows[pivot], rows[row]
        orders.append(rows)
    if orders:
        order[...] = orders
    packed = packed.reshape(value.shape).astype(value.dtype, copy=False)
    return xp.asarray(packed), xp.asarray(order.reshape(value.shape[:-1]))


@lu_op.infer
def _(op) -> list[Dims]:
    dims = with_rank_at_least(op.inputs[0]._dims, 2)
    if dims is None:
        return [None, None]
    size = merge_dim(dims[-2], dims[-1])
    return [(*dims[:-2], size, size), (*dims[:-2], size)]


@public
def lu(
    input: TensorLike, output_idx_type: DTypeLike = dtypes.int32, name: str | None = None
) -> Any:
    """Computes the LU decomposition of each matrix, with partial pivoting.

    Args:
      input: [..., n, n] float or complex tensor.
      output_idx_type: int32 or int64, the dtype of `p`.

    Returns:
      The pair (lu, p): `lu` contains U in its upper triangle and, below it, L without its diagonal of ones;
      `L @ U` is `input` with its rows permuted by `p`, [..., n].

    Raises:
      InvalidArgumentError (when run): if a matrix is singular.
    """
    return raw.Lu(input, output_idx_type=output_idx_type, name=name)
