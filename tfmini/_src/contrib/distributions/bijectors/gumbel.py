"""Bijector of the Gumbel distribution's cumulative distribution function."""

from __future__ import annotations

from tfmini._src.base.read_only import read_only
from tfmini._src.contrib.distributions.bijectors.bijector import Bijector
from tfmini._src.contrib.distributions.deprecation import moved
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.probability.distributions.checks import positive


class Gumbel(Bijector):
    """The bijector y = exp(-exp(-(x - loc) / scale)); `Invert(Gumbel())` maps uniform to Gumbel samples.

    Args:
      loc: the location, a float tensor.
      scale: the scale, a positive tensor of the same dtype.
      validate_args: whether to check parameters and arguments at run time.

    Raises:
      ValueError: if the dtypes differ or are not floats.
    """

    loc: Tensor = read_only("The location.")
    scale: Tensor = read_only("The scale.")

    @moved
    def __init__(
        self,
        loc: TensorLike = 0.0,
        scale: TensorLike = 1.0,
        validate_args: bool = False,
        name: str = "gumbel",
    ):
        with self._init_scope(name, validate_args, loc, scale):
            self._loc = convert_to_tensor(loc, name="loc")
            self._scale = convert_to_tensor(scale, name="scale")
            ops.assert_same_float_dtype([self._loc, self._scale])
            message = "Argument scale was not positive"
            self._scale = positive(self._scale, message, validate_args)
        super().__init__(validate_args=validate_args, forward_min_event_ndims=0, name=name)

    def _forward(self, x: Tensor) -> Tensor:
        z = (x - self.loc) / self.scale
        return ops.exp(-ops.exp(-z))

    def _inverse(self, y: Tensor) -> Tensor:
        y = self._in_range(y)
        return self.loc - self.scale * ops.log(-ops.log(y))

    def _inverse_log_det_jacobian(self, y: Tensor) -> Tensor:
        y = self._in_range(y)
        return ops.log(self.scale / (-ops.log(y) * y))

    def _forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        z = (x - self.loc) / self.scale
        return -z - ops.exp(-z) - ops.log(self.scale)

    def _in_range(self, y: Tensor) -> Tensor:
        if not self.validate_args:
            return y
        message = "Inverse transformation input must be greater than 0."
        lower_check = ops.assert_non_negative(y, message=message)
        message = "Inverse transformation input must be less than or equal to 1."
        upper_check = ops.assert_less_equal(y, ops.constant(1.0, y.dtype), message=message)
        return ops.with_dependencies([lower_check, upper_check], y)
