"""The inverse gamma distribution: the distribution of 1 / x for gamma-distributed x."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.names.signature import arguments_of
from tfmini._src.base.read_only import read_only
from tfmini._src.contrib.distributions.deprecation import moved
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.probability.distributions.gamma import Gamma
from tfmini._src.probability.distributions.reparameterization import NOT_REPARAMETERIZED
from tfmini._src.probability.distributions.scalar import ShapeRateDistribution
from tfmini._src.probability.distributions.softplus_variants import init_with_softplus


class InverseGamma(ShapeRateDistribution):
    """Distribution with density rate^c x^(-c - 1) exp(-rate / x) / Gamma(c) for x > 0.

    The mean, rate / (c - 1), is defined for c > 1, the variance for c > 2. Otherwise they are NaN, or raise an
    error if `allow_nan_stats` is False.

    Args:
      concentration: the shapes c, a float tensor of positive numbers.
      rate: the scales, of the same dtype, broadcasting with `concentration`.
      validate_args, allow_nan_stats: as in `tf.distributions.Distribution`.

    Raises:
      ValueError: if the dtypes differ or are not floats.

    Example: `tf.contrib.distributions.InverseGamma(3.0, 2.0).mean()` is 1.
    """

    rate: Tensor = read_only("The scales.")

    @moved
    @arguments_of(Gamma, name="InverseGamma")
    def __init__(self, **kwargs: Any):
        super().__init__(kwargs, NOT_REPARAMETERIZED)

    def _sample_n(self, n: Any, seed: Any = None) -> Tensor:
        return 1.0 / ops.random_gamma(
            shape=[n], alpha=self.concentration, beta=self.rate, dtype=self.dtype, seed=seed
        )

    def _log_prob(self, x: Tensor) -> Tensor:
        x = self._check_sample(x)
        unnormalized = -(1.0 + self.concentration) * ops.log(x) - self.rate / x
        constant = ops.lgamma(self.concentration) - self.concentration * ops.log(self.rate)
        return unnormalized - constant

    def _cdf(self, x: Tensor) -> Tensor:
        return ops.igammac(self.concentration, self.rate / self._check_sample(x))

    def _entropy(self) -> Tensor:
        return (
            self.concentration
            + ops.log(self.rate)
            + ops.lgamma(self.concentration)
            - ((1.0 + self.concentration) * ops.digamma(self.concentration))
        )

    def _mean(self) -> Tensor:
        mean = self.rate / (self.concentration - 1.0)
        return self._value_or_nan(mean, 1.0, "mean undefined when any concentration <= 1")

    def _variance(self) -> Tensor:
        squares = ops.square(self.rate) / ops.squared_difference(self.concentration, 1.0)
        variance = squares / (self.concentration - 2.0)
        return self._value_or_nan(variance, 2.0, "variance undefined when any concentration <= 2")

    def _mode(self) -> Tensor:
        return self.rate / (1.0 + self.concentration)


class InverseGammaWithSoftplusConcentrationRate(InverseGamma):
    """Inverse gamma with transformed parameters: `InverseGamma(softplus(concentration), softplus(rate))`."""

    @moved
    @arguments_of(InverseGamma, name="InverseGammaWithSoftplusConcentrationRate")
    def __init__(self, **kwargs: Any):
        init_with_softplus(self, InverseGamma, kwargs, "concentration", "rate")
