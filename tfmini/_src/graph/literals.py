"""Python values as graph literals: the values accepted by `tf.constant`, with TensorFlow's checks and messages."""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.shapes import Dimension, ShapeLike, as_shape
from tfmini._src.graph.attributes import Literal
from tfmini._src.graph.tensor import Tensor

_NESTED_TYPES = (list, tuple, range, dict)


def _leaves(values: object) -> Iterable[Any]:
    return _nested_leaves(values) if isinstance(values, _NESTED_TYPES) else (values,)


def _nested_leaves(values: object) -> Iterator[Any]:
    items: Any = [values[key] for key in sorted(values)] if isinstance(values, dict) else values
    for item in items:
        if isinstance(item, _NESTED_TYPES):
            yield from _nested_leaves(item)
        else:
            yield item


def _expected_types(dtype: dtypes.DType) -> type | tuple[type, ...] | None:
    if dtype is dtypes.bool:
        return bool
    if dtype is dtypes.string:
        return (str, bytes)
    if dtype.is_integer:
        return (numbers.Integral, Dimension)
    if dtype.is_floating:
        return (numbers.Real, np.integer, np.floating)
    if dtype.is_complex:
        return (numbers.Complex, np.number)
    return None


def _check_values(values: object, dtype: dtypes.DType | None) -> None:
    """Raises TypeError for Python values not convertible to `dtype` (such as a float for an integer dtype)."""
    if dtype is None:
        for value in _leaves(values):
            if isinstance(value, Tensor):
                raise TypeError("List of Tensors when single Tensor expected")
            if isinstance(value, Dimension):
                raise _conversion_error(values)
        return
    expected = _expected_types(dtype)
    for value in _leaves(values):
        if isinstance(value, Tensor) if expected is None else not isinstance(value, expected):
            raise _type_error(value, dtype)
        if dtype == dtypes.bfloat16 and isinstance(value, int) and not -(2**63) <= value < 2**63:
            raise TypeError("expected number, got int")


def _type_error(value: object, dtype: dtypes.DType) -> TypeError:
    text = str(value) if isinstance(value, np.generic) else repr(value)
    return TypeError(f"Expected {dtype.name}, got {text} of type '{type(value).__name__}' instead.")


def _common_dims(values: object) -> list[int]:
    """Returns the shape of nested lists, down to the first ragged level."""
    dims: list[int] = []
    level: list[Any] = [values]
    while all(isinstance(part, list | tuple) for part in level) and len(set(map(len, level))) == 1:
        dims.append(len(level[0]))
        level = [value for values in level for value in values]
    return dims


def _dense_dims(values: object) -> list[int]:
    dims = []
    while isinstance(values, list | tuple):
        dims.append(len(values))
        if not values:
            break
        values = values[0]
    return dims


def _without_dimensions(values: object) -> Any:
    if isinstance(values, Dimension):
        return values.value
    if isinstance(values, list | tuple):
        return [_without_dimensions(v) for v in values]
    return values


def _encode_strings(values: np.ndarray, original: object) -> np.ndarray:
    """Encodes values as an object array of bytes."""

    def encode(value: object) -> bytes:
        if isinstance(value, bytes):
            return value
        if isinstance(value, str):
            return value.encode()
        if isinstance(original, np.ndarray | np.generic):
            raise TypeError(f"Expected binary or unicode string, got {value!r}")
        raise _conversion_error(original)

    array = np.empty(values.shape, object)
    flat = array.reshape(-1)
    for i, value in enumerate(values.reshape(-1).tolist()):
        flat[i] = encode(value)
    return array


def _conversion_error(values: object) -> TypeError:
    return TypeError(
        f"Failed to convert object of type {type(values)} to Tensor. Contents: {values}. Consider "
        "casting elements to a supported type."
    )


