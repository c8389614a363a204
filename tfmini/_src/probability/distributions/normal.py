"""The normal distribution."""

from __future__ import annotations

import math
from typing import Any

from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.probability.distributions.deprecation import moved
from tfmini._src.probability.distributions.kullback_leibler import register_kl
from tfmini._src.probability.distributions.ndtr import log_ndtr, ndtr
from tfmini._src.probability.distributions.ndtri import ndtri
from tfmini._src.probability.distributions.scalar import LocationScaleDistribution


class Normal(LocationScaleDistribution):
    """Normal distributions with density exp(-((x - loc) / scale)^2 / 2) / (scale sqrt(2 pi)).

    Args:
      loc: the means, a float tensor.
      scale: the standard deviations, of the same dtype and broadcastable with `loc`.
      validate_args: whether to check at run time that scales are positive.
      allow_nan_stats: see `Distribution`.

    Raises:
      ValueError: if the dtypes differ or are not floats.

    Example:
      >>> tf.distributions.Normal(loc=0.0, scale=1.0).log_prob([0.0, 1.0])  # -0.919, -1.419
    """

    @moved
    def __init__(
        self,
        loc: TensorLike,
        scale: TensorLike,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Normal",
    ):
        super().__init__(dict(locals()))

    def _sample_n(self, n: Any, seed: Any = None) -> Tensor:
        shape = ops.concat([[n], self.batch_shape_tensor()], 0)
        noise = ops.random_normal(
            shape=shape, mean=0.0, stddev=1.0, dtype=self.loc.dtype, seed=seed
        )
        return noise * self.scale + self.loc

    def _log_prob(self, x: Tensor) -> Tensor:
        exponent = -0.5 * ops.square(self._standardize(x))
        return exponent - (0.5 * math.log(2.0 * math.pi) + ops.log(self.scale))

    def _log_cdf(self, x: Tensor) -> Tensor:
        return log_ndtr(self._standardize(x))

    def _cdf(self, x: Tensor) -> Tensor:
        return ndtr(self._standardize(x))

    def _log_survival_function(self, x: Tensor) -> Tensor:
        return log_ndtr(-self._standardize(x))

    def _survival_function(self, x: Tensor) -> Tensor:
        return ndtr(-self._standardize(x))

    def _entropy(self) -> Tensor:
        scale = self.scale * ops.ones_like(self.loc)
        return 0.5 * math.log(2.0 * math.pi * math.e) + ops.log(scale)

    def _mean(self) -> Tensor:
        return self.loc * ops.ones_like(self.scale)

    def _quantile(self, p: Tensor) -> Tensor:
        z = ndtri(p)
        with name_scope("reconstruct", values=[z]):
            return z * self.scale + self.loc

    def _stddev(self) -> Tensor:
        return self.scale * ops.ones_like(self.loc)

    def _mode(self) -> Tensor:
        return self._mean()


@register_kl(Normal, Normal)
def _kl_normal_normal(a: Normal, b: Normal, name: str | None = None) -> Tensor:
    with name_scope(name, "kl_normal_normal", [a.loc, b.loc]):
        one = ops.constant(1, dtype=a.dtype)
        two = ops.constant(2, dtype=a.dtype)
        half = ops.constant(0.5, dtype=a.dtype)
        variance_a = ops.square(a.scale)
        variance_b = ops.square(b.scale)
        ratio = variance_a / variance_b
        distance = ops.squared_difference(a.loc, b.loc) / (two * variance_b)
        return distance + half * (ratio - one - ops.log(ratio))
