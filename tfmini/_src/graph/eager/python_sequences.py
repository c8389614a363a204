"""Conversion of Python values and sequences to arrays with the dtype of the first element, as in eager TensorFlow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tfmini._src.base.shapes import Dimension, TensorShape

_MIXED_TYPES_ERROR = "Can't convert Python sequence with mixed types to Tensor."
_RAGGED_ERROR = "Can't convert non-rectangular Python sequence to Tensor."
_LARGE_INTEGER = "Can't convert Python sequence with out-of-range integer to Tensor."
_LARGE_FLOAT = (
    "Can't convert Python sequence with a value out of range for a double-precision float."
)

_SEQUENCES = (list, tuple, range, bytearray, memoryview, TensorShape)
_SCALAR_TYPES = frozenset([bool, int, float, complex, str, bytes])
_REALS = (bool, int, float, np.integer, np.floating)
_INTEGERS = (bool, int, np.integer, Dimension)


def is_sequence(value: Any) -> bool:
    """Whether the elements of a value are converted individually; a zero-dimensional array is an element."""
    return isinstance(value, _SEQUENCES) or (isinstance(value, np.ndarray) and value.ndim > 0)


def is_custom_sequence(value: object) -> bool:
    """Whether a value's class defines `__getitem__` and `__len__`, except dicts, arrays and Python's own sequences."""
    cls = type(value)
    if cls in _SCALAR_TYPES or not (hasattr(cls, "__getitem__") and hasattr(cls, "__len__")):
        return False
    return not (isinstance(value, (dict, str, bytes, *_SEQUENCES)) or hasattr(cls, "__array__"))


def sequence_to_array(value: Any) -> np.ndarray:
    """Converts a Python value or nested sequences to an array; raises ValueError for mixed types or ragged lists."""
    dims, first = _dims_and_first(value)
    if 0 in dims:
        return np.zeros(dims, np.float32)
    leaves: list[Any] = []
    _collect_leaves(value, dims, leaves)
    return _leaf_array(leaves, first).reshape(dims)


def _dims_and_first(value: Any) -> tuple[list[int], Any]:
    dims = []
    while is_sequence(value):
        dims.append(len(value))
        if not dims[-1]:
            return dims, None
        value = value[0]
    return dims, _unwrap_scalar(value)


def _unwrap_scalar(value: Any) -> Any:
    return value[()] if isinstance(value, np.ndarray) else value


def _collect_leaves(value: Any, dims: Sequence[int], leaves: list[Any]) -> None:
    if (
        len(dims) == 1
        and isinstance(value, list | tuple)
        and _SCALAR_TYPES.issuperset(map(type, value))
    ):
        if len(value) != dims[0]:
            raise ValueError(_RAGGED_ERROR)
        leaves.extend(value)
    elif not dims:
        if is_sequence(value):
            raise ValueError(_MIXED_TYPES_ERROR)
        leaves.append(_unwrap_scalar(value))
    elif isinstance(value, np.ndarray) and value.ndim:
        if list(value.shape) != list(dims):
            raise ValueError(_MIXED_TYPES_ERROR if value.ndim > len(dims) else _RAGGED_ERROR)
        leaves.extend(value.reshape(-1))
    elif isinstance(value, str):
        raise ValueError(_MIXED_TYPES_ERROR)
    elif not (is_sequence(value) or isinstance(value, bytes)) or len(value) != dims[0]:
        raise ValueError(_RAGGED_ERROR)
    else:
        for item in value:
            _collect_leaves(item, dims[1:], leaves)


def _leaf_array(leaves: list[Any], first: Any) -> np.ndarray:
    for types, convert in _CONVERSIONS:
        if isinstance(first, types):
            return convert(leaves)
    raise ValueError(
        f"Attempt to convert a value ({first!r}) with an unsupported type ({type(first)}) to a Tensor."
    )


def _check_leaf_types(leaves: list[Any], accepted_types: tuple[type, ...]) -> None:
    if not all(issubclass(leaf_type, accepted_types) for leaf_type in set(map(type, leaves))):
        raise ValueError(_MIXED_TYPES_ERROR)


def _texts(leaves: list[Any]) -> np.ndarray:
    _check_leaf_types(leaves, (str, bytes))
    array = np.empty(len(leaves), object)
    array[:] = [bytes(v) if isinstance(v, bytes) else v.encode() for v in leaves]
    return array


def _bools(leaves: list[Any]) -> np.ndarray:
    _check_leaf_types(leaves, (bool, np.bool_))
    return np.array(leaves, np.bool_)


def _complex_numbers(leaves: list[Any]) -> np.ndarray:
    _check_leaf_types(leaves, (complex, np.complexfloating))
    return np.array(leaves, np.complex128)


def _integers(leaves: list[Any]) -> np.ndarray:
    """Converts to float32 if any value is a float, else to int32 if the values fit, else to int64."""
    for leaf in leaves:
        if not isinstance(leaf, _INTEGERS):
            if isinstance(leaf, float | np.floating):
                return _float_converter(np.float32)(leaves)
            raise ValueError(_MIXED_TYPES_ERROR)
        if not -(2**63) <= int(leaf) < 2**63:
            raise ValueError(_LARGE_INTEGER)
    array = np.array([int(leaf) for leaf in leaves], np.int64)
    small = array.astype(np.int32)
    return small if np.array_equal(small, array) else array


def _float_converter(float_type: type[np.floating]) -> Callable[[list[Any]], np.ndarray]:
    def convert(leaves: list[Any]) -> np.ndarray:
        _check_leaf_types(leaves, _REALS)
        try:
            doubles = np.array(leaves, np.float64)
        except OverflowError:
            raise ValueError(_LARGE_FLOAT) from None
        with np.errstate(over="ignore"):
            array = doubles.astype(float_type)
        for index in np.flatnonzero(np.isinf(array) & np.isfinite(doubles)):
            if isinstance(leaves[index], float | np.floating):
                raise ValueError(_LARGE_FLOAT)
        return array

    return convert


_CONVERSIONS: tuple[tuple[tuple[type, ...], Callable[[list[Any]], np.ndarray]], ...] = (
    ((str, bytes), _texts),
    ((bool, np.bool_), _bools),
    ((np.float64,), _float_converter(np.float64)),
    ((np.float16,), _float_converter(np.float16)),
    ((float, np.floating), _float_converter(np.float32)),
    ((int, np.integer, Dimension), _integers),
    ((complex, np.complexfloating), _complex_numbers),
)