def _from_python(
    values: Any, dtype: dtypes.DType | None, shape: tuple[int, ...] | None
) -> np.ndarray:
    if values is None:
        raise ValueError("None values not supported.")
    if dtype is not None and not dtype.is_numpy_compatible:  # handles cannot be constants
        actual = np.array([] if shape is not None and 0 in shape else values).dtype
        raise TypeError(f"Incompatible types: {dtype} vs. {actual}. Value is {values}")
    if shape is not None and 0 in shape:  # empty: the values do not matter
        return np.empty(shape, np.float32 if dtype is None else dtype.as_numpy_dtype)
    if dtype is not None and dtype.is_quantized:
        _check_quantized(values, dtype)
        return np.asarray(values, dtype.as_numpy_dtype)
    _check_values(values, dtype)
    original, values = values, _without_dimensions(values)
    numpy_dtype = None if dtype is None else dtype.as_numpy_dtype
    dims = _dense_dims(values)
    try:
        if dtype is dtypes.string or isinstance(values, str | bytes):
            array = _object_array(values, dims)
        elif dtype is None:
            array = np.array(values)
            if array.dtype.kind in "SU":
                array = _object_array(values, dims)
        else:
            array = np.array(values, dtype=numpy_dtype)
    except OverflowError:
        array = np.array(values)
        if dtype is not None:
            if array.dtype.kind not in ("iuf" if dtype == dtypes.uint32 else "if"):
                raise OverflowError("Python int too large to convert to C long") from None
            array = array.astype(numpy_dtype)
    except UnicodeDecodeError:  # non-ASCII bytes mixed with text
        raise
    except ValueError:
        if dtype is not None and dtype.is_complex:
            raise TypeError("must be real number, not list") from None
        if dtype == dtypes.bfloat16:
            raise TypeError("expected number, got list") from None
        if dtype is not None:
            raise ValueError("setting an array element with a sequence.") from None
        if dims == [len(values)]:
            raise _conversion_error(values) from None
        raise ValueError(
            f"Argument must be a dense tensor: {original} - got shape {_common_dims(values)}, but wanted {dims}."
        ) from None
    if list(array.shape) != dims and not hasattr(values, "__array__"):
        raise ValueError(
            f"Argument must be a dense tensor: {original} - got shape {list(array.shape)}, but wanted {dims}."
        )
    if dtype is None:
        if array.dtype == np.float64:
            array = array.astype(np.float32)
        elif array.dtype == np.int64:
            small = array.astype(np.int32)
            if np.array_equal(small, array):
                array = small
    return array


def _check_quantized(values: object, dtype: dtypes.DType) -> None:
    """Raises TypeError unless quantized numbers are tuples."""
    if isinstance(values, list):
        for item in values:
            _check_quantized(item, dtype)
    elif not isinstance(values, tuple):
        raise _type_error(values, dtype)


def _parse_numbers(text: np.ndarray, dtype: dtypes.DType) -> np.ndarray:
    """Parses strings as numbers; invalid ones, including bool names, raise ValueError with Python's message."""
    read: Callable[[str], complex] = (
        complex if dtype.is_complex else float if dtype.is_floating else int
    )
    words = text.astype(str).ravel().tolist()
    return np.array([read(word) for word in words]).reshape(text.shape)


def _object_array(values: object, dims: list[int]) -> np.ndarray:
    array = np.empty(dims, object)
    flat = list(_leaves(values))
    if len(flat) != array.size:
        raise ValueError("ragged")
    array.reshape(-1)[:] = flat
    return array


def _is_array_like(values: Any) -> bool:
    """Whether numpy converts the value to an array, via an array protocol or the buffer protocol."""
    if isinstance(values, bytes | Tensor):
        return False
    if callable(getattr(values, "__array__", None)):
        return True
    if isinstance(getattr(values, "__array_interface__", None), dict):
        return True
    try:
        memoryview(values)
    except TypeError:
        return False
    return True


