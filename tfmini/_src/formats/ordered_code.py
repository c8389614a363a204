"""Order-preserving keys, which identify the slices of a tensor in a checkpoint.

The encoding is TensorFlow's OrderedCode (lib/strings/ordered_code.h).
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

# (start, length) along an axis; length -1 means the full axis.
Extent = tuple[int, int]
FULL_EXTENT: Extent = (0, -1)

_ESCAPES = {b"\x00": b"\x00\xff", b"\xff": b"\xff\x00"}


def number_code(value: int) -> bytes:
    """Encodes a non-negative integer: its length in bytes, then its bytes, most significant first."""
    data = value.to_bytes((value.bit_length() + 7) // 8, "big")
    return bytes([len(data)]) + data


def string_code(text: bytes) -> bytes:
    """Encodes bytes: escapes 0 and 255, and appends a terminator."""
    return re.sub(rb"[\x00\xff]", lambda match: _ESCAPES[match[0]], text) + b"\x00\x01"


def encode_signed(value: int) -> bytes:
    """Encodes a 64-bit integer: leading ones give the number of bytes; negative values have all bits inverted."""
    magnitude = ~value if value < 0 else value
    length = magnitude.bit_length() // 7 + 1
    header = ((1 << length) - 1) << 7 * length
    plain = value & ((1 << 8 * length) - 1)
    return (plain ^ header).to_bytes(length, "big")


def slice_key(name: str, extents: Sequence[Extent]) -> bytes:
    """Returns the key of a slice of the tensor `name`."""
    parts = [number_code(0), string_code(os.fsencode(name)), number_code(len(extents))]
    for start, length in extents:
        parts += [encode_signed(start), encode_signed(length)]
    return b"".join(parts)
