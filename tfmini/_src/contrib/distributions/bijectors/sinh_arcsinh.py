"""The sinh-arcsinh function, which skews and stretches tails (Jones and Pewsey, 2009)."""

from __future__ import annotations

import numpy as np

from tfmini._src.base.read_only import read_only
from tfmini._src.contrib.distributions.bijectors.bijector import Bijector
from tfmini._src.contrib.distributions.deprecation import moved
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.probability.distributions.checks import positive


class SinhArcsinh(Bijector):
    """The bijector y = sinh((arcsinh(x) + skewness) tailweight).

    Args:
      skewness: a float tensor; positive values skew to the right; None for 0.
      tailweight: a float tensor of positive numbers; None for 1.
      validate_args: whether to check, at run time, that the tailweight is positive.
    """

    skewness: Tensor = read_only("Amount by which numbers are skewed to the right.")
    tailweight: Tensor = read_only("Amount by which large numbers are stretched.")

    @moved
    def __init__(
        self,
        skewness: TensorLike | None = None,
        tailweight: TensorLike | None = None,
        validate_args: bool = False,
        name: str = "SinhArcsinh",
    ):
        with self._init_scope(name, validate_args, skewness, tailweight):
            tailweight = 1.0 if tailweight is None else tailweight
            skewness = 0.0 if skewness is None else skewness
            self._skewness = convert_to_tensor(skewness, name="skewness")
            self._tailweight = convert_to_tensor(
                tailweight, name="tailweight", dtype=self._skewness.dtype
            )
            ops.assert_same_float_dtype([self._skewness, self._tailweight])
            message = "Argument tailweight was not positive"
            self._tailweight = positive(self._tailweight, message, validate_args)
        super().__init__(forward_min_event_ndims=0, validate_args=validate_args, name=name)

    def _forward(self, x: Tensor) -> Tensor:
        return ops.sinh((ops.asinh(x) + self.skewness) * self.tailweight)

    def _inverse(self, y: Tensor) -> Tensor:
        return ops.sinh(ops.asinh(y) / self.tailweight - self.skewness)

    def _inverse_log_det_jacobian(self, y: Tensor) -> Tensor:
        slope = ops.cosh(ops.asinh(y) / self.tailweight - self.skewness) / _hypotenuse(y)
        return ops.log(slope) - ops.log(self.tailweight)

    def _forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        slope = ops.cosh((ops.asinh(x) + self.skewness) * self.tailweight) / _hypotenuse(x)
        return ops.log(slope) + ops.log(self.tailweight)


@moved
def _hypotenuse(x: Tensor) -> Tensor:
    """Returns sqrt(x^2 + 1), computed without overflow of x^2."""
    small = ops.abs(x) * np.sqrt(np.finfo(x.dtype.as_numpy_dtype).eps) <= 1.0
    return ops.where_v2(small, ops.sqrt(x**2.0 + 1.0), ops.abs(x))
