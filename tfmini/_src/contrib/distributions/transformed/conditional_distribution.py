"""Distributions whose samples and densities take further arguments."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.contrib.distributions import prefer_static
from tfmini._src.contrib.distributions.transformed.transformed_distribution import (
    TransformedDistribution,
)
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.probability.distributions import sample_shapes
from tfmini._src.probability.distributions.distribution import Distribution, first_of
from tfmini._src.probability.distributions.sample_shapes import pick_vector


class ConditionalDistribution(Distribution):
    """A distribution that depends on more than its parameters.

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
        with self._name_scope(name, [sample_shape]):
            shape = convert_to_tensor(sample_shape, dtype=dtypes.int32, name="sample_shape")
            shape, n = sample_shapes.as_vector(shape, "sample_shape")
            x = self._sample_n(n, seed, **condition_kwargs)
            x = ops.reshape(x, ops.concat([shape, ops.shape(x)[1:]], 0))
            return sample_shapes.set_static_shape(x, shape, self.batch_shape, self.event_shape)

    def log_prob(
        self, value: TensorLike, name: str = "log_prob", **condition_kwargs: Any
    ) -> Tensor:
        """The logarithm of the density. See `tf.distributions.Distribution.log_prob`."""
        with self._name_scope(name, [value]):
            value = self._as_value_tensor(value)
            return first_of(
                lambda: self._log_prob(value, **condition_kwargs),
                lambda: ops.log(self._prob(value, **condition_kwargs)),
            )

    def prob(self, value: TensorLike, name: str = "prob", **condition_kwargs: Any) -> Tensor:
        """The density. Same arguments as `log_prob`."""
        with self._name_scope(name, [value]):
            value = self._as_value_tensor(value)
            return first_of(
                lambda: self._prob(value, **condition_kwargs),
                lambda: ops.exp(self._log_prob(value, **condition_kwargs)),
            )

    def log_cdf(self, value: TensorLike, name: str = "log_cdf", **condition_kwargs: Any) -> Tensor:
        """log P[X <= value]. Same arguments as `log_prob`."""
        with self._name_scope(name, [value]):
            value = self._as_value_tensor(value)
            return first_of(
                lambda: self._log_cdf(value, **condition_kwargs),
                lambda: ops.log(self._cdf(value, **condition_kwargs)),
            )

    def cdf(self, value: TensorLike, name: str = "cdf", **condition_kwargs: Any) -> Tensor:
        """P[X <= value]. Same arguments as `log_prob`."""
        with self._name_scope(name, [value]):
            value = self._as_value_tensor(value)
            return first_of(
                lambda: self._cdf(value, **condition_kwargs),
                lambda: ops.exp(self._log_cdf(value, **condition_kwargs)),
            )

    def log_survival_function(
        self, value: TensorLike, name: str = "log_survival_function", **condition_kwargs: Any
    ) -> Tensor:
        """log P[X > value]. Same arguments as `log_prob`."""
        with self._name_scope(name, [value]):
            value = self._as_value_tensor(value)
            return first_of(
                lambda: self._log_survival_function(value, **condition_kwargs),
                lambda: ops.log1p(-self.cdf(value, **condition_kwargs)),
            )

    def survival_function(
        self, value: TensorLike, name: str = "survival_function", **condition_kwargs: Any
    ) -> Tensor:
        """P[X > value]. Same arguments as `log_prob`."""
        with self._name_scope(name, [value]):
            value = self._as_value_tensor(value)
            return first_of(
                lambda: self._survival_function(value, **condition_kwargs),
                lambda: 1.0 - self.cdf(value, **condition_kwargs),
            )


