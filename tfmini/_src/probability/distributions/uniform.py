"""The uniform distribution."""

from __future__ import annotations

import math
from typing import Any

from tfmini._src.base.read_only import read_only
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.probability.distributions.deprecation import moved
from tfmini._src.probability.distributions.reparameterization import FULLY_REPARAMETERIZED
from tfmini._src.probability.distributions.scalar import ScalarDistribution


class Uniform(ScalarDistribution):
    """Uniform distributions on [low, high), with density 1 / (high - low).

    Args:
      low: lower bounds, a float tensor.
      high: upper bounds, of the same dtype, broadcastable with `low`.
      validate_args: whether to check at run time that low < high.
      allow_nan_stats: see `Distribution`.

    Raises:
      ValueError: if the dtypes differ or are not floats.

    Example: `tf.distributions.Uniform(low=[3.0, 4.0], high=5.0).mean()  # [4, 4.5]`.
    """

    low: Tensor = read_only("The lower bounds.")
    high: Tensor = read_only("The upper bounds, exclusive.")
    _shape_parameters = ("low", "high")

    @moved
    def __init__(
        self,
        low: TensorLike = 0.0,
        high: TensorLike = 1.0,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Uniform",
    ):
        parameters = dict(locals())
        with name_scope(name, values=[low, high]) as name:
            message = "uniform not defined when low >= high."
            checks = [ops.assert_less(low, high, message=message)] if validate_args else []
            with control_dependencies(checks):
                self._low = ops.identity(low, name="low")
                self._high = ops.identity(high, name="high")
                ops.assert_same_float_dtype([self._low, self._high])
        self._init(parameters, name, FULLY_REPARAMETERIZED, [self._low, self._high])

    def range(self, name: str = "range") -> Tensor:
        """Returns high - low."""
        with self._name_scope(name):
            return self.high - self.low

    def _sample_n(self, n: Any, seed: Any = None) -> Tensor:
        shape = ops.concat([[n], self.batch_shape_tensor()], 0)
        samples = ops.random_uniform(shape=shape, dtype=self.dtype, seed=seed)
        return self.low + self.range() * samples

    def _prob(self, x: Tensor) -> Tensor:
        x = x * ops.ones(self.batch_shape_tensor(), dtype=x.dtype)
        is_nan = ops.is_nan(x)
        is_outside = ops.logical_or(x < self.low, x >= self.high)
        zero = ops.zeros_like(x)
        density = ops.ones_like(x) / self.range()
        return ops.where_v2(is_nan, x, ops.where_v2(is_outside, zero, density))

    def _cdf(self, x: Tensor) -> Tensor:
        shape = ops.broadcast_dynamic_shape(ops.shape(x), self.batch_shape_tensor())
        zeros = ops.zeros(shape, dtype=self.dtype)
        ones = ops.ones(shape, dtype=self.dtype)
        broadcast_x = x * ones
        is_below = x < self.low
        rising = (broadcast_x - self.low) / self.range()
        at_most_high = ops.where_v2(is_below, zeros, rising)
        return ops.where_v2(x >= self.high, ones, at_most_high)

    def _entropy(self) -> Tensor:
        return ops.log(self.range())

    def _mean(self) -> Tensor:
        return (self.low + self.high) / 2.0

    def _variance(self) -> Tensor:
        return ops.square(self.range()) / 12.0

    def _stddev(self) -> Tensor:
        return self.range() / math.sqrt(12.0)
