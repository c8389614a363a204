"""Tensors in messages, encoded and decoded with minimal copying.

protobuf's own classes copy a tensor's bytes when setting, serializing and parsing them. Here, a message is encoded as a
list of buffers, which includes the array's memory, joined once; a decoded array is a view of the message. A padding
field without content aligns the tensor's bytes for numpy.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from tfmini._src.base import dtypes, proto
from tfmini._src.base.errors import (
    InvalidArgumentError,
    ResourceExhaustedError,
    UnimplementedError,
    invalid,
)
from tfmini._src.cluster.limits import check_message
from tfmini._src.formats.varints import varint
from tfmini._src.graph.attributes import Literal
from tfmini._src.graph.tensor_proto import literal_to_proto, proto_to_literal

Buffers = list[Any]  # bytes and arrays of bytes

_ALIGNMENT = 16
_LAYER = 6  # bytes of a field's tag and length, which always takes five
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_CANNOT = "Cannot parse tensor from proto"
_NO_TENSOR = "cannot be sent to another task"


def tagged_field(field: int, payload: bytes) -> bytes:
    """Encodes a field that holds text, bytes or a message."""
    return varint(field << 3 | _BYTES) + varint(len(payload)) + payload


def fields(data: Any, start: int = 0, end: int | None = None) -> Iterator[tuple[int, int, Any]]:
    """Yields a message's fields: number, wire type, value or (start, end); raises InvalidArgumentError if malformed."""
    end = len(data) if end is None else end
    position = start
    try:
        while position < end:
            tag = data[position]
            position += 1
            if tag >= 0x80:
                tag, position = read_number(data, position - 1)
            wire_type = tag & 7
            if wire_type == _VARINT:
                value, position = read_number(data, position)
                if position > end:
                    raise IndexError
                yield tag >> 3, wire_type, value
                continue
            if wire_type == _BYTES:
                size, position = read_number(data, position)
            else:
                size = {_FIXED64: 8, _FIXED32: 4}[wire_type]
            if position + size > end:
                raise IndexError
            yield tag >> 3, wire_type, (position, position + size)
            position += size
    except (IndexError, KeyError):
        raise malformed_message() from None


def malformed_message() -> InvalidArgumentError:
    return InvalidArgumentError(None, None, "Malformed message")


def read_number(data: Any, position: int) -> tuple[int, int]:
    """Returns the varint at a position of a buffer, and its end; raises IndexError if it is truncated or too long."""
    byte = data[position]
    if byte < 0x80:
        return byte, position + 1
    value, shift = byte & 0x7F, 7
    while True:
        position += 1
        byte = data[position]
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, position + 1
        shift += 7
        if shift > 63:
            raise IndexError


def _filler(size: int) -> bytes:
    """Returns the padding of `size` bytes, at least 2: the tensor's version field, 0, in an overlong encoding."""
    out = b""
    while size > 11:
        part = 9 if size < 13 else 11
        out += b"\x18" + b"\x80" * (part - 2) + b"\x00"
        size -= part
    return out + (b"\x18" + b"\x80" * (size - 2) + b"\x00" if size else b"")


def tensor_buffers(
    value: Any, dtype: Any = None, start_offset: int = 0, layers: int = 0
) -> Buffers:
    """Encodes a TensorProto as a list of buffers.

    Args:
      value: an array, a numpy scalar, or bytes.
      dtype: its DType, by default from the numpy dtype.
      start_offset: number of bytes that will precede the result.
      layers: enclosing messages, each with the next as its first field.
    """
    # An array of NumPy's own type for bytes would drop trailing NULs.
    array = np.asarray(value, object if isinstance(value, bytes) else None)
    actual_dtype = dtypes.as_dtype(array.dtype) if dtype is None else dtype.base_dtype
    if array.dtype.hasobject or actual_dtype is dtypes.string:
        return [nested_head(_string_proto(array, actual_dtype), 0, layers)]
    offset = start_offset % _ALIGNMENT
    head = _head(actual_dtype.as_datatype_enum, array.shape, array.nbytes, offset, layers)
    if not array.nbytes:
        return [head]
    if not array.flags.c_contiguous:
        array = np.ascontiguousarray(array)
    return [head, array.reshape(-1).view(np.uint8).data]


@functools.lru_cache(maxsize=4096)
def _head(
    type_enum: int, shape: tuple[int, ...], size: int, start_offset: int, layers: int
) -> bytes:
    """Returns a TensorProto's head for `size` content bytes placed `start_offset` bytes after an aligned one."""
    start_offset += layers * _LAYER
    dims = b"".join(
        tagged_field(2, b"\x08" + varint(length) if length else b"") for length in shape
    )
    head = b"\x08" + varint(type_enum) + tagged_field(2, dims)
    if size:
        tail = b"\x22" + varint(size)
        if size > 4096:
            capacity = -(start_offset + len(head) + len(tail)) % _ALIGNMENT
            head += _filler(capacity + _ALIGNMENT if capacity == 1 else capacity)
        head += tail
    return nested_head(head, size, layers)


def nested_head(head: bytes, size: int, layers: int) -> bytes:
    """Returns the head of a message with `size` more bytes, wrapped as the first field of nested messages."""
    for _ in range(layers):
        head = b"\x0a" + five_byte_varint(len(head) + size) + head
    return head


