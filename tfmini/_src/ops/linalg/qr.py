"""QR decomposition."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base.errors import invalid
from tfmini._src.devices.host.native import decompositions
from tfmini._src.graph.opdef import op, raw
from tfmini._src.graph.shape_inference import Dims, with_rank_at_least
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.linalg.square_matrix import (
    MATRIX,
    to_lapack_precision,
)
from tfmini._src.ops.operands import shape_text


@op("Qr", "input: T -> q: T, r: T", full_matrices=False, T=MATRIX)
def qr_op(xp, value, *, full_matrices):
    if value.ndim < 2:
        invalid(f"Input tensor must have rank >= 2, got shape {shape_text(value.shape)}")
    dtype = value.dtype
    value = to_lapack_precision(value)
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
    q_product = ops.matmul(q, q_grad, adjoint_a=True)
    skew_q = q_product - ops.adjoint(q_product)
    r_product = ops.matmul(r, r_grad, adjoint_b=True)
    skew_r = r_product - ops.adjoint(r_product)
    lower = ops.matrix_band_part(skew_q + skew_r, -1, 0)

    def solve(x):
        return ops.adjoint(
            ops.matrix_triangular_solve(r, ops.adjoint(x), lower=False, adjoint=False)
        )

    inside_span = ops.matmul(q, r_grad + solve(lower))
    outside_span = solve(q_grad - ops.matmul(q, q_product))
    return inside_span + outside_span


def qr(input: TensorLike, full_matrices: bool = False, name: str | None = None) -> Any:
    """Computes the QR decomposition of each matrix, `input = q @ r`.

    Args:
      input: [..., m, n] float16, float32, float64 or complex tensor.
      full_matrices: whether `q` is [..., m, m] and `r` [..., m, n]; otherwise, their common dimension is min(m, n).

    Returns:
      The pair (q, r): the columns of `q` are orthonormal, and `r` is upper triangular.
    """
    return raw.Qr(input, full_matrices=full_matrices, name=name)
