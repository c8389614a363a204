"""Snappy's raw format, read: the compression of table blocks in checkpoints by older versions.

Source: https://github.com/google/snappy/blob/main/format_description.txt
"""

from __future__ import annotations

from tfmini._src.base.errors import DataLossError
from tfmini._src.formats.varints import read_varint


def uncompressed_size(data: bytes | memoryview) -> int:
    """The number of bytes that the data claim to hold.

    Raises:
      DataLossError: if no number is there.
    """
    return read_varint(data, 0)[0]


def uncompressed(data: bytes | memoryview) -> bytes:
    """The bytes that the data hold.

    Raises:
      DataLossError: if the data are damaged; no more than the claimed size is ever in memory.
    """
    size, at = read_varint(data, 0)
    out = bytearray()
    while at < len(data):
        tag = data[at]
        at += 1
        if tag & 3:
            at = _copy(out, data, tag, at, size)
            continue
        length = tag >> 2
        if length >= 60:
            width = length - 59
            length, at = int.from_bytes(data[at : at + width], "little"), at + width
        length += 1
        if at + length > len(data) or len(out) + length > size:
            raise _damaged(at)
        out += data[at : at + length]
        at += length
    if len(out) != size:
        raise _damaged(at)
    return bytes(out)


def _copy(out: bytearray, data: bytes | memoryview, tag: int, at: int, size: int) -> int:
    """Appends bytes that are in `out` already; returns where the next element begins."""
    kind = tag & 3
    width = 4 if kind == 3 else kind
    if at + width > len(data):
        raise _damaged(at)
    offset = int.from_bytes(data[at : at + width], "little")
    length = (tag >> 2) + 1
    if kind == 1:
        offset |= (tag >> 5) << 8
        length = (tag >> 2 & 7) + 4
    if not 0 < offset <= len(out) or len(out) + length > size:
        raise _damaged(at)
    start = len(out) - offset
    if offset >= length:
        out += out[start : start + length]
    else:  # the bytes overlap what they become: a run of a short pattern
        pattern = out[start:]
        out += (pattern * (length // offset + 1))[:length]
    return at + width


def _damaged(at: int) -> DataLossError:
    return DataLossError(None, None, f"no snappy element at byte {at}")
