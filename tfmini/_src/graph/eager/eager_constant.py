"""Python values as tensors with values, for eager mode."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DType
from tfmini._src.base.shapes import as_shape
from tfmini._src.graph.attributes import Literal
from tfmini._src.graph.eager.eager_tensor import EagerTensor
from tfmini._src.graph.literals import make_literal


def eager_constant(
    value: Any, dtype: Any = None, shape: Any = None, verify_shape: bool = False
) -> EagerTensor:
    """A tensor with a value: `tf.constant` in eager mode, where one element fills a whole `shape`."""
    wanted = None if dtype is None else dtypes.as_dtype(dtype)
    kind = value.__class__
    if shape is None:
        if kind is EagerTensor and (wanted is None or wanted is value.dtype):
            tensor: EagerTensor = value
            return tensor
        if kind is float and (wanted is None or wanted is dtypes.float32):
            return EagerTensor(np.float32(value), dtypes.float32)
        if kind is int and wanted is None and -(2**31) <= value < 2**31:
            return EagerTensor(np.int32(value), dtypes.int32)
        if kind in _LISTS and (wanted is None or wanted is dtypes.int32):
            known = _integers(value)
            if known is not None:
                return known
        if kind is np.ndarray:
            known_dtype = _COMMON.get(value.dtype)
            if known_dtype is not None and (wanted is None or wanted is known_dtype):
                return EagerTensor(value.copy() if value.ndim else value[()], known_dtype)
    if isinstance(value, EagerTensor):
        if wanted is not None and wanted is not value.dtype:
            raise TypeError(f"Expected tensor with type {wanted!r} not {value.dtype!r}")
        value = value._numpy()
    elif isinstance(value, list | tuple):
        value = _plain(value)
    if shape is not None:
        return _spread(value, wanted, shape)
    literal = _literal(value, wanted, verify_shape)
    return EagerTensor(_owned(literal.array, value), literal.dtype)


_LISTS = frozenset([list, tuple])
_COMMON = {
    np.dtype(dtype.as_numpy_dtype): dtype
    for dtype in (
        dtypes.float32,
        dtypes.float64,
        dtypes.int32,
        dtypes.int64,
        dtypes.bool,
        dtypes.uint8,
    )
}


def _integers(values: list[Any] | tuple[Any, ...]) -> EagerTensor | None:
    """The tensor of a list of Python's integers, as shapes and axes are; None for another list."""
    for value in values:
        if value.__class__ is not int or not -(2**31) <= value < 2**31:
            return None
    return EagerTensor(np.array(values, np.int32), dtypes.int32) if values else None


def _literal(value: Any, dtype: DType | None, verify_shape: bool) -> Literal:
    if isinstance(value, range):
        value = list(value)
    if dtype is None and isinstance(value, list | tuple) and _is_mixed(_leaves(value)):
        raise ValueError("Can't convert Python sequence with mixed types to Tensor.")
    try:
        return make_literal(value, dtype, None, verify_shape)
    except (TypeError, ValueError) as error:
        raise _refused(value, dtype) or error from None


_TEXTS = (str, bytes)
_NUMBERS = (bool, int, float, complex, np.number, np.bool_)


def _leaves(values: Any) -> list[Any]:
    if isinstance(values, list | tuple):
        return [leaf for value in values for leaf in _leaves(value)]
    return [values]


def _is_mixed(leaves: list[Any]) -> bool:
    """Whether these have no dtype in common: texts and numbers, bools and integers."""
    kinds = {
        bool if isinstance(v, np.bool_) else str if isinstance(v, bytes) else type(v)
        for v in leaves
    }
    return len(kinds) > 1 and (str in kinds or kinds == {bool, int})


def _refused(value: Any, dtype: DType | None) -> Exception | None:
    """TensorFlow's error for a value that does not convert; None if it has no words of its own for it."""
    if isinstance(value, np.ndarray):
        kinds = [type(v).__name__ for v in value.flat if not isinstance(v, _TEXTS)]
        if value.dtype.kind != "O" or not kinds:
            return None
        return ValueError(
            f"Failed to convert a NumPy array to a Tensor (Unsupported object type {kinds[0]})."
        )
    nested = _as_lists(value)
    leaves = _leaves(nested)
    known = [isinstance(leaf, (*_TEXTS, *_NUMBERS)) for leaf in leaves]
    if leaves and not known[0]:
        leaf = leaves[0]
        return ValueError(
            f"Attempt to convert a value ({leaf!r}) with an unsupported type ({type(leaf)}) to a Tensor."
        )
    if not all(known) or _is_mixed(leaves):
        return ValueError("Can't convert Python sequence with mixed types to Tensor.")
    if isinstance(nested, list) and not _is_rectangular(nested):
        return ValueError("Can't convert non-rectangular Python sequence to Tensor.")
    if any(isinstance(leaf, int) and not -(2**63) <= leaf < 2**63 for leaf in leaves):
        return ValueError("Can't convert Python sequence with out-of-range integer to Tensor.")
    if dtype is None:
        return None
    return TypeError(f"Cannot convert {value!r} to EagerTensor of dtype {dtype.proto_name}")


def _as_lists(value: object) -> object:
    """Lists in place of tuples and of arrays of numbers and texts."""
    if isinstance(value, list | tuple):
        return [_as_lists(item) for item in value]
    return value.tolist() if isinstance(value, np.ndarray) and value.dtype.kind != "O" else value


def _is_rectangular(values: Any) -> bool:
    rows = [value for value in values if isinstance(value, list | tuple)]
    if not rows:
        return True
    same = len(rows) == len(values) and len({len(row) for row in rows}) == 1
    return same and _is_rectangular([value for row in rows for value in row])


def _owned(array: np.ndarray, given: Any) -> Any:
    """The array, which nobody else writes."""
    if not array.ndim:
        return array[()]
    return (
        array.copy()
        if isinstance(given, np.ndarray) and np.may_share_memory(array, given)
        else array
    )


def _plain(values: Any) -> Any:
    """Nested lists with tensors' values in their place."""
    if isinstance(values, list | tuple):
        return [_plain(value) for value in values]
    if isinstance(values, EagerTensor):
        array = values._numpy()
        return array.tolist() if isinstance(array, np.ndarray) else array
    return values


def _spread(value: Any, dtype: DType | None, shape: Any) -> EagerTensor:
    literal = _literal(value, dtype, False)
    dims = tuple(as_shape(shape).as_list())
    array, size = literal.array, math.prod(dims)
    if array.size == size:
        return EagerTensor(_owned(array.reshape(dims), value), literal.dtype)
    if array.size == 1:
        return EagerTensor(np.full(dims, array.reshape(-1)[0], array.dtype), literal.dtype)
    raise TypeError(
        f"Eager execution of tf.constant with unsupported shape (value has {array.size} elements, shape is "
        f"{as_shape(shape)} with {size} elements)."
    )