class ConditionalTransformedDistribution(ConditionalDistribution, TransformedDistribution):
    """A `TransformedDistribution` whose methods take `bijector_kwargs` and `distribution_kwargs`.

    Both are dicts of arguments that methods of the bijector, a `ConditionalBijector`, and of the distribution, a
    `ConditionalDistribution`, additionally require.

    Example: `d.log_prob(y, bijector_kwargs={"by": 2.0})`.
    """

    def _sample_n(
        self, n: Any, seed: Any = None, bijector_kwargs: Any = None, distribution_kwargs: Any = None
    ) -> Tensor:
        shape = prefer_static.concat_vectors(
            pick_vector(self._needs_rotation, self._empty, [n]),
            self._override_batch_shape,
            self._override_event_shape,
            pick_vector(self._needs_rotation, [n], self._empty),
        )
        own = distribution_kwargs or {}
        return self._rotated(self.distribution.sample(sample_shape=shape, seed=seed, **own))

    def sample(
        self,
        sample_shape: TensorLike = (),
        seed: int | None = None,
        name: str = "sample",
        **condition_kwargs: Any,
    ) -> Tensor:
        """Draws samples. See `tf.distributions.Distribution.sample`."""
        return self._samples(sample_shape, seed, name, **condition_kwargs)

    def _samples(
        self,
        sample_shape: Any,
        seed: Any,
        name: str,
        bijector_kwargs: Any = None,
        distribution_kwargs: Any = None,
    ) -> Tensor:
        with self._name_scope(name, [sample_shape]):
            shape = convert_to_tensor(sample_shape, dtype=dtypes.int32, name="sample_shape")
            shape, n = sample_shapes.as_vector(shape, "sample_shape")
            x = self._sample_n(n, seed, bijector_kwargs, distribution_kwargs)
            x = ops.reshape(x, ops.concat([shape, ops.shape(x)[1:]], 0))
            y = self.bijector.forward(x, **(bijector_kwargs or {}))
            return sample_shapes.set_static_shape(y, shape, self.batch_shape, self.event_shape)

    def _preimages(self, y: Tensor, condition: Any) -> list[tuple[Tensor, Tensor]]:
        """Each x of a y with the logarithm of its determinant."""
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
            x = self._rotated(x, rotate_right=True)
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
            x = self._rotated(x, rotate_right=True)
            prob = self.distribution.prob(x, **(distribution_kwargs or {}))
            if self._may_override_event:
                prob = ops.reduce_prod(prob, self._event_axes)
            parts.append(ops.exp(ops.cast(log_det, prob.dtype)) * prob)
        total: Any = parts[0] if self.bijector._is_injective else sum(parts)
        return total

    def _of_x(self, method: str, y: Tensor, condition: Any, own: Any) -> Tensor:
        """A method of the distribution at the x of y."""
        self._refuse(method)
        x = self.bijector.inverse(y, **(condition or {}))
        return getattr(self.distribution, method)(x, **(own or {}))

    def _log_cdf(
        self, y: Tensor, bijector_kwargs: Any = None, distribution_kwargs: Any = None
    ) -> Tensor:
        return self._of_x("log_cdf", y, bijector_kwargs, distribution_kwargs)

    def _cdf(
        self, y: Tensor, bijector_kwargs: Any = None, distribution_kwargs: Any = None
    ) -> Tensor:
        return self._of_x("cdf", y, bijector_kwargs, distribution_kwargs)

    def _log_survival_function(
        self, y: Tensor, bijector_kwargs: Any = None, distribution_kwargs: Any = None
    ) -> Tensor:
        return self._of_x("log_survival_function", y, bijector_kwargs, distribution_kwargs)

    def _survival_function(
        self, y: Tensor, bijector_kwargs: Any = None, distribution_kwargs: Any = None
    ) -> Tensor:
        return self._of_x("survival_function", y, bijector_kwargs, distribution_kwargs)

    def _quantile(
        self, value: Tensor, bijector_kwargs: Any = None, distribution_kwargs: Any = None
    ) -> Tensor:
        self._refuse("quantile")
        x = self.distribution.quantile(value, **(distribution_kwargs or {}))
        return self.bijector.forward(x, **(bijector_kwargs or {}))
