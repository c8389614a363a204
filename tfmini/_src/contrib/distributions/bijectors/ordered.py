"""The bijector from ascending vectors to unconstrained ones."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.shapes import TensorShape, dimension_value
from tfmini._src.contrib.distributions.bijectors.bijector import Bijector
from tfmini._src.contrib.distributions.deprecation import moved
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops


class Ordered(Bijector):
    """The bijector y[0] = x[0], y[k] = log(x[k] - x[k - 1]); its inverse produces ascending vectors.

    Args:
      validate_args: whether to check, at run time, that x ascends.

    Example: `Ordered().inverse([2.0, 0.0, 0.0])` is [2, 3, 4].
    """

    @moved
    def __init__(self, validate_args: bool = False, name: str = "ordered"):
        super().__init__(forward_min_event_ndims=1, validate_args=validate_args, name=name)

    def _forward_event_shape(self, input_shape: TensorShape) -> TensorShape:
        return input_shape if input_shape.ndims is None else TensorShape([input_shape[-1]])

    def _forward_event_shape_tensor(self, input_shape: Any) -> Tensor:
        return input_shape[-1][..., None]

    def _inverse_event_shape(self, output_shape: Any) -> TensorShape:
        return TensorShape([last_size(output_shape)]) if output_shape.ndims else output_shape

    def _inverse_event_shape_tensor(self, output_shape: Any) -> Tensor:
        return self._several_when_run(output_shape)[-1][..., None]

    def _several_when_run(self, shape: Any) -> Any:
        if not self.validate_args:
            return shape
        message = "Need last dimension greater than 1."
        return ops.with_dependencies([ops.assert_greater(shape[-1], 1, message=message)], shape)

    def _forward(self, x: Tensor) -> Tensor:
        x = self._assert_increasing(x)
        first = x[..., 0, None]
        return ops.concat([first, ops.log(x[..., 1:] - x[..., :-1])], axis=-1)

    def _inverse(self, y: Tensor) -> Tensor:
        first = y[..., 0, None]
        return ops.cumsum(ops.concat([first, ops.exp(y[..., 1:])], axis=-1), axis=-1)

    def _inverse_log_det_jacobian(self, y: Tensor) -> Tensor:
        return ops.reduce_sum(y[..., 1:], axis=-1)

    def _forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        x = self._assert_increasing(x)
        return -ops.reduce_sum(ops.log(x[..., 1:] - x[..., :-1]), axis=-1)

    def _assert_increasing(self, x: Tensor) -> Tensor:
        if not self.validate_args:
            return x
        message = "Forward transformation input must be strictly increasing."
        check = ops.assert_positive(x[..., 1:] - x[..., :-1], message=message)
        return ops.with_dependencies([check], x)


def last_size(shape: TensorShape) -> Any:
    """Returns the size of the last dimension."""
    size = dimension_value(shape[-1])
    if size is not None and size <= 1:
        raise ValueError(f"output_shape[-1] = {size} <= 1")
    return shape[-1]
