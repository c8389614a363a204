"""Identity bijector."""

from __future__ import annotations

from tfmini._src.contrib.distributions.bijectors.bijector import Bijector
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.probability.distributions.deprecation import moved


class Identity(Bijector):
    """The identity bijector, y = x.

    Args:
      validate_args: unused.
    """

    @moved
    def __init__(self, validate_args: bool = False, name: str = "identity"):
        super().__init__(
            forward_min_event_ndims=0,
            is_constant_jacobian=True,
            validate_args=validate_args,
            name=name,
        )

    def _forward(self, x: Tensor) -> Tensor:
        return x

    def _inverse(self, y: Tensor) -> Tensor:
        return y

    def _inverse_log_det_jacobian(self, y: Tensor) -> Tensor:
        return ops.constant(0.0, dtype=y.dtype)

    def _forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        return ops.constant(0.0, dtype=x.dtype)
