"""The Dirichlet distribution of probability vectors."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.probability.distributions.deprecation import moved
from tfmini._src.probability.distributions.dirichlet_base import ConcentratedDistribution
from tfmini._src.probability.distributions.kullback_leibler import register_kl
from tfmini._src.probability.distributions.reparameterization import FULLY_REPARAMETERIZED


class Dirichlet(ConcentratedDistribution):
    """Dirichlet distributions of k positive numbers that sum to 1.

    The density is proportional to prod x^(concentration - 1). The mode is (concentration - 1) / (total - k) if all
    concentrations exceed 1, else NaN, or an error if `allow_nan_stats` is False.

    Args:
      concentration: positive floats, [..., k].
      validate_args, allow_nan_stats: as in `Distribution`.

    Example: `tf.distributions.Dirichlet([1.0, 2.0, 3.0]).mean()  # [1/6, 1/3, 1/2]`.
    """

    @moved
    def __init__(
        self,
        concentration: TensorLike,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Dirichlet",
    ):
        parameters = dict(locals())
        with name_scope(name, values=[concentration]) as name:
            self._concentration = _checked_concentration(
                convert_to_tensor(concentration, name="concentration"), validate_args
            )
            self._total_concentration = ops.reduce_sum(self._concentration, -1)
        parents = [self._concentration, self._total_concentration]
        self._init(parameters, name, FULLY_REPARAMETERIZED, parents)

    def _sample_n(self, n: Any, seed: Any = None) -> Tensor:
        gamma = ops.random_gamma(shape=[n], alpha=self.concentration, dtype=self.dtype, seed=seed)
        return gamma / ops.reduce_sum(gamma, -1, keepdims=True)

    def _log_prob(self, x: Tensor) -> Tensor:
        x = self._check_sample(x)
        unnormalized = ops.reduce_sum(ops.xlogy(self.concentration - 1.0, x), -1)
        return unnormalized - self._log_normalization()

    def _prob(self, x: Tensor) -> Tensor:
        return ops.exp(self._log_prob(x))

    def _log_normalization(self) -> Tensor:
        return ops.lbeta(self.concentration)

    def _entropy(self) -> Tensor:
        k = ops.cast(self.event_shape_tensor()[0], self.dtype)
        total = self.total_concentration
        constant = self._log_normalization() + (total - k) * ops.digamma(total)
        terms = (self.concentration - 1.0) * ops.digamma(self.concentration)
        return constant - ops.reduce_sum(terms, axis=-1)

    def _mean(self) -> Tensor:
        return self.concentration / self.total_concentration[..., None]

    def _variance(self) -> Tensor:
        scale = self._variance_scale()
        x = scale * self._mean()
        return x * (scale - x)

    def _variance_scale(self) -> Tensor:
        return ops.rsqrt(1.0 + self.total_concentration[..., None])

    def _mode(self) -> Tensor:
        k = ops.cast(self.event_shape_tensor()[0], self.dtype)
        mode = (self.concentration - 1.0) / (self.total_concentration[..., None] - k)
        if self.allow_nan_stats:
            nan = np.array(np.nan, self.dtype.as_numpy_dtype())
            nans = ops.fill(ops.shape(mode), nan, name="nan")
            is_defined = ops.reduce_all(self.concentration > 1.0, axis=-1)
            return ops.where_v2(is_defined, mode, nans)
        one = ops.ones([], self.dtype)
        message = "Mode undefined when any concentration <= 1"
        check = ops.assert_less(one, self.concentration, message=message)
        return ops.with_dependencies([check], mode)

    def _check_sample(self, x: Tensor) -> Tensor:
        if not self.validate_args:
            return x
        positive = ops.assert_positive(x, message="samples must be positive")
        one = ops.ones([], dtype=self.dtype)
        message = "sample last-dimension must sum to `1`"
        total = ops.assert_near(one, ops.reduce_sum(x, -1), message=message)
        return ops.with_dependencies([positive, total], x)


def _checked_concentration(concentration: Tensor, validate_args: bool) -> Tensor:
    if not validate_args:
        return concentration
    parameter = "Concentration parameter must"
    checks = [
        ops.assert_positive(concentration, message=f"{parameter} be positive."),
        ops.assert_rank_at_least(concentration, 1, message=f"{parameter} have >=1 dimensions."),
        ops.assert_less(
            1, ops.shape(concentration)[-1], message=f"{parameter} have event_size >= 2."
        ),
    ]
    return ops.with_dependencies(checks, concentration)


@register_kl(Dirichlet, Dirichlet)
def _kl_dirichlet_dirichlet(a: Dirichlet, b: Dirichlet, name: str | None = None) -> Tensor:
    """Returns the KL divergence of two Dirichlet distributions, using E_a[log x] = digamma(a) - digamma(sum a)."""
    with name_scope(name, "kl_dirichlet_dirichlet", values=[a.concentration, b.concentration]):
        total = ops.reduce_sum(a.concentration, axis=-1, keepdims=True)
        digamma_total = ops.digamma(total)
        log_mean = ops.digamma(a.concentration) - digamma_total
        difference = a.concentration - b.concentration
        return (
            ops.reduce_sum(difference * log_mean, axis=-1)
            - ops.lbeta(a.concentration)
            + ops.lbeta(b.concentration)
        )
