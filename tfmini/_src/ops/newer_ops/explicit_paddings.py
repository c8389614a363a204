"""MaxPool and depthwise convolutions with EXPLICIT padding, applied to a padded input."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.graph.opdef import Attr, op
from tfmini._src.graph.shape_inference import (
    Dims,
    InferenceError,
    copy_input_shape,
    merge_dim,
    with_rank,
)
from tfmini._src.ops.nn.convolution import depthwise_conv2d_native as depthwise
from tfmini._src.ops.nn.convolution.conv_windows import (
    padding_error,
    shape_from_input,
    static_count,
)
from tfmini._src.ops.nn.pooling import pool_2d_ops as pooling
from tfmini._src.ops.nn.pooling.pool_windows import pooled_dims
from tfmini._src.ops.type_lists import HALF_TO_DOUBLE

_PADDING_ATTRS: dict[str, Any] = {
    "padding": Attr("string", allowed=("EXPLICIT",)),
    "explicit_paddings": Attr("list(int)"),
    "data_format": Attr("string", "NHWC", allowed=("NHWC", "NCHW")),
}
_POOLING_ATTRS: dict[str, Any] = {
    "ksize": Attr("list(int)", minimum=4),
    "strides": Attr("list(int)", minimum=4),
    **_PADDING_ATTRS,
}
_DEPTHWISE_ATTRS: dict[str, Any] = {
    "T": HALF_TO_DOUBLE,
    "strides": Attr("list(int)"),
    **_PADDING_ATTRS,
    "dilations": Attr("list(int)", default=[1, 1, 1, 1]),
}


def _check_explicit_paddings(attrs: dict[str, Any], on_gpu: bool) -> None:
    problem = padding_error("EXPLICIT", attrs["explicit_paddings"], attrs["data_format"] == "NCHW")
    if problem:
        invalid(problem)


def _pad_pairs(paddings: Sequence[int]) -> list[tuple[int, int]]:
    return list(zip(paddings[::2], paddings[1::2]))


def _pad(xp: Any, x: Any, paddings: Sequence[int], value: Any = 0) -> Any:
    if x.ndim != 4:
        invalid("tensor_in must be 4-dimensional")
    return xp.pad(x, _pad_pairs(paddings), constant_values=value)


def _crop(array: Any, paddings: Sequence[int]) -> Any:
    ends = [
        (before, size - after) for (before, after), size in zip(_pad_pairs(paddings), array.shape)
    ]
    return array[tuple(slice(*pair) for pair in ends)]


def _padded_dims(op: Any) -> Dims:
    pairs = _pad_pairs(op.attrs["explicit_paddings"])
    if len(pairs) != 4:
        raise InferenceError("explicit_paddings attribute must contain 8 values")
    dims = with_rank(op.inputs[0]._dims, 4)
    return tuple(None if n is None else n + sum(pair) for n, pair in zip(dims, pairs))


# Pooling ---------------------------------------------------------------------------------------------


def _check_pooling(attrs: dict[str, Any], on_gpu: bool) -> None:
    _check_explicit_paddings(attrs, on_gpu)
    first = 2 if attrs["data_format"] == "NCHW" else 1
    pairs = _pad_pairs(attrs["explicit_paddings"])
    for axis, sides in ((first, ("Top", "Bottom")), (first + 1, ("Left", "Right"))):
        size = attrs["ksize"][axis]
        for side, padding in zip(sides, pairs[axis]):
            if padding >= size:
                invalid(f"{side} padding {padding} needs to be smaller than the window size {size}")


def _least(x: Any) -> Any:
    return np.iinfo(x.dtype).min if x.dtype.kind in "iu" else -np.inf


@op(
    "_MaxPoolExplicit",
    "input: T -> output: T",
    check_attrs=_check_pooling,
    T=Attr("type", dtypes.float32, allowed=pooling.LARGEST),
    **_POOLING_ATTRS,
)
def max_pool_op(xp, x, *, ksize, strides, explicit_paddings, data_format):
    attrs = {"ksize": ksize, "strides": strides, "padding": "VALID", "data_format": data_format}
    return pooling.max_pooled(xp, _pad(xp, x, explicit_paddings, _least(x)), **attrs)


@max_pool_op.infer
def _(op) -> Dims:
    sizes = (op.attrs["ksize"], op.attrs["strides"])
    return pooled_dims("MaxPool", _padded_dims(op), *sizes, "VALID", op.attrs["data_format"])


@op(
    "_MaxPoolGradExplicit",
    "orig_input: T, orig_output: T, grad: T -> output: T",
    check_attrs=_check_pooling,
    infer=copy_input_shape(0, rank=4),
    **_POOLING_ATTRS,
    T=Attr("type", dtypes.float32, allowed=pooling.LARGEST_GRADIENT),
)
def max_pool_grad_op(xp, x, pooled, grad, *, ksize, strides, explicit_paddings, data_format):
    attrs = {"ksize": ksize, "strides": strides, "padding": "VALID", "data_format": data_format}
    padded = _pad(xp, x, explicit_paddings, _least(x))
    return _crop(pooling.max_pool_gradient(xp, padded, grad, **attrs), explicit_paddings)


# Depthwise convolution -------------------------------------------------------------------------------


@op(
    "_DepthwiseConv2dNativeExplicit",
    "input: T, filter: T -> output: T",
    long_running=True,
    **_DEPTHWISE_ATTRS,
)
def depthwise_op(xp, x, filter, *, strides, explicit_paddings, data_format):
    attrs = {"strides": strides, "padding": "VALID", "data_format": data_format}
    return depthwise.depthwise_op.kernel(xp, _pad(xp, x, explicit_paddings), filter, **attrs)


depthwise_op.check_attrs(_check_explicit_paddings)


@depthwise_op.infer
def _(op) -> Dims:
    x: Any = _padded_dims(op)
    filter = with_rank(op.inputs[1]._dims, 4)
    first, strides = op.attrs["data_format"] == "NCHW", op.attrs["strides"]
    axes, channel = ((2, 3), 1) if first else ((1, 2), 3)
    depth = merge_dim(x[channel], filter[2])
    filters = None if depth is None or filter[3] is None else depth * filter[3]
    counts = [
        static_count(x[axis], filter[index], strides[axis], 1, 0, False)
        for index, axis in enumerate(axes)
    ]
    return (x[0], filters, *counts) if first else (x[0], *counts, filters)


@op(
    "_DepthwiseConv2dNativeBackpropInputExplicit",
    "input_sizes: int32, filter: T, out_backprop: T -> output: T",
    long_running=True,
    check_attrs=_check_explicit_paddings,
    infer=shape_from_input(0, 4),
    **_DEPTHWISE_ATTRS,
)
def backprop_input_op(xp, sizes, filter, grad, *, strides, explicit_paddings, data_format):
    attrs = {"strides": strides, "padding": "VALID", "data_format": data_format}
    padded = sizes + np.array([sum(pair) for pair in _pad_pairs(explicit_paddings)], np.int32)
    kernel = depthwise.depthwise_backprop_input_op.kernel
    return _crop(kernel(xp, padded, filter, grad, **attrs), explicit_paddings)


@op(
    "_DepthwiseConv2dNativeBackpropFilterExplicit",
    "input: T, filter_sizes: int32, out_backprop: T -> output: T",
    long_running=True,
    check_attrs=_check_explicit_paddings,
    infer=shape_from_input(1, 4),
    **_DEPTHWISE_ATTRS,
)
def backprop_filter_op(xp, x, sizes, grad, *, strides, explicit_paddings, data_format):
    attrs = {"strides": strides, "padding": "VALID", "data_format": data_format}
    kernel = depthwise.depthwise_backprop_filter_op.kernel
    return kernel(xp, _pad(xp, x, explicit_paddings), sizes, grad, **attrs)
