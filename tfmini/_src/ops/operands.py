"""Operands of ops: attrs of index dtypes, and string scalars.

Kernels receive strings as object arrays of bytes, and scalar strings as plain `bytes`.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.op_traits.handle_kinds import HANDLE_TYPES
from tfmini._src.graph.opdef import Attr
from tfmini._src.graph.public_functions import Function

ANY = Attr("type")
_C_NAMES = {"float16": "half", "float32": "float", "float64": "double"}
INDEX = Attr("type", allowed=(dtypes.int32, dtypes.int64))
INDEX32 = Attr("type", dtypes.int32, allowed=(dtypes.int32, dtypes.int64))
INDEX64 = Attr("type", dtypes.int64, allowed=(dtypes.int32, dtypes.int64))

# Integer dtypes of operands used as memory indices. Such arrays are copied when read: kernels check and use them
# separately, and another thread may modify them in between.
PLACES = frozenset((np.int32, np.int64, np.bool_))


def dense(value: Any) -> Any:
    """Returns `value` as an array; scalar strings and variants become arrays of rank 0."""
    if value.__class__ in HANDLE_TYPES:
        array = np.empty(1, object)
        array[0] = value  # an index without axes would assign a stack's values, as it is a list
        return array.reshape(())
    return value


def unwrap_string(array: Any) -> Any:
    """Inverse of `dense`: converts a rank-0 array that contains a string to the string."""
    if array.ndim == 0 and array.dtype == object:
        return array[()]
    return array


def c_name(dtype: dtypes.DType) -> str:
    """Returns the name of a dtype as in messages of TensorFlow's kernels: float, not float32."""
    return _C_NAMES.get(dtype.name, dtype.name)


def shape_text(shape: tuple) -> str:
    """Returns a run-time shape as in error messages: [2,3]."""
    return "[" + ",".join(map(str, shape)) + "]"


def single_integer(value: Any, name: str) -> int:
    """Returns the integer in a one-element input of any rank, which TensorFlow's kernels accept as a scalar."""
    if np.size(value) != 1:
        invalid(f"{name} must be a scalar, but had shape: {shape_text(np.shape(value))}")
    return int(value.item() if np.ndim(value) else value)


def first_number(value: Any, name: str) -> Any:
    """Returns the first element of an input that TensorFlow's kernels read as a scalar, whatever its size."""
    if not np.size(value):
        invalid(f"{name} must be a scalar, but had shape: {shape_text(np.shape(value))}")
    return value.reshape(-1)[0] if np.ndim(value) else value


def truncate(value: Any) -> int:
    """Converts a float to int32 as x86 does, with the smallest integer on overflow."""
    return int(value) if abs(value) < 2**31 else -(2**31)


def row_count(value: Any) -> int:
    """Returns the length of the first axis, or 0 for a scalar, where TensorFlow reads out of bounds."""
    return value.shape[0] if getattr(value, "shape", ()) else 0


def check_same_shape(op: str, first: Any, *remaining: Any) -> None:
    """Raises InvalidArgumentError for inputs of `op` whose shape differs from the shape of the first."""
    for index, other in enumerate(remaining, 1):
        shape = getattr(other, "shape", ())  # strings have no shape
        if shape != first.shape:
            invalid(
                f"Inputs to operation {{{{name}}}} of type {op} must have the same size and shape.  "
                f"Input 0: {shape_text(first.shape)} != input {index}: {shape_text(shape)}"
            )


def check_ranks(rank: int, end: str = ".", **inputs: Any) -> None:
    """Raises InvalidArgumentError unless all inputs, passed by name, have a rank of at most 2."""
    for name, value in inputs.items():
        if np.ndim(value) != rank:
            rank_name = ("scalar", "vector", "matrix")[rank]
            invalid(f"Input {name} should be a {rank_name}{end}")


def check_not_negative(sizes: Iterable[int]) -> None:
    """Raises InvalidArgumentError for a shape with a negative size."""
    for size in sizes:
        if size < 0:
            invalid(f"Dimension {size} must be >= 0")


def extend_to_sparse(function: Function) -> Function:
    """Extends a function of a tensor to SparseTensors by applying it to their values.

    As in TensorFlow, the values are tried second, after the failed first attempt has already used the scope name.
    """

    @functools.wraps(function)
    def on_either(x: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            return function(x, *args, **kwargs)
        except (TypeError, ValueError):
            if not isinstance(x, SparseTensor):
                raise
        return SparseTensor(x.indices, function(x.values, *args, **kwargs), x.dense_shape)

    return on_either  # type: ignore[return-value]


def positive_axis(axis: int, rank: int | None) -> int:
    """Normalizes an axis; raises ValueError if it is out of range for a tensor of rank `rank`."""
    if rank is None:
        if axis < 0:
            raise ValueError("axis may only be negative if ndims is statically known.")
        return axis
    if not -rank <= axis < rank:
        raise ValueError(f"axis={axis} out of bounds: expected {-rank}<=axis<{rank}")
    return axis % rank
