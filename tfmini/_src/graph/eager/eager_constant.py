"""Conversion of Python values to eager tensors."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DType
from tfmini._src.base.errors import invalid
from tfmini._src.base.shapes import Dimension, TensorShape, as_shape
from tfmini._src.graph.attributes import Literal
from tfmini._src.graph.eager.eager_tensor import EagerTensor
from tfmini._src.graph.eager.python_sequences import (
    is_custom_sequence,
    is_sequence,
    sequence_to_array,
)
from tfmini._src.graph.literals import make_literal
from tfmini._src.graph.tensor import Tensor


def eager_constant(
    value: Any, dtype: Any = None, shape: Any = None, verify_shape: bool = False
) -> EagerTensor:
    """Implements `tf.constant` in eager mode: returns an EagerTensor; a single element fills all of `shape`."""
    requested = None if dtype is None else dtypes.as_dtype(dtype)
    value_type = value.__class__
    if shape is None:
        if value_type is EagerTensor and (requested is None or requested is value.dtype):
            tensor: EagerTensor = value
            return tensor
        if value_type is float and (
            requested is dtypes.float32 or (requested is None and -1e38 < value < 1e38)
        ):
            return EagerTensor(np.float32(value), dtypes.float32)
        if value_type is int and -(2**31) <= value < 2**31:
            scalar = _SCALARS.get(requested)
            if scalar is not None:
                return EagerTensor(scalar[0](value), scalar[1])
        if value_type in _LISTS:
            array = _small_number_list(value, requested)
            if array is not None:
                return array
        if value_type is np.ndarray:
            known_dtype = _COMMON_DTYPES.get(value.dtype)
            if known_dtype is not None and (requested is None or requested is known_dtype):
                return EagerTensor(value.copy() if value.ndim else value[()], known_dtype)
    if isinstance(value, EagerTensor):
        if requested is not None and requested is not value.dtype:
            raise TypeError(f"Expected tensor with type {requested!r} not {value.dtype!r}")
        value = value._numpy()
    else:
        value = _with_values(value)
    if shape is not None:
        return _filled_constant(value, requested, shape, verify_shape)
    literal = _to_literal(value, requested, verify_shape)
    return EagerTensor(_copy_if_shared(literal.array, value), literal.dtype)


_LISTS = frozenset([list, tuple])
# Conversions of small integers, by requested dtype.
_SCALARS: dict[DType | None, tuple[Any, DType]] = {
    None: (np.int32, dtypes.int32),
    dtypes.int32: (np.int32, dtypes.int32),
    dtypes.int64: (np.int64, dtypes.int64),
    dtypes.float32: (np.float32, dtypes.float32),
}
_COMMON_DTYPES = {
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


def _small_number_list(
    values: list[Any] | tuple[Any, ...], dtype: DType | None
) -> EagerTensor | None:
    """Fast path for lists of small Python ints or of floats; returns None for other lists."""
    types = set(map(type, values))
    if types == {int} and (dtype is None or dtype is dtypes.int32):
        if -(2**31) <= min(values) and max(values) < 2**31:
            return EagerTensor(np.array(values, np.int32), dtypes.int32)
    elif types == {float} and (dtype is None or dtype is dtypes.float32):
        if -1e38 < min(values) and max(values) < 1e38:
            return EagerTensor(np.array(values, np.float32), dtypes.float32)
    return None


def _to_literal(value: Any, dtype: DType | None, verify_shape: bool) -> Literal:
    if dtype is None and not isinstance(value, np.ndarray | np.generic | Tensor):
        if is_sequence(value) or isinstance(value, int | float | complex | Dimension):
            array = sequence_to_array(value)
            array_dtype = dtypes.string if array.dtype.kind == "O" else dtypes.as_dtype(array.dtype)
            return Literal(array, array_dtype)
    elif isinstance(value, list | tuple):
        value = _to_nested_lists(value)
    plain = _to_nested_lists(value) if isinstance(value, range | TensorShape | Dimension) else value
    try:
        return make_literal(plain, dtype, None, verify_shape)
    except (TypeError, ValueError, OverflowError) as error:
        raise _conversion_error(value, dtype) or error from None


_UNSUPPORTED_ARRAYS = {
    "M": "Unsupported numpy type: NPY_DATETIME",
    "m": "Unsupported numpy type: NPY_TIMEDELTA",
    "g": "Unsupported numpy type: NPY_LONGDOUBLE",
    "G": "Unsupported numpy type: NPY_CLONGDOUBLE",
    "V": "Unsupported numpy data type",
}
_TEXTS = (str, bytes)


def _conversion_error(value: Any, dtype: DType | None) -> Exception | None:
    """Returns TensorFlow's error for a value that cannot be converted, or None if there is no specific message."""
    if isinstance(value, np.ndarray | np.generic):
        value = np.asarray(value)
        unsupported = _UNSUPPORTED_ARRAYS.get(value.dtype.char)
        if unsupported:
            return ValueError(f"Failed to convert a NumPy array to a Tensor ({unsupported}).")
        type_names = [type(v).__name__ for v in value.flat if not isinstance(v, _TEXTS)]
        if value.dtype.kind != "O" or not type_names:
            return None
        return ValueError(
            f"Failed to convert a NumPy array to a Tensor (Unsupported object type {type_names[0]})."
        )
    if dtype is None or dtype.is_floating or not isinstance(value, float):
        try:
            sequence_to_array(value)
        except ValueError as error:
            return error
    if dtype is None:
        return None
    return TypeError(f"Cannot convert {value!r} to EagerTensor of dtype {dtype.proto_name}")


def _copy_if_shared(array: np.ndarray, source: Any) -> Any:
    """Returns the array, copied if it shares memory with `source`."""
    if not array.ndim:
        return array[()]
    return (
        array.copy()
        if isinstance(source, np.ndarray) and np.may_share_memory(array, source)
        else array
    )


def _with_values(values: Any) -> Any:
    """Converts nested sequences of any class to lists, and eager tensors in them to their values."""
    if isinstance(values, list | tuple) or is_custom_sequence(values):
        return [_with_values(value) for value in values]
    return values._numpy() if isinstance(values, EagerTensor) else values


def _to_nested_lists(value: Any) -> Any:
    """Converts arrays and ranges to nested lists, and known dimensions to ints."""
    if isinstance(value, Dimension):
        return value if value.value is None else value.value
    if isinstance(value, TensorShape):
        return value.as_list() if value.is_fully_defined() else value
    if isinstance(value, list | tuple | range):
        return [_to_nested_lists(item) for item in value]
    return value.tolist() if isinstance(value, np.ndarray) else value


def _filled_constant(
    value: Any, dtype: DType | None, shape: Any, verify_shape: bool
) -> EagerTensor:
    literal = _to_literal(value, dtype, False)
    dims = tuple(as_shape(shape).as_list())
    if verify_shape and literal.array.shape != dims:
        expected, actual = (tuple(map(Dimension, sizes)) for sizes in (dims, literal.array.shape))
        raise TypeError(f"Expected Tensor's shape: {expected}, got {actual}.")
    array, size = literal.array, math.prod(dims)
    if array.size == size:
        return EagerTensor(_copy_if_shared(array.reshape(dims), value), literal.dtype)
    if array.size == 1:
        if array.ndim:
            invalid(f"value must be a scalar, got shape {list(array.shape)} [Op:Fill]")
        return EagerTensor(np.full(dims, array.reshape(-1)[0], array.dtype), literal.dtype)
    raise TypeError(
        f"Eager execution of tf.constant with unsupported shape (value has {array.size} elements, shape is "
        f"{as_shape(shape)} with {size} elements)."
    )
