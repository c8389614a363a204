"""Softsign bijector, from all real numbers to (-1, 1)."""

from __future__ import annotations

from tfmini._src.contrib.distributions.bijectors.bijector import Bijector
from tfmini._src.contrib.distributions.deprecation import moved
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops


class Softsign(Bijector):
    """The bijector y = x / (1 + |x|).

    Args:
      validate_args: whether to check at run time that inverted values are between -1 and 1.
    """

    @moved
    def __init__(self, validate_args: bool = False, name: str = "softsign"):
        super().__init__(forward_min_event_ndims=0, validate_args=validate_args, name=name)

    def _forward(self, x: Tensor) -> Tensor:
        return x / (1.0 + ops.abs(x))

    def _inverse(self, y: Tensor) -> Tensor:
        y = self._check_range(y)
        return y / (1.0 - ops.abs(y))

    def _forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        return -2.0 * ops.log1p(ops.abs(x))

    def _inverse_log_det_jacobian(self, y: Tensor) -> Tensor:
        y = self._check_range(y)
        return -2.0 * ops.log1p(-ops.abs(y))

    def _check_range(self, y: Tensor) -> Tensor:
        if not self.validate_args:
            return y
        dtype = y.dtype.base_dtype
        start = "Inverse transformation input must be"
        checks = [
            ops.assert_greater(y, ops.cast(-1.0, dtype=dtype), message=f"{start} greater than -1."),
            ops.assert_less(y, ops.cast(1.0, dtype=dtype), message=f"{start} less than 1."),
        ]
        return ops.with_dependencies(checks, y)
