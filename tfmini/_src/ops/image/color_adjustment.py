"""Color adjustment: brightness, contrast, hue, saturation, gamma."""

from __future__ import annotations

from typing import Any

from tfmini._src.graph.opdef import public, raw
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.image.image_checks import require
from tfmini._src.ops.image.pixel_scaling import as_floats, convert_image_dtype


@public
def adjust_brightness(image: TensorLike, delta: TensorLike) -> Tensor:
    """Adjusts the brightness of an image by adding `delta`.

    Args:
      image: a numeric tensor; integers are scaled to floats in [0, 1] for the computation.
      delta: a scalar, from -1 to 1.

    Returns:
      A tensor of the same shape and dtype.
    """
    with name_scope(None, "adjust_brightness", [image, delta]) as name:
        image = ops.convert_to_tensor(image, name="image")
        floats = as_floats(image)
        adjusted = ops.add(floats, ops.cast(delta, floats.dtype), name=name)
        return convert_image_dtype(adjusted, image.dtype, saturate=True)


@public
def adjust_contrast(images: TensorLike, contrast_factor: TensorLike) -> Tensor:
    """Adjusts the contrast of images by scaling differences from the mean of each channel.

    Args:
      images: numeric tensor [..., height, width, channels].
      contrast_factor: a scalar float.

    Returns:
      (image - mean) * contrast_factor + mean, of the same shape and dtype.
    """
    with name_scope(None, "adjust_contrast", [images, contrast_factor]) as name:
        images = ops.convert_to_tensor(images, name="images")
        floats = as_floats(images)
        adjusted = raw.AdjustContrastv2(floats, contrast_factor, name=name)
        return convert_image_dtype(adjusted, images.dtype, saturate=True)


@public
def adjust_gamma(image: TensorLike, gamma: Any = 1, gain: TensorLike = 1) -> Tensor:
    """Applies gamma correction: gain * image ** gamma.

    Args:
      image: a numeric tensor; integers are scaled to floats in [0, 1] for the computation.
      gamma: a non-negative scalar.
      gain: a scalar.

    Returns:
      A tensor of the same shape and dtype.

    Raises:
      ValueError: if gamma is negative.
    """
    with name_scope(None, "adjust_gamma", [image, gamma, gain]):
        image = ops.convert_to_tensor(image, name="image")
        floats = as_floats(image)
        checks = require(gamma >= 0, "Gamma should be a non-negative real number.")
        if checks:
            gamma = ops.with_dependencies(checks, gamma)
        adjusted = gain * floats**gamma
        return convert_image_dtype(adjusted, image.dtype, saturate=True)


@public
def adjust_hue(image: TensorLike, delta: TensorLike, name: str | None = None) -> Tensor:
    """Adjusts the hue of an RGB image by adding `delta`.

    Args:
      image: numeric tensor [..., 3], RGB.
      delta: a scalar float; 1 is a full rotation.

    Returns:
      A tensor of the same shape and dtype.
    """
    with name_scope(name, "adjust_hue", [image]) as name:
        image = ops.convert_to_tensor(image, name="image")
        return convert_image_dtype(raw.AdjustHue(as_floats(image), delta), image.dtype)


@public
def adjust_saturation(
    image: TensorLike, saturation_factor: TensorLike, name: str | None = None
) -> Tensor:
    """Adjusts the saturation of an RGB image by a factor, clipping the result at 1.

    Args:
      image: numeric tensor [..., 3], RGB.
      saturation_factor: a scalar float.

    Returns:
      A tensor of the same shape and dtype.
    """
    with name_scope(name, "adjust_saturation", [image]) as name:
        image = ops.convert_to_tensor(image, name="image")
        adjusted = raw.AdjustSaturation(as_floats(image), saturation_factor)
        return convert_image_dtype(adjusted, image.dtype)


# At random -------------------------------------------------------------------------------------------


def _check_range(lower: Any, upper: Any) -> None:
    if upper <= lower:
        raise ValueError("upper must be > lower.")
    if lower < 0:
        raise ValueError("lower must be non-negative.")


@public
def random_brightness(image: TensorLike, max_delta: float, seed: int | None = None) -> Tensor:
    """Adjusts the brightness of an image by a random number in [-max_delta, max_delta).

    Args:
      image: a numeric tensor.
      max_delta: a non-negative float.
      seed: an integer; see `tf.set_random_seed`.

    Returns:
      A tensor of the same shape and dtype.

    Raises:
      ValueError: if `max_delta` is negative.
    """
    if max_delta < 0:
        raise ValueError("max_delta must be non-negative.")
    delta = ops.random_uniform([], -max_delta, max_delta, seed=seed)
    return adjust_brightness(image, delta)


@public
def random_contrast(
    image: TensorLike, lower: float, upper: float, seed: int | None = None
) -> Tensor:
    """Adjusts the contrast of an image by a random factor in [lower, upper).

    Args:
      image: numeric tensor [..., height, width, channels].
      lower, upper: non-negative floats.
      seed: an integer; see `tf.set_random_seed`.

    Returns:
      A tensor of the same shape and dtype.

    Raises:
      ValueError: if the range is empty or starts below 0.
    """
    _check_range(lower, upper)
    factor = ops.random_uniform([], lower, upper, seed=seed)
    return adjust_contrast(image, factor)


@public
def random_hue(image: TensorLike, max_delta: float, seed: int | None = None) -> Tensor:
    """Adjusts the hue of an RGB image by a random number in [-max_delta, max_delta).

    Args:
      image: numeric tensor [..., 3], RGB.
      max_delta: a float in [0, 0.5].
      seed: an integer; see `tf.set_random_seed`.

    Returns:
      A tensor of the same shape and dtype.

    Raises:
      ValueError: if `max_delta` is outside [0, 0.5].
    """
    if max_delta > 0.5:
        raise ValueError("max_delta must be <= 0.5.")
    if max_delta < 0:
        raise ValueError("max_delta must be non-negative.")
    delta = ops.random_uniform([], -max_delta, max_delta, seed=seed)
    return adjust_hue(image, delta)


@public
def random_saturation(
    image: TensorLike, lower: float, upper: float, seed: int | None = None
) -> Tensor:
    """Adjusts the saturation of an RGB image by a random factor in [lower, upper).

    Args:
      image: numeric tensor [..., 3], RGB.
      lower, upper: non-negative floats.
      seed: an integer; see `tf.set_random_seed`.

    Raises:
      ValueError: if the range is empty or starts below 0.
    """
    _check_range(lower, upper)
    factor = ops.random_uniform([], lower, upper, seed=seed)
    return adjust_saturation(image, factor)