def _string_proto(array: np.ndarray, dtype: Any) -> bytes:
    if dtype is not dtypes.string:
        raise UnimplementedError(None, None, f"Tensors of dtype {dtype.name} {_NO_TENSOR}")
    items = array.reshape(-1).tolist()
    if not array.dtype.hasobject:
        items = [item.encode() if isinstance(item, str) else item for item in items]
    check_message(sum(map(len, items)))
    item_array = np.empty(len(items), object)
    item_array[:] = items
    return literal_to_proto(
        Literal(item_array.reshape(array.shape), dtypes.string)
    ).SerializeToString()


def total_size(buffers: Buffers) -> int:
    return sum(map(len, buffers))


def named_tensor(
    field: int, name: bytes, value: Any, dtype: Any = None, start_offset: int = 0
) -> Buffers:
    """Encodes a field with a NamedTensorProto as a list of buffers."""
    label = tagged_field(1, name)
    start = varint(field << 3 | _BYTES)
    # Lengths always take five bytes, which fixes the tensor's offset.
    inner = tensor_buffers(value, dtype, start_offset + len(start) + 5 + len(label) + 6)
    size = total_size(inner)
    head = b"".join(
        (start, five_byte_varint(len(label) + 6 + size), label, b"\x12", five_byte_varint(size))
    )
    return [head, *inner]


def five_byte_varint(value: int) -> bytes:
    """Returns a length as a varint of exactly five bytes."""
    if value >= 1 << 35:
        raise ResourceExhaustedError(None, None, f"A message of {value} bytes is too large")
    a, b, c = value & 0x7F, value >> 7 & 0x7F, value >> 14 & 0x7F
    return bytes((a | 0x80, b | 0x80, c | 0x80, value >> 21 & 0x7F | 0x80, value >> 28))


class Content(NamedTuple):
    """The location of a tensor's elements in a buffer.

    first: offset of the first element.
    """

    dtype: Any
    dims: list[int]
    elements: int
    first: int

    def array(self, data: Any) -> np.ndarray:
        """Returns the tensor as a view of the buffer; a copy if it is not aligned."""
        array: np.ndarray = np.ndarray(self.dims, self.dtype.numpy, data, self.first)
        return array if array.flags.aligned else array.copy()


def read_tensor(data: Any, start: int, end: int) -> tuple[np.ndarray, Any]:
    """Reads the array (a view if possible) and dtype of a TensorProto; raises InvalidArgumentError if malformed."""
    content = locate_content(data, start, end)
    if content is not None:
        with suppress(ValueError):  # more dimensions than numpy supports
            return content.array(data), content.dtype
    return _tensor_from_message(data[start:end])


def locate_content(data: Any, start: int, end: int) -> Content | None:
    """Locates a TensorProto's content; None if protobuf must find it. Raises InvalidArgumentError if malformed."""
    type_enum, dims, content = 0, [], None
    for field, wire_type, value in fields(data, start, end):
        if field == 1 and wire_type == _VARINT:
            type_enum = value
        elif field == 2 and wire_type == _BYTES:
            dims = _decode_dims(data, *value)
        elif field == 4 and wire_type == _BYTES:
            content = value
        elif field != 3:
            return None
    try:
        dtype = dtypes.as_dtype(type_enum)
    except TypeError:
        return None
    if (
        content is None
        or content[0] == content[1]
        or not dtype.is_numpy_compatible
        or dtype is dtypes.string
    ):
        return None
    first, last = content
    count = 1
    for size in dims:
        count *= size
    if count * np.dtype(dtype.numpy).itemsize != last - first or count < 0:
        return None  # protobuf's parser reports why
    return Content(dtype, dims, count, first)


def _decode_dims(data: Any, start: int, end: int) -> list[int]:
    dims = []
    for field, wire_type, value in fields(data, start, end):
        if field == 2 and wire_type == _BYTES:
            sizes = [v for f, k, v in fields(data, *value) if f == 1 and k == _VARINT]
            dims.append(sizes[-1] if sizes else 0)
        elif field in (2, 3) and value:
            invalid(f"{_CANNOT}: its shape is unknown")
    if len(dims) > 254 or any(size >= 1 << 62 for size in dims):
        listed = [size - (size >> 63 << 64) for size in dims[:10]]
        invalid(f"{_CANNOT}: {len(dims)} dimensions, {listed}")
    return dims


def _tensor_from_message(data: Any) -> tuple[np.ndarray, Any]:
    try:
        message = proto.TensorProto.FromString(bytes(data))
        return decode_tensor(message)
    except (proto.DecodeError, MemoryError):
        raise malformed_message() from None


def decode_tensor(message: Any) -> tuple[np.ndarray, Any]:
    """Decodes a TensorProto's array and dtype; raises InvalidArgumentError, or UnimplementedError without an array."""
    try:
        literal = proto_to_literal(message)
    except ValueError as error:
        raise InvalidArgumentError(None, None, f"{error}") from None
    if not literal.dtype.is_numpy_compatible:
        raise UnimplementedError(None, None, f"Tensors of dtype {literal.dtype.name} {_NO_TENSOR}")
    return literal.array, literal.dtype


def join_buffers(buffers: Buffers) -> bytes:
    """Concatenates the buffers of a message; raises ResourceExhaustedError if it exceeds the message size limit."""
    check_message(total_size(buffers))
    return buffers[0] if len(buffers) == 1 else b"".join(buffers)


def bare(value: Any) -> Any:
    """Returns the value as passed to kernels: the string or numpy scalar of a 0-d array."""
    return value[()] if isinstance(value, np.ndarray) and not value.ndim else value


def writable(array: np.ndarray) -> np.ndarray:
    """Returns the array, or a writable copy if it is a view of a message."""
    return array if array.flags.writeable else array.copy()
