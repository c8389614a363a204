"""GIF files: each frame is drawn over the previous one, as in TensorFlow, which does not support transparency.

The data of each frame is passed to Pillow as a single-frame file whose pixels are palette indices.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tfmini._src.devices.host.codecs.pillow import (
    UnreadableImageError,
    load_pixels,
    open_image,
    pixels,
)

SIGNATURES = (b"GIF87a", b"GIF89a")
_MAX_VALUES = 1 << 29  # maximum values of all frames
_MAX_PIXELS_PER_BYTE = 4096  # upper bound on pixels per byte
_TRUNCATED_ERROR = "failed to slurp gif file: Failed to read from given file"
_TOO_SHORT_ERROR = "failed to slurp gif file: Image EOF detected before image complete"
_NO_SCREEN_ERROR = "failed to open gif file: No screen descriptor detected"
# A palette that differs from the gray ramp everywhere, so that Pillow keeps the indices.
_PALETTE = b"".join(bytes([n, 255 - n, 7]) for n in range(256))


@dataclass(frozen=True)
class _Frame:
    """A frame: its position, palette and compressed data."""

    left: int
    top: int
    width: int
    height: int
    interlaced: bool
    palette: bytes
    bits: int
    data: bytes


class _Reader:
    """Reads bytes from the front of data; raises UnreadableImageError if there are too few."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def take(self, count: int, problem: str = _TRUNCATED_ERROR) -> bytes:
        part = self.data[self.at : self.at + count]
        if len(part) < count:
            raise UnreadableImageError(problem)
        self.at += count
        return part

    def blocks(self) -> bytes:
        """Returns the sub-blocks up to the empty one, with their lengths."""
        start = self.at
        while length := self.take(1)[0]:
            self.take(length)
        return self.data[start : self.at]


def _read_frames(data: bytes) -> Iterator[_Frame]:
    reader = _Reader(data)
    reader.take(6, "failed to open gif file: Failed to read from given file")
    _, _, flags, _, _ = struct.unpack("<HHBBB", reader.take(7, _NO_SCREEN_ERROR))
    shared = reader.take(3 << (flags & 7) + 1, _NO_SCREEN_ERROR) if flags & 0x80 else b""
    while True:
        block_type = reader.take(1)
        if block_type == b";":
            return
        if block_type == b"!":
            reader.take(1)
            reader.blocks()
            continue
        if block_type != b",":
            raise UnreadableImageError("failed to slurp gif file: Wrong record type detected")
        left, top, width, height, flags = struct.unpack("<HHHHB", reader.take(9))
        palette = reader.take(3 << (flags & 7) + 1) if flags & 0x80 else shared
        if not width or not height:
            raise UnreadableImageError("failed to slurp gif file: Unknown error")
        bits = reader.take(1)[0]
        blocks = reader.blocks()
        is_interlaced = bool(flags & 0x40)
        yield _Frame(left, top, width, height, is_interlaced, palette, bits, blocks)


def _palette_indices(frame: _Frame) -> np.ndarray:
    """Returns the palette indices of the pixels of a frame, [rows, columns]."""
    if frame.width * frame.height > _MAX_PIXELS_PER_BYTE * len(frame.data):
        raise UnreadableImageError(_TOO_SHORT_ERROR)
    header = b"GIF89a" + struct.pack("<HHBBB", frame.width, frame.height, 0xF7, 0, 0) + _PALETTE
    flags = 0x40 if frame.interlaced else 0
    descriptor = b"," + struct.pack("<HHHHB", 0, 0, frame.width, frame.height, flags)
    file = header + descriptor + bytes([frame.bits]) + frame.data + b";"
    try:
        return pixels(load_pixels(open_image(file, "GIF")))[..., 0]
    except UnreadableImageError:
        raise UnreadableImageError(_TOO_SHORT_ERROR) from None


def decode(data: bytes) -> np.ndarray:
    """Decodes a file to bytes [frames, rows, columns, 3]; raises UnreadableImageError for invalid data."""
    frames = list(_read_frames(data))
    if not frames:
        raise UnreadableImageError("failed to slurp gif file: No Image Descriptor detected")
    width, height = max(f.width for f in frames), max(f.height for f in frames)
    first = frames[0]
    if (first.left, first.top, first.width, first.height) != (0, 0, width, height):
        raise UnreadableImageError("the first frame does not fill the canvas")
    if len(frames) * width * height * 3 >= _MAX_VALUES:
        raise UnreadableImageError("invalid image size")
    result = np.zeros((len(frames), height, width, 3), np.uint8)
    for index, frame in enumerate(frames):
        if index:
            result[index] = result[index - 1]
        if not frame.palette:
            raise UnreadableImageError(f"missing color map for frame {index}")
        indices = _palette_indices(frame)[
            : max(height - frame.top, 0), : max(width - frame.left, 0)
        ]
        part = result[index, frame.top : frame.top + height, frame.left : frame.left + width]
        part = part[: indices.shape[0], : indices.shape[1]]
        table = np.frombuffer(frame.palette, np.uint8).reshape(-1, 3)
        wrong = indices[indices >= len(table)]
        if wrong.size:
            text = f"found color index {wrong[0]} outside of color map range {len(table)}"
            raise UnreadableImageError(text)
        part[...] = table[indices]
    return result
