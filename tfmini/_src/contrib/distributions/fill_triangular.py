"""Construction of matrices from triangles and diagonals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.shapes import dimension_value
from tfmini._src.contrib.distributions.prefer_static import static_rank
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops


def fill_triangular(x: TensorLike, upper: bool = False, name: str | None = None) -> Tensor:
    """Fills triangular matrices with the elements of vectors, in a clockwise spiral.

    Args:
      x: [..., n (n + 1) / 2] tensor.
      upper: whether the upper triangle is filled instead of the lower one.
      name: the name scope of the nodes, "fill_triangular" by default.

    Returns:
      [..., n, n] tensor, zero elsewhere.

    Raises:
      ValueError: if the size of the last axis is not n (n + 1) / 2.

    Example: `fill_triangular([1, 2, 3, 4, 5, 6])` is [[4, 0, 0], [6, 5, 0], [3, 2, 1]].
    """
    with name_scope(name, "fill_triangular", values=[x]):
        x = convert_to_tensor(x, name="x")
        if dimension_value(x.shape.with_rank_at_least(1)[-1]) is not None:
            m: Any = np.int32(x.shape.dims[-1].value)
            n: Any = np.sqrt(0.25 + 2.0 * m) - 0.5
            if n != np.floor(n):
                raise ValueError(
                    f"Input right-most shape ({m}) does not correspond to a triangular matrix."
                )
            n = np.int32(n)
            static_shape = x.shape[:-1].concatenate([n, n])
        else:
            m = ops.shape(x)[-1]
            root = ops.sqrt(0.25 + ops.cast(2 * m, dtype=dtypes.float32))
            n = ops.cast(root, dtype=dtypes.int32)
            static_shape = x.shape.with_rank_at_least(1)[:-1].concatenate([None, None])
        rank = static_rank(x)
        if upper:
            parts = [x, ops.reverse(x[..., n:], axis=[rank - 1])]
        else:
            parts = [x[..., n:], ops.reverse(x, axis=[rank - 1])]
        if static_shape.is_fully_defined():
            shape: Any = static_shape.as_list()
        else:
            shape = ops.concat([ops.shape(x)[:-1], [n, n]], axis=0)
        x = ops.reshape(ops.concat(parts, axis=-1), shape)
        x = ops.matrix_band_part(x, num_lower=0 if upper else -1, num_upper=-1 if upper else 0)
        x.set_shape(static_shape)
        return x


def fill_triangular_inverse(x: TensorLike, upper: bool = False, name: str | None = None) -> Tensor:
    """Returns the vectors of triangular matrices, the inverse of `fill_triangular`.

    Args:
      x: [..., n, n] tensor; only one triangle is read.
      upper: whether to read the upper triangle instead of the lower one.
      name: the name scope of the nodes, "fill_triangular_inverse" by default.

    Returns:
      [..., n (n + 1) / 2] tensor.
    """
    with name_scope(name, "fill_triangular_inverse", values=[x]):
        x = convert_to_tensor(x, name="x")
        if dimension_value(x.shape.with_rank_at_least(2)[-1]) is not None:
            n: Any = np.int32(x.shape.dims[-1].value)
            m: Any = np.int32(n * (n + 1) // 2)
            static_shape = x.shape[:-2].concatenate([m])
        else:
            n = ops.shape(x)[-1]
            m = n * (n + 1) // 2
            static_shape = x.shape.with_rank_at_least(2)[:-2].concatenate([None])
        rank = static_rank(x)
        if upper:
            first = x[..., 0, :]
            remaining_rows = x[..., 1:, :]
        else:
            first = ops.reverse(x[..., -1, :], axis=[rank - 2])
            remaining_rows = x[..., :-1, :]
        reversed_rows = ops.reverse(ops.reverse(remaining_rows, axis=[rank - 1]), axis=[rank - 2])
        both = remaining_rows + reversed_rows  # the halves complement each other
        shape = ops.concat([ops.shape(x)[:-2], [n * (n - 1)]], axis=0)
        y = ops.concat([first, ops.reshape(both, shape)[..., : m - n]], axis=-1)
        y.set_shape(static_shape)
        return y


def matrix_diag_transform(
    matrix: TensorLike, transform: Callable[..., Any] | None = None, name: str | None = None
) -> Tensor:
    """Applies a function to the diagonals of matrices.

    Args:
      matrix: [..., n, n] tensor.
      transform: the function, of [..., n] tensors, or None.
      name: the name scope of the nodes, "matrix_diag_transform" by default.

    Returns:
      [..., n, n] tensor.

    Example: `matrix_diag_transform(tf.matrix_band_part(x, -1, 0), tf.nn.softplus)` is a Cholesky factor.
    """
    with name_scope(name, "matrix_diag_transform", [matrix]):
        matrix = convert_to_tensor(matrix, name="matrix")
        if transform is None:
            return matrix
        return ops.matrix_set_diag(matrix, transform(ops.matrix_diag_part(matrix)))


def tridiag(
    below: TensorLike | None = None,
    diag: TensorLike | None = None,
    above: TensorLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Builds tridiagonal matrices from their three diagonals.

    Args:
      below: [..., n - 1] tensor, the subdiagonal, or None for zeros.
      diag: [..., n] tensor, the main diagonal, or None for zeros.
      above: [..., n - 1] tensor, the superdiagonal, or None for zeros.
      name: the name scope of the nodes, "tridiag" by default.

    Returns:
      [..., n, n] tensor.

    Raises:
      ValueError: if all are None.
    """
    with name_scope(name, "tridiag", [below, diag, above]):
        matrices = []
        if below is not None:
            below = convert_to_tensor(below, name="below")
            matrices.append(ops.matrix_diag(_pad_ends(below))[..., :-1, 1:])
        if diag is not None:
            matrices.append(ops.matrix_diag(convert_to_tensor(diag, name="diag")))
        if above is not None:
            above = convert_to_tensor(above, name="above")
            matrices.append(ops.matrix_diag(_pad_ends(above))[..., 1:, :-1])
        if not matrices:
            raise ValueError("Must specify at least one of `below`, `diag`, `above`.")
        total = matrices[0]
        for matrix in matrices[1:]:
            total += matrix
        return total


def _pad_ends(x: Tensor) -> Tensor:
    """Pads the last axis with a zero at each end."""
    zeros = ops.zeros(ops.concat([ops.shape(x)[:-1], [1]], axis=0), dtype=x.dtype)
    return ops.concat([zeros, x, zeros], axis=-1)
