"""Distributions whose methods take additional arguments."""

from __future__ import annotations

from typing import Any

from tfmini._src.contrib.distributions.transformed.transformed_distribution import (
    TransformedDistribution,
)
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.probability.distributions.distribution import Distribution


class ConditionalDistribution(Distribution):
    """A distribution conditioned on arguments of its methods.

    Keyword arguments of the public methods are passed on to `_log_prob`, `_sample_n` and so on.

    Example:
      class Around(tf.contrib.distributions.ConditionalDistribution):
          def _log_prob(self, value, center):
              return -tf.square(value - center)
      around.log_prob(1.0, center=2.0)
    """

    def sample(
        self,
        sample_shape: TensorLike = (),
        seed: int | None = None,
        name: str = "sample",
        **condition_kwargs: Any,
    ) -> Tensor:
        """Draws samples. See `tf.distributions.Distribution.sample`."""
        return self._call_sample_n(sample_shape, seed, name, **condition_kwargs)

    def log_prob(
        self, value: TensorLike, name: str = "log_prob", **condition_kwargs: Any
    ) -> Tensor:
        """Returns the logarithm of the density. See `tf.distributions.Distribution.log_prob`."""
        return self._call_log_prob(value, name, **condition_kwargs)

    def prob(self, value: TensorLike, name: str = "prob", **condition_kwargs: Any) -> Tensor:
        """Returns the density. Takes the arguments of `log_prob`."""
        return self._call_prob(value, name, **condition_kwargs)

    def log_cdf(self, value: TensorLike, name: str = "log_cdf", **condition_kwargs: Any) -> Tensor:
        """Returns log P[X <= value]. Takes the arguments of `log_prob`."""
        return self._call_log_cdf(value, name, **condition_kwargs)

    def cdf(self, value: TensorLike, name: str = "cdf", **condition_kwargs: Any) -> Tensor:
        """Returns P[X <= value]. Takes the arguments of `log_prob`."""
        return self._call_cdf(value, name, **condition_kwargs)

    def log_survival_function(
        self, value: TensorLike, name: str = "log_survival_function", **condition_kwargs: Any
    ) -> Tensor:
        """Returns log P[X > value]. Takes the arguments of `log_prob`."""
        return self._call_log_survival_function(value, name, **condition_kwargs)

    def survival_function(
        self, value: TensorLike, name: str = "survival_function", **condition_kwargs: Any
    ) -> Tensor:
        """Returns P[X > value]. Takes the arguments of `log_prob`."""
        return self._call_survival_function(value, name, **condition_kwargs)


class ConditionalTransformedDistribution(ConditionalDistribution, TransformedDistribution):
    """A `TransformedDistribution` whose methods take `bijector_kwargs` and `distribution_kwargs`.

    Both are dicts of arguments that methods of the bijector, a `ConditionalBijector`, and of the distribution, a
    `ConditionalDistribution`, additionally require.

    Example: `d.log_prob(y, bijector_kwargs={"by": 2.0})`.
    """

    def _preimages(self, y: Tensor, condition: Any) -> list[tuple[Tensor, Tensor]]:
        """Returns each preimage of y with its log-determinant."""
        x = self.bijector.inverse(y, **(condition or {}))
        log_det = self.bijector.inverse_log_det_jacobian(
            y, event_ndims=self._event_ndims(), **(condition or {})
        )
        return [(x, log_det)] if self.bijector._is_injective else list(zip(x, log_det, strict=True))

    def _log_prob(
        self, y: Tensor, bijector_kwargs: Any = None, distribution_kwargs: Any = None
    ) -> Tensor:
        parts = []
        for x, log_det in self._preimages(y, bijector_kwargs):
            x = self._rotate_axes(x, rotate_right=True)
            log_prob = self.distribution.log_prob(x, **(distribution_kwargs or {}))
            if self._may_override_event:
                log_prob = ops.reduce_sum(log_prob, self._event_axes)
            parts.append(ops.cast(log_det, log_prob.dtype) + log_prob)
        if self.bijector._is_injective:
            return parts[0]
        return ops.reduce_logsumexp(ops.stack(parts), axis=0)

    def _prob(
        self, y: Tensor, bijector_kwargs: Any = None, distribution_kwargs: Any = None
    ) -> Tensor:
        parts = []
        for x, log_det in self._preimages(y, bijector_kwargs):
            x = self._rotate_axes(x, rotate_right=True)
            prob = self.distribution.prob(x, **(distribution_kwargs or {}))
            if self._may_override_event:
                prob = ops.reduce_prod(prob, self._event_axes)
            parts.append(ops.exp(ops.cast(log_det, prob.dtype)) * prob)
        total: Any = parts[0] if self.bijector._is_injective else sum(parts)
        return total
