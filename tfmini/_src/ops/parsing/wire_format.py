"""Wire format of protocol buffers: field types, varints, raw and packed fields.

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
_TRUNCATED = "ReadValue: Failed skipping field when counting"
_TRUNCATED_PACKED = "ReadPackedValues: Skipping packed field failed"


class FieldKind(NamedTuple):
    """One protobuf field type."""

    name: str
    wire: int
    dtypes: tuple[dtypes.DType, ...]
    read: Callable[[Any], Any]  # reads an unsigned varint, or bytes
    written: Callable[[Any], bytes]


def _to_signed(bits: int, number: int) -> int:
    number &= (1 << bits) - 1
    return number - (1 << bits) if number >> (bits - 1) else number


def _to_unsigned(bits: int, number: int) -> int:
    return number & ((1 << bits) - 1)


def _from_zigzag(bits: int, number: int) -> int:
    number = _to_unsigned(bits, number)
    return (number >> 1) ^ -(number & 1)


def varint(number: int) -> bytes:
    """Encodes a varint; negative numbers as 64 bits."""
    return varints.varint(_to_unsigned(64, int(number)))


def _zigzag_varint(number: int) -> bytes:
    return varint(2 * int(number) if number >= 0 else -2 * int(number) - 1)


def _varint_kind(
    name: str, read: Callable, *kinds: dtypes.DType, zigzag: bool = False
) -> FieldKind:
    return FieldKind(name, VARINT, kinds, read, _zigzag_varint if zigzag else varint)


def _fixed_kind(name: str, code: str, *kinds: dtypes.DType) -> FieldKind:
    form = struct.Struct("<" + code)
    wire = _FIXED64 if form.size == 8 else _FIXED32
    return FieldKind(name, wire, kinds, lambda data: form.unpack(data)[0], form.pack)


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


def raw_fields(data: bytes, kinds: Mapping[int, FieldKind]) -> Iterator[tuple[int, int, Any]]:
    """Yields the raw fields: number, wire type, and the varint or bytes.

    kinds: kinds of the requested fields, for error messages.
    """
    at, open_groups = 0, 0
    value: Any
    while at < len(data):
        key, at = _varint_at(data, at, "CountFields: Failed to consume entire buffer")
        number, wire = key >> 3, key & 7
        if wire == VARINT:
            value, at = _varint_at(data, at, _TRUNCATED)
        elif wire in (_FIXED64, _FIXED32, BYTES):
            size = 8 if wire == _FIXED64 else 4
            if wire == BYTES:
                size, at = _varint_at(data, at, _TRUNCATED)
            value, at = data[at : at + size], at + size
            if at > len(data):
                is_packed = wire == BYTES and number in kinds and kinds[number].wire != BYTES
                raise DataLossError(None, None, _TRUNCATED_PACKED if is_packed else _TRUNCATED)
        elif wire == 3 or (wire == 4 and open_groups):
            open_groups += 1 if wire == 3 else -1
            continue
        else:
            raise DataLossError(None, None, _TRUNCATED)
        if number and not open_groups:
            yield number, wire, value
    if open_groups:
        raise DataLossError(None, None, _TRUNCATED)


def _varint_at(data: bytes, at: int, complaint: str) -> tuple[int, int]:
    """Decodes the varint at a position in `data`; returns it and its end."""
    number = 0
    for shift, part in enumerate(data[at : at + 10]):
        number |= (part & 0x7F) << 7 * shift
        if part < 0x80:
            return number & 0xFFFFFFFFFFFFFFFF, at + shift + 1
    raise DataLossError(None, None, complaint)


def packed_values(data: bytes, kind: FieldKind) -> Iterator[Any]:
    """Decodes the numbers of a packed field."""
    if kind.wire == VARINT:
        at = 0
        while at < len(data):
            number, at = _varint_at(data, at, "Corrupt packed varint")
            yield kind.read(number)
        return
    size = 8 if kind.wire == _FIXED64 else 4
    if len(data) % size:
        raise DataLossError(None, None, f"Illegal data length for packed {kind.name}: {len(data)}")
    for at in range(0, len(data), size):
        yield kind.read(data[at : at + size])
