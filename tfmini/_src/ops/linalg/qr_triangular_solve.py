"""QR decomposition, and the triangular solver that its gradient uses."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.devices.host.native import decompositions
from tfmini._src.devices.host.native.linear_systems import solve_triangles
from tfmini._src.devices.numpy import scipy
from tfmini._src.graph.opdef import op, public, raw
from tfmini._src.graph.shape_inference import Dims, with_rank_at_least
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.linalg.square_matrix import (
    check_system,
    in_lapack_precision,
    solution_shape,
    starts_with_nan,
)
from tfmini._src.ops.operands import shape_text

_MATRIX = (*(dtypes.float64, dtypes.float32, dtypes.float16, dtypes.complex64, dtypes.complex128),)


@op("Qr", "input: T -> q: T, r: T", full_matrices=False, T=_MATRIX)
def qr_op(xp, value, *, full_matrices):
    if value.ndim < 2:
        invalid(f"Input tensor must have rank >= 2, got shape {shape_text(value.shape)}")
    dtype = value.dtype
    value = in_lapack_precision(value)
    factors = decompositions.qr(value, full_matrices) if xp is np else None
    q, r = factors or xp.linalg.qr(value, "complete" if full_matrices else "reduced")
    return q.astype(dtype, copy=False), r.astype(dtype, copy=False)


@qr_op.infer
def _(op) -> list[Dims]:
    dims = with_rank_at_least(op.inputs[0]._dims, 2)
    if dims is None:
        return [None, None]
    *batch, rows, columns = dims
    if op.attrs["full_matrices"]:
        inner = rows
    else:
        # The smaller one: 0 if either is 0, unknown if either is unknown.
        inner = 0 if 0 in (rows, columns) else None
        if inner is None and rows is not None and columns is not None:
            inner = min(rows, columns)
    return [(*batch, rows, inner), (*batch, inner, columns)]


@qr_op.gradient
def _(op, q_grad, r_grad):
    q, r = op.outputs
    if q.dtype.is_complex:
        raise NotImplementedError(f"QrGrad not implemented for dtype: {q.dtype}")
    if r._dims is None or None in r._dims[-2:]:
        raise NotImplementedError("QrGrad not implemented with dynamic shapes.")
    if r._dims[-2] != r._dims[-1]:
        raise NotImplementedError(
            "QrGrad not implemented when ncols > nrows or full_matrices is true and ncols != nrows."
        )
    of_q = ops.matmul(q, q_grad, adjoint_a=True)
    skew_q = of_q - ops.adjoint(of_q)
    of_r = ops.matmul(r, r_grad, adjoint_b=True)
    skew_r = of_r - ops.adjoint(of_r)
    lower = ops.matrix_band_part(skew_q + skew_r, -1, 0)

    def solve(x):
        return ops.adjoint(
            ops.matrix_triangular_solve(r, ops.adjoint(x), lower=False, adjoint=False)
        )

    inside = ops.matmul(q, r_grad + solve(lower))
    outside = solve(q_grad - ops.matmul(q, of_q))
    return inside + outside


def qr(input: TensorLike, full_matrices: bool = False, name: str | None = None) -> Any:
    """Computes the QR decomposition of each matrix, `input = q @ r`.

    Args:
      input: [..., m, n] float16, float32, float64 or complex tensor.
      full_matrices: whether `q` is [..., m, m] and `r` [..., m, n]; otherwise their common dimension is min(m, n).

    Returns:
      The pair (q, r): the columns of `q` are orthonormal, `r` is upper triangular.
    """
    return raw.Qr(input, full_matrices=full_matrices, name=name)


@op(
    "MatrixTriangularSolve",
    "matrix: T, rhs: T -> output: T",
    through_host=True,
    infer=solution_shape,
    lower=True,
    adjoint=False,
    T=_MATRIX,
)
def matrix_triangular_solve_op(xp, matrix, rhs, *, lower, adjoint):
    check_system(matrix, rhs)
    if not rhs.size:
        return xp.empty_like(rhs)
    try:
        native = solve_triangles(matrix, rhs, lower, adjoint)
    except np.linalg.LinAlgError:
        invalid("Input matrix is not invertible.")
    if native is not None:
        return native
    if (xp.diagonal(matrix, axis1=-2, axis2=-1) == 0).any() or starts_with_nan(xp, matrix):
        invalid("Input matrix is not invertible.")
    # LAPACK does not support half precision, and SciPy no longer converts it.
    computed = np.promote_types(matrix.dtype, np.float32)
    matrices = np.asarray(matrix, computed).reshape(-1, *matrix.shape[-2:])
    sides = np.asarray(rhs, computed).reshape(len(matrices), *rhs.shape[-2:])
    result = np.empty(sides.shape, rhs.dtype)
    for i, (a, b) in enumerate(zip(matrices, sides)):
        result[i] = scipy.linalg.solve_triangular(
            a, b, trans="C" if adjoint else "N", lower=lower, check_finite=False
        )
    return result.reshape(rhs.shape)


@matrix_triangular_solve_op.gradient
def _(op, grad):
    matrix, result = op.inputs[0], op.outputs[0]
    adjoint, lower = op.attrs["adjoint"], op.attrs["lower"]
    rhs_grad = ops.matrix_triangular_solve(matrix, grad, lower=lower, adjoint=not adjoint)
    if adjoint:
        matrix_grad = -ops.matmul(result, rhs_grad, adjoint_b=True)
    else:
        matrix_grad = -ops.matmul(rhs_grad, result, adjoint_b=True)
    if lower:
        matrix_grad = ops.matrix_band_part(matrix_grad, -1, 0)
    else:
        matrix_grad = ops.matrix_band_part(matrix_grad, 0, -1)
    return matrix_grad, rhs_grad


@public
def matrix_triangular_solve(
    matrix: TensorLike,
    rhs: TensorLike,
    lower: bool = True,
    adjoint: bool = False,
    name: str | None = None,
) -> Tensor:
    """Solves `matrix @ x = rhs` for a triangular matrix.

    Args:
      matrix: [..., m, m] float or complex tensor, of which one triangle is read.
      rhs: [..., m, k] tensor of the same dtype.
      lower: whether to read the lower triangle.
      adjoint: whether to solve with the adjoint of `matrix`.

    Raises:
      InvalidArgumentError (when run): if the diagonal has a zero.
    """
    return raw.MatrixTriangularSolve(matrix, rhs, lower=lower, adjoint=adjoint, name=name)
