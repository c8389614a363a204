"""Softmax of vectors with a zero appended, which makes it invertible."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.shapes import TensorShape
from tfmini._src.contrib.distributions.bijectors.bijector import Bijector
from tfmini._src.contrib.distributions.bijectors.ordered import last_size
from tfmini._src.contrib.distributions.deprecation import moved
from tfmini._src.contrib.distributions.padding import pad_axis
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops


class SoftmaxCentered(Bijector):
    """The bijector y = softmax([x, 0]), from n numbers to n + 1 probabilities.

    Args:
      validate_args: whether to check shapes at run time.

    Example: `SoftmaxCentered().forward(tf.log([2.0, 3.0, 4.0]))` is [0.2, 0.3, 0.4, 0.1].
    """

    @moved
    def __init__(self, validate_args: bool = False, name: str = "softmax_centered"):
        self._graph_parents = []
        self._name = name
        super().__init__(forward_min_event_ndims=1, validate_args=validate_args, name=name)

    def _forward_event_shape(self, input_shape: TensorShape) -> TensorShape:
        return input_shape if input_shape.ndims is None else TensorShape([input_shape[-1] + 1])

    def _forward_event_shape_tensor(self, input_shape: Any) -> Tensor:
        return (input_shape[-1] + 1)[..., None]

    def _inverse_event_shape(self, output_shape: Any) -> TensorShape:
        return TensorShape([last_size(output_shape) - 1]) if output_shape.ndims else output_shape

    def _inverse_event_shape_tensor(self, output_shape: Any) -> Tensor:
        if self.validate_args:
            message = "Need last dimension greater than 1."
            check = ops.assert_greater(output_shape[-1], 1, message=message)
            output_shape = ops.with_dependencies([check], output_shape)
        return (output_shape[-1] - 1)[..., None]

    def _forward(self, x: Tensor) -> Tensor:
        y = pad_axis(x, axis=-1, pads_front=False)
        if x.shape.ndims is not None:
            y.set_shape(x.shape[:-1].concatenate(TensorShape([x.shape[-1] + 1])))
        return ops.softmax(y)

    def _inverse(self, y: Tensor) -> Tensor:
        logs = ops.log(y)
        last = (-logs[..., -1])[..., None]
        x = logs[..., :-1] + last
        if y.shape.ndims is not None:
            x.set_shape(y.shape[:-1].concatenate(TensorShape([y.shape[-1] - 1])))
        return x

    def _inverse_log_det_jacobian(self, y: Tensor) -> Tensor:
        return -ops.reduce_sum(ops.log(y), axis=-1)

    def _forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        norm = ops.softplus(ops.reduce_logsumexp(x, axis=-1, keepdims=True))
        total = -norm + ops.reduce_sum(x - norm, axis=-1, keepdims=True)
        return ops.squeeze(total, axis=-1)
