"""Glimpses: windows of images around points, with noise outside the image."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base.errors import invalid
from tfmini._src.base.fresh_seeds import fresh_seed
from tfmini._src.graph.opdef import op, raw
from tfmini._src.graph.shape_inference import (
    Dims,
    InferenceError,
    input_value,
    merge_dim,
    with_rank,
)
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops.operands import shape_text, truncate

_NOISE_NAMES = ("uniform", "gaussian", "zero")


def _noise(image: np.ndarray, shape: tuple, noise: str) -> np.ndarray:
    """Returns the padding around an image: zeros, or unseeded noise within its range of values."""
    if noise == "zero" or not image.size:
        return np.zeros(shape, "f")
    generator = np.random.default_rng(fresh_seed())
    if noise == "gaussian":
        noise_values = generator.standard_normal(shape, "f") * image.std() + image.mean()
        return np.clip(noise_values, image.min(), image.max()).astype("f")
    low, high = image.min(), image.max()
    return generator.random(shape, "f") * (high - low) + low


def _window_start(offset: Any, size: int, extent: int, centered: bool, normalized: bool) -> int:
    """Returns the first row or column of a window of size `extent`."""
    position = np.float32(offset)
    if normalized:
        position *= np.float32(size)
    if centered:
        position = position / np.float32(2) + np.float32(size) / np.float32(2)
    return truncate(position - np.float32(extent) / np.float32(2))


@op(
    "ExtractGlimpse",
    "input: float, size: int32, offsets: float -> glimpse: float",
    differentiable=False,
    static_inputs=("size", "offsets"),
    centered=True,
    normalized=True,
    uniform_noise=True,
    noise="uniform",
)
def extract_glimpse_op(xp, images, size, offsets, *, centered, normalized, uniform_noise, noise):
    noise = noise or ("uniform" if uniform_noise else "gaussian")
    if noise not in _NOISE_NAMES:
        invalid(f"The noise could only be uniform, gaussian, or zero, got{noise}")
    if images.ndim != 4:
        text = "input must be 4-dimensional (batch_size, height, width, depth)"
        invalid(text + shape_text(images.shape))
    if size.ndim != 1 or len(size) != 2:
        invalid(f"input must be a vector of size 2 (height, width){shape_text(size.shape)}")
    if offsets.ndim != 2:
        invalid(f"input must be a matrix{shape_text(offsets.shape)}")
    if len(offsets) != len(images):
        invalid(f"first dimension should be batch{shape_text(offsets.shape)}")
    if offsets.shape[1] != 2:
        invalid(f"second dimension should be of size 2 (y,x){shape_text(offsets.shape)}")
    height, width = (int(n) for n in size)
    if height < 0 or width < 0:
        invalid("size must not be negative")
    shape = (height, width, images.shape[3])
    result = xp.empty((len(images), *shape), "f")
    for glimpse, image, offset in zip(result, images, offsets):
        target_slices, sources = [], []
        for spatial_axis, extent in enumerate((height, width)):
            count = image.shape[spatial_axis]
            start = _window_start(offset[spatial_axis], count, extent, centered, normalized)
            first, last = max(start, 0), max(min(start + extent, count), 0)
            sources.append(slice(first, max(last, first)))
            target_slices.append(slice(first - start, max(last, first) - start))
        part = image[tuple(sources)]
        if part.size < glimpse.size:
            glimpse[...] = _noise(image, shape, noise)
        if part.size:
            glimpse[tuple(target_slices)] = part
    return result


@extract_glimpse_op.infer
def _(op) -> Dims:
    images = with_rank(op.inputs[0]._dims, 4)
    offsets = with_rank(op.inputs[2]._dims, 2)
    batch = merge_dim(images[0], offsets[0])
    if offsets[1] not in (None, 2):
        raise InferenceError(f"Dimension must be 2 but is {offsets[1]}")
    if op.attrs["uniform_noise"] and op.attrs["noise"] not in ("", "uniform"):
        raise InferenceError("The uniform_noise and noise should not be specified at the same time")
    sizes = with_rank(op.inputs[1]._dims, 1)
    if sizes[0] not in (None, 2):
        raise InferenceError(f"Dimension must be 2 but is {sizes[0]}")
    value = input_value(op, 1)
    rows, columns = (None, None) if value is None else value.tolist()
    return (batch, rows, columns, images[3])


def extract_glimpse(
    input: TensorLike,
    size: TensorLike,
    offsets: TensorLike,
    centered: bool = True,
    normalized: bool = True,
    uniform_noise: bool = True,
    name: str | None = None,
) -> Tensor:
    """Extracts a window of each image; pixels outside are uniform noise between the image's extreme values.

    Args:
      input: [batch, height, width, depth] float32 tensor.
      size: [2] int32, the height and width of the windows.
      offsets: [batch, 2] float32, y and x of each window's center.
      centered: whether offsets are relative to the image center, with -1 and 1 at the edges if
        normalized, instead of to the upper left corner.
      normalized: whether offsets are fractions of the image size instead of pixels.
      uniform_noise: has no effect: TensorFlow's kernel only evaluates the attr `noise`, which this function leaves at
        "uniform".

    Returns:
      [batch, window height, window width, depth] float32 tensor.
    """
    return raw.ExtractGlimpse(**locals())


def extract_glimpse_v2(
    input: Any,
    size: Any,
    offsets: Any,
    centered: bool = True,
    normalized: bool = True,
    noise: str = "uniform",
    name: str | None = None,
) -> Tensor:
    """`tf.image.extract_glimpse` with selectable `noise`: "uniform", "gaussian" or "zero"."""
    return raw.ExtractGlimpse(
        input,
        size,
        offsets,
        centered=centered,
        normalized=normalized,
        uniform_noise=False,
        noise=noise,
        name=name,
    )
