"""Wire format of protocol buffers: field types, varints, requested and packed fields.

https://protobuf.dev/programming-guides/encoding
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

from tfmini._src.base import dtypes
from tfmini._src.base.errors import DataLossError
from tfmini._src.formats import varints

VARINT, _FIXED64, BYTES, _FIXED32 = 0, 1, 2, 5
_GROUP, _GROUP_END = 3, 4
_UNREAD = "CountFields: Failed to consume entire buffer"


class FieldKind(NamedTuple):
    """A type of protobuf field."""

    name: str
    wire: int
    dtypes: tuple[dtypes.DType, ...]
    read: Callable[[Any], Any]  # reads an unsigned varint, or bytes
    written: Callable[[Any], bytes]


def _to_signed(bits: int, value: int) -> int:
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def _to_unsigned(bits: int, value: int) -> int:
    return value & ((1 << bits) - 1)


def _from_zigzag(bits: int, value: int) -> int:
    value = _to_unsigned(bits, value)
    return (value >> 1) ^ -(value & 1)


def varint(value: int) -> bytes:
    """Encodes a varint, with negative numbers as 64 bits."""
    return varints.varint(_to_unsigned(64, int(value)))


def _zigzag_varint(value: int) -> bytes:
    return varint(2 * int(value) if value >= 0 else -2 * int(value) - 1)


def _varint_kind(
    name: str, read: Callable, *types: dtypes.DType, zigzag: bool = False
) -> FieldKind:
    return FieldKind(name, VARINT, types, read, _zigzag_varint if zigzag else varint)


def _fixed_kind(name: str, code: str, *types: dtypes.DType) -> FieldKind:
    form = struct.Struct("<" + code)
    wire = _FIXED64 if form.size == 8 else _FIXED32
    return FieldKind(name, wire, types, lambda data: form.unpack(data)[0], form.pack)


def _bytes_kind(name: str) -> FieldKind:
    return FieldKind(
        name, BYTES, (dtypes.string,), bytes, lambda data: varint(len(data)) + bytes(data)
    )


_INTS, _UNSIGNED = (dtypes.int32, dtypes.int64), (dtypes.uint32, dtypes.uint64)
# By FieldDescriptor.type; groups (10) have no wire format.
KINDS = {
    1: _fixed_kind("double", "d", dtypes.float64),
    2: _fixed_kind("float", "f", dtypes.float32, dtypes.float64),
    3: _varint_kind("int64", partial(_to_signed, 64), dtypes.int64),
    4: _varint_kind("uint64", partial(_to_unsigned, 64), dtypes.uint64),
    5: _varint_kind("int32", partial(_to_signed, 32), *_INTS),
    6: _fixed_kind("fixed64", "Q", dtypes.uint64),
    7: _fixed_kind("fixed32", "I", *_UNSIGNED),
    8: _varint_kind("bool", bool, dtypes.bool),
    9: _bytes_kind("string"),
    11: _bytes_kind("message"),
    12: _bytes_kind("bytes"),
    13: _varint_kind("uint32", partial(_to_unsigned, 32), *_UNSIGNED),
    14: _varint_kind("enum", partial(_to_signed, 32), dtypes.int32),
    15: _fixed_kind("sfixed32", "i", *_INTS),
    16: _fixed_kind("sfixed64", "q", dtypes.int64),
    17: _varint_kind("sint32", partial(_from_zigzag, 32), *_INTS, zigzag=True),
    18: _varint_kind("sint64", partial(_from_zigzag, 64), dtypes.int64, zigzag=True),
}


def requested_fields(data: bytes, kinds: Mapping[int, FieldKind]) -> Iterator[tuple[int, int, Any]]:
    """Yields the fields of these kinds: number, wire type, and the varint or bytes; bytes are packed if numbers.

    Raises:
      DataLossError: if the data is invalid, with the message of TensorFlow's reader of that part.
    """
    offset = 0
    while offset < len(data):
        key, offset = _key_at(data, offset, _UNREAD)
        number, wire = key >> 3, key & 7
        if not key or wire == _GROUP_END:
            raise DataLossError(None, None, _UNREAD)
        kind = kinds.get(number)
        is_packed = wire == BYTES and kind is not None and kind.wire != BYTES
        if kind is None:
            complaint = "Failed skipping unrequested field"
        elif is_packed:
            complaint = "CollectField: Failed reading packed size"
            if _varint_at(data, offset, complaint)[0] < 1 << 31:
                complaint = "ReadPackedValues: Skipping packed field failed"
        elif wire != kind.wire:
            complaint = "CollectField: Failed skipping malformed field"
        else:
            complaint = "ReadValue: Failed skipping field when counting"
        value, offset = _value_at(data, offset, key, complaint)
        if is_packed or (kind is not None and wire == kind.wire):
            yield number, wire, value


def _value_at(data: bytes, offset: int, key: int, complaint: str) -> tuple[Any, int]:
    """Decodes the varint or bytes at a position, or skips a group; returns the value and its end."""
    number, wire = key >> 3, key & 7
    if wire == VARINT and number:
        return _varint_at(data, offset, complaint)
    if wire == _GROUP and number:
        return None, _group_end(data, offset, number, complaint)
    size = {_FIXED64: 8, _FIXED32: 4}.get(wire, 0)
    if wire == BYTES:
        size, offset = _varint_at(data, offset, complaint)
    end = offset + size
    if not number or wire not in (_FIXED64, _FIXED32, BYTES) or end > len(data):
        raise DataLossError(None, None, complaint)
    return data[offset:end], end


def _group_end(data: bytes, offset: int, number: int, complaint: str) -> int:
    open_groups = [number]
    while open_groups:
        key, offset = _key_at(data, offset, complaint)
        if key & 7 == _GROUP:
            open_groups.append(key >> 3)
        elif key & 7 != _GROUP_END:
            _, offset = _value_at(data, offset, key, complaint)
        elif open_groups.pop() != key >> 3:
            raise DataLossError(None, None, complaint)
    return offset


def _key_at(data: bytes, offset: int, complaint: str) -> tuple[int, int]:
    key, offset = _varint_at(data, offset, complaint)
    return key & 0xFFFFFFFF, offset


def _varint_at(data: bytes, offset: int, complaint: str) -> tuple[int, int]:
    """Decodes the varint at a position in `data`; returns it and its end."""
    value = 0
    for shift, part in enumerate(data[offset : offset + 10]):
        value |= (part & 0x7F) << 7 * shift
        if part < 0x80:
            return value & 0xFFFFFFFFFFFFFFFF, offset + shift + 1
    raise DataLossError(None, None, complaint)


def packed_values(data: bytes, kind: FieldKind) -> Iterator[Any]:
    """Decodes the numbers of a packed field."""
    if kind.wire == VARINT:
        offset = 0
        while offset < len(data):
            value, offset = _varint_at(data, offset, "Corrupt packed varint")
            yield kind.read(value)
        return
    size = 8 if kind.wire == _FIXED64 else 4
    if len(data) % size:
        text = f"Illegal data length for packed fixed-size type: {len(data)}"
        raise DataLossError(None, None, text)
    for offset in range(0, len(data), size):
        yield kind.read(data[offset : offset + size])
