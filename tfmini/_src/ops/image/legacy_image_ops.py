"""Superseded ops that occur in graphs from 2015: AdjustContrast and RandomCrop."""

from __future__ import annotations

from tfmini._src.base import dtypes
from tfmini._src.base.errors import FailedPreconditionError, invalid
from tfmini._src.devices.numpy import philox
from tfmini._src.graph.opdef import op
from tfmini._src.graph.shape_inference import (
    Dims,
    input_value,
    merge,
    with_rank,
    with_rank_at_least,
)
from tfmini._src.ops.operands import shape_text
from tfmini._src.ops.random.op_stream import SEEDS, reserve

_NUMBERS = (
    *(dtypes.uint8, dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64),
    *(dtypes.float32, dtypes.float64),
)


@op(
    "AdjustContrast",
    "images: T, contrast_factor: float, min_value: float, max_value: float -> output: float",
    through_host=True,
    T=_NUMBERS,
)
def adjust_contrast_op(xp, images, contrast_factor, min_value, max_value):
    """Returns (image - mean) * factor + mean, clipped to [`min_value`, `max_value`]; the minimum takes precedence."""
    if images.ndim < 3:
        invalid(f"input must be at least 3-D, got shape{shape_text(images.shape)}")
    scalars = {
        "contrast_factor": contrast_factor,
        "min_value": min_value,
        "max_value": max_value,
    }
    for name, value in scalars.items():
        if value.ndim:
            invalid(f"{name} must be scalar: {shape_text(value.shape)}")
    float32_images = images.astype("f")
    mean = float32_images.mean(axis=(-3, -2), dtype="d", keepdims=True).astype("f")
    float32_images -= mean
    float32_images *= contrast_factor
    float32_images += mean
    return xp.maximum(xp.minimum(float32_images, max_value), min_value)


@adjust_contrast_op.infer
def _(op) -> Dims:
    for tensor in op.inputs[1:]:
        with_rank(tensor._dims, 0)
    return with_rank_at_least(op.inputs[0]._dims, 3)


def _random_slice(expected: int, actual: int, words: list[int]) -> slice:
    """Draws a random slice of `expected` out of `actual` rows or columns; draws no number if it selects all."""
    start = words.pop(0) % (actual - expected + 1) if expected < actual else 0
    return slice(start, start + expected)


@op(
    "RandomCrop",
    "image: T, size: int64 -> output: T",
    through_host=True,
    differentiable=False,
    stateful=True,
    static_inputs=("size",),
    T=_NUMBERS,
    **SEEDS,
)
def random_crop_op(ctx, image, size):
    """Returns a random crop [rows, columns] of an image."""
    if image.ndim != 3:
        invalid(f"input must be 3-dimensional{shape_text(image.shape)}")
    if size.ndim != 1:
        invalid(f"shape_t must be 1-dimensional{shape_text(size.shape)}")
    if len(size) != 2:
        invalid(f"shape_t must have two elements{shape_text(size.shape)}")
    sizes = [int(n) for n in size]
    for name, expected, actual in zip(("height", "width"), sizes, image.shape):
        if expected < 0:
            invalid(f"Dimension {expected} must be >= 0")
        if expected > actual:
            text = f"{name} must be >= target_{name}: {name} = {actual}, target_{name} = {expected}"
            raise FailedPreconditionError(None, None, text)
    if sizes == list(image.shape[:2]):
        return image.copy()
    words = list(philox.block(reserve(ctx, 1), 0)[:2])  # the column is drawn first
    columns = _random_slice(sizes[1], image.shape[1], words)
    rows = _random_slice(sizes[0], image.shape[0], words)
    return image[rows, columns].copy()


@random_crop_op.infer
def _(op) -> Dims:
    depth = with_rank(op.inputs[0]._dims, 3)[2]
    merge(op.inputs[1]._dims, (2,))
    value = input_value(op, 1)
    rows, columns = (None, None) if value is None else value.tolist()
    return (rows, columns, depth)
