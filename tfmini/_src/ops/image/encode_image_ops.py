"""Images encoded as PNG and JPEG, and images degraded by a JPEG round trip."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.errors import InternalError, invalid
from tfmini._src.devices.codecs import jpeg, png
from tfmini._src.graph.opdef import Attr, op, public, raw
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.shape_inference import Dims, with_rank
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.ops.image.adjust_brightness_contrast import convert_image_dtype
from tfmini._src.ops.image.image_checks import is_tensor
from tfmini._src.ops.operands import shape_text


def _image(op: Any) -> Dims:
    with_rank(op.inputs[0]._dims, 3)
    return ()


def _check_image(image: Any) -> None:
    if image.ndim != 3:
        invalid(f"image must be 3-dimensional{shape_text(image.shape)}")


@op(
    "EncodePng",
    "image: T -> contents: string",
    compression=-1,
    T=Attr("type", dtypes.uint8, allowed=(dtypes.uint8, dtypes.uint16)),
)
def encode_png_op(xp, image, *, compression):
    _check_image(image)
    if image.shape[2] not in (1, 2, 3, 4):
        invalid(f"image must have 1, 2, 3, or 4 channels, got {image.shape[2]}")
    if not image.size:
        raise InternalError(None, None, "PNG encoding failed")
    return png.encoded(image, compression)


encode_png_op.infer(_image)


@encode_png_op.check_attrs
def _(attrs: dict[str, Any], on_gpu: bool) -> None:
    if not -1 <= attrs["compression"] <= 9:
        invalid(f"compression should be in [-1,9], got {attrs['compression']}")


def _check_jpeg(image: Any) -> None:
    _check_image(image)
    if image.shape[2] not in (1, 3):
        invalid(f"image must have 1 or 3 channels, got {shape_text(image.shape)}")
    if not image.size:
        raise InternalError(None, None, "JPEG encoding failed")


@op(
    "EncodeJpeg",
    "image: uint8 -> contents: string",
    format=Attr("string", "", allowed=("", "grayscale", "rgb")),
    quality=95,
    progressive=False,
    optimize_size=False,
    chroma_downsampling=True,
    density_unit=Attr("string", "in", allowed=("in", "cm")),
    x_density=300,
    y_density=300,
    xmp_metadata="",
)
def encode_jpeg_op(
    xp,
    image,
    *,
    format,
    quality,
    progressive,
    optimize_size,
    chroma_downsampling,
    density_unit,
    x_density,
    y_density,
    xmp_metadata,
):
    if image.ndim != 3:
        invalid(f"image must be 3-dimensional{shape_text(image.shape)}")
    wanted = {"grayscale": 1, "rgb": 3}.get(format)
    if wanted and image.shape[2] != wanted:
        text = f"format {format} expects {wanted} channels, got {shape_text(image.shape)}"
        invalid(text)
    _check_jpeg(image)
    xmp = xmp_metadata.encode() if isinstance(xmp_metadata, str) else xmp_metadata
    if len(xmp) > jpeg.MOST_XMP:
        raise InternalError(None, None, "JPEG encoding failed")
    density = (density_unit, x_density, y_density)
    return jpeg.encoded(
        image, quality, progressive, optimize_size, chroma_downsampling, density, xmp
    )


encode_jpeg_op.infer(_image)


@encode_jpeg_op.check_attrs
def _(attrs: dict[str, Any], on_gpu: bool) -> None:
    if not 0 <= attrs["quality"] <= 100:
        invalid(f"quality must be in [0,100], got {attrs['quality']}")


@op(
    "EncodeJpegVariableQuality",
    "images: uint8, quality: int32 -> contents: string",
    static_inputs=("quality",),
)
def encode_jpeg_variable_quality_op(xp, image, quality):
    if image.ndim != 3:
        invalid(f"image must be 3-dimensional{shape_text(image.shape)}")
    if quality.ndim:
        invalid(f"quality must be scalar: {shape_text(quality.shape)}")
    _check_jpeg(image)
    return jpeg.encoded(image, min(max(int(quality), 0), 100))


@encode_jpeg_variable_quality_op.infer
def _(op) -> Dims:
    with_rank(op.inputs[1]._dims, 0)
    return _image(op)


@public
def adjust_jpeg_quality(image: Any, jpeg_quality: Any, name: str | None = None) -> Tensor:
    """An image after a JPEG round trip: encoded at `jpeg_quality`, then decoded.

    Args:
      image: [height, width, 1 or 3] tensor.
      jpeg_quality: a scalar int32, from 0 to 100.
      name: the name of the scope.

    Returns:
      A tensor of the same shape and dtype.
    """
    with name_scope(name, "adjust_jpeg_quality", [image]) as name:
        image = ops.convert_to_tensor(image, name="image")
        dtype = image.dtype
        image = convert_image_dtype(image, dtypes.uint8)
        if not is_tensor(jpeg_quality):
            jpeg_quality = ops.convert_to_tensor(jpeg_quality, dtype=dtypes.int32)
        file = raw.EncodeJpegVariableQuality(image, jpeg_quality)
        return convert_image_dtype(raw.DecodeJpeg(file), dtype)


@public
def random_jpeg_quality(
    image: Any, min_jpeg_quality: int, max_jpeg_quality: int, seed: int | None = None
) -> Tensor:
    """An image after a JPEG round trip at a random quality in [min_jpeg_quality, max_jpeg_quality).

    Args:
      image: [height, width, 1 or 3] tensor.
      min_jpeg_quality, max_jpeg_quality: integers from 0 to 100.
      seed: an integer; see `tf.set_random_seed`.

    Returns:
      A tensor of the same shape and dtype.

    Raises:
      ValueError: the range is empty or leaves 0 to 100.
    """
    ends = (min_jpeg_quality, max_jpeg_quality)
    if min(ends) < 0 or max(ends) > 100:
        raise ValueError("jpeg encoding range must be between 0 and 100.")
    if min_jpeg_quality >= max_jpeg_quality:
        raise ValueError("`min_jpeg_quality` must be less than `max_jpeg_quality`.")
    quality = ops.random_uniform([], *ends, seed=seed, dtype=dtypes.int32)
    return adjust_jpeg_quality(image, quality)
