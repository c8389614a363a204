"""The sigmoid as a bijector."""

from __future__ import annotations

from tfmini._src.contrib.distributions.bijectors.bijector import Bijector
from tfmini._src.contrib.distributions.deprecation import moved
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops


class Sigmoid(Bijector):
    """The bijector y = 1 / (1 + exp(-x)).

    Args:
      validate_args: unused.
    """

    @moved
    def __init__(self, validate_args: bool = False, name: str = "sigmoid"):
        super().__init__(forward_min_event_ndims=0, validate_args=validate_args, name=name)

    def _forward(self, x: Tensor) -> Tensor:
        return ops.sigmoid(x)

    def _inverse(self, y: Tensor) -> Tensor:
        return ops.log(y) - ops.log1p(-y)

    def _inverse_log_det_jacobian(self, y: Tensor) -> Tensor:
        return -ops.log(y) - ops.log1p(-y)

    def _forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        return -ops.softplus(-x) - ops.softplus(x)
