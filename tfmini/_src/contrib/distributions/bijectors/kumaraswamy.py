"""The bijector from uniform to Kumaraswamy samples."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.read_only import read_only
from tfmini._src.contrib.distributions.bijectors.bijector import Bijector
from tfmini._src.contrib.distributions.deprecation import moved
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.probability.distributions.checks import positive


class Kumaraswamy(Bijector):
    """The bijector y = (1 - (1 - x)^(1 / b))^(1 / a) from (0, 1) to (0, 1).

    Args:
      concentration1: a, a positive float tensor.
      concentration0: b, a positive float tensor.
      validate_args: whether to check parameters and arguments at run time.
    """

    concentration1: Tensor = read_only("The exponent a.")
    concentration0: Tensor = read_only("The exponent b.")

    @moved
    def __init__(
        self,
        concentration1: TensorLike | None = None,
        concentration0: TensorLike | None = None,
        validate_args: bool = False,
        name: str = "kumaraswamy",
    ):
        with self._init_scope(name, validate_args, concentration1, concentration0):
            self._concentration1 = _check_concentration(
                concentration1, "concentration1", validate_args
            )
            self._concentration0 = _check_concentration(
                concentration0, "concentration0", validate_args
            )
        super().__init__(forward_min_event_ndims=0, validate_args=validate_args, name=name)

    def _forward(self, x: Tensor) -> Tensor:
        x = self._in_range(x)
        power = ops.exp(ops.log1p(-x) / self.concentration0)
        return ops.exp(ops.log1p(-power) / self.concentration1)

    def _inverse(self, y: Tensor) -> Tensor:
        y = self._in_range(y)
        power = (1 - y**self.concentration1) ** self.concentration0
        return ops.exp(ops.log1p(-power))

    def _inverse_log_det_jacobian(self, y: Tensor) -> Tensor:
        y = self._in_range(y)
        return (
            ops.log(self.concentration1)
            + ops.log(self.concentration0)
            + (self.concentration1 - 1) * ops.log(y)
            + (self.concentration0 - 1) * ops.log1p(-(y**self.concentration1))
        )

    def _in_range(self, x: Tensor) -> Tensor:
        if not self.validate_args:
            return x
        lower_check = ops.assert_non_negative(x, message="sample must be non-negative")
        one = ops.ones([], self.concentration0.dtype)
        upper_check = ops.assert_less_equal(x, one, message="sample must be no larger than `1`.")
        return ops.with_dependencies([lower_check, upper_check], x)


def _check_concentration(concentration: Any, name: str, validate_args: bool) -> Tensor:
    concentration = convert_to_tensor(concentration, name=name)
    return positive(concentration, "Concentration parameter must be positive.", validate_args)
