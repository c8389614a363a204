"""Decoders of PNG, JPEG, GIF and BMP images.

TensorFlow's PNG and JPEG ops accept PNG, JPEG and GIF files, which are identified by signature.
"""

from __future__ import annotations

import struct
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.devices.host.codecs import gif, jpeg, png
from tfmini._src.devices.host.codecs.pillow import UnreadableImageError
from tfmini._src.graph.opdef import Attr, op
from tfmini._src.graph.shape_inference import (
    Dims,
    InferenceError,
    checked_ranks,
    input_value,
    size_from_input,
    with_rank,
)
from tfmini._src.ops.operands import dense, shape_text

_JPEG = b"\xff\xd8\xff"
_PNG = b"\x89PNG\r\n\x1a\n"
_FILE = "contents: string -> image: uint8"
_METHODS = ("", "INTEGER_FAST", "INTEGER_ACCURATE")


# File formats ----------------------------------------------------------------------------------------


def _contents(contents: Any) -> bytes:
    value = dense(contents)
    if value.ndim:
        invalid(f"contents must be scalar, got shape {shape_text(value.shape)}")
    return value.item()


def _escape(data: bytes) -> str:
    """Formats bytes as C does, with octal escapes for non-printable ones."""
    special = {9: "\\t", 10: "\\n", 13: "\\r", 34: '\\"', 39: "\\'", 92: "\\\\"}
    return "".join(
        special.get(byte) or (chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}") for byte in data
    )


def _image_format(data: bytes) -> str:
    if data.startswith(_JPEG):
        return "JPEG"
    if data.startswith(_PNG):
        return "PNG"
    if data.startswith(b"GIF8"):
        return "GIF"
    description = f"unknown format starting with '{_escape(data[:16])}'" if data else "empty file"
    invalid(f"Expected image (JPEG, PNG, or GIF), got {description}")


def _png(data: bytes, channels: int, is_16_bit: bool) -> np.ndarray:
    try:
        return png.decode(data, channels, is_16_bit)
    except png.BadHeader:
        invalid(f"Invalid PNG header, data size {len(data)}")
    except png.InvalidSizeError as error:
        invalid(str(error))
    except UnreadableImageError:
        invalid(f"Invalid PNG data, size {len(data)}")


def _jpeg(data: bytes, channels: int, window: Any = None, **settings: Any) -> np.ndarray:
    if channels == 4:
        invalid("channels must be 0, 1, or 3 for JPEG, got 4")
    try:
        image = jpeg.decode(data, channels, **settings)
        if window is None:
            return image
        top, left, rows, columns = (int(n) for n in window)
        height, width = image.shape[:2]
        fits = top >= 0 and left >= 0 and top + rows <= height and left + columns <= width
        if fits and rows > 0 and columns > 0:
            return np.ascontiguousarray(image[top : top + rows, left : left + columns])
    except UnreadableImageError:
        pass
    invalid(f"Invalid JPEG data or crop window, data size {len(data)}")


def _gif(data: bytes, channels: int) -> np.ndarray:
    if channels not in (0, 3):
        invalid(f"channels must be 0 or 3 for GIF, got {channels}")
    try:
        return gif.decode(data)
    except UnreadableImageError as error:
        invalid(f"Invalid GIF data (size {len(data)}), {error}")


def _decode(contents: Any, channels: int, is_16_bit: bool = False, **settings: Any) -> np.ndarray:
    data = _contents(contents)
    file_format = _image_format(data)
    if is_16_bit and file_format != "PNG":
        invalid(f"{file_format} does not support uint16 output")
    if file_format == "PNG":
        return _png(data, channels, is_16_bit)
    if file_format == "JPEG":
        return _jpeg(data, channels, **settings)
    frames = _gif(data, channels)
    if len(frames) != 1:
        invalid(
            f"Got {len(frames)} frames, but animated gifs can only be decoded by tf.image.decode_gif "
            "or tf.image.decode_image"
        )
    return frames[0]


# PNG and JPEG ----------------------------------------------------------------------------------------


def _check_channels(attrs: dict[str, Any], on_gpu: bool) -> None:
    if attrs["channels"] not in (0, 1, 3, 4):
        invalid(f"channels must be 0, 1, 3, or 4, got {attrs['channels']}")


def _check_jpeg(attrs: dict[str, Any], on_gpu: bool) -> None:
    _check_channels(attrs, on_gpu)
    if attrs["ratio"] not in (1, 2, 4, 8):
        invalid(f"ratio must be 1, 2, 4, or 8, got {attrs['ratio']}")
    if attrs["dct_method"] not in _METHODS:
        invalid("dct_method must be one of {'', 'INTEGER_FAST', 'INTEGER_ACCURATE'}")


def _static_dims(op: Any) -> Dims:
    with_rank(op.inputs[0]._dims, 0)
    channels = op.attrs["channels"]
    if channels < 0:
        raise InferenceError(f"channels must be non-negative, got {channels}")
    return (None, None, channels or None)


@op(
    "DecodePng",
    "contents: string -> image: dtype",
    sized_by_values=True,
    infer=_static_dims,
    check_attrs=_check_channels,
    channels=0,
    dtype=Attr("type", dtypes.uint8, allowed=(dtypes.uint8, dtypes.uint16)),
)
def decode_png_op(xp, contents, *, channels, dtype):
    return _decode(contents, channels, dtype == dtypes.uint16)


