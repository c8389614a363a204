"""Norms of vectors and matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.names.deprecation import deprecated_args, deprecated_argument_lookup
from tfmini._src.graph.opdef import public, raw
from tfmini._src.graph.public_functions import ops as late_ops
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops


@deprecated_args(None, "keep_dims is deprecated, use keepdims instead", "keep_dims")
@public
def norm(
    tensor: TensorLike,
    ord: Any = "euclidean",
    axis: Any = None,
    keepdims: bool | None = None,
    name: str | None = None,
    keep_dims: bool | None = None,
) -> Tensor:
    """Computes norms of vectors or matrices.

    Args:
      tensor: a float or complex tensor.
      ord: "euclidean", 1, 2, np.inf; also any positive number for vectors, and "fro" (Frobenius) for matrices.
      axis: None to treat all elements as one vector; an int for the axis of vectors; a pair for the axes of matrices.
      keepdims: whether to keep the reduced axes with size 1.
      keep_dims: the old name of `keepdims`.

    Raises:
      ValueError: for an unsupported `ord` or `axis`.

    Example: `tf.norm([3.0, 4.0])` is 5.0.
    """
    keepdims = deprecated_argument_lookup("keepdims", keepdims, "keep_dims", keep_dims)
    is_matrix_norm = isinstance(axis, tuple | list) and len(axis) == 2
    if is_matrix_norm:
        axis = tuple(axis)
        if not isinstance(axis[0], int) or not isinstance(axis[1], int) or axis[0] == axis[1]:
            raise ValueError("'axis' must be None, an integer, or a tuple of 2 unique integers")
        supported = ["euclidean", "fro", 1, 2, np.inf]
        if ord not in supported:
            raise ValueError(f"'ord' must be a supported matrix norm in {supported}, got {ord}")
    else:
        if not (isinstance(axis, int) or axis is None):
            raise ValueError("'axis' must be None, an integer, or a tuple of 2 unique integers")
        if ord not in ("euclidean", 1, 2, np.inf) and (not np.isreal(ord) or ord <= 0):
            raise ValueError(f"'ord' must be a supported vector norm, got {ord}")
        if axis is not None:
            axis = (axis,)
    with name_scope(name, "norm", [tensor]):
        tensor = ops.convert_to_tensor(tensor)
        if ord in ("fro", "euclidean", 2):
            if is_matrix_norm and ord == 2:
                result = _spectral_norm(tensor, axis)
            else:
                squares = tensor * ops.conj(tensor)
                result = ops.sqrt(ops.reduce_sum(squares, axis, keepdims=True))
        else:
            result = _vector_norm(ops.abs(tensor), ord, axis, is_matrix_norm)
        return result if keepdims else ops.squeeze(result, axis)


def _vector_norm(sizes: Tensor, ord: Any, axis: Any, is_matrix_norm: bool) -> Tensor:
    """Returns the norm of order `ord` of non-negative numbers, or the maximum row or column sum; keeps axes."""
    first = None if axis is None else axis[0]
    if ord == 1:
        result = ops.reduce_sum(sizes, first, keepdims=True)
        return ops.reduce_max(result, axis[-1], keepdims=True) if is_matrix_norm else result
    if ord == np.inf:
        if is_matrix_norm:
            sizes = ops.reduce_sum(sizes, axis[1], keepdims=True)
        return ops.reduce_max(sizes, first, keepdims=True)
    return ops.pow(ops.reduce_sum(ops.pow(sizes, ord), axis, keepdims=True), 1.0 / ord)


def _spectral_norm(tensor: Tensor, axis: tuple) -> Tensor:
    """Returns the largest singular value of each matrix, keeping the axes."""
    rank = ops.rank(tensor)
    positive = late_ops.map_fn(
        lambda i: ops.cond(i >= 0, lambda: i, lambda: i + rank), ops.convert_to_tensor(axis)
    )
    axes = ops.range(rank)
    permutation = ops.concat([ops.setdiff1d(axes, positive)[0], positive], axis=0)
    after = late_ops.map_fn(
        lambda i: ops.cast(
            ops.squeeze(ops.where_v2(ops.equal(permutation, i))), dtype=dtypes.int32
        ),
        axes,
    )
    permuted = ops.transpose(tensor, perm=permutation)
    singular = ops.abs(raw.Svd(permuted, compute_uv=False)[0])
    largest = ops.expand_dims(ops.reduce_max(singular, axis=-1, keepdims=True), axis=-1)
    return ops.transpose(largest, perm=after)
