"""The inverse of a bijector."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import TensorShape
from tfmini._src.contrib.distributions.bijectors.bijector import Bijector
from tfmini._src.contrib.distributions.deprecation import moved
from tfmini._src.graph.tensor import Tensor


class Invert(Bijector):
    """The inverse of a bijector g, y = g^-1(x).

    Args:
      bijector: g.
      validate_args: whether to check arguments at run time.
      name: the name scope of the nodes, by default "invert_" and g's name.

    Example: `Invert(Exp())` is the logarithm.
    """

    bijector: Any = read_only("The function whose inverse this is.")

    @moved
    def __init__(self, bijector: Bijector, validate_args: bool = False, name: str | None = None):
        if not bijector._is_injective:
            raise NotImplementedError("Invert is not implemented for non-injective bijectors.")
        self._bijector = bijector
        super().__init__(
            graph_parents=bijector.graph_parents,
            forward_min_event_ndims=bijector.inverse_min_event_ndims,
            inverse_min_event_ndims=bijector.forward_min_event_ndims,
            is_constant_jacobian=bijector.is_constant_jacobian,
            validate_args=validate_args,
            dtype=bijector.dtype,
            name=name or "_".join(["invert", bijector.name]),
        )

    def _forward_event_shape(self, input_shape: TensorShape) -> TensorShape:
        return self.bijector._inverse_event_shape(input_shape)

    def _forward_event_shape_tensor(self, input_shape: Any) -> Any:
        return self.bijector._inverse_event_shape_tensor(input_shape)

    def _inverse_event_shape(self, output_shape: Any) -> TensorShape:
        return self.bijector._forward_event_shape(output_shape)

    def _inverse_event_shape_tensor(self, output_shape: Any) -> Any:
        return self.bijector._forward_event_shape_tensor(output_shape)

    def _forward(self, x: Tensor, **condition: Any) -> Tensor:
        return self.bijector._inverse(x, **condition)

    def _inverse(self, y: Tensor, **condition: Any) -> Tensor:
        return self.bijector._forward(y, **condition)

    def _inverse_log_det_jacobian(self, y: Tensor, **condition: Any) -> Tensor:
        return self.bijector._forward_log_det_jacobian(y, **condition)

    def _forward_log_det_jacobian(self, x: Tensor, **condition: Any) -> Tensor:
        return self.bijector._inverse_log_det_jacobian(x, **condition)
