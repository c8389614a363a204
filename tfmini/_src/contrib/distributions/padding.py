"""Zero padding of an axis on one side."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.shapes import TensorShape, dimension_value
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.static_values import get_static_value
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops


def pad_axis(x: Any, axis: int, pads_front: bool, count: Any = 1) -> Tensor:
    """Pads an axis, indexed from the end (-1 is the last), with `count` zeros before or after its elements."""
    with name_scope(None, "pad", [x, count]):
        x = convert_to_tensor(x, name="x")
        value = convert_to_tensor(0, dtype=x.dtype, name="value")
        count = convert_to_tensor(count, name="count")
        rank: Any = x.shape.ndims
        if rank is None:
            rank = ops.rank(x, name="ndims")
        convert_to_tensor(axis, name="axis")  # TensorFlow creates this node
        shape = None if x.shape.ndims is None else _static_shape(x, axis, get_static_value(count))
        position = rank + axis
        positions = ops.stack([position, -1] if pads_front else [-1, position])
        paddings = ops.one_hot(
            indices=positions, depth=rank, axis=0, on_value=count, dtype=dtypes.int32
        )
        x = ops.pad(x, paddings=paddings, constant_values=value)
        if shape is not None:
            x.set_shape(shape)
        return x


def _static_shape(x: Tensor, axis: int, count: Any) -> TensorShape:
    sizes = [dimension_value(size) for size in x.shape]
    size = sizes[axis]
    sizes[axis] = None if size is None or count is None else size + count
    return TensorShape(sizes)
