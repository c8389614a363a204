"""Color ops: RGB-HSV conversion, contrast, hue and saturation."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import FailedPreconditionError, invalid
from tfmini._src.devices.host.native.images.colors import adjust_contrast
from tfmini._src.devices.numpy import rgb_hsv
from tfmini._src.graph.opdef import Attr, op, raw
from tfmini._src.graph.shape_inference import Dims, InferenceError, with_rank, with_rank_at_least
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops.operands import shape_text

_FLOATS = Attr(
    "type",
    dtypes.float32,
    allowed=(dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64),
)
_HALF_SINGLE = Attr("type", dtypes.float32, allowed=(dtypes.float16, dtypes.float32))


def _color_shape(op: Any) -> Dims:
    """Returns the shape rule of images with three channels."""
    dims = with_rank_at_least(op.inputs[0]._dims, 1)
    if dims is None:
        return None
    if dims[-1] not in (None, 3):
        raise InferenceError(f"Dimension must be 3 but is {dims[-1]}")
    return (*dims[:-1], 3)


def _check_colors(images: Any) -> None:
    if images.ndim < 1:
        invalid(f"input must be at least 1D{shape_text(images.shape)}")
    if images.shape[-1] != 3:
        text = f"input must have 3 channels but input only has {images.shape[-1]} channels."
        raise FailedPreconditionError(None, None, text)


@op("RGBToHSV", "images: T -> output: T", infer=_color_shape, T=_FLOATS)
def rgb_to_hsv_op(xp, images):
    _check_colors(images)
    return rgb_hsv.hsv_of_rgb(xp, images)


@op("HSVToRGB", "images: T -> output: T", infer=_color_shape, differentiable=False, T=_FLOATS)
def hsv_to_rgb_op(xp, images):
    _check_colors(images)
    return rgb_hsv.rgb_of_hsv(xp, images)


def rgb_to_hsv(images: TensorLike, name: str | None = None) -> Tensor:
    """Converts RGB to HSV.

    Args:
      images: float tensor [..., 3]; hue and saturation are correct for values in [0, 1].

    Returns:
      A tensor of the same shape and dtype, with all channels in [0, 1]; a hue of 0 is red, 1/3 is green, 2/3 is blue.
    """
    return raw.RGBToHSV(images, name=name)


def hsv_to_rgb(images: TensorLike, name: str | None = None) -> Tensor:
    """Converts HSV to RGB.

    Args:
      images: float tensor [..., 3] in [0, 1].

    Returns:
      A tensor of the same shape and dtype.
    """
    return raw.HSVToRGB(images, name=name)


# Adjusting -------------------------------------------------------------------------------------------


def _images(op: Any) -> Dims:
    return with_rank_at_least(op.inputs[0]._dims, 3)


def _check_adjusted(images: Any, scalar: Any, name: str) -> None:
    if images.ndim < 3:
        invalid(f"input must be at least 3-D, got shape{shape_text(images.shape)}")
    if scalar.ndim:
        invalid(f"{name} must be scalar: {shape_text(scalar.shape)}")
    if images.shape[-1] != 3:
        invalid(f"input must have 3 channels but instead has {images.shape[-1]} channels.")


@op("AdjustContrastv2", "images: T, contrast_factor: float -> output: T", T=_HALF_SINGLE)
def adjust_contrast_op(xp, images, contrast_factor):
    if images.ndim < 3:
        invalid(f"input must be at least 3-D, got shape{shape_text(images.shape)}")
    if contrast_factor.ndim:
        invalid(f"contrast_factor must be scalar: {shape_text(contrast_factor.shape)}")
    float32_images = images.astype("f", copy=False)
    adjusted = adjust_contrast(images, contrast_factor) if xp is np else None
    if adjusted is not None:
        return adjusted
    # Pairwise sums of adjacent numbers, for precision.
    mean = float32_images.mean(
        axis=(-3, -2), dtype="d" if images.dtype == np.float32 else "f", keepdims=True
    )
    mean = mean.astype("f")
    result = float32_images - mean
    result *= contrast_factor
    result += mean
    return result.astype(images.dtype, copy=False)


@adjust_contrast_op.infer
def _(op) -> Dims:
    with_rank(op.inputs[1]._dims, 0)
    return _images(op)


@op("AdjustHue", "images: T, delta: float -> output: T", infer=_images, T=_HALF_SINGLE)
def adjust_hue_op(xp, images, delta):
    _check_adjusted(images, delta, "delta")
    float32_images = images.astype("f", copy=False)
    return rgb_hsv.hue_shifted(xp, float32_images, delta).astype(images.dtype, copy=False)


@op("AdjustSaturation", "images: T, scale: float -> output: T", infer=_images, T=_HALF_SINGLE)
def adjust_saturation_op(xp, images, scale):
    _check_adjusted(images, scale, "scale")
    float32_images = images.astype("f", copy=False)
    return rgb_hsv.saturation_scaled(xp, float32_images, scale).astype(images.dtype, copy=False)
