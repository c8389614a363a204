"""Functions of `tf.linalg` that also accept LinearOperators as matrices."""

from __future__ import annotations

from typing import Any

from tfmini._src.graph.public_functions import override
from tfmini._src.ops import ops
from tfmini._src.probability.linear_operators.linear_operator import LinearOperator


@override("adjoint", LinearOperator)
def _adjoint(matrix: Any, name: str | None = None) -> Any:
    return matrix.adjoint(name)


@override("cholesky", LinearOperator)
def _cholesky(input: Any, name: str | None = None) -> Any:
    return input.cholesky(name)


@override("matrix_diag_part", LinearOperator)
def _diag_part(
    input: Any, name: str | None = "diag_part", k: Any = 0, padding_value: Any = 0
) -> Any:
    return input.diag_part(name)


@override("matrix_determinant", LinearOperator)
def _determinant(input: Any, name: str | None = None) -> Any:
    return input.determinant(name)


@override("matrix_inverse", LinearOperator)
def _inverse(input: Any, adjoint: bool = False, name: str | None = None) -> Any:
    inverse = input.inverse(name)
    return inverse.adjoint() if adjoint else inverse


@override("logdet", LinearOperator)
def _logdet(matrix: Any, name: str | None = None) -> Any:
    if matrix.is_positive_definite and matrix.is_self_adjoint:
        return matrix.log_abs_determinant(name)
    raise ValueError("Expected matrix to be self-adjoint positive definite.")


@override("matmul", LinearOperator)
def _matmul(
    a: Any,
    b: Any,
    transpose_a: bool = False,
    transpose_b: bool = False,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    name: Any = None,
) -> Any:
    if transpose_a or transpose_b:
        raise ValueError("Transposing not supported at this time.")
    if a_is_sparse or b_is_sparse:
        raise ValueError("Sparse methods not supported at this time.")
    if isinstance(a, LinearOperator):
        return a.matmul(b, adjoint=adjoint_a, adjoint_arg=adjoint_b, name=name)
    # a b is the adjoint of the reversed product of the adjoints.
    product = b.matmul(a, adjoint=not adjoint_b, adjoint_arg=not adjoint_a, name=name)
    return ops.adjoint(product)


@override("matrix_solve", LinearOperator)
def _solve(matrix: Any, rhs: Any, adjoint: bool = False, name: Any = None) -> Any:
    if not isinstance(matrix, LinearOperator):
        raise ValueError(
            "Passing in `matrix` as a Tensor and `rhs` as a LinearOperator is not supported."
        )
    return matrix.solve(rhs, adjoint=adjoint, name=name)


@override("trace", LinearOperator)
def _trace(x: Any, name: Any = None) -> Any:
    return x.trace(name)