def make_literal(
    values: Any, dtype: DTypeLike | None = None, shape: ShapeLike = None, verify_shape: bool = False
) -> Literal:
    """Converts `values` (numpy array, number, string, nested list) to a Literal of `dtype` and `shape`.

    If `shape` holds more elements than `values`, the last element is repeated.

    Raises:
      TypeError: for values not convertible to `dtype`, or of a different shape if `verify_shape`.
      ValueError: for None, ragged lists, or more values than `shape` holds.
    """
    if dtype is not None:
        dtype = dtypes.as_dtype(dtype).base_dtype
    dims = None if shape is None else tuple(map(int, as_shape(shape).as_list()))
    numbers = None if dims and 0 in dims else _numeric_array(values, dtype)
    if numbers is not None:
        return _with_shape(numbers, dtype or _DEFAULTS[numbers.dtype], dims, verify_shape)
    is_array = isinstance(values, np.ndarray | np.generic)
    if isinstance(values, bytes) and type(values) is not np.bytes_:  # keeps trailing zeros
        is_array = False
    if not is_array and _is_array_like(values):
        values = np.asarray(values)
        is_array = True
    if is_array:
        array = np.asarray(values)
        if dtype is not None and not dtype.is_numpy_compatible:
            raise TypeError(f"Incompatible types: {dtype} vs. {array.dtype}. Value is {values}")
        if not array.dtype.isnative:
            array = array.astype(array.dtype.newbyteorder("="))
        if dtype is not None and dtype != dtypes.string and array.dtype != dtype.as_numpy_dtype:
            if array.dtype.kind in "SU":
                array = _parse_numbers(array, dtype)
            with np.errstate(invalid="ignore", over="ignore"):
                array = array.astype(dtype.as_numpy_dtype)
    else:
        array = _from_python(values, dtype, dims)
    if array.dtype.kind in "SUO" or dtype is dtypes.string:
        array = _encode_strings(array, values)
    actual = dtypes.as_dtype(array.dtype) if array.dtype.kind != "O" else dtypes.string
    if dtype is not None and dtype.is_quantized:
        actual = dtype
    if dtype is not None and dtype is not actual:
        raise TypeError(f"Incompatible types: {dtype} vs. {actual}. Value is {values}")
    literal = _with_shape(np.array(array, order="C", copy=True), actual, dims, verify_shape)
    if dtype is dtypes.string and not is_array and dims is not None and 0 in dims:
        # The proto lists the original strings, although the shape is empty.
        leaves = list(_leaves(values))
        literal.compact = _encode_strings(_object_array(leaves, [len(leaves)]), values)
    return literal


_DEFAULTS = {d.numpy: d for d in (dtypes.float32, dtypes.int32)}  # default dtypes of Python numbers
_FLOATS = frozenset([dtypes.float16, dtypes.float32, dtypes.float64])
_LOWEST, _HIGHEST = np.iinfo(np.int32).min, np.iinfo(np.int32).max


def _numeric_array(values: Any, dtype: dtypes.DType | None) -> np.ndarray | None:
    """Converts an int, a float, or a flat list of either to an array if all fit the dtype; else returns None."""
    is_sequence = values.__class__ is list or values.__class__ is tuple
    types = set(map(type, values)) if is_sequence else {values.__class__}
    if types == {int}:
        smallest, largest = (min(values), max(values)) if is_sequence else (values, values)
        if smallest < _LOWEST or largest > _HIGHEST:
            return None
        dtype = dtype or dtypes.int32
        fits = dtype in _FLOATS or dtype is dtypes.int32 or dtype is dtypes.int64
    elif types == {float}:
        dtype = dtype or dtypes.float32
        fits = dtype in _FLOATS
    else:
        return None
    return np.array(values, dtype.numpy) if fits else None


def check_fills(literal: Literal, shape: tuple[int, ...]) -> None:
    """Raises TypeError unless there is a single value or exactly as many as `shape` has elements."""
    if literal.shape not in ((), (1,)) and literal.array.size != math.prod(shape):
        raise TypeError(f"Expected Tensor's shape: {shape}, got {literal.shape}.")


def _with_shape(
    array: np.ndarray, dtype: dtypes.DType, dims: tuple[int, ...] | None, verify_shape: bool
) -> Literal:
    compact = None
    if dims is not None and dims != array.shape:
        size = math.prod(dims)
        if verify_shape:
            raise TypeError(f"Expected Tensor's shape: {dims}, got {array.shape}.")
        if array.size > size:
            raise ValueError(
                f"Too many elements provided. Needed at most {size}, but received {array.size}"
            )
        if array.size == size:
            array = array.reshape(dims)
        elif array.size == 0:
            array = compact = np.zeros(0, array.dtype)
            array = np.zeros(dims, dtype.as_numpy_dtype)
            if dtype == dtypes.string:
                array.fill(b"")
        else:
            compact = array.reshape(-1)
            compact.flags.writeable = False
            if compact.size == 1:
                return Literal(None, dtype, compact, shape=dims)
            tail = np.repeat(compact[-1:], size - compact.size)
            array = np.concatenate([compact, tail]).reshape(dims)
    array.flags.writeable = False
    return Literal(array, dtype, compact)
