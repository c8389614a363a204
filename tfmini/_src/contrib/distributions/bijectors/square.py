"""Bijector that squares nonnegative numbers."""

from __future__ import annotations

import numpy as np

from tfmini._src.contrib.distributions.bijectors.bijector import Bijector
from tfmini._src.contrib.distributions.deprecation import moved
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops


class Square(Bijector):
    """The bijector y = x^2 for x >= 0.

    Args:
      validate_args: whether to check, at run time, that no argument is negative.
    """

    @moved
    def __init__(self, validate_args: bool = False, name: str = "square"):
        self._name = name
        super().__init__(forward_min_event_ndims=0, validate_args=validate_args, name=name)

    def _forward(self, x: Tensor) -> Tensor:
        return ops.square(self._check_nonnegative(x))

    def _inverse(self, y: Tensor) -> Tensor:
        return ops.sqrt(self._check_nonnegative(y))

    def _forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        return np.log(2.0) + ops.log(self._check_nonnegative(x))

    def _check_nonnegative(self, x: Tensor) -> Tensor:
        if not self.validate_args:
            return x
        check = ops.assert_non_negative(x, message="All elements must be non-negative.")
        return ops.with_dependencies([check], x)
