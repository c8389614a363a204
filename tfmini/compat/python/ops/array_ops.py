"""`tensorflow.python.ops.array_ops`: `zeros_like` and `ones_like` with the signatures of `tf.compat.v2`, and others."""

from __future__ import annotations

from typing import Any

from tfmini._src.graph import raw
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops.array.fill import ones_like, zeros_like
from tfmini._src.ops.array.gather_nd import batch_gather_nd as gather_nd_of_batches
from tfmini._src.ops.array.reshape import expand_dims, squeeze

__all__ = ["batch_gather_nd", "listdiff", "ones_like_v2", "zeros_like_v2"]


def batch_gather_nd(params: Any, indices: Any, batch_dims: Any, name: str | None = None) -> Tensor:
    """Same as `tf.gather_nd` with `batch_dims`, which may be 0."""
    if batch_dims != 0:
        return gather_nd_of_batches(params, indices, batch_dims, name)
    several = gather_nd_of_batches(expand_dims(params, 0), expand_dims(indices, 0), 1, name)
    return squeeze(several, [0])


def listdiff(x: Any, y: Any, out_idx: Any = None, name: str | None = None) -> Any:
    """Returns the values of `x` that are not in `y`, and their indices, int32 unless `out_idx` is another dtype."""
    return raw.ListDiff(x, y, out_idx=out_idx, name=name)


def zeros_like_v2(input: Any, dtype: Any = None, name: str | None = None) -> Tensor:
    """Same as `tf.zeros_like`, with the argument name `input`."""
    return zeros_like(input, dtype, name)


def ones_like_v2(input: Any, dtype: Any = None, name: str | None = None) -> Tensor:
    """Same as `tf.ones_like`, with the argument name `input`."""
    return ones_like(input, dtype, name)
