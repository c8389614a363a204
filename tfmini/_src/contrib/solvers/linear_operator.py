"""Matrices defined by their products with vectors, and norms of vectors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops


class LinearOperator(NamedTuple):
    """A matrix: its shape (a list or an int32 vector), its dtype, and its products with [n, 1] columns."""

    shape: Any
    dtype: Any
    apply: Callable
    apply_adjoint: Callable


def _operator(matrix: Tensor, apply: Callable, apply_adjoint: Callable) -> LinearOperator:
    shape = matrix.get_shape()
    shape_value = shape.as_list() if shape.is_fully_defined() else ops.shape(matrix)
    return LinearOperator(shape_value, matrix.dtype, apply, apply_adjoint)


def create_operator(matrix: Tensor) -> LinearOperator:
    """Returns a LinearOperator for a matrix, an [m, n] tensor."""
    return _operator(
        matrix,
        lambda v: ops.matmul(matrix, v, adjoint_a=False),
        lambda v: ops.matmul(matrix, v, adjoint_a=True),
    )


def identity_operator(matrix: Tensor) -> LinearOperator:
    """Returns an identity LinearOperator with the shape and dtype of a matrix."""
    return _operator(matrix, lambda v: v, lambda v: v)


def dot(x: TensorLike, y: TensorLike) -> Tensor:
    """Returns the inner product of two columns, the first one conjugated."""
    return ops.reduce_sum(ops.conj(x) * y)


def l2norm_squared(v: Tensor) -> Tensor:
    """Returns the sum of squares of a tensor."""
    return ops.constant(2, dtype=v.dtype.base_dtype) * ops.l2_loss(v)


def l2norm(v: Tensor) -> Tensor:
    """Returns the Euclidean norm of a tensor."""
    return ops.sqrt(l2norm_squared(v))


def l2normalize(v: Tensor) -> tuple[Tensor, Tensor]:
    """Returns (the tensor divided by its norm, the norm)."""
    norm = l2norm(v)
    return v / norm, norm
