"""Softplus bijector, whose values are positive."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.read_only import read_only
from tfmini._src.contrib.distributions.bijectors.bijector import Bijector
from tfmini._src.contrib.distributions.deprecation import moved
from tfmini._src.contrib.distributions.softplus_inverse import softplus_inverse
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops


class Softplus(Bijector):
    """The bijector y = c log(1 + exp(x / c)).

    Args:
      hinge_softness: c, the softness of the bend at 0: a tensor of nonzero numbers; None for 1.
      validate_args: whether to check, at run time, that it is nonzero.
    """

    hinge_softness: Tensor | None = read_only("Softness of the bend at 0; None for 1.")

    @moved
    def __init__(
        self,
        hinge_softness: TensorLike | None = None,
        validate_args: bool = False,
        name: str = "softplus",
    ):
        with name_scope(name, values=[hinge_softness]):
            self._hinge_softness: Any = None
            if hinge_softness is not None:
                self._hinge_softness = convert_to_tensor(hinge_softness, name="hinge_softness")
            if validate_args:
                zero = convert_to_tensor(0, dtype=self._hinge_softness.dtype)
                message = "hinge_softness must be non-zero"
                check = ops.assert_none_equal(zero, self._hinge_softness, message=message)
                self._hinge_softness = ops.with_dependencies([check], self._hinge_softness)
        super().__init__(forward_min_event_ndims=0, validate_args=validate_args, name=name)

    def _forward(self, x: Tensor) -> Tensor:
        if self.hinge_softness is None:
            return ops.softplus(x)
        softness = ops.cast(self.hinge_softness, x.dtype)
        return softness * ops.softplus(x / softness)

    def _inverse(self, y: Tensor) -> Tensor:
        if self.hinge_softness is None:
            return softplus_inverse(y)
        softness = ops.cast(self.hinge_softness, y.dtype)
        return softness * softplus_inverse(y / softness)

    def _inverse_log_det_jacobian(self, y: Tensor) -> Tensor:
        if self.hinge_softness is not None:
            y /= ops.cast(self.hinge_softness, y.dtype)
        return -ops.log(-ops.expm1(-y))

    def _forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        if self.hinge_softness is not None:
            x /= ops.cast(self.hinge_softness, x.dtype)
        return -ops.softplus(-x)
