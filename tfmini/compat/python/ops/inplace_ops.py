"""`tensorflow.python.ops.inplace_ops`: in-place updates of a tensor's rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import raw
from tfmini._src.ops.array.cast import cast
from tfmini._src.ops.array.reshape_expand_dims_squeeze import expand_dims, reshape
from tfmini._src.ops.array.shape_size_rank import shape

__all__ = [
    "alias_inplace_add",
    "alias_inplace_sub",
    "alias_inplace_update",
    "inplace_add",
    "inplace_sub",
    "inplace_update",
]


def alias_inplace_update(x: Any, i: Any, v: Any) -> Tensor:
    """`x` with the rows `i` replaced by `v`; later readers of `x` may see either value.

    Args:
      x: a tensor of one axis or more.
      i: None for the whole tensor, a row index, or a vector of row indices.
      v: a tensor of the shape of `x`, of one row, or of one row per element of `i`.
    """
    return _in_place(x, i, v, raw.InplaceUpdate)


def alias_inplace_add(x: Any, i: Any, v: Any) -> Tensor:
    """`x` with `v` added to the rows `i`: see `alias_inplace_update`."""
    return _in_place(x, i, v, raw.InplaceAdd)


def alias_inplace_sub(x: Any, i: Any, v: Any) -> Tensor:
    """`x` with `v` subtracted from the rows `i`: see `alias_inplace_update`."""
    return _in_place(x, i, v, raw.InplaceSub)


def inplace_update(x: Any, i: Any, v: Any) -> Tensor:
    """A copy of `x` with the rows `i` replaced by `v`: see `alias_inplace_update`."""
    return alias_inplace_update(raw.DeepCopy(x), i, v)


def inplace_add(x: Any, i: Any, v: Any) -> Tensor:
    """A copy of `x` with `v` added to the rows `i`: see `alias_inplace_update`."""
    return alias_inplace_add(raw.DeepCopy(x), i, v)


def inplace_sub(x: Any, i: Any, v: Any) -> Tensor:
    """A copy of `x` with `v` subtracted from the rows `i`: see `alias_inplace_update`."""
    return alias_inplace_sub(raw.DeepCopy(x), i, v)


def _in_place(x: Any, i: Any, v: Any, change: Callable) -> Tensor:
    x = convert_to_tensor(x)
    v = convert_to_tensor(v, x.dtype)
    if i is None:  # the tensor as a single row
        updated = change(reshape(x, [1, -1]), [0], reshape(v, [1, -1]))
        return reshape(updated, shape(x))
    i = cast(i, dtypes.int32)
    if i.shape.ndims == 0:  # a single row
        return change(x, reshape(i, [1]), expand_dims(v, 0))
    return change(x, i, v)
