"""Image similarity measures: PSNR and SSIM."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.graph.opdef import public
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.image.pixel_scaling import convert_image_dtype

_SCALES = (0.0448, 0.2856, 0.3001, 0.2363, 0.1333)


# Against each other ----------------------------------------------------------------------------------


def _shapes_and_checks(first_image: Any, other: Any) -> tuple[Any, Any, list[Any]]:
    """Returns the shapes of two image batches, and ops that assert that the images have the same size."""
    shape, other_shape = (x.get_shape().with_rank_at_least(3) for x in (first_image, other))
    shape[-3:].assert_is_compatible_with(other_shape[-3:])
    if shape.ndims is not None and other_shape.ndims is not None:
        for a, b in zip(reversed(shape.dims[:-3]), reversed(other_shape.dims[:-3])):
            if not (a == 1 or b == 1 or a.is_compatible_with(b)):
                raise ValueError(f"Two images are not compatible: {shape} and {other_shape}")
    shape, other_shape = ops.shape_n([first_image, other])
    both = [shape, other_shape]
    checks = [ops.Assert(ops.greater_equal(ops.size(shape), 3), both, summarize=10)]
    shapes_agree = ops.reduce_all(ops.equal(shape[-3:], other_shape[-3:]))
    checks.append(ops.Assert(shapes_agree, both, summarize=10))
    return shape, other_shape, checks


@public
def psnr(a: Any, b: TensorLike, max_val: Any, name: str | None = None) -> Tensor:
    """Computes the peak signal-to-noise ratio of images, in decibels.

    Args:
      a, b: [..., height, width, channels] tensors of the same dtype.
      max_val: the difference between the largest and the smallest possible value of a pixel.

    Returns:
      [...] float32 tensor.

    Raises:
      ValueError: if the images differ in size.
    """
    with name_scope(name, "PSNR", [a, b]):
        max_val = ops.cast(max_val, a.dtype)
        max_val = convert_image_dtype(max_val, dtypes.float32)
        a = convert_image_dtype(a, dtypes.float32)
        b = convert_image_dtype(b, dtypes.float32)
        error = ops.reduce_mean(ops.squared_difference(a, b), [-3, -2, -1])
        ratio = ops.subtract(
            20 * ops.log(max_val) / ops.log(10.0),
            np.float32(10 / np.log(10)) * ops.log(error),
            name="psnr",
        )
        _, _, checks = _shapes_and_checks(a, b)
        with control_dependencies(checks):
            return ops.identity(ratio)


def _similarity(x: Any, y: Any, mean: Any, max_val: Any, k1: float, k2: float) -> tuple[Any, Any]:
    """Returns (luminance similarity, contrast and structure similarity) of each window."""
    c1 = (k1 * max_val) ** 2
    c2 = (k2 * max_val) ** 2
    mean0 = mean(x)
    mean1 = mean(y)
    num0 = mean0 * mean1 * 2.0
    den0 = ops.square(mean0) + ops.square(mean1)
    luminance = (num0 + c1) / (den0 + c1)
    num1 = mean(x * y) * 2.0
    den1 = mean(ops.square(x) + ops.square(y))
    c2 *= 1.0
    return luminance, (num1 - num0 + c2) / (den1 - den0 + c2)


def _gaussian(size: Any, sigma: Any) -> Tensor:
    """Returns a normalized Gaussian window, [size, size, 1, 1]."""
    size = ops.convert_to_tensor(size, dtypes.int32)
    sigma = ops.convert_to_tensor(sigma)
    positions = ops.cast(ops.range(size), sigma.dtype)
    positions = positions - ops.cast(size - 1, sigma.dtype) / 2.0
    squared_positions = ops.square(positions)
    squared_positions = squared_positions * (-0.5 / ops.square(sigma))
    squared_positions = ops.reshape(squared_positions, shape=[1, -1]) + ops.reshape(
        squared_positions, shape=[-1, 1]
    )
    squared_positions = ops.reshape(squared_positions, shape=[1, -1])
    squared_positions = ops.softmax(squared_positions)
    return ops.reshape(squared_positions, shape=[size, size, 1, 1])


def _ssim_per_channel(
    img1: Any, img2: Any, max_val: Any, filter_size: int, filter_sigma: float, k1: float, k2: float
) -> tuple[Any, Any]:
    """Returns the structural similarity and its contrast-structure term, [..., channels]."""
    size = ops.constant(filter_size, dtype=dtypes.int32)
    sigma = ops.constant(filter_sigma, dtype=img1.dtype)
    shape1, shape2 = ops.shape_n([img1, img2])
    checks = []
    for shape in (shape1, shape2):
        is_large_enough = ops.reduce_all(ops.greater_equal(shape[-3:-1], size))
        checks.append(ops.Assert(is_large_enough, [shape, size], summarize=8))
    with control_dependencies(checks):
        img1 = ops.identity(img1)
    kernel = ops.tile(_gaussian(size, sigma), multiples=[1, 1, shape1[-1], 1])

    def mean(x: Any) -> Any:
        shape = ops.shape(x)
        x = ops.reshape(x, shape=ops.concat([[-1], shape[-3:]], 0))
        y = ops.depthwise_conv2d(x, kernel, strides=[1, 1, 1, 1], padding="VALID")
        return ops.reshape(y, ops.concat([shape[:-3], ops.shape(y)[1:]], 0))

    luminance, structure = _similarity(img1, img2, mean, max_val, k1, k2)
    axes = ops.constant([-3, -2], dtype=dtypes.int32)
    value = ops.reduce_mean(luminance * structure, axes)
    return value, ops.reduce_mean(structure, axes)


def ssim(
    img1: TensorLike,
    img2: TensorLike,
    max_val: TensorLike,
    filter_size: int = 11,
    filter_sigma: float = 1.5,
    k1: float = 0.01,
    k2: float = 0.03,
) -> Tensor:
    """Computes the structural similarity of images, 1 for equal images (Wang et al., 2004).

    Args:
      img1, img2: [..., height, width, channels] tensors of the same dtype.
      max_val: the difference between the largest and the smallest possible value of a pixel.
      filter_size: the size of the compared windows.
      filter_sigma: the standard deviation of the Gaussian that weights the pixels of a window.
      k1, k2: the constants of the formula.

    Returns:
      [...] float32 tensor.

    Raises:
      ValueError: if the images differ in size.
    """
    _, _, checks = _shapes_and_checks(img1, img2)
    with control_dependencies(checks):
        img1 = ops.identity(img1)
    max_val = ops.cast(max_val, img1.dtype)
    max_val = convert_image_dtype(max_val, dtypes.float32)
    img1 = convert_image_dtype(img1, dtypes.float32)
    img2 = convert_image_dtype(img2, dtypes.float32)
    value, _ = _ssim_per_channel(img1, img2, max_val, filter_size, filter_sigma, k1, k2)
    return ops.reduce_mean(value, [-1])


def _halve(
    images: list[Any], tails: list[Any], heads: list[Any], divisors: Any
) -> tuple[list, list]:
    """Halves images and returns them with their sizes. An odd last row or column is duplicated first."""
    divisor = [1, 2, 2, 1]
    flat = [ops.reshape(x, ops.concat([[-1], tail], 0)) for x, tail in zip(images, tails)]
    remainder = tails[0] % divisors
    is_odd = ops.reduce_any(ops.not_equal(remainder, 0))

    def even() -> list[Any]:
        pads = ops.pad(ops.expand_dims(remainder, -1), [[1, 0], [1, 0]])
        return [ops.pad(x, pads, mode="SYMMETRIC") for x in flat]

    padded = ops.cond(is_odd, even, lambda: flat)
    smaller = [ops.avg_pool(x, ksize=divisor, strides=divisor, padding="VALID") for x in padded]
    tails = [x[1:] for x in ops.shape_n(smaller)]
    halves = [
        ops.reshape(x, ops.concat([head, tail], 0)) for x, head, tail in zip(smaller, heads, tails)
    ]
    return halves, tails


def ssim_multiscale(
    img1: TensorLike,
    img2: TensorLike,
    max_val: TensorLike,
    power_factors: Sequence[float] = _SCALES,
    filter_size: int = 11,
    filter_sigma: float = 1.5,
    k1: float = 0.01,
    k2: float = 0.03,
) -> Tensor:
    """Computes the structural similarity of images at several sizes, each half the previous one (Wang et al., 2003).

    The other arguments are as in `tf.image.ssim`; the smallest size must be at least 11 pixels.

    Args:
      power_factors: one float per size, the exponent of its similarity.

    Returns:
      [...] float32 tensor.

    Raises:
      ValueError: if the images differ in size.
    """
    with name_scope(None, "MS-SSIM", [img1, img2]):
        img1 = ops.convert_to_tensor(img1, name="img1")
        img2 = ops.convert_to_tensor(img2, name="img2")
        shape1, shape2, checks = _shapes_and_checks(img1, img2)
        with control_dependencies(checks):
            img1 = ops.identity(img1)
        max_val = ops.cast(max_val, img1.dtype)
        max_val = convert_image_dtype(max_val, dtypes.float32)
        images = [convert_image_dtype(img, dtypes.float32) for img in (img1, img2)]
        heads = [shape[:-3] for shape in (shape1, shape2)]
        tails = [shape[-3:] for shape in (shape1, shape2)]
        divisors = ops.constant([2, 2, 1], dtype=dtypes.int32)
        structures = []
        value: Any = None
        for scale in range(len(power_factors)):
            with name_scope(None, f"Scale{scale}", images):
                if scale > 0:
                    images, tails = _halve(images, tails, heads, divisors)
                value, structure = _ssim_per_channel(
                    images[0], images[1], max_val, filter_size, filter_sigma, k1, k2
                )
                structures.append(ops.relu(structure))
        structures.pop()  # the smallest scale uses the full similarity
        parts = ops.stack([*structures, ops.relu(value)], axis=-1)
        product = ops.reduce_prod(ops.pow(parts, power_factors), [-1])
        return ops.reduce_mean(product, [-1])
