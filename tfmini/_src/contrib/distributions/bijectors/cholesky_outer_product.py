"""Bijector to the product of a triangular matrix with its transpose; the inverse is the Cholesky decomposition."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base.shapes import dimension_value
from tfmini._src.contrib.distributions.bijectors.bijector import Bijector
from tfmini._src.contrib.distributions.deprecation import moved
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.probability.distributions.sample_shapes import pick_vector


class CholeskyOuterProduct(Bijector):
    """The bijector y = x @ x^T; only the lower triangle of x is read.

    Args:
      validate_args: whether to check arguments at run time.

    Example: `CholeskyOuterProduct().forward([[1.0, 0.0], [2.0, 1.0]])` is [[1, 2], [2, 5]].
    """

    @moved
    def __init__(self, validate_args: bool = False, name: str = "cholesky_outer_product"):
        self._graph_parents = []
        self._name = name
        super().__init__(forward_min_event_ndims=2, validate_args=validate_args, name=name)

    def _forward(self, x: Tensor) -> Tensor:
        if self.validate_args:
            is_matrix = ops.assert_rank_at_least(x, 2)
            shape = ops.shape(x)
            is_square = ops.assert_equal(shape[-2], shape[-1])
            x = ops.with_dependencies([is_matrix, is_square], x)
        x = ops.matrix_band_part(x, -1, 0)
        return ops.matmul(x, x, adjoint_b=True)

    def _inverse(self, y: Tensor) -> Tensor:
        return ops.cholesky(y)

    def _forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        """Returns p log 2 + sum over j of (p - j) log x[j, j], j from 0."""
        diag = _as_rows(ops.matrix_diag_part(x))
        if self.validate_args:
            message = "Input must be a (batch of) matrix."
            is_matrix = ops.assert_rank_at_least(x, 2, message=message)
            shape = ops.shape(x)
            message = "Input must be a (batch of) square matrix."
            is_square = ops.assert_equal(shape[-2], shape[-1], message=message)
            message = "Input must be positive definite."
            is_positive = ops.assert_positive(diag, message=message)
            x = ops.with_dependencies([is_matrix, is_square, is_positive], x)
        size: Any = None if x.shape.ndims is None else dimension_value(x.shape[-1])
        if size is None:
            size = ops.shape(x)[-1]
            real_size = ops.cast(size, dtype=x.dtype)
        else:
            real_size = np.array(size, dtype=x.dtype.as_numpy_dtype)
        weights = ops.linspace(real_size, 1.0, size)
        weighted = ops.squeeze(ops.matmul(ops.log(diag), weights[..., None]), axis=-1)
        log_det = real_size * np.log(2.0) + weighted
        if x.shape.ndims is not None:
            return ops.squeeze(log_det, axis=-1) if x.shape.ndims == 2 else log_det
        shape = ops.shape(log_det)
        batch_shape = shape[:-1]
        is_single = ops.equal(ops.rank(x), 2)
        last = pick_vector(is_single, np.array([], dtype=np.int32), shape[-1:])
        return ops.reshape(log_det, ops.concat([batch_shape, last], 0))


def _as_rows(x: Tensor) -> Tensor:
    """Returns `x`, with an axis inserted before the last one if it is a vector."""
    if x.shape.ndims is not None:
        return x[None, :] if x.shape.ndims == 1 else x
    shape = ops.shape(x)
    batch_shape = shape[:-1]
    is_vector = ops.equal(ops.rank(x), 1)
    inserted_dims = pick_vector(is_vector, [1], np.array([], dtype=np.int32))
    return ops.reshape(x, ops.concat([batch_shape, inserted_dims, shape[-1:]], 0))
