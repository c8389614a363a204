"""PNG files of 8-bit images: filtered rows, deflated."""

from __future__ import annotations

import struct
import zlib

import numpy as np

_COLOUR_TYPES = {1: 0, 3: 2, 4: 6}


def encode_png(pixels: np.ndarray) -> bytes:
    """The bytes of a PNG file.

    Args:
      pixels: [height, width, channels], uint8; grey, RGB or RGB with opacity by 1, 3 or 4 channels.
    """
    height, width, channels = pixels.shape
    header = struct.pack(">IIBBBBB", width, height, 8, _COLOUR_TYPES[channels], 0, 0, 0)
    data = zlib.compress(_filtered(pixels))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        _chunk(kind, content)
        for kind, content in ((b"IHDR", header), (b"IDAT", data), (b"IEND", b""))
    )


def _chunk(kind: bytes, content: bytes) -> bytes:
    checksum = zlib.crc32(content, zlib.crc32(kind))
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", checksum)


def _filtered(pixels: np.ndarray) -> bytes:
    """Filters each row by the best of three difference filters (smallest sum), and prepends the filter's number."""
    left, above = np.zeros_like(pixels), np.zeros_like(pixels)
    left[:, 1:] = pixels[:, :-1]
    above[1:] = pixels[:-1]
    rows = np.stack([pixels, pixels - left, pixels - above]).reshape(3, len(pixels), -1)
    size = np.minimum(rows, -rows).sum(-1, dtype=np.int64)  # sum of the bytes as signed magnitudes
    chosen = size.argmin(0)
    picked = rows[chosen, np.arange(len(pixels))]
    return np.concatenate([chosen[:, None].astype(np.uint8), picked], -1).tobytes()
