"""Decompression of Snappy's raw format, used for table blocks in checkpoints of older versions.

Source: https://github.com/google/snappy/blob/main/format_description.txt
"""

from __future__ import annotations

from tfmini._src.base.errors import DataLossError
from tfmini._src.formats.varints import read_varint


def uncompressed_size(data: bytes | memoryview) -> int:
    """The uncompressed size declared by the data; raises DataLossError if there is no valid size."""
    return read_varint(data, 0)[0]


def decompress(data: bytes | memoryview) -> bytes:
    """Decompresses data within its declared size; raises DataLossError if it is damaged."""
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
            raise _data_loss(at)
        out += data[at : at + length]
        at += length
    if len(out) != size:
        raise _data_loss(at)
    return bytes(out)


def _copy(out: bytearray, data: bytes | memoryview, tag: int, at: int, size: int) -> int:
    """Appends a back-reference to `out`; returns the offset of the next element."""
    kind = tag & 3
    width = 4 if kind == 3 else kind
    if at + width > len(data):
        raise _data_loss(at)
    offset = int.from_bytes(data[at : at + width], "little")
    length = (tag >> 2) + 1
    if kind == 1:
        offset |= (tag >> 5) << 8
        length = (tag >> 2 & 7) + 4
    if not 0 < offset <= len(out) or len(out) + length > size:
        raise _data_loss(at)
    start = len(out) - offset
    if offset >= length:
        out += out[start : start + length]
    else:  # source and destination overlap: a run of a short pattern
        pattern = out[start:]
        out += (pattern * (length // offset + 1))[:length]
    return at + width


def _data_loss(at: int) -> DataLossError:
    return DataLossError(None, None, f"no snappy element at byte {at}")
