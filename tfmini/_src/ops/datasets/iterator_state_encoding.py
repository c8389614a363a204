"""Encoding of plain data as bytes, for saved iterator positions.

A value is encoded as a type letter and its content; numbers and lengths are varints, and a list or tuple starts with
its item count. Decoding never executes code.
"""

from __future__ import annotations

import struct
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import DataLossError
from tfmini._src.formats.varints import read_varint, varint
from tfmini._src.ops.operands import unwrap_string

_MAX_DEPTH = 100


def pack(value: Any) -> bytes:
    """Encodes None, booleans, numbers, bytes, text, numpy arrays and scalars, and lists and tuples of these."""
    if value is None:
        return b"N"
    if isinstance(value, bool):
        return b"T" if value else b"F"
    if isinstance(value, int):
        text = str(value).encode()
        return b"i" + varint(len(text)) + text
    if isinstance(value, float):
        return b"d" + struct.pack("<d", value)
    if isinstance(value, bytes):
        return b"b" + varint(len(value)) + value
    if isinstance(value, str):
        text = value.encode()
        return b"s" + varint(len(text)) + text
    if isinstance(value, list | tuple):
        items = b"".join(map(pack, value))
        return (b"l" if isinstance(value, list) else b"t") + varint(len(value)) + items
    if isinstance(value, np.ndarray | np.generic):
        array = np.asarray(value)
        tag = b"a" if isinstance(value, np.ndarray) else b"v"
        head = varint(dtypes.as_dtype(array.dtype).as_datatype_enum) + pack(array.shape)
        items = pack(array.ravel().tolist() if array.dtype == object else array.tobytes())
        return tag + head + items
    raise TypeError(f"{type(value).__name__} is not plain data")


def unpack(data: bytes) -> Any:
    """Decodes a value from bytes."""
    try:
        value, end = _decode_value(data, 0, 0)
    except (IndexError, ValueError, TypeError, struct.error) as error:
        raise DataLossError(None, None, f"not plain data: {error}") from None
    if end != len(data):
        raise DataLossError(None, None, f"{len(data) - end} bytes too many")
    return value


def _decode_value(data: bytes, position: int, depth: int) -> tuple[Any, int]:
    if depth > _MAX_DEPTH:
        raise ValueError("too deep")
    tag, position = data[position : position + 1], position + 1
    if tag in (b"N", b"T", b"F"):
        return {b"N": None, b"T": True, b"F": False}[tag], position
    if tag == b"d":
        return struct.unpack("<d", data[position : position + 8])[0], position + 8
    if tag in (b"a", b"v"):
        return _read_array(data, position, tag == b"a", depth)
    if tag not in (b"i", b"b", b"s", b"l", b"t"):
        raise ValueError(f"a value of unknown kind {tag!r}")
    length, position = read_varint(data, position)
    if length > len(data) - position:
        raise ValueError("too few bytes")
    if tag in (b"l", b"t"):
        items = []
        for _ in range(length):
            item, position = _decode_value(data, position, depth + 1)
            items.append(item)
        return items if tag == b"l" else tuple(items), position
    text = data[position : position + length]
    result: Any = text if tag == b"b" else int(text) if tag == b"i" else text.decode()
    return result, position + length


def _read_array(data: bytes, position: int, is_array: bool, depth: int) -> tuple[Any, int]:
    dtype_enum, position = read_varint(data, position)
    dtype = dtypes.as_dtype(dtype_enum).as_numpy_dtype
    shape, position = _decode_value(data, position, depth + 1)
    items, position = _decode_value(data, position, depth + 1)
    if isinstance(items, list):
        array = np.empty(len(items), object)
        array[:] = items
    else:
        array = np.frombuffer(items, dtype).copy()
    array = array.reshape(shape)
    return array if is_array else unwrap_string(array)[()], position
