"""Absolute value bijector, with two preimages."""

from __future__ import annotations

from typing import Any

from tfmini._src.contrib.distributions.bijectors.bijector import Bijector
from tfmini._src.contrib.distributions.deprecation import moved
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops


class AbsoluteValue(Bijector):
    """The bijector y = |x|. `inverse` returns the tuple (-y, y), `inverse_log_det_jacobian` zeros.

    Args:
      validate_args: whether to check, at run time, that no y is negative.

    Example:
      c = tf.contrib.distributions
      folded = c.TransformedDistribution(c.Normal(0.0, 1.0), c.bijectors.AbsoluteValue())
    """

    @moved
    def __init__(self, validate_args: bool = False, name: str = "absolute_value"):
        self._graph_parents = []
        self._name = name
        with self._name_scope("init"):
            super().__init__(
                forward_min_event_ndims=0,
                is_constant_jacobian=True,
                validate_args=validate_args,
                name=name,
            )

    @property
    def _is_injective(self) -> bool:
        return False

    def _forward(self, x: Tensor) -> Tensor:
        return ops.abs(x)

    def _inverse(self, y: Tensor) -> tuple[Tensor, Tensor]:
        y = self._check_nonnegative(y, y)
        return -y, y

    def _inverse_log_det_jacobian(self, y: Tensor) -> tuple[Tensor, Tensor]:
        zero = self._check_nonnegative(y, ops.constant(0.0, dtype=y.dtype))
        return zero, zero

    def _check_nonnegative(self, y: Tensor, result: Any) -> Tensor:
        if not self.validate_args:
            return result
        check = ops.assert_non_negative(y, message="Argument y was negative")
        return ops.with_dependencies([check], result)
