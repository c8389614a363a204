"""Conjugate posterior and predictive distributions of a normal mean, given observations of known scale."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.probability.distributions.normal import Normal

if TYPE_CHECKING:
    from tfmini._src.probability.distributions.distribution import Distribution


def normal_conjugates_known_scale_posterior(
    prior: Distribution, scale: TensorLike, s: TensorLike, n: TensorLike
) -> Normal:
    """Returns the posterior distribution of a normal mean.

    Args:
      prior: the prior of the mean, a Normal.
      scale: the standard deviation of an observation, a tensor of the prior's dtype.
      s: the sum of the observations, a tensor of that dtype.
      n: number of observations, a tensor of any numeric dtype.

    Returns:
      A Normal.

    Raises:
      TypeError: if the prior is not a Normal, or `s` has a different dtype.
    """
    mean, variance, _ = _posterior(prior, scale, s, n)
    return Normal(loc=mean, scale=ops.sqrt(variance))


def normal_conjugates_known_scale_predictive(
    prior: Distribution, scale: TensorLike, s: TensorLike, n: TensorLike
) -> Normal:
    """Returns the distribution of a new observation; arguments as in `normal_conjugates_known_scale_posterior`.

    Raises:
      TypeError: if the prior is not a Normal, or `s` has a different dtype.
    """
    mean, variance, observation_variance = _posterior(prior, scale, s, n)
    return Normal(loc=mean, scale=ops.sqrt(variance + observation_variance))


def _posterior(prior: Any, scale: Any, s: Any, n: Any) -> tuple[Tensor, Tensor, Tensor]:
    """Returns the mean and variance of the posterior, and the variance of an observation."""
    if not isinstance(prior, Normal):
        raise TypeError("Expected prior to be an instance of type Normal")
    if s.dtype != prior.dtype:
        raise TypeError(
            f"Observation sum s.dtype does not match prior dtype: {s.dtype} vs. {prior.dtype}"
        )
    n = ops.cast(n, prior.dtype)
    prior_variance = ops.square(prior.scale)
    observation_variance = ops.square(scale)
    variance = 1.0 / (1 / prior_variance + n / observation_variance)
    mean = (prior.loc / prior_variance + s / observation_variance) * variance
    return mean, variance, observation_variance
