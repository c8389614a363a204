"""Decompression of Snappy's raw format, used for table blocks in checkpoints of older versions.

Source: https://github.com/google/snappy/blob/main/format_description.txt
"""

from __future__ import annotations

from tfmini._src.base.errors import DataLossError
from tfmini._src.formats.varints import read_varint


def uncompressed_size(data: bytes | memoryview) -> int:
    """Returns the uncompressed size declared by the data; raises DataLossError if there is no valid size."""
    return read_varint(data, 0)[0]


def decompress(data: bytes | memoryview) -> bytes:
    """Decompresses data within its declared size; raises DataLossError if it is damaged."""
    size, position = read_varint(data, 0)
    out = bytearray()
    while position < len(data):
        tag = data[position]
        position += 1
        if tag & 3:
            position = _append_copy(out, data, tag, position, size)
            continue
        length = tag >> 2
        if length >= 60:
            width = length - 59
            length, position = (
                int.from_bytes(data[position : position + width], "little"),
                position + width,
            )
        length += 1
        if position + length > len(data) or len(out) + length > size:
            raise _data_loss(position)
        out += data[position : position + length]
        position += length
    if len(out) != size:
        raise _data_loss(position)
    return bytes(out)


def _append_copy(
    out: bytearray, data: bytes | memoryview, tag: int, position: int, size: int
) -> int:
    """Appends a back-reference to `out`; returns the offset of the next element."""
    element_type = tag & 3
    width = 4 if element_type == 3 else element_type
    if position + width > len(data):
        raise _data_loss(position)
    offset = int.from_bytes(data[position : position + width], "little")
    length = (tag >> 2) + 1
    if element_type == 1:
        offset |= (tag >> 5) << 8
        length = (tag >> 2 & 7) + 4
    if not 0 < offset <= len(out) or len(out) + length > size:
        raise _data_loss(position)
    start = len(out) - offset
    if offset >= length:
        out += out[start : start + length]
    else:  # source and destination overlap: a run of a short pattern
        pattern = out[start:]
        out += (pattern * (length // offset + 1))[:length]
    return position + width


def _data_loss(position: int) -> DataLossError:
    return DataLossError(None, None, f"no snappy element at byte {position}")
