"""CRC-32C as TensorFlow's files hold it: masked, since the checksum of bytes that hold checksums says little."""

from __future__ import annotations

import google_crc32c

_DELTA = 0xA282EAD8
_WORD = 0xFFFFFFFF
_PART = 1 << 18  # bytes, which stay in the cache


def crc32c(data: bytes | memoryview, crc: int = 0) -> int:
    """The checksum of bytes, or of those behind what has the checksum `crc`."""
    if isinstance(data, bytes):
        return google_crc32c.extend(crc, data)
    for start in range(0, len(data), _PART):  # the library takes nothing but bytes
        crc = google_crc32c.extend(crc, bytes(data[start : start + _PART]))
    return crc


def masked(crc: int) -> int:
    """How a checksum is written."""
    return ((crc >> 15 | crc << 17) + _DELTA) & _WORD


def unmasked(value: int) -> int:
    """The checksum that `value` was written for."""
    rotated = (value - _DELTA) & _WORD
    return (rotated >> 17 | rotated << 15) & _WORD
