"""The gamma distribution."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.read_only import read_only
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.probability.distributions.deprecation import moved
from tfmini._src.probability.distributions.kullback_leibler import register_kl
from tfmini._src.probability.distributions.reparameterization import FULLY_REPARAMETERIZED
from tfmini._src.probability.distributions.scalar import ShapeRateDistribution


class Gamma(ShapeRateDistribution):
    """Gamma distributions with density rate^c x^(c - 1) exp(-rate x) / Gamma(c) for x > 0.

    The mode is (concentration - 1) / rate for concentration > 1, else NaN, or an error if `allow_nan_stats` is False.

    Args:
      concentration: shape parameters c, a positive float tensor.
      rate: the inverse scales, of the same dtype and broadcastable with `concentration`.
      validate_args, allow_nan_stats: as in `Distribution`.

    Raises:
      ValueError: if the dtypes differ or are not floats.
    """

    rate: Tensor = read_only("The inverse scales.")

    @moved
    def __init__(
        self,
        concentration: TensorLike,
        rate: TensorLike,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Gamma",
    ):
        super().__init__(dict(locals()), FULLY_REPARAMETERIZED)

    def _sample_n(self, n: Any, seed: Any = None) -> Tensor:
        return ops.random_gamma(
            shape=[n], alpha=self.concentration, beta=self.rate, dtype=self.dtype, seed=seed
        )

    def _log_prob(self, x: Tensor) -> Tensor:
        x = self._check_sample(x)
        unnormalized = ops.xlogy(self.concentration - 1.0, x) - self.rate * x
        constant = ops.lgamma(self.concentration) - self.concentration * ops.log(self.rate)
        return unnormalized - constant

    def _cdf(self, x: Tensor) -> Tensor:
        return ops.igamma(self.concentration, self.rate * self._check_sample(x))

    def _entropy(self) -> Tensor:
        return (
            self.concentration
            - ops.log(self.rate)
            + ops.lgamma(self.concentration)
            + ((1.0 - self.concentration) * ops.digamma(self.concentration))
        )

    def _mean(self) -> Tensor:
        return self.concentration / self.rate

    def _variance(self) -> Tensor:
        return self.concentration / ops.square(self.rate)

    def _stddev(self) -> Tensor:
        return ops.sqrt(self.concentration) / self.rate

    def _mode(self) -> Tensor:
        mode = (self.concentration - 1.0) / self.rate
        return self._value_or_nan(mode, 1.0, "mode not defined when any concentration <= 1")


@register_kl(Gamma, Gamma)
def _kl_gamma_gamma(a: Gamma, b: Gamma, name: str | None = None) -> Tensor:
    values = [a.concentration, a.rate, b.concentration, b.rate]
    with name_scope(name, "kl_gamma_gamma", values=values):
        return (
            ((a.concentration - b.concentration) * ops.digamma(a.concentration))
            + ops.lgamma(b.concentration)
            - ops.lgamma(a.concentration)
            + b.concentration * ops.log(a.rate)
            - b.concentration * ops.log(b.rate)
            + a.concentration * (b.rate / a.rate - 1.0)
        )
