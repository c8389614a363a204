"""Ops that encode images as PNG and JPEG."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.errors import InternalError, invalid
from tfmini._src.devices.host.codecs import jpeg, png
from tfmini._src.graph.opdef import Attr, op
from tfmini._src.graph.shape_inference import Dims, checked_ranks, with_rank
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
    infer=_image,
    compression=-1,
    T=Attr("type", dtypes.uint8, allowed=(dtypes.uint8, dtypes.uint16)),
)
def encode_png_op(xp, image, *, compression):
    _check_image(image)
    if image.shape[2] not in (1, 2, 3, 4):
        invalid(f"image must have 1, 2, 3, or 4 channels, got {image.shape[2]}")
    if not image.size:
        raise InternalError(None, None, "PNG encoding failed")
    return png.encode(image, compression)


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
    infer=_image,
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
    expected = {"grayscale": 1, "rgb": 3}.get(format)
    if expected and image.shape[2] != expected:
        invalid(f"format {format} expects {expected} channels, got {shape_text(image.shape)}")
    _check_jpeg(image)
    xmp = xmp_metadata.encode() if isinstance(xmp_metadata, str) else xmp_metadata
    if len(xmp) > jpeg.MAX_XMP:
        raise InternalError(None, None, "JPEG encoding failed")
    density = (density_unit, x_density, y_density)
    return jpeg.encode(
        image, quality, progressive, optimize_size, chroma_downsampling, density, xmp
    )


@encode_jpeg_op.check_attrs
def _(attrs: dict[str, Any], on_gpu: bool) -> None:
    if not 0 <= attrs["quality"] <= 100:
        invalid(f"quality must be in [0,100], got {attrs['quality']}")


@op(
    "EncodeJpegVariableQuality",
    "images: uint8, quality: int32 -> contents: string",
    infer=checked_ranks(None, 0, result=_image),
    static_inputs=("quality",),
)
def encode_jpeg_variable_quality_op(xp, image, quality):
    if image.ndim != 3:
        invalid(f"image must be 3-dimensional{shape_text(image.shape)}")
    if quality.ndim:
        invalid(f"quality must be scalar: {shape_text(quality.shape)}")
    _check_jpeg(image)
    return jpeg.encode(image, min(max(int(quality), 0), 100))
