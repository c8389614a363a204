"""Powers and the exponential as bijectors."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.read_only import read_only
from tfmini._src.contrib.distributions.bijectors.bijector import Bijector
from tfmini._src.contrib.distributions.deprecation import moved
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.static_values import get_static_value
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops


class PowerTransform(Bijector):
    """The bijector y = (1 + x power) ** (1 / power), or exp(x) for the power 0.

    Args:
      power: a nonnegative number.
      validate_args: whether to check, at run time, that arguments are in range.

    Raises:
      ValueError: if `power` is negative or statically unknown.
    """

    power: Any = read_only("The power, a number.")

    @moved
    def __init__(
        self, power: float = 0.0, validate_args: bool = False, name: str = "power_transform"
    ):
        with self._init_scope(name, validate_args, power):
            power = get_static_value(convert_to_tensor(power, name="power"))
        if power is None or power < 0:
            raise ValueError("`power` must be a non-negative TF constant.")
        self._power = power
        super().__init__(forward_min_event_ndims=0, validate_args=validate_args, name=name)

    def _forward(self, x: Tensor) -> Tensor:
        x = self._checked_x(x)
        if self.power == 0.0:
            return ops.exp(x)
        return ops.exp(ops.log1p(x * self.power) / self.power)

    def _inverse(self, y: Tensor) -> Tensor:
        y = self._checked_y(y)
        if self.power == 0.0:
            return ops.log(y)
        return ops.expm1(ops.log(y) * self.power) / self.power

    def _inverse_log_det_jacobian(self, y: Tensor) -> Tensor:
        y = self._checked_y(y)
        return (float(self.power) - 1.0) * ops.log(y)

    def _forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        x = self._checked_x(x)
        if self.power == 0.0:
            return x
        return (1.0 / float(self.power) - 1.0) * ops.log1p(x * self.power)

    def _checked_x(self, x: Tensor) -> Tensor:
        if not self.validate_args or self.power == 0.0:
            return x
        message = f"Forward transformation input must be at least {-1.0 / float(self.power)}."
        check = ops.assert_non_negative(1.0 + self.power * x, message=message)
        return ops.with_dependencies([check], x)

    def _checked_y(self, y: Tensor) -> Tensor:
        if not self.validate_args:
            return y
        message = "Inverse transformation input must be greater than 0."
        return ops.with_dependencies([ops.assert_positive(y, message=message)], y)


class Exp(PowerTransform):
    """The bijector y = exp(x).

    Args:
      validate_args: whether to check at run time that inverted values are positive.
    """

    @moved
    def __init__(self, validate_args: bool = False, name: str = "exp"):
        super().__init__(validate_args=validate_args, name=name)
