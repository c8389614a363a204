"""Mixtures whose components are a batch of distributions."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import TensorShape
from tfmini._src.contrib.distributions.deprecation import moved
from tfmini._src.contrib.distributions.mixture_shapes import pad_dimensions
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.probability.distributions.distribution import Distribution
from tfmini._src.probability.distributions.reparameterization import NOT_REPARAMETERIZED


def _last(shape: TensorShape) -> int | None:
    dims = shape.with_rank_at_least(1).dims
    return None if dims is None else dims[-1].value


class MixtureSameFamily(Distribution):
    """A mixture of k distributions of one class: each sample is drawn from a randomly chosen component.

    Args:
      mixture_distribution: a `Categorical` over the k components, of batch shape [] or the mixture's.
      components_distribution: the components, a distribution of batch shape [..., k].
      validate_args: adds no checks; TensorFlow 1.15.5 fails if it is true.
      allow_nan_stats: see `tf.distributions.Distribution`.

    Raises:
      ValueError: if shapes do not match, or `mixture_distribution` is not over integers.

    Example:
      tfd = tf.contrib.distributions
      tfd.MixtureSameFamily(tfd.Categorical(probs=[0.3, 0.7]), tfd.Normal([-1.0, 1.0], [0.1, 0.5]))
    """

    mixture_distribution: Distribution = read_only("The distribution of the component's index.")
    components_distribution: Distribution = read_only("The components.")

    @moved
    def __init__(
        self,
        mixture_distribution: Any,
        components_distribution: Distribution,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "MixtureSameFamily",
    ):
        parameters = dict(locals())
        with name_scope(name) as name:
            self._mixture_distribution = mixture_distribution
            self._components_distribution = components_distribution
            event_shape = components_distribution.event_shape_tensor()
            rank = event_shape.shape.dims[0].value
            self._event_ndims = ops.shape(event_shape)[0] if rank is None else rank
            self._check_mixture()
            self._check_batch()
            self._num_components = self._count_components()
            self._init(
                parameters,
                name,
                NOT_REPARAMETERIZED,
                (
                    self._mixture_distribution._graph_parents
                    + self._components_distribution._graph_parents
                ),
                dtype=self._components_distribution.dtype,
            )

    def _check_mixture(self) -> None:
        mixture = self._mixture_distribution
        if not mixture.dtype.is_integer:
            raise ValueError(
                f"`mixture_distribution.dtype` ({mixture.dtype.name}) is not over integers"
            )
        if mixture.event_shape.ndims:
            raise ValueError("`mixture_distribution` must have scalar `event_dim`s")

    def _check_batch(self) -> None:
        batch_shape = self._mixture_distribution.batch_shape
        component_shape = self._components_distribution.batch_shape.with_rank_at_least(1)[:-1]
        is_static = batch_shape.is_fully_defined() and component_shape.is_fully_defined()
        if is_static and batch_shape.ndims != 0 and batch_shape != component_shape:
            raise ValueError(
                f"`mixture_distribution.batch_shape` (`{batch_shape.as_list()}`) is not compatible with "
                f"`components_distribution.batch_shape` (`{component_shape.as_list()}`)"
            )

    def _count_components(self) -> Any:
        logits = self._mixture_distribution.logits
        own_count, component_count = (
            _last(logits.shape),
            _last(self._components_distribution.batch_shape),
        )
        if own_count is not None and component_count is not None and own_count != component_count:
            raise ValueError(
                f"`mixture_distribution components` ({own_count}) does not equal "
                f"`components_distribution.batch_shape[-1]` ({component_count})"
            )
        return ops.shape(logits)[-1] if own_count is None else own_count

    def _batch_shape_tensor(self) -> Tensor:
        return self.components_distribution.batch_shape_tensor()[:-1]

    def _batch_shape(self) -> TensorShape:
        return self.components_distribution.batch_shape.with_rank_at_least(1)[:-1]

    def _event_shape_tensor(self) -> Tensor:
        return self.components_distribution.event_shape_tensor()

    def _event_shape(self) -> TensorShape:
        return self.components_distribution.event_shape

    def _pad_weights(self, weights: Tensor) -> Tensor:
        mixture = self._mixture_distribution
        return pad_dimensions(weights, self, mixture, self._event_shape().ndims)

    def _sum_event(self, x: Tensor) -> Tensor:
        return ops.reduce_sum(x, axis=-1 - self._event_ndims)

    def _sample_n(self, n: Any, seed: Any = None) -> Tensor:
        """Draws samples; ignores the seed, as TensorFlow does."""
        x = self.components_distribution.sample(n)
        numpy_dtype = x.dtype.as_numpy_dtype
        mask = ops.one_hot(
            indices=self._mixture_distribution.sample(n),
            depth=self._num_components,
            on_value=np.ones([], dtype=numpy_dtype),
            off_value=np.zeros([], dtype=numpy_dtype),
        )
        return self._sum_event(x * self._pad_weights(mask))

    def _log_mix(self, log_of_components: Tensor) -> Tensor:
        log_mix = ops.log_softmax(self._mixture_distribution.logits, axis=-1)
        return ops.reduce_logsumexp(log_of_components + log_mix, axis=-1)

    def _log_prob(self, x: Tensor) -> Tensor:
        return self._log_mix(self.components_distribution.log_prob(self._insert_component_axis(x)))

    def _log_cdf(self, x: Tensor) -> Tensor:
        return self._log_mix(self.components_distribution.log_cdf(self._insert_component_axis(x)))

    def _mean(self) -> Tensor:
        probs = self._pad_weights(self._mixture_distribution.probs)
        return self._sum_event(probs * self.components_distribution.mean())

    def _variance(self) -> Tensor:
        """Returns the mean of the components' variances plus the variance of their means."""
        probs = self._pad_weights(self._mixture_distribution.probs)
        within = self._sum_event(probs * self.components_distribution.variance())
        means = self.components_distribution.mean()
        mean_distances = ops.squared_difference(means, self._insert_component_axis(self._mean()))
        return within + self._sum_event(probs * mean_distances)

    def _covariance(self) -> Tensor:
        if self.event_shape.ndims != 1:
            raise NotImplementedError("covariance is not implemented")
        probs = self._pad_weights(self._pad_weights(self._mixture_distribution.probs))
        within = ops.reduce_sum(probs * self.components_distribution.covariance(), axis=-3)
        means = self.components_distribution.mean()
        distance = means - self._insert_component_axis(self._mean())
        distance_products = distance[..., None, :] * distance[..., None]
        return within + ops.reduce_sum(probs * distance_products, axis=-3)

    def _insert_component_axis(self, x: Tensor) -> Tensor:
        """Returns `x` with a component axis of size 1 inserted before the event axes."""
        with name_scope("pad_sample_dims", values=[x]):
            rank = x.shape.ndims if x.shape.ndims is not None else ops.rank(x)
            shape = ops.shape(x)
            position = rank - self._event_ndims
            parts = [shape[:position], [1], shape[position:]]
            return ops.reshape(x, shape=ops.concat(parts, axis=0))
