"""Pillow, loaded when the first image is decoded: decodes the compressed data of PNG, JPEG and GIF files.

This package has already parsed the inputs, so sizes are known and valid.
"""

from __future__ import annotations

import functools
import io
import warnings
from typing import Any

import numpy as np

from tfmini._src.base.error_hints import add_hint
from tfmini._src.base.errors import UnimplementedError
from tfmini._src.base.locks import make_lock
from tfmini._src.base.missing_package import missing_package

# Decoding truncated files is a global setting of Pillow.
_truncation = make_lock()


class UnreadableImageError(Exception):
    """Raised for data that is not an image or is incomplete."""


@functools.cache
def _library() -> Any:
    try:
        from PIL import Image, ImageFile  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise missing_package("Image files", "Pillow", "images", error) from None
    return Image, ImageFile


def open_image(data: bytes, file_format: str) -> Any:
    """Opens an image of this format, reading only its header; raises UnreadableImageError for other data."""
    image, _ = _library()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about its size, which the caller has checked
            limit, image.MAX_IMAGE_PIXELS = image.MAX_IMAGE_PIXELS, None
            try:
                return image.open(io.BytesIO(data), formats=[file_format])
            finally:
                image.MAX_IMAGE_PIXELS = limit
    except Exception as error:
        raise UnreadableImageError(str(error)) from None


def load_pixels(picture: Any, truncated: bool = False) -> Any:
    """Decodes an image, with missing pixels gray if `truncated`; raises UnreadableImageError for bad or short data."""
    _, files = _library()
    try:
        if not truncated:
            picture.load()
            return picture
        with _truncation:
            previous, files.LOAD_TRUNCATED_IMAGES = files.LOAD_TRUNCATED_IMAGES, True
            try:
                picture.load()
            finally:
                files.LOAD_TRUNCATED_IMAGES = previous
        return picture
    except Exception as error:
        raise UnreadableImageError(str(error)) from None


def decode_headerless(
    decoder: str, mode: str, size: tuple[int, int], data: bytes, *settings: Any
) -> np.ndarray:
    """Decodes compressed data without a file header to [rows, columns, channels].

    Args:
      decoder: "jpeg", or "zip" for PNG rows.
      mode: Pillow's name for the channels.
      size: (columns, rows).
      data: the complete data.
      settings: decoder settings.

    Raises:
      UnreadableImageError: if the data is corrupt or truncated.
    """
    core = _library()[0].core
    columns, rows = size
    try:
        picture = core.new(mode, size)
        unpacker = getattr(core, decoder + "_decoder")(mode, *settings)
        unpacker.setimage(picture, (0, 0, *size))
        remaining, problem = unpacker.decode(data)
        if remaining >= 0 or problem:
            raise UnreadableImageError("corrupt or truncated data")
        read = core.raw_encoder(mode, mode)
        read.setimage(picture, (0, 0, *size))
        line = (columns + 7) // 8 if mode == "1" else columns * len(mode)
        array = np.frombuffer(read.encode(rows * line)[2], np.uint8).reshape(rows, line)
    except Exception as error:
        raise UnreadableImageError(str(error)) from None
    if mode == "1":
        array = np.unpackbits(array, axis=1, count=columns).view(np.bool_)
    return array.reshape(rows, columns, -1)


def pixels(picture: Any) -> np.ndarray:
    """Returns the pixels of a loaded image, [rows, columns, channels]."""
    array = np.asarray(picture)
    return array.reshape(*array.shape[:2], -1)


def to_jpeg(array: np.ndarray, **settings: Any) -> bytes:
    """Encodes bytes [rows, columns, 1 or 3] as a JPEG file."""
    image, _ = _library()
    buffer = io.BytesIO()
    flat = array[..., 0] if array.shape[2] == 1 else array
    image.fromarray(np.ascontiguousarray(flat)).save(buffer, "JPEG", **settings)
    return buffer.getvalue()


def library(function: str) -> Any:
    """Returns `PIL.Image` for a Keras function; raises ImportError with Keras's message if Pillow is not installed."""
    try:
        return _library()[0]
    except UnimplementedError as error:
        text = f"Could not import PIL.Image. The use of `{function}` requires PIL."
        raise add_hint(ImportError(text), error.message) from None


def brighter(picture: Any, factor: float) -> Any:
    """Returns the image with its brightness multiplied by `factor`."""
    from PIL import ImageEnhance  # noqa: PLC0415

    return ImageEnhance.Brightness(picture).enhance(factor)
