"""Resampler, the op of `tf.contrib.resampler`: interpolates images at points, differentiable in both."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import UnimplementedError, invalid
from tfmini._src.graph.opdef import op, raw
from tfmini._src.graph.shape_inference import Dims, with_rank_at_least
from tfmini._src.ops.nn.layouts import narrow, widen
from tfmini._src.ops.operands import shape_text

_TYPES = (dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64)


def _check_data_and_warp(data: Any, warp: Any) -> None:
    if data.ndim != 4:
        text = "Only bilinear interpolation is currently supported. The input data shape must be "
        text += "[batch_size, data_height, data_width, data_channels], but is: "
        raise UnimplementedError(None, None, text + shape_text(data.shape))
    if warp.ndim < 2:
        invalid(f"warp should be at least a matrix, got shape {shape_text(warp.shape)}")
    if warp.shape[-1] != 2:
        text = "Only bilinear interpolation is supported, warping coordinates must be 2D; warp "
        text += "shape last entry should be 2, but shape vector is: "
        raise UnimplementedError(None, None, text + shape_text(warp.shape))
    if len(data) != len(warp):
        invalid(
            "Batch size of data and warp tensor must be the same, but input shapes are: "
            f"{shape_text(data.shape)}, {shape_text(warp.shape)}"
        )


def _corners(xp: Any, data: Any, warp: Any) -> list[tuple]:
    """Returns the four pixels around each point as (inside, image, row, column, row and column shares, signs).

    Arrays are [batch, points]; there are no such pixels for points more than one pixel outside the image.
    """
    batch, height, width, _ = data.shape
    points = warp.reshape(batch, -1, 2)
    x, y = points[..., 0], points[..., 1]
    is_inside = (x > -1) & (y > -1) & (x < width) & (y < height)
    x, y = (xp.where(is_inside, value, value.dtype.type(0)) for value in (x, y))
    top, left = xp.floor(y), xp.floor(x)
    row_fraction, column_fraction = y - top, x - left
    corners = []
    for lower in (0, 1):
        for right in (0, 1):
            row, column = (top + lower).astype(np.int64), (left + right).astype(np.int64)
            in_bounds = is_inside & (row >= 0) & (row < height) & (column >= 0) & (column < width)
            shares = (
                row_fraction if lower else 1 - row_fraction,
                column_fraction if right else 1 - column_fraction,
            )
            pixel = xp.where(in_bounds, row, 0), xp.where(in_bounds, column, 0)
            corners.append((in_bounds, *pixel, *shares, 2 * lower - 1, 2 * right - 1))
    return corners


@op("Resampler", "data: T, warp: T -> output: T", through_host=True, T=_TYPES)
def resampler_op(xp, data, warp):
    _check_data_and_warp(data, warp)
    shape = (*warp.shape[:-1], data.shape[3])
    wide_data, points = widen(data), widen(warp)
    result = xp.zeros((len(data), math.prod(warp.shape[1:-1]), data.shape[3]), wide_data.dtype)
    if not wide_data.size:
        return narrow(data.dtype, result.reshape(shape))
    images = xp.arange(len(data))[:, None]
    for in_bounds, row, column, row_weight, column_weight, *_ in _corners(xp, wide_data, points):
        share = xp.where(in_bounds, row_weight * column_weight, 0)
        result += share[..., None] * wide_data[images, row, column]
    return narrow(data.dtype, result.reshape(shape))


@resampler_op.infer
def _(op) -> Dims:
    data, warp = (with_rank_at_least(tensor._dims, 1) for tensor in op.inputs)
    return None if warp is None else (*warp[:-1], None if data is None else data[-1])


@resampler_op.gradient
def _(op, grad):
    data, warp = op.inputs
    return tuple(raw.ResamplerGrad(data, warp, grad))


@op(
    "ResamplerGrad",
    "data: T, warp: T, grad_output: T -> grad_data: T, grad_warp: T",
    infer=lambda op: [op.inputs[0]._dims, op.inputs[1]._dims],
    through_host=True,
    differentiable=False,
    T=_TYPES,
)
def resampler_grad_op(xp, data, warp, grad):
    _check_data_and_warp(data, warp)
    shape = (*warp.shape[:-1], data.shape[3])
    if grad.shape != shape:
        invalid(
            "grad_output shape is not consistent with data and warp shapes; it should be "
            f"{shape_text(shape)} but is {shape_text(grad.shape)}"
        )
    wide_data, points = widen(data), widen(warp)
    grads = widen(grad).reshape(len(data), -1, data.shape[3])
    data_grad, warp_grad = (
        xp.zeros(data.shape, wide_data.dtype),
        xp.zeros(points.shape, wide_data.dtype),
    )
    flat = warp_grad.reshape(len(data), -1, 2)
    if not wide_data.size:
        return narrow(data.dtype, data_grad), narrow(data.dtype, warp_grad)
    images = xp.arange(len(data))[:, None]
    for (
        in_bounds,
        row,
        column,
        row_weight,
        column_weight,
        row_fraction,
        column_fraction,
    ) in _corners(xp, wide_data, points):
        share = xp.where(in_bounds, row_weight * column_weight, 0)
        xp.add.at(data_grad, (images, row, column), share[..., None] * grads)
        slope = xp.where(in_bounds, (wide_data[images, row, column] * grads).sum(-1), 0)
        flat[..., 0] += column_fraction * row_weight * slope
        flat[..., 1] += row_fraction * column_weight * slope
    return narrow(data.dtype, data_grad), narrow(data.dtype, warp_grad)
