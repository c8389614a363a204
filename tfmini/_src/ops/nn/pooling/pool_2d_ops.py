"""Two-dimensional max and average pooling ops, with gradients up to second order."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import UnimplementedError, invalid
from tfmini._src.devices.numpy.windows import pooling as kernels
from tfmini._src.graph.opdef import Attr, op, raw
from tfmini._src.graph.shape_inference import Dims, copy_input_shape, input_dims, merge, with_rank
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.ops.nn.layouts import (
    channels_last,
    channels_restored,
    merge_channels_into_batch,
    narrow,
    shape_with_channels_last,
    split_channels_from_batch,
    widen,
)
from tfmini._src.ops.nn.pooling.pool_windows import (
    Pooling,
    check_gradient,
    check_ksize,
    check_on_cpu,
    check_pooled,
    check_ranks,
    input_windows,
    node_windows,
    pooling_over,
    static_shape,
)

_FLOATS = (dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64)
LARGEST = (
    *_FLOATS,
    *(dtypes.int32, dtypes.int64, dtypes.uint8, dtypes.int16, dtypes.int8, dtypes.uint16),
    dtypes.qint8,
)
LARGEST_GRADIENT = (
    *(dtypes.float32, dtypes.float64, dtypes.int32, dtypes.uint8, dtypes.int16, dtypes.int8),
    *(dtypes.int64, dtypes.bfloat16, dtypes.uint16, dtypes.float16, dtypes.uint32, dtypes.uint64),
)
_ATTRS: dict[str, Any] = {
    "ksize": Attr("list(int)", minimum=4),
    "strides": Attr("list(int)", minimum=4),
    "padding": Attr("string", allowed=("SAME", "VALID")),
    "data_format": Attr("string", "NHWC", allowed=("NHWC", "NCHW")),
}
_WINDOWS = tuple(_ATTRS)


def _gradient_attrs(op: Any) -> dict[str, Any]:
    return {name: op.attrs[name] for name in _WINDOWS}


def _check_attrs(kernel: str) -> Callable:
    """Returns the attr check of a pooling op; `kernel` is the name of TensorFlow's CPU kernel."""

    def check(attrs: dict[str, Any], on_gpu: bool) -> None:
        if not on_gpu:
            check_on_cpu(kernel, attrs["data_format"])
        first = attrs["data_format"] != "NHWC"
        node_windows(attrs["ksize"], attrs["strides"], attrs["padding"], first)
        if kernel == "MaxPoolingOp":
            check_ksize(attrs["ksize"])

    return check


def _widen(xp: Any, x: Any) -> Any:
    """Widens half precision to float32 on a CPU; GPU kernels accumulate in float32."""
    return widen(x) if xp is np else x


def _pool(xp: Any, x: Any, compute: Callable, attrs: dict[str, Any]) -> Any:
    """Calls `compute(x, pooling)` for images in either layout."""
    first = attrs["data_format"] == "NCHW"
    sizes = tuple(attrs["ksize"]), tuple(attrs["strides"])
    pooling = pooling_over(x.shape, *sizes, attrs["padding"], first)
    images = _widen(xp, x)
    if pooling.depth == 1:
        result = split_channels_from_batch(
            compute(merge_channels_into_batch(images, first), pooling), x, first
        )
    else:
        result = compute(channels_last(xp, images, first), pooling)
        result = channels_restored(xp, result, first)
    return narrow(x.dtype, result)


# The largest -----------------------------------------------------------------------------------------


