"""Public image decoders: `tf.image.decode_image`, `decode_png` and related functions."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.graph.opdef import public, raw
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.image.pixel_scaling import convert_image_dtype

_JPEG = b"\xff\xd8\xff"


@public
def is_jpeg(contents: TensorLike, name: str | None = None) -> Tensor:
    """Returns whether data start with a JPEG signature.

    Args:
      contents: a scalar string.

    Returns:
      A scalar bool.
    """
    with name_scope(name, "is_jpeg"):
        return ops.equal(ops.substr(contents, 0, 3), _JPEG, name=name)


def _is_png(contents: Any, name: str | None = None) -> Tensor:
    with name_scope(name, "is_png"):
        return ops.equal(ops.substr(contents, 0, 3), b"\x89PN", name=name)


@public
def decode_image(
    contents: TensorLike,
    channels: int | None = None,
    dtype: DTypeLike = dtypes.uint8,
    name: str | None = None,
    expand_animations: bool = True,
) -> Tensor:
    """Decodes a PNG, JPEG, GIF or BMP image.

    Args:
      contents: a scalar string, the file contents.
      channels: 0 or None for the file's number of channels, 1 for grayscale, 3 for RGB, 4 for RGBA.
      dtype: the dtype of the result, converted as by `tf.image.convert_image_dtype`.
      expand_animations: whether to return all frames of a GIF file instead of the first.

    Returns:
      [height, width, channels] tensor, or [frames, height, width, 3] for a GIF; its static shape is unknown.

    Raises:
      ValueError: for unsupported `channels`.
      InvalidArgumentError (when run): if the format or the number of channels is unsupported.
    """
    with name_scope(name, "decode_image"):
        if channels not in (None, 0, 1, 3, 4):
            raise ValueError("channels must be in (None, 0, 1, 3, 4)")
        begin = ops.substr(contents, 0, 3)
        expected = 0 if channels is None else channels

        def as_bmp() -> Tensor:
            signature = ops.substr(contents, 0, 2)
            is_bmp = ops.equal(signature, "BM", name="is_bmp")
            text = "Unable to decode bytes as JPEG, PNG, GIF, or BMP"
            bmp_check = ops.Assert(is_bmp, [text])
            channel_check = ops.not_equal(expected, 1, name="check_channels")
            text = "Channels must be in (None, 0, 3) when decoding BMP images"
            check = ops.Assert(channel_check, [text])
            with control_dependencies([bmp_check, check]):
                return convert_image_dtype(raw.DecodeBmp(contents), dtype)

        def as_gif() -> Tensor:
            channel_check = ops.logical_and(
                ops.not_equal(expected, 1, name="check_gif_channels"),
                ops.not_equal(expected, 4, name="check_gif_channels"),
            )
            text = "Channels must be in (None, 0, 3) when decoding GIF images"
            check = ops.Assert(channel_check, [text])
            with control_dependencies([check]):
                result = convert_image_dtype(raw.DecodeGif(contents), dtype)
                return result if expand_animations else ops.gather(result, 0)

        def gif_or_bmp() -> Tensor:
            is_gif = ops.equal(begin, b"GIF", name="is_gif")
            return ops.cond(is_gif, as_gif, as_bmp, name="cond_gif")

        def as_png() -> Tensor:
            png_dtype = dtypes.uint8 if dtype == dtypes.uint8 else dtypes.uint16
            return convert_image_dtype(
                raw.DecodePng(contents, channels=channels, dtype=png_dtype), dtype
            )

        def png_or_others() -> Tensor:
            return ops.cond(_is_png(contents), as_png, gif_or_bmp, name="cond_png")

        def as_jpeg() -> Tensor:
            channel_check = ops.not_equal(expected, 4, name="check_jpeg_channels")
            text = "Channels must be in (None, 0, 1, 3) when decoding JPEG images"
            check = ops.Assert(channel_check, [text])
            with control_dependencies([check]):
                return convert_image_dtype(raw.DecodeJpeg(contents, channels=channels), dtype)

        return ops.cond(is_jpeg(contents), as_jpeg, png_or_others, name="cond_jpeg")


# The ops ---------------------------------------------------------------------------------------------


def decode_png(
    contents: TensorLike,
    channels: int = 0,
    dtype: DTypeLike = dtypes.uint8,
    name: str | None = None,
) -> Tensor:
    """Decodes a PNG image; also accepts JPEG images, and GIF images with a single frame.

    Args:
      contents: a scalar string, the file contents.
      channels: 0 for the file's number of channels, 1 for grayscale, 3 for RGB, 4 for RGBA.
      dtype: uint8 or uint16.

    Returns:
      [height, width, channels] tensor of the dtype.

    Raises:
      InvalidArgumentError (when run): if the file is not a valid image.
    """
    return raw.DecodePng(contents, channels=channels, dtype=dtype, name=name)


def decode_jpeg(
    contents: TensorLike,
    channels: int = 0,
    ratio: int = 1,
    fancy_upscaling: bool = True,
    try_recover_truncated: bool = False,
    acceptable_fraction: float = 1,
    dct_method: str = "",
    name: str | None = None,
) -> Tensor:
    """Decodes a JPEG image; also accepts PNG images, and GIF images with a single frame.

    Args:
      contents: a scalar string, the file contents.
      channels: 0 for the file's number of channels, 1 for grayscale, 3 for RGB.
      ratio: 1, 2, 4 or 8, the downscaling factor.
      fancy_upscaling: whether to smooth upsampled chroma instead of repeating it.
      try_recover_truncated: whether to accept a truncated file, replacing missing data with gray.
      acceptable_fraction: the fraction of rows required in a truncated file; has no effect, because gray rows
        count as well, as in TensorFlow.
      dct_method: "" (same as "INTEGER_FAST"), or "INTEGER_ACCURATE".

    Returns:
      [height, width, channels] uint8 tensor. simplejpeg decodes to TensorFlow's values. Files that it cannot decode
      (CMYK, truncated, slightly corrupt, or below 8 x 8 pixels with a ratio), and all files if it is not installed, are
      decoded accurately and with smoothed chroma regardless of the arguments; up to quality 95, values differ from
      those of TensorFlow's fast method by 1 on average and by at most 9.

    Raises:
      InvalidArgumentError (when run): if the file is not a valid image.
    """
    return raw.DecodeJpeg(**locals())


def decode_and_crop_jpeg(
    contents: TensorLike,
    crop_window: TensorLike,
    channels: int = 0,
    ratio: int = 1,
    fancy_upscaling: bool = True,
    try_recover_truncated: bool = False,
    acceptable_fraction: float = 1,
    dct_method: str = "",
    name: str | None = None,
) -> Tensor:
    """Decodes part of a JPEG image.

    Args:
      contents: a scalar string, the file contents.
      crop_window: [4] int32: the first row and column, and the number of rows and columns.
      channels, ratio, fancy_upscaling, try_recover_truncated, acceptable_fraction, dct_method: same as
        for `tf.image.decode_jpeg`.

    Returns:
      [rows, columns, channels] uint8 tensor.

    Raises:
      InvalidArgumentError (when run): if the file is not a valid image, or the window exceeds it.
    """
    return raw.DecodeAndCropJpeg(**locals())


@public
def decode_gif(contents: TensorLike, name: str | None = None) -> Tensor:
    """Decodes the frames of a GIF image, each drawn over the previous one.

    Args:
      contents: a scalar string, the file contents.

    Returns:
      [frames, height, width, 3] uint8 tensor.

    Raises:
      InvalidArgumentError (when run): if the file is not a valid image.
    """
    return raw.DecodeGif(contents, name=name)


def decode_bmp(contents: TensorLike, channels: int = 0, name: str | None = None) -> Tensor:
    """Decodes an uncompressed BMP image.

    Args:
      contents: a scalar string, the file contents.
      channels: the number of channels, which must match the file: 1, 3 or 4; 0 for any.

    Returns:
      [height, width, channels] uint8 tensor.

    Raises:
      InvalidArgumentError (when run): if the file is not a valid image, or its number of channels differs.
    """
    return raw.DecodeBmp(contents, channels=channels, name=name)


def extract_jpeg_shape(
    contents: TensorLike, output_type: DTypeLike = dtypes.int32, name: str | None = None
) -> Tensor:
    """Reads the shape of a JPEG image without decoding it.

    Args:
      contents: a scalar string, the file contents.
      output_type: int32 or int64.

    Returns:
      [3] tensor: height, width, channels.

    Raises:
      InvalidArgumentError (when run): if the file does not have a valid image header.
    """
    return raw.ExtractJpegShape(contents, output_type=output_type, name=name)
