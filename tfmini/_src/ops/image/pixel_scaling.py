"""Image dtype conversion and standardization."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.graph.opdef import public
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.image.image_checks import checked_image

_NARROW_FLOATS = (dtypes.float16, dtypes.float32)


def convert_image_dtype(
    image: TensorLike, dtype: DTypeLike, saturate: bool = False, name: str | None = None
) -> Tensor:
    """Converts an image to another dtype; floats in [0, 1] map to the full range of an integer dtype.

    Args:
      image: an integer or float tensor.
      dtype: the target dtype.
      saturate: whether to clip out-of-range values, which otherwise overflow.

    Returns:
      A tensor of the same shape.

    Raises:
      AttributeError: if the dtype is neither integer nor float.

    Example: `tf.image.convert_image_dtype(image, tf.float32)` divides bytes by 255.
    """
    image = ops.convert_to_tensor(image, name="image")
    dtype = dtypes.as_dtype(dtype)
    if not dtype.is_floating and not dtype.is_integer:
        raise AttributeError("dtype must be either floating point or integer")
    if dtype == image.dtype:
        return ops.identity(image, name=name)
    cast = ops.saturate_cast if saturate else ops.cast
    with name_scope(name, "convert_image", [image]) as name:
        if image.dtype.is_integer and dtype.is_integer:
            max_value, target_max = image.dtype.max, dtype.max
            if max_value > target_max:
                scaled = ops.div(image, (max_value + 1) // (target_max + 1))
                return cast(scaled, dtype, name=name)
            scaled = cast(image, dtype)
            return ops.multiply(scaled, (target_max + 1) // (max_value + 1), name=name)
        if image.dtype.is_floating and dtype.is_floating:
            return ops.cast(image, dtype, name=name)
        if image.dtype.is_integer:
            scaled = ops.cast(image, dtype)
            return ops.multiply(scaled, 1.0 / image.dtype.max, name=name)
        scaled = ops.multiply(image, dtype.max + 0.5)
        return cast(scaled, dtype, name=name)


def as_floats(image: Any) -> Tensor:
    return image if image.dtype in _NARROW_FLOATS else convert_image_dtype(image, dtypes.float32)


@public
def per_image_standardization(image: Any) -> Tensor:
    """Scales each image to mean 0 and variance 1.

    Args:
      image: numeric tensor [..., height, width, channels].

    Returns:
      (image - mean) / max(deviation, 1 / sqrt(size)), of the same shape and dtype; integers are clipped to
      [0, 1] and scaled to their range.

    Raises:
      ValueError: if the rank is below 3.
    """
    with name_scope(None, "per_image_standardization", [image]) as scope:
        image = checked_image(ops.convert_to_tensor(image, name="image"))
        dtype = image.dtype
        image = as_floats(image)
        size = ops.reduce_prod(ops.shape(image)[-3:])
        mean = ops.reduce_mean(image, axis=[-1, -2, -3], keepdims=True)
        deviation = ops.reduce_std(image, axis=[-1, -2, -3], keepdims=True)
        min_stddev = ops.rsqrt(ops.cast(size, image.dtype))
        deviation = ops.maximum(deviation, min_stddev)
        image = image - mean
        image = ops.div(image, deviation, name=scope)
        return convert_image_dtype(image, dtype, saturate=True)
