"""Broadcasting and solvers for matrices with broadcastable batch dimensions."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops


def broadcast_batches(matrices: list, name: str | None = None) -> list[Tensor]:
    """Broadcasts matrices to common batch dimensions."""
    with name_scope(name or "broadcast_matrix_batch_dims", values=matrices):
        matrices = [ops.convert_to_tensor(matrix) for matrix in matrices]
        for matrix in matrices:
            if matrix.shape.ndims is not None and matrix.shape.ndims < 2:
                raise ValueError(
                    f"Expected [batch] matrix to have at least two dimensions.  Found: {matrix}"
                )
        batch = matrices[0].shape[:-2]
        for matrix in matrices[1:]:
            batch = ops.broadcast_static_shape(batch, matrix.shape[:-2])
        if batch.is_fully_defined():
            return [
                matrix
                if matrix.shape[:-2] == batch
                else ops.broadcast_to(
                    matrix, ops.concat([batch.as_list(), ops.shape(matrix)[-2:]], axis=0)
                )
                for matrix in matrices
            ]
        common = ops.shape(matrices[0])[:-2]
        for matrix in matrices[1:]:
            common = ops.broadcast_dynamic_shape(common, ops.shape(matrix)[:-2])
        return [
            ops.broadcast_to(matrix, ops.concat([common, ops.shape(matrix)[-2:]], axis=0))
            for matrix in matrices
        ]


def cholesky_solve(factor: Any, rhs: Any, name: str | None = None) -> Tensor:
    """`tf.cholesky_solve` with broadcasting of batch dimensions."""
    with name_scope(name, "CholeskySolveWithBroadcast", [factor, rhs]):
        factor, rhs = broadcast_batches([factor, rhs])
        return ops.cholesky_solve(factor, rhs)


def matrix_solve(matrix: Any, rhs: Any, adjoint: bool = False, name: str | None = None) -> Tensor:
    """`tf.matrix_solve` with broadcasting of batch dimensions."""
    with name_scope(name, "MatrixSolveWithBroadcast", [matrix, rhs]):
        matrix = ops.convert_to_tensor(matrix, name="matrix")
        rhs = ops.convert_to_tensor(rhs, name="rhs", dtype=matrix.dtype)
        matrix, rhs, back, is_transposed = _merge_leading_dims(matrix, rhs, adjoint)
        matrix, rhs = broadcast_batches([matrix, rhs])
        return back(ops.matrix_solve(matrix, rhs, adjoint=adjoint and not is_transposed))


def triangular_solve(
    matrix: Any, rhs: Any, lower: bool = True, adjoint: bool = False, name: str | None = None
) -> Tensor:
    """`tf.matrix_triangular_solve` with broadcasting of batch dimensions."""
    with name_scope(name, "MatrixTriangularSolve", [matrix, rhs]):
        matrix = ops.convert_to_tensor(matrix, name="matrix")
        rhs = ops.convert_to_tensor(rhs, name="rhs", dtype=matrix.dtype)
        matrix, rhs, back, is_transposed = _merge_leading_dims(matrix, rhs, adjoint)
        if is_transposed and adjoint:
            lower = not lower
        matrix, rhs = broadcast_batches([matrix, rhs])
        adjoint = adjoint and not is_transposed
        return back(ops.matrix_triangular_solve(matrix, rhs, lower=lower, adjoint=adjoint))


def _merge_leading_dims(a: Tensor, b: Tensor, adjoint: bool) -> tuple:
    """Returns both sides, turning extra leading dimensions of `b` into columns if that may be faster.

    Returns:
      (a, b, a function that restores the shape of a solution, whether `a` is already transposed).
    """

    def same(y: Tensor) -> Tensor:
        return y

    a_rank, b_rank = a.shape.ndims, b.shape.ndims
    if a_rank is None or b_rank is None or a_rank >= b_rank:
        return a, b, same, False
    extra = b_rank - a_rank
    # TensorFlow adds these two, although they may be unused.
    ops.shape(b)[:extra]
    ops.shape(b)[extra:]
    size = a.shape.as_list()[-2 if adjoint else -1]
    columns = b.shape.as_list()[-1]
    outer = b.shape[:extra]
    if outer.is_fully_defined():
        is_wide = None not in (size, columns) and size <= columns
        if is_wide or np.prod(outer.as_list()) < 2:
            return a, b, same, False
    if adjoint:
        a = ops.adjoint(a)
    extra_shape = ops.shape(b)[:extra]
    main_shape = ops.shape(b)[extra:]
    order = np.concatenate((np.arange(extra, b_rank), np.arange(0, extra)), 0)
    last = ops.transpose(b, perm=order)
    flat = ops.reshape(last, ops.concat((main_shape[:-1], [-1]), 0))

    def back(y: Tensor) -> Tensor:
        shape = ops.concat((ops.shape(y)[:-1], [main_shape[-1]], extra_shape), 0)
        return ops.transpose(ops.reshape(y, shape), perm=np.argsort(order))

    return a, flat, back, True