def max_pooled(xp: Any, x: Any, **attrs: Any) -> Any:
    """Computes MaxPool with these attrs."""

    def compute(images: Any, pooling: Pooling) -> Any:
        if pooling.depth != 1:
            depths = (images.shape[3] // pooling.depth, pooling.depth)
            return images.reshape(*images.shape[:3], *depths).max(axis=4)
        return kernels.max_pooled(xp, images, *pooling.axes)

    return _pool(xp, x, compute, attrs)


@op(
    "MaxPool",
    "input: T -> output: T",
    infer=static_shape,
    gradient=lambda op, grad: raw.MaxPoolGrad(
        op.inputs[0], op.outputs[0], grad, **_gradient_attrs(op)
    ),
    check_attrs=_check_attrs("MaxPoolingOp"),
    T=Attr("type", dtypes.float32, allowed=LARGEST),
    **{**_ATTRS, "data_format": Attr("string", "NHWC", allowed=("NHWC", "NCHW", "NCHW_VECT_C"))},
)
def max_pool_op(xp, x, *, ksize, strides, padding, data_format):
    return max_pooled(xp, x, ksize=ksize, strides=strides, padding=padding, data_format=data_format)


@max_pool_op.on_gpu
def _(gpu, x, *, ksize, strides, padding, data_format):
    if data_format == "NCHW_VECT_C":
        raise UnimplementedError(
            None, None, "tfmini does not support pooling in format NCHW_VECT_C"
        )
    return max_pooled(
        gpu.xp, x, ksize=ksize, strides=strides, padding=padding, data_format=data_format
    )


def _pool_gradient(
    xp: Any, x: Any, grad: Any, compute: Callable, second: bool, **attrs: Any
) -> Any:
    """Calls `compute(xp, x, grad, rows, columns)` for images in either layout; `second`: grad has the input size."""
    check_ranks(4, tensor_in=x, out_backprop=grad)
    first = attrs["data_format"] == "NCHW"
    sizes = tuple(attrs["ksize"]), tuple(attrs["strides"])
    pooling = pooling_over(x.shape, *sizes, attrs["padding"], first)
    shape, grad_shape = (shape_with_channels_last(array.shape, first) for array in (x, grad))
    check_gradient(pooling, shape, grad_shape, second)
    images, grads = merge_channels_into_batch(x, first), merge_channels_into_batch(grad, first)
    return split_channels_from_batch(compute(xp, images, grads, *pooling.axes), x, first)


def max_pool_gradient(xp: Any, x: Any, grad: Any, *, rectified: bool = False, **attrs: Any) -> Any:
    """Computes MaxPoolGrad with these attrs; `rectified` also applies the gradient of the ReLU that produced `x`."""
    compute = partial(kernels.max_gradient, rectified=rectified)
    return _pool_gradient(xp, x, grad, compute, False, **attrs)


def max_pool_second_gradient(xp: Any, x: Any, pooled: Any, grad: Any, **attrs: Any) -> Any:
    """Computes MaxPoolGradGrad with these attrs."""
    check_ranks(4, tensor_in=x, tensor_out=pooled, out_grad_backprop=grad)
    planes = merge_channels_into_batch(pooled, attrs["data_format"] == "NCHW")

    def compute(xp: Any, images: Any, grads: Any, *axes: Any) -> Any:
        check_pooled(planes.shape, images.shape, axes)
        return kernels.second_gradient_of_equals(xp, images, planes, grads, *axes)

    return _pool_gradient(xp, x, grad, compute, True, **attrs)


@op(
    "MaxPoolGrad",
    "orig_input: T, orig_output: T, grad: T -> output: T",
    check_attrs=_check_attrs("MaxPoolingGradOp"),
    infer=copy_input_shape(0, rank=4),
    **_ATTRS,
    T=Attr("type", dtypes.float32, allowed=LARGEST_GRADIENT),
)
def max_pool_grad_op(xp, x, pooled, grad, *, ksize, strides, padding, data_format):
    attrs = {"ksize": ksize, "strides": strides, "padding": padding, "data_format": data_format}
    return max_pool_gradient(xp, x, grad, **attrs)


@max_pool_grad_op.on_gpu
def _(gpu, x, pooled, grad, *, ksize, strides, padding, data_format):
    attrs = {"ksize": ksize, "strides": strides, "padding": padding, "data_format": data_format}
    return max_pool_gradient(gpu.xp, x, grad, **attrs)


def _zero_gradients(op: Any) -> list[Tensor]:
    return [ops.zeros(shape=ops.shape(tensor), dtype=tensor.dtype) for tensor in op.inputs[:2]]


@max_pool_grad_op.gradient
def _(op, grad):
    second = raw.MaxPoolGradGrad
    return (*_zero_gradients(op), second(op.inputs[0], op.inputs[1], grad, **_gradient_attrs(op)))


@op(
    "MaxPoolGradGrad",
    "orig_input: T, orig_output: T, grad: T -> output: T",
    check_attrs=_check_attrs("MaxPoolingGradGradOp"),
    **_ATTRS,
    T=Attr("type", allowed=LARGEST_GRADIENT),
)
def max_pool_grad_grad_op(xp, x, pooled, grad, *, ksize, strides, padding, data_format):
    attrs = {"ksize": ksize, "strides": strides, "padding": padding, "data_format": data_format}
    return max_pool_second_gradient(xp, x, pooled, grad, **attrs)


@max_pool_grad_grad_op.on_gpu
def _(gpu, x, pooled, grad, *, ksize, strides, padding, data_format):
    attrs = {"ksize": ksize, "strides": strides, "padding": padding, "data_format": data_format}
    return max_pool_second_gradient(gpu.xp, x, pooled, grad, **attrs)


@max_pool_grad_grad_op.infer
def _(op) -> Dims:
    dims = static_shape(op)
    merge(with_rank(op.inputs[0]._dims, 4), op.inputs[2]._dims)
    return merge(op.inputs[1]._dims, dims)


@max_pool_grad_grad_op.gradient
def _(op, grad):
    first = raw.MaxPoolGrad
    return (*_zero_gradients(op), first(op.inputs[0], op.inputs[1], grad, **_gradient_attrs(op)))


# The mean --------------------------------------------------------------------------------------------


def _avg_pool(xp: Any, x: Any, **attrs: Any) -> Any:
    def compute(images: Any, pooling: Pooling) -> Any:
        _require_spatial_pooling(pooling)
        return kernels.average_pooled(xp, images, *pooling.axes)

    return _pool(xp, x, compute, attrs)


def _require_spatial_pooling(pooling: Pooling) -> None:
    if pooling.depth != 1:
        text = "Non-spatial pooling is not yet supported. Volunteers? :)"
        raise UnimplementedError(None, None, text)


@op("AvgPool", "value: T -> output: T", infer=static_shape, **_ATTRS, T=_FLOATS)
def avg_pool_op(xp, x, *, ksize, strides, padding, data_format):
    return _avg_pool(xp, x, ksize=ksize, strides=strides, padding=padding, data_format=data_format)


avg_pool_op.check_attrs(_check_attrs("AvgPoolingOp"))


@avg_pool_op.on_gpu
def _(gpu, x, *, ksize, strides, padding, data_format):
    return _avg_pool(
        gpu.xp, x, ksize=ksize, strides=strides, padding=padding, data_format=data_format
    )


@avg_pool_op.gradient
def _(op, grad):
    return raw.AvgPoolGrad(ops.shape(op.inputs[0]), grad, **_gradient_attrs(op))


@op(
    "AvgPoolGrad",
    "orig_input_shape: int32, grad: T -> output: T",
    infer=lambda op: with_rank(input_dims(op, 0), 4),
    gradient=lambda op, grad: (
        ops.stop_gradient(op.inputs[0]),
        raw.AvgPool(grad, **_gradient_attrs(op)),
    ),
    check_attrs=_check_attrs("AvgPoolingGradOp"),
    static_inputs=("orig_input_shape",),
    **_ATTRS,
    T=_FLOATS,
)
def avg_pool_grad_op(xp, shape, grad, *, ksize, strides, padding, data_format):
    attrs = {"ksize": ksize, "strides": strides, "padding": padding, "data_format": data_format}
    return _avg_pool_grad(xp, shape, grad, **attrs)


@avg_pool_grad_op.on_gpu
def _(gpu, shape, grad, *, ksize, strides, padding, data_format):
    attrs = {"ksize": ksize, "strides": strides, "padding": padding, "data_format": data_format}
    return _avg_pool_grad(gpu.xp, shape, grad, **attrs)


def _avg_pool_grad(xp: Any, shape: Any, grad: Any, **attrs: Any) -> Any:
    first = attrs["data_format"] == "NCHW"
    windows = node_windows(attrs["ksize"], attrs["strides"], attrs["padding"], first)
    if shape.shape != (4,):
        invalid("out_backprop must be 1-dimensional and 4 elements")
    sizes = shape.tolist()
    pooling = input_windows(sizes, attrs["ksize"], attrs["strides"], windows)
    _require_spatial_pooling(pooling)
    full_shape, grad_shape = (
        shape_with_channels_last(shape, first) for shape in (tuple(sizes), grad.shape)
    )
    check_gradient(pooling, full_shape, grad_shape)
    grads = merge_channels_into_batch(_widen(xp, grad), first)
    result = kernels.average_gradient(xp, grads, *pooling.axes)
    return narrow(grad.dtype, split_channels_from_batch(result, grad, first))