_JPEG_ATTRS: dict[str, Any] = {
    "channels": 0,
    "ratio": 1,
    "fancy_upscaling": True,
    "try_recover_truncated": False,
    "acceptable_fraction": 1.0,
    "dct_method": "",
}


@op(
    "DecodeJpeg",
    _FILE,
    sized_by_values=True,
    infer=_static_dims,
    check_attrs=_check_jpeg,
    **_JPEG_ATTRS,
)
def decode_jpeg_op(
    xp, contents, *, channels, ratio, fancy_upscaling, try_recover_truncated, dct_method
):
    settings = _jpeg_settings(ratio, fancy_upscaling, try_recover_truncated, dct_method)
    return _decode(contents, channels, **settings)


def _jpeg_settings(ratio: int, smooth: bool, truncated: bool, method: str) -> dict[str, Any]:
    fast = method != "INTEGER_ACCURATE"
    return {"ratio": ratio, "truncated": truncated, "fast": fast, "smooth": smooth}


@op(
    "DecodeAndCropJpeg",
    "contents: string, crop_window: int32 -> image: uint8",
    sized_by_values=True,
    check_attrs=_check_jpeg,
    static_inputs=("crop_window",),
    **_JPEG_ATTRS,
)
def decode_and_crop_jpeg_op(
    xp, contents, window, *, channels, ratio, fancy_upscaling, try_recover_truncated, dct_method
):
    if window.ndim != 1:
        invalid(f"crop_window must be 1-D, got shape {shape_text(window.shape)}")
    if len(window) != 4:
        invalid(f"crop_size must have four elements {shape_text(window.shape)}")
    settings = _jpeg_settings(ratio, fancy_upscaling, try_recover_truncated, dct_method)
    return _jpeg(_contents(contents), channels, window, **settings)


@decode_and_crop_jpeg_op.infer
def _(op) -> Dims:
    dims = _static_dims(op)
    window = with_rank(op.inputs[1]._dims, 1)
    if window[0] not in (None, 4):
        raise InferenceError(f"Dimension must be 4 but is {window[0]}")
    value = input_value(op, 1)
    if value is None or dims is None:
        return dims
    return (size_from_input(value[2]), size_from_input(value[3]), dims[2])


@op(
    "ExtractJpegShape",
    "contents: string -> image_shape: output_type",
    infer=checked_ranks(0, result=(3,)),
    output_type=Attr("type", dtypes.int32, allowed=(dtypes.int32, dtypes.int64)),
)
def extract_jpeg_shape_op(xp, contents, *, output_type):
    data = _contents(contents)
    try:
        return np.array(jpeg.read_shape(data), output_type.as_numpy_dtype)
    except UnreadableImageError:
        invalid(f"Invalid JPEG data, size {len(data)}")


# GIF and BMP -----------------------------------------------------------------------------------------


@op("DecodeGif", _FILE, sized_by_values=True, infer=checked_ranks(0, result=(None, None, None, 3)))
def decode_gif_op(xp, contents):
    data = _contents(contents)
    file_format = _image_format(data)
    if file_format == "GIF":
        return _gif(data, 0)
    return (_png(data, 3, False) if file_format == "PNG" else _jpeg(data, 3))[None]


@op("DecodeBmp", _FILE, sized_by_values=True, infer=_static_dims, channels=0)
def decode_bmp_op(xp, contents, *, channels):
    data = _contents(contents)
    if len(data) < 32:
        invalid(
            "Incomplete bmp content, requires at least 32 bytes to find the header size, width, height, and bpp, "
            f"got {len(data)} bytes"
        )
    start, width, height, bits = (
        struct.unpack_from("<i", data, offset)[0] for offset in (10, 18, 22, 28)
    )
    depth = int(bits / 8)
    if channels and channels != depth:
        invalid(f"channels attribute {channels} does not match bits per pixel from file {depth}")
    if depth not in (1, 3, 4):
        invalid(f"Number of channels must be 1, 3 or 4, was {depth}")
    rows = abs(height)
    if width <= 0:
        invalid("Width must be positive")
    if not rows:
        invalid("Height must be nonzero")
    if start < 0:
        invalid("header size must be nonnegative")
    if width * rows >= (1 << 31) // 8:
        invalid("Total possible pixel bytes must be less than 2^30")
    line = (depth * width + 3) // 4 * 4
    needed = start + (rows - 1) * line + width * depth
    if len(data) < needed:
        invalid(f"Incomplete bmp content, requires at least {needed} bytes, got {len(data)} bytes")
    step = (line, depth, 1)
    image: np.ndarray = np.ndarray((rows, width, depth), np.uint8, data, start, step)
    if height > 0:
        image = image[::-1]
    if depth > 1:
        image = image[..., [2, 1, 0, 3][:depth]]
    return np.ascontiguousarray(image)


@decode_bmp_op.check_attrs
def _(attrs: dict[str, Any], on_gpu: bool) -> None:
    if attrs["channels"] not in (0, 1, 3, 4):
        invalid(f"channels must be 0, 1, 3 or 4, got {attrs['channels']}")
