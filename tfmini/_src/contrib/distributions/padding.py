"""Axes made longer on one side or both."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.shapes import TensorShape, dimension_value
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.static_values import get_static_value
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops


def padded(
    x: Any,
    axis: Any,
    front: bool = False,
    back: bool = False,
    value: Any = 0,
    count: Any = 1,
    name: str | None = None,
) -> Tensor:
    """`x` with `count` elements `value` before or behind an axis."""
    with name_scope(name, "pad", [x, value, count]):
        x = convert_to_tensor(x, name="x")
        value = convert_to_tensor(value, dtype=x.dtype, name="value")
        count = convert_to_tensor(count, name="count")
        if not count.dtype.is_integer:
            raise TypeError(f"`count.dtype` (`{count.dtype.name}`) must be `int`-like.")
        if not front and not back:
            raise ValueError("At least one of `front`, `back` must be `True`.")
        rank: Any = x.shape.ndims
        if rank is None:
            rank = ops.rank(x, name="ndims")
        axis = convert_to_tensor(axis, name="axis")
        known = get_static_value(axis)
        shape = None
        if known is None:
            axis = ops.where_v2(axis < 0, rank + axis, axis)
        else:
            axis = rank + known if known < 0 else known
            if known >= 0 or x.shape.ndims is not None:
                shape = _static_shape(x, axis, get_static_value(count), front + back)
        places = ops.stack([axis if front else -1, axis if back else -1])
        paddings = ops.one_hot(
            indices=places, depth=rank, axis=0, on_value=count, dtype=dtypes.int32
        )
        x = ops.pad(x, paddings=paddings, constant_values=value)
        if shape is not None:
            x.set_shape(shape)
        return x


def _static_shape(x: Tensor, axis: Any, count: Any, sides: int) -> TensorShape:
    middle = None
    if (
        count is not None
        and x.shape.ndims is not None
        and dimension_value(x.shape[axis]) is not None
    ):
        middle = dimension_value(x.shape[axis]) + count * sides
    rest = x.shape[axis + 1 :]
    return x.shape[:axis].concatenate(TensorShape([middle])).concatenate(rest)
