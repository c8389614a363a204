"""Varints: integers in seven bits per byte, least significant first, as in protobuf and LevelDB."""

from __future__ import annotations

import numpy as np

from tfmini._src.base.errors import DataLossError

_MAX_BYTES = 10  # maximum bytes of a 64-bit varint


def varint(value: int) -> bytes:
    """Encodes an integer from 0 to 2**64 - 1."""
    if value < 0x80:
        return bytes((value,))
    result = bytearray()
    while value > 0x7F:
        result.append(value & 0x7F | 0x80)
        value >>= 7
    result.append(value)
    return bytes(result)


def varints(values: np.ndarray) -> bytes:
    """Encodes the integers of a vector; negative ones as 64-bit two's complement, as protobuf does."""
    numbers = values.astype(np.int64).view(np.uint64)
    width = max(-(-int(numbers.max()).bit_length() // 7), 1)
    parts = numbers[:, np.newaxis] >> np.arange(0, 7 * width, 7, dtype=np.uint64)
    encoded = parts.astype(np.uint8) & 0x7F | (parts > 0x7F).view(np.uint8) << 7
    stored = parts != 0
    stored[:, 0] = True
    return encoded[stored].tobytes()


def read_varint(data: bytes | memoryview, start: int) -> tuple[int, int]:
    """Decodes the varint at `start`; returns it and the position after it."""
    if start < len(data) and data[start] < 0x80:
        return data[start], start + 1
    value = 0
    for i, byte in enumerate(data[start : start + _MAX_BYTES]):
        value |= (byte & 0x7F) << 7 * i
        if byte < 0x80:
            if value >> 64:
                break
            return value, start + i + 1
    raise DataLossError(None, None, f"no 64-bit number at byte {start}")
