"""Component weights in shapes that broadcast against component events."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.probability.distributions.distribution import Distribution


def _batch_rank(distribution: Distribution) -> Any:
    rank = distribution.batch_shape.ndims
    return ops.shape(distribution.batch_shape_tensor())[0] if rank is None else rank


def pad_dimensions(
    x: Tensor, mixture: Distribution, categorical: Distribution, event_rank: Any
) -> Tensor:
    """Reshapes [..., k] to [..., 1 per remaining batch axis, k, 1 per event axis]."""
    with name_scope("pad_mix_dims", values=[x]):
        rank = _batch_rank(mixture)
        categorical_rank = _batch_rank(categorical)
        is_scalar = categorical.is_scalar_batch()
        missing = ops.where_v2(is_scalar, rank, rank - categorical_rank)
        shape = ops.shape(x)
        parts = [
            shape[:-1],
            ops.ones([missing], dtype=dtypes.int32),
            shape[-1:],
            ops.ones([event_rank], dtype=dtypes.int32),
        ]
        return ops.reshape(x, shape=ops.concat(parts, axis=0))


def stddev(weights: Tensor, means: Tensor, stddevs: Tensor) -> Tensor:
    """Returns the standard deviations of mixtures, from component statistics of shape [batch, components].

    Raises:
      ValueError: for weights of any other rank, or mismatched shapes.
    """
    weights.shape.assert_has_rank(2)
    for value, label in ((means, "means"), (stddevs, "stddevs")):
        if not value.shape.is_compatible_with(weights.shape):
            raise ValueError(f"Expecting {label} to have same shape as mixture weights.")
    weights = ops.expand_dims(weights, axis=1)
    means = ops.expand_dims(means, axis=2)
    stddevs = ops.expand_dims(stddevs, axis=2)
    mean = ops.reshape(ops.matmul(weights, means), (-1,))
    variance = ops.reshape(ops.matmul(weights, ops.square(stddevs)), (-1,))
    squared = ops.reshape(ops.matmul(weights, ops.square(means)), (-1,))
    return ops.sqrt(variance + squared - ops.square(mean))
