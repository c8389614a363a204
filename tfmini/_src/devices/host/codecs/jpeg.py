"""JPEG files, decoded by simplejpeg or, if it cannot, by Pillow, and encoded by Pillow.

Files are written byte for byte as by TensorFlow. simplejpeg decodes files to the same values as TensorFlow; Pillow
always uses the accurate integer DCT and smooth chroma upsampling, regardless of options.
"""

from __future__ import annotations

import struct

import numpy as np

from tfmini._src.devices.host.codecs import simplejpeg
from tfmini._src.devices.host.codecs.pillow import (
    UnreadableImageError,
    decode_headerless,
    load_pixels,
    open_image,
    pixels,
    to_jpeg,
)

_MAX_VALUES = 1 << 29  # maximum values per image, as in TensorFlow
_MAX_PIXELS_PER_BYTE = (
    # Upper bound on pixels per data byte: 8 blocks of 64 pixels, with the smallest chroma.
    4096
)
_FRAMES = {0xC0 + n for n in range(16)} - {0xC4, 0xC8, 0xCC}
_STANDALONE_MARKERS = {0x01, *range(0xD0, 0xD9)}  # markers without a segment
_XMP = b"http://ns.adobe.com/xap/1.0/\0"
# Maximum metadata bytes in one segment, whose length field counts itself.
MAX_XMP = 0xFFFF - 2 - len(_XMP)


def read_shape(data: bytes) -> tuple[int, int, int]:
    """Returns (rows, columns, channels) from the frame header; raises UnreadableImageError without it or a scan."""
    offset, shape = 2, (0, 0, 0)
    while data[:2] == b"\xff\xd8" and offset + 4 <= len(data):
        if data[offset] != 0xFF:
            break
        marker = data[offset + 1]
        if marker == 0xFF or marker in _STANDALONE_MARKERS:
            offset += 1 if marker == 0xFF else 2
            continue
        (length,) = struct.unpack_from(">H", data, offset + 2)
        if marker in _FRAMES and offset + 10 <= len(data):
            shape = struct.unpack_from(">HHB", data, offset + 5)
        if marker == 0xDA and all(shape) and offset + 2 + length <= len(data):
            return shape
        if marker == 0xDA or length < 2:
            break
        offset += 2 + length
    raise UnreadableImageError("no frame header")


def decode(
    data: bytes,
    channels: int,
    ratio: int = 1,
    truncated: bool = False,
    fast: bool = True,
    smooth: bool = True,
) -> np.ndarray:
    """Decodes a file to bytes [rows, columns, 1 or 3]; with 0 channels, the file determines the number.

    Args:
      ratio: 1, 2, 4 or 8: downscaling factor.
      truncated: whether a truncated file is decoded as far as possible and filled with gray.
      fast: whether simplejpeg, if used, may use the fast inverse transform.
      smooth: whether simplejpeg, if used, interpolates chroma.

    Raises:
      UnreadableImageError: if it is not an image.
    """
    rows, columns, parts = read_shape(data)
    if rows * columns * max(parts, 3) >= _MAX_VALUES:
        raise UnreadableImageError("invalid image size")
    if rows * columns > _MAX_PIXELS_PER_BYTE * len(data):
        raise UnreadableImageError("not enough pixel data")
    if parts == 4 and channels == 1:
        raise UnreadableImageError("cannot convert four channels to grayscale")
    if parts in (1, 3):
        size = (rows, columns, channels or parts)
        array = simplejpeg.decode(data, size, ratio, fast, smooth)
        if array is not None:
            return array
    if parts in (1, 3) and channels in (0, parts) and ratio == 1 and not truncated:
        mode = "L" if parts == 1 else "RGB"
        return decode_headerless("jpeg", mode, (columns, rows), data, mode, "")
    picture = open_image(data, "JPEG")
    if ratio > 1:
        picture.draft(None, (-(-columns // ratio), -(-rows // ratio)))
        picture.decoderconfig = (ratio, 0)
        picture._size = (-(-columns // ratio), -(-rows // ratio))
        decoder, (left, top, _, _), offset, arguments = picture.tile[0]
        picture.tile = [
            type(picture.tile[0])(decoder, (left, top, *picture._size), offset, arguments)
        ]
    if channels == 1 and parts == 3 and ratio == 1:
        picture.draft("L", picture.size)
    picture = load_pixels(picture, truncated)
    array = pixels(picture)
    if parts == 4:
        array = _rgb_of_cmyk(array)
    if channels == 1 and array.shape[2] == 3:
        array = pixels(picture.convert("L"))
    elif channels == 3 and array.shape[2] == 1:
        array = np.repeat(array, 3, axis=2)
    return array


def _rgb_of_cmyk(array: np.ndarray) -> np.ndarray:
    """Returns the RGB image for a CMYK image that Pillow returns inverted."""
    paper = 255 - array.astype(np.int32)
    return (paper[..., :3] * paper[..., 3:] // 255).astype(np.uint8)


def encode(
    array: np.ndarray,
    quality: int,
    progressive: bool = False,
    optimize: bool = False,
    small_chroma: bool = True,
    density: tuple[str, int, int] = ("in", 300, 300),
    xmp: bytes = b"",
) -> bytes:
    """Encodes an image, bytes [rows, columns, 1 or 3], as a JPEG file."""
    settings: dict[str, int] = {
        "progressive": progressive,
        "optimize": optimize or progressive,
    }
    if array.shape[2] == 3:
        settings["subsampling"] = 2 if small_chroma else 0
    # Pillow replaces 0 with its default; the tables of 0 and 1 are identical.
    data = to_jpeg(array, quality=max(quality, 1), **settings)
    unit, x_density, y_density = density
    (length,) = struct.unpack_from(">H", data, 4)
    head = data[:13] + struct.pack(
        ">BHH", 1 if unit == "in" else 2, x_density & 0xFFFF, y_density & 0xFFFF
    )
    end = 4 + length
    segment = b""
    if xmp:
        content = _XMP + xmp
        segment = b"\xff\xe1" + struct.pack(">H", len(content) + 2) + content
    return head + data[18:end] + segment + data[end:]
