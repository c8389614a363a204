"""Adjustment of weights whose rank differs from the rank of the values by a last dimension of size 1."""

from __future__ import annotations

from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops


def weights_of_rank(weights: Tensor, values: Tensor, squeezes_wide: bool = True) -> Tensor:
    """Removes or adds a last dimension of size 1 if that makes the weights and the values equal in rank.

    Args:
      weights: a tensor; scalars are unchanged.
      values: the weighted elements.
      squeezes_wide: whether to also squeeze a last dimension that is statically not 1, which is an error.
    """
    dims, values_dims = weights._dims, values._dims
    if dims == ():
        return weights
    if dims is not None and values_dims is not None:
        if len(dims) - len(values_dims) == 1:
            return ops.squeeze(weights, [-1])
        if len(values_dims) - len(dims) == 1:
            return ops.expand_dims(weights, [-1])
        return weights
    rank = ops.rank(weights)
    rank_difference = rank - ops.rank(values)
    is_wide = dims is not None and dims[-1] not in (None, 1)

    def expand() -> Tensor:
        is_one_less = ops.equal(rank_difference, -1)
        return ops.cond(is_one_less, lambda: ops.expand_dims(weights, [-1]), lambda: weights)

    def squeeze() -> Tensor:
        return weights if is_wide and not squeezes_wide else ops.squeeze(weights, [-1])

    def adjust() -> Tensor:
        return ops.cond(ops.equal(rank_difference, 1), squeeze, expand)

    return ops.cond(ops.equal(rank, 0), lambda: weights, adjust)
