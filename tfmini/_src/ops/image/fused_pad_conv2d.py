"""Fused resize, mirror padding and convolution ops, which inference tools emit."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.devices.numpy.windows.convolution import convolve
from tfmini._src.graph.opdef import Attr, op
from tfmini._src.graph.shape_inference import (
    Dims,
    InferenceError,
    input_value,
    merge,
    unknown_dims,
    with_rank,
)
from tfmini._src.ops.array.pad import add_paddings, mirror_pad
from tfmini._src.ops.checks.value_text import summarize_value
from tfmini._src.ops.image.resize_ops import resize_bilinear_op
from tfmini._src.ops.nn.convolution.conv_windows import node_windows, static_count, window_axes
from tfmini._src.ops.nn.layouts import narrow, widen
from tfmini._src.ops.operands import shape_text

_FLOATS = (dtypes.float16, dtypes.float32, dtypes.float64)
_ATTRS: dict[str, Any] = {
    "mode": Attr("string", allowed=("REFLECT", "SYMMETRIC")),
    "strides": Attr("list(int)"),
    "padding": Attr("string", allowed=("SAME", "VALID")),
}


def _convolve(
    xp: Any, images: Any, paddings: Any, filter: Any, mode: str, strides: Any, padding: str
) -> Any:
    if paddings.ndim == 2 and len(paddings) == 4:
        for name, axis in (("batches", 0), ("channels", 3)):
            if paddings[axis].any():
                value_text = (
                    f"{paddings.dtype.name} shape: [4,2] values: {summarize_value(paddings, 3)}"
                )
                invalid(
                    f"Fused mirror padding only support spatial padding, not {name}: "
                    f"Tensor<type: {value_text}>"
                )
    padded = mirror_pad.kernel(xp, widen(images), paddings, mode=mode)
    if filter.ndim != 4:
        invalid(f"filter must be 4-dimensional: {shape_text(filter.shape)}")
    if padded.shape[3] != filter.shape[2]:
        invalid(
            f"input and filter must have the same depth: {padded.shape[3]} vs {filter.shape[2]}"
        )
    windows = node_windows(strides, [1] * 4, padding, [], "NHWC")
    axes = window_axes(windows, padded.shape[1:3], filter.shape[:2])
    return convolve(xp, padded, widen(filter), *axes)


def _static_dims(op: Any, paddings_index: int, sizes: Dims) -> Dims:
    """Returns the static output shape [batch, rows, columns, filters] for unpadded images of this size."""
    dims = with_rank(op.inputs[0]._dims, 4)
    if sizes is not None:
        dims = (dims[0], *sizes, dims[3])
    filter = with_rank(op.inputs[-1]._dims, 4)
    paddings = op.inputs[paddings_index]
    count = with_rank(paddings._dims, 2)[0]
    if count != 4:  # TensorFlow reports an unknown number of rows as -1
        raise InferenceError(f"Shape must be rank {-1 if count is None else count} but is rank 4")
    merge(paddings._dims, (count, 2))
    strides, is_same = op.attrs["strides"], op.attrs["padding"] == "SAME"
    if len(strides) != 4:
        raise InferenceError(
            f"Operation requires the stride attribute to contain 4 values, but got: {len(strides)}"
        )
    dims = add_paddings(dims, input_value(op, paddings_index)) or unknown_dims(4)
    if None not in (dims[3], filter[2]) and dims[3] != filter[2]:
        raise InferenceError(f"Dimensions must be equal, but are {dims[3]} and {filter[2]}")
    counts = [static_count(dims[a], filter[a - 1], strides[a], 1, 0, is_same) for a in (1, 2)]
    return (dims[0], *counts, filter[3])


@op(
    "FusedPadConv2D",
    "input: T, paddings: int32, filter: T -> output: T",
    long_running=True,
    infer=lambda op: _static_dims(op, 1, None),
    through_host=True,
    static_inputs=("paddings",),
    T=_FLOATS,
    **_ATTRS,
)
def fused_pad_conv2d_op(xp, images, paddings, filter, *, mode, strides, padding):
    result = _convolve(xp, images, paddings, filter, mode, strides, padding)
    return narrow(images.dtype, result)


@op(
    "FusedResizeAndPadConv2D",
    "input: T, size: int32, paddings: int32, filter: T -> output: T",
    long_running=True,
    through_host=True,
    static_inputs=("size", "paddings"),
    T=_FLOATS,
    resize_align_corners=False,
    **_ATTRS,
)
def fused_resize_and_pad_conv2d_op(
    xp, images, size, paddings, filter, *, resize_align_corners, mode, strides, padding
):
    resized = resize_bilinear_op.kernel(
        xp, images, size, align_corners=resize_align_corners, half_pixel_centers=False
    ).astype(images.dtype, copy=False)
    result = _convolve(xp, resized, paddings, filter, mode, strides, padding)
    return narrow(images.dtype, result)


@fused_resize_and_pad_conv2d_op.infer
def _(op) -> Dims:
    with_rank(op.inputs[0]._dims, 4)
    size = with_rank(op.inputs[1]._dims, 1)
    if size[0] not in (None, 2):
        raise InferenceError(
            f"Dimension 0 in both shapes must be equal, but are {size[0]} and 2. "
            f"Shapes are [{size[0]}] and [2]."
        )
    value = input_value(op, 1)
    return _static_dims(op, 2, (None, None) if value is None else tuple(value.tolist()))
