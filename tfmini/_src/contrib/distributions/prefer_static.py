"""Conditions and shapes, evaluated statically if possible, else at run time."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.static_values import get_static_value
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops


def static_value(x: Any) -> Any:
    """Returns the value of `x` as an array, or None if unknown before run time."""
    return get_static_value(convert_to_tensor(x))


def logical_and(*conditions: Any) -> Tensor:
    """Whether all conditions hold."""
    values = [static_value(condition) for condition in conditions]
    if any(value is not None and not bool(value) for value in values):
        return ops.constant(False)
    if all(value is not None and bool(value) for value in values):
        return ops.constant(True)
    return ops.logical_and(*conditions) if len(conditions) == 2 else ops.reduce_all(conditions)


def equal(x: Any, y: Any) -> Tensor:
    """Whether x == y."""
    known_x = static_value(x)
    known_y = static_value(y)
    if known_x is None or known_y is None:
        return ops.equal(x, y)
    return ops.constant(np.array_equal(known_x, known_y))


def logical_not(x: Any) -> Tensor:
    """Whether x is false."""
    value = static_value(x)
    return ops.logical_not(x) if value is None else ops.constant(np.logical_not(value))


def concat_vectors(*vectors: Any) -> Tensor:
    """Concatenates vectors, statically if all are known."""
    values = [static_value(vector) for vector in vectors]
    if any(value is None for value in values):
        return ops.concat(vectors, 0)
    return ops.constant([element for value in values for element in value])


def pick_scalar(condition: Any, true_value: Any, false_value: Any) -> Any:
    """Selects one of two scalars."""
    value = static_value(condition)
    if value is None:
        return ops.where_v2(condition, true_value, false_value)
    return true_value if value else false_value


def ones_like(x: Tensor) -> Tensor:
    """Returns ones of the shape and dtype of a small vector."""
    shape = x.get_shape()
    if shape.is_fully_defined():
        return ops.ones(shape.as_list(), dtype=x.dtype)
    return ops.ones_like(x)


def rank_of_shape(shape: Tensor) -> Tensor:
    """Returns the rank of a shape, a vector of sizes."""
    if shape.get_shape().ndims not in (None, 1):
        raise ValueError("input is not a valid shape: not 1D")
    if not shape.dtype.is_integer:
        raise TypeError("input is not a valid shape: wrong dtype")
    if shape.get_shape().is_fully_defined():
        return ops.constant(shape.get_shape().as_list()[0])
    return ops.shape(shape)[0]


def static_rank(x: Tensor) -> Any:
    """Returns the rank of `x`, an array if known statically."""
    return static_or_tensor(ops.rank(x))


def static_or_tensor(x: Tensor) -> Any:
    """Returns the static value of `x` if known, else `x`."""
    value = get_static_value(x)
    return x if value is None else value


def common_broadcast_shape(*tensors: Tensor) -> Any:
    """Returns the shape to which tensors broadcast, a list if statically known."""
    static = tensors[0].shape
    for tensor in tensors[1:]:
        static = ops.broadcast_static_shape(static, tensor.shape)
    if static.is_fully_defined():
        return static.as_list()
    shape = ops.shape(tensors[0])
    for tensor in tensors[1:]:
        shape = ops.broadcast_dynamic_shape(shape, ops.shape(tensor))
    return shape
