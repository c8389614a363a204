"""Affine bijector for scalars."""

from __future__ import annotations

from tfmini._src.base.read_only import read_only
from tfmini._src.contrib.distributions.bijectors.bijector import Bijector
from tfmini._src.contrib.distributions.deprecation import moved
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops


class AffineScalar(Bijector):
    """The bijector y = scale * x + shift.

    Args:
      shift: a float tensor, None for 0.
      scale: a float tensor of nonzero numbers; None for 1.
      validate_args: whether to check, at run time, that no scale is 0.
    """

    shift: Tensor | None = read_only("Added term; None for 0.")
    scale: Tensor | None = read_only("Factor of x; None for 1.")

    @moved
    def __init__(
        self,
        shift: TensorLike | None = None,
        scale: TensorLike | None = None,
        validate_args: bool = False,
        name: str = "affine_scalar",
    ):
        with self._init_scope(name, validate_args, scale, shift):
            self._shift = None if shift is None else convert_to_tensor(shift, name="shift")
            self._scale = None if scale is None else convert_to_tensor(scale, name="scale")
            if self._scale is not None and validate_args:
                zero = ops.zeros([], dtype=self._scale.dtype)
                check = ops.assert_none_equal(self._scale, zero)
                self._scale = ops.with_dependencies([check], self._scale)
            super().__init__(
                forward_min_event_ndims=0,
                is_constant_jacobian=True,
                validate_args=validate_args,
                name=name,
            )

    def _forward(self, x: Tensor) -> Tensor:
        y = ops.identity(x)
        if self.scale is not None:
            y *= self.scale
        return y if self.shift is None else y + self.shift

    def _inverse(self, y: Tensor) -> Tensor:
        x = ops.identity(y)
        if self.shift is not None:
            x -= self.shift
        return x if self.scale is None else x / self.scale

    def _forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        if self.scale is None:
            return ops.constant(0.0, dtype=x.dtype.base_dtype)
        return ops.log(ops.abs(self.scale))
