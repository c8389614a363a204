"""Variants in a checkpoint: for each, its length, its message and the running checksum."""

from __future__ import annotations

import struct
from collections.abc import Sequence

import numpy as np

from tfmini._src.base.errors import DataLossError
from tfmini._src.formats.crc32c import crc32c, mask
from tfmini._src.formats.varints import read_varint, varint


def pack_variants(items: Sequence[bytes]) -> tuple[bytes, int]:
    """Packs serialized VariantTensorDataProtos; returns the bytes and the checksum of all."""
    parts: list[bytes] = []
    checksum = 0
    for item in items:
        checksum = crc32c(item, crc32c(struct.pack("<Q", len(item)), checksum))
        end = struct.pack("<I", mask(checksum))
        checksum = crc32c(end, checksum)
        parts += [varint(len(item)), item, end]
    return b"".join(parts), checksum


def unpack_variants(data: memoryview, count: int, name: str) -> tuple[np.ndarray, int]:
    """Unpacks the messages to a vector; also returns the checksum of all."""
    if 5 * count > len(data):  # each takes at least 5 bytes
        raise DataLossError(None, None, f"too few bytes for {count} variants of {name}")
    items = np.empty(count, object)
    position = checksum = 0
    for index in range(count):
        length, position = read_varint(data, position)
        end = position + length
        if end + 4 > len(data):
            raise DataLossError(None, None, f"too few bytes for variant {index} of {name}")
        items[index] = item = bytes(data[position:end])
        checksum = crc32c(item, crc32c(struct.pack("<Q", length), checksum))
        if struct.unpack("<I", data[end : end + 4])[0] != mask(checksum):
            raise DataLossError(None, None, f"variant {index} of {name} is damaged")
        checksum = crc32c(bytes(data[end : end + 4]), checksum)
        position = end + 4
    if position != len(data):
        raise DataLossError(None, None, f"too many bytes for {count} variants of {name}")
    return items, checksum
