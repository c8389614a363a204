"""The beta distribution, a distribution of probabilities."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base.read_only import read_only
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.probability.distributions.checks import positive
from tfmini._src.probability.distributions.deprecation import moved
from tfmini._src.probability.distributions.kullback_leibler import register_kl
from tfmini._src.probability.distributions.parameters import new_seed
from tfmini._src.probability.distributions.reparameterization import FULLY_REPARAMETERIZED
from tfmini._src.probability.distributions.scalar import ScalarDistribution

_NOT_POSITIVE = "Concentration parameter must be positive."


class Beta(ScalarDistribution):
    """Beta distributions on (0, 1) with density x^(a - 1) (1 - x)^(b - 1) / B(a, b).

    The mode is (a - 1) / (a + b - 2) for a, b > 1, else NaN, or an error if `allow_nan_stats` is False.

    Args:
      concentration1: a, a positive float tensor.
      concentration0: b, of the same dtype and broadcastable with `concentration1`.
      validate_args, allow_nan_stats: as in `Distribution`.

    Raises:
      ValueError: if the dtypes differ or are not floats.
    """

    concentration1: Tensor = read_only("The exponents of x, plus 1.")
    concentration0: Tensor = read_only("The exponents of 1 - x, plus 1.")
    total_concentration: Tensor = read_only("concentration1 + concentration0.")
    _shape_parameters = ("concentration1", "concentration0")
    _batch_parameters = ("total_concentration",)

    @moved
    def __init__(
        self,
        concentration1: TensorLike | None = None,
        concentration0: TensorLike | None = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Beta",
    ):
        parameters = dict(locals())
        with name_scope(name, values=[concentration1, concentration0]) as name:
            self._concentration1, self._concentration0 = (
                positive(convert_to_tensor(value, name=key), _NOT_POSITIVE, validate_args)
                for key, value in (
                    ("concentration1", concentration1),
                    ("concentration0", concentration0),
                )
            )
            ops.assert_same_float_dtype([self._concentration1, self._concentration0])
            self._total_concentration = self._concentration1 + self._concentration0
        self._init(
            parameters,
            name,
            FULLY_REPARAMETERIZED,
            [self._concentration1, self._concentration0, self._total_concentration],
            dtype=self._total_concentration.dtype,
        )

    def _sample_n(self, n: Any, seed: Any = None) -> Tensor:
        total, dtype = self.total_concentration, self.dtype
        alpha1 = ops.ones_like(total, dtype=dtype) * self.concentration1
        alpha0 = ops.ones_like(total, dtype=dtype) * self.concentration0
        gamma1 = ops.random_gamma(shape=[n], alpha=alpha1, dtype=dtype, seed=seed)
        seed0 = new_seed(seed, "beta")
        gamma0 = ops.random_gamma(shape=[n], alpha=alpha0, dtype=dtype, seed=seed0)
        return gamma1 / (gamma1 + gamma0)

    def _log_prob(self, x: Tensor) -> Tensor:
        return self._log_unnormalized_prob(x) - self._log_normalization()

    def _prob(self, x: Tensor) -> Tensor:
        return ops.exp(self._log_prob(x))

    def _log_cdf(self, x: Tensor) -> Tensor:
        return ops.log(self._cdf(x))

    def _cdf(self, x: Tensor) -> Tensor:
        return ops.betainc(self.concentration1, self.concentration0, x)

    def _log_unnormalized_prob(self, x: Tensor) -> Tensor:
        x = self._check_sample(x)
        log_x_term = ops.xlogy(self.concentration1 - 1.0, x)
        return log_x_term + (self.concentration0 - 1.0) * ops.log1p(-x)

    def _log_normalization(self) -> Tensor:
        return (
            ops.lgamma(self.concentration1)
            + ops.lgamma(self.concentration0)
            - ops.lgamma(self.total_concentration)
        )

    def _entropy(self) -> Tensor:
        return (
            self._log_normalization()
            - (self.concentration1 - 1.0) * ops.digamma(self.concentration1)
            - (self.concentration0 - 1.0) * ops.digamma(self.concentration0)
            + (self.total_concentration - 2.0) * ops.digamma(self.total_concentration)
        )

    def _mean(self) -> Tensor:
        return self._concentration1 / self._total_concentration

    def _variance(self) -> Tensor:
        return self._mean() * (1.0 - self._mean()) / (1.0 + self.total_concentration)

    def _mode(self) -> Tensor:
        mode = (self.concentration1 - 1.0) / (self.total_concentration - 2.0)
        if self.allow_nan_stats:
            nan = np.array(np.nan, self.dtype.as_numpy_dtype())
            nans = ops.fill(self.batch_shape_tensor(), nan, name="nan")
            is_defined = ops.logical_and(self.concentration1 > 1.0, self.concentration0 > 1.0)
            return ops.where_v2(is_defined, mode, nans)
        checks = []
        for key in ("concentration1", "concentration0"):
            one = ops.ones([], dtype=self.dtype)
            message = f"Mode undefined for {key} <= 1."
            checks.append(ops.assert_less(one, getattr(self, key), message=message))
        return ops.with_dependencies(checks, mode)

    def _check_sample(self, x: Tensor) -> Tensor:
        if not self.validate_args:
            return x
        above_0 = ops.assert_positive(x, message="sample must be positive")
        one = ops.ones([], self.dtype)
        below_1 = ops.assert_less(x, one, message="sample must be less than `1`.")
        return ops.with_dependencies([above_0, below_1], x)


@register_kl(Beta, Beta)
def _kl_beta_beta(a: Beta, b: Beta, name: str | None = None) -> Tensor:
    values = [a.concentration1, a.concentration0, a.total_concentration]
    values += [b.concentration1, b.concentration0, b.total_concentration]
    with name_scope(name, "kl_beta_beta", values=values):
        constant_b = b._log_normalization()
        divergence = constant_b - a._log_normalization()
        divergence -= ops.digamma(a.concentration1) * (b.concentration1 - a.concentration1)
        divergence -= ops.digamma(a.concentration0) * (b.concentration0 - a.concentration0)
        slope = ops.digamma(a.total_concentration)
        return divergence + slope * (b.total_concentration - a.total_concentration)
