"""Batch axes reinterpreted as event axes."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import TensorShape, dimension_value
from tfmini._src.contrib.distributions.deprecation import moved
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.static_values import get_static_value
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.probability.distributions.distribution import Distribution
from tfmini._src.probability.distributions.kullback_leibler import kl_divergence, register_kl


class Independent(Distribution):
    """Treats a batch of independent draws as one event: log densities are summed.

    Args:
      distribution: the distribution.
      reinterpreted_batch_ndims: number of trailing batch axes that become event axes, an int or an int32 scalar;
        by default all but the first one.
      validate_args: whether to check that number at run time.
      name: the name scope of the nodes, by default "Independent" and the distribution's name.

    Raises:
      ValueError: if the distribution has fewer batch axes.

    Example:
      c = tf.contrib.distributions
      c.Independent(c.Normal([0.0, 1.0, 2.0], 1.0), reinterpreted_batch_ndims=1).event_shape  # (3,)
    """

    distribution: Any = read_only("The distribution whose batch axes are reinterpreted.")
    reinterpreted_batch_ndims: Any = read_only("Number of batch axes reinterpreted as event axes.")

    @moved
    def __init__(
        self,
        distribution: Distribution,
        reinterpreted_batch_ndims: TensorLike | None = None,
        validate_args: bool = False,
        name: str | None = None,
    ):
        parameters = dict(locals())
        self._distribution = distribution
        with name_scope(name or "Independent" + distribution.name) as name:
            if reinterpreted_batch_ndims is None:
                reinterpreted_batch_ndims = _all_but_one(distribution)
            ndims = convert_to_tensor(
                reinterpreted_batch_ndims, dtype=dtypes.int32, name="reinterpreted_batch_ndims"
            )
            self._known_ndims = get_static_value(ndims)
            self._reinterpreted_batch_ndims: Any = (
                ndims if self._known_ndims is None else self._known_ndims
            )
            super().__init__(
                dtype=distribution.dtype,
                reparameterization_type=distribution.reparameterization_type,
                validate_args=validate_args,
                allow_nan_stats=distribution.allow_nan_stats,
                parameters=parameters,
                graph_parents=[ndims, *distribution._graph_parents],
                name=name,
            )
            self._checks = self._make_checks(ndims)

    def _make_checks(self, ndims: Tensor) -> list[Any]:
        rank = self.distribution.batch_shape.ndims
        if rank is not None and self._known_ndims is not None:
            if self._known_ndims > rank:
                raise ValueError(
                    f"reinterpreted_batch_ndims({self._known_ndims}) cannot exceed "
                    f"distribution.batch_ndims({rank})"
                )
            return []
        if not self.validate_args:
            return []
        _, rank = self._batch_shape_and_rank()
        message = "reinterpreted_batch_ndims cannot exceed distribution.batch_ndims"
        return [ops.assert_less_equal(ndims, rank, message=message)]

    def _batch_shape_and_rank(self) -> tuple[Tensor, Any]:
        """Returns the batch shape of the distribution, and its rank."""
        shape = self.distribution.batch_shape_tensor()
        rank = dimension_value(shape.shape.with_rank_at_least(1)[0])
        return shape, ops.shape(shape)[0] if rank is None else rank

    def _batch_shape_tensor(self) -> Tensor:
        with control_dependencies(self._checks):
            shape, rank = self._batch_shape_and_rank()
            return shape[: rank - self.reinterpreted_batch_ndims]

    def _static_split(self) -> tuple[TensorShape, TensorShape]:
        """Returns the static batch shape, split into remaining batch axes and new event axes."""
        shape = self.distribution.batch_shape
        if self._known_ndims is None or shape.ndims is None:
            return TensorShape(None), TensorShape(None)
        split = shape.ndims - self._known_ndims
        return shape[:split], shape[split:]

    def _batch_shape(self) -> TensorShape:
        return self._static_split()[0]

    def _event_shape_tensor(self) -> Tensor:
        with control_dependencies(self._checks):
            shape, rank = self._batch_shape_and_rank()
            reinterpreted_dims = shape[rank - self.reinterpreted_batch_ndims :]
            return ops.concat([reinterpreted_dims, self.distribution.event_shape_tensor()], axis=0)

    def _event_shape(self) -> TensorShape:
        return self._static_split()[1].concatenate(self.distribution.event_shape)

    def _sample_n(self, n: Any, seed: Any = None) -> Tensor:
        with control_dependencies(self._checks):
            return self.distribution.sample(sample_shape=n, seed=seed)

    def _log_prob(self, x: Tensor) -> Tensor:
        with control_dependencies(self._checks):
            return self._sum_event(self.distribution.log_prob(x))

    def _entropy(self) -> Tensor:
        with control_dependencies(self._checks):
            return self._sum_event(self.distribution.entropy())

    def _mean(self) -> Tensor:
        with control_dependencies(self._checks):
            return self.distribution.mean()

    def _variance(self) -> Tensor:
        with control_dependencies(self._checks):
            return self.distribution.variance()

    def _stddev(self) -> Tensor:
        with control_dependencies(self._checks):
            return self.distribution.stddev()

    def _mode(self) -> Tensor:
        with control_dependencies(self._checks):
            return self.distribution.mode()

    def _sum_event(self, values: Tensor) -> Tensor:
        if self._known_ndims is None:
            axes: Any = ops.range(self._reinterpreted_batch_ndims)
        else:
            axes = np.arange(self._known_ndims)
        return ops.reduce_sum(values, axis=-1 - axes)


def _all_but_one(distribution: Any) -> Any:
    rank = distribution.batch_shape.ndims
    if rank is None:
        return ops.maximum(0, ops.shape(distribution.batch_shape_tensor())[0] - 1)
    return np.maximum(0, rank - 1)


@register_kl(Independent, Independent)
@moved
def _kl(a: Any, b: Any, name: str = "kl_independent") -> Tensor:
    """Returns the sum of the components' divergences."""
    p, q = a.distribution, b.distribution
    if a.event_shape.is_fully_defined() and b.event_shape.is_fully_defined():
        if a.event_shape != b.event_shape:
            raise ValueError("Event shapes do not match.")
        if p.event_shape != q.event_shape:
            raise NotImplementedError(
                "KL between Independents with different event shapes not supported."
            )
        axes: Any = [-i - 1 for i in range(a.event_shape.ndims - p.event_shape.ndims)]
        return ops.reduce_sum(kl_divergence(p, q, name=name), axis=axes)
    checks = [
        ops.assert_equal(a.event_shape_tensor(), b.event_shape_tensor()),
        ops.assert_equal(p.event_shape_tensor(), q.event_shape_tensor()),
    ]
    with control_dependencies(checks):
        count = ops.shape(a.event_shape_tensor()[0]) - ops.shape(p.event_shape_tensor()[0])
        axes = ops.range(-count - 1, -1, 1)
        return ops.reduce_sum(kl_divergence(p, q, name=name), axis=axes)
