"""The bijector between vectors and triangular matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.shapes import TensorShape, dimension_value
from tfmini._src.contrib.distributions.bijectors.bijector import Bijector
from tfmini._src.contrib.distributions.deprecation import moved
from tfmini._src.contrib.distributions.fill_triangular import (
    fill_triangular,
    fill_triangular_inverse,
)
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops


class FillTriangular(Bijector):
    """Maps vectors to triangular matrices; see `tf.contrib.distributions.fill_triangular`.

    Args:
      upper: whether to fill the upper triangle instead of the lower one.
      validate_args: whether to check shapes at run time.

    Raises:
      ValueError: if the event shape does not match a triangle, or a square matrix.
    """

    @moved
    def __init__(
        self, upper: bool = False, validate_args: bool = False, name: str = "fill_triangular"
    ):
        self._upper = upper
        super().__init__(
            forward_min_event_ndims=1,
            inverse_min_event_ndims=2,
            validate_args=validate_args,
            name=name,
        )

    def _forward(self, x: Tensor) -> Tensor:
        return fill_triangular(x, upper=self._upper)

    def _inverse(self, y: Tensor) -> Tensor:
        return fill_triangular_inverse(y, upper=self._upper)

    def _forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        return ops.zeros_like(x[..., 0])

    def _inverse_log_det_jacobian(self, y: Tensor) -> Tensor:
        return ops.zeros_like(y[..., 0, 0])

    def _forward_event_shape(self, input_shape: TensorShape) -> TensorShape:
        size = dimension_value(input_shape[-1])
        n = None if size is None else _rows_of_known(size)
        return input_shape[:-1].concatenate([n, n])

    def _inverse_event_shape(self, output_shape: Any) -> TensorShape:
        rows, columns = dimension_value(output_shape[-2]), dimension_value(output_shape[-1])
        size: Any = None
        if rows is not None and columns is not None:
            if rows != columns:
                raise ValueError(f"Matrix must be square. (saw [{rows}, {columns}])")
            size = rows * (rows + 1) // 2
        return output_shape[:-2].concatenate([size])

    def _forward_event_shape_tensor(self, input_shape: Any) -> Tensor:
        batch_shape = input_shape[:-1]
        n = self._rows(input_shape[-1])
        return ops.concat([batch_shape, [n, n]], axis=0)

    def _inverse_event_shape_tensor(self, output_shape: Any) -> Tensor:
        batch_shape, n = output_shape[:-2], output_shape[-1]
        if self.validate_args:
            message = "Matrix must be square."
            is_square = ops.assert_equal(n, output_shape[-2], message=message)
            with control_dependencies([is_square]):
                n = ops.identity(n)
        size = ops.cast(n * (n + 1) / 2, output_shape.dtype)
        return ops.concat([batch_shape, [size]], axis=0)

    def _rows(self, size: Tensor) -> Tensor:
        """Returns the n for which n (n + 1) / 2 = `size`."""
        with name_scope(None, "vector_size_to_square_matrix_size", [size]):
            n = (-1.0 + ops.sqrt(1 + 8.0 * ops.cast(size, dtypes.float32))) / 2.0
            if self.validate_args:
                truncated = ops.cast(ops.cast(n, dtypes.int32), dtypes.float32)
                message = "Vector length is not a triangular number"
                with control_dependencies([ops.assert_equal(truncated, n, message=message)]):
                    n = ops.identity(n)
            return ops.cast(n, size.dtype)


def _rows_of_known(size: int) -> int:
    n = (-1 + np.sqrt(1 + 8 * size)) / 2.0
    if float(int(n)) != n:
        raise ValueError("Vector length is not a triangular number.")
    return int(n)
