"""Sorting along an axis, implemented with top_k."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.graph.opdef import public
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.static_values import get_static_value
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops

_DIRECTIONS = ("ASCENDING", "DESCENDING")


@public
def sort(
    values: TensorLike, axis: int = -1, direction: str = "ASCENDING", name: str | None = None
) -> Tensor:
    """Sorts the elements along an axis.

    Args:
      values: a real tensor of rank 1 or more.
      axis: the axis, a constant.
      direction: "ASCENDING" or "DESCENDING".

    Returns:
      A tensor of the same shape and dtype.

    Raises:
      ValueError: if `axis` is not a constant scalar, or `direction` is unknown.

    Example: `tf.sort([3, 1, 2])` is `[1, 2, 3]`.
    """
    with name_scope(name, "sort"):
        return _sort(values, axis, direction, False)


@public
def argsort(
    values: TensorLike,
    axis: int = -1,
    direction: str = "ASCENDING",
    stable: bool = False,
    name: str | None = None,
) -> Tensor:
    """Returns the int32 indices that sort a tensor along an axis.

    Arguments and errors are as in `tf.sort`; `stable` is ignored, because the sort is always stable.

    Example: `tf.argsort([3, 1, 2])` is `[1, 2, 0]`.
    """
    with name_scope(name, "argsort"):
        return _sort(values, axis, direction, True)


def _sort(values: Any, axis: Any, direction: str, positions: bool) -> Tensor:
    if direction not in _DIRECTIONS:
        raise ValueError(f"{direction} should be one of {', '.join(_DIRECTIONS)}")
    axis = ops.convert_to_tensor(axis, name="axis")
    static_axis = get_static_value(axis)
    if axis.shape.ndims != 0 or static_axis is None:
        raise ValueError("axis must be a constant scalar")
    dim = int(static_axis)
    values = ops.convert_to_tensor(values, name="values")
    if direction == "DESCENDING":
        return _descending(values, dim, positions)
    result = _descending(-values, dim, positions)
    return result if positions else -result


def _descending(values: Tensor, axis: Any, positions: bool) -> Tensor:
    count = ops.shape(values)[axis]
    rank = ops.rank(values)
    ndims = values.shape.ndims
    if axis == -1 or axis + 1 == ndims:
        largest = ops.top_k(values, count)
        return largest[1] if positions else largest[0]
    if axis < 0:
        axis += ndims or rank
    if ndims is not None:
        order = np.r_[np.arange(axis), [ndims - 1], np.arange(axis + 1, ndims - 1), [axis]]
        swapped = ops.constant(order, name="transposition")
    else:
        leading_axes, last = ops.range(axis), rank - 1
        swapped = ops.concat([leading_axes, [last], ops.range(axis + 1, rank - 1), [axis]], axis=0)
    largest = ops.top_k(ops.transpose(values, swapped), count)
    return ops.transpose(largest[1] if positions else largest[0], swapped)
