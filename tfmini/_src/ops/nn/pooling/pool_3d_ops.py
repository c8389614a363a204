"""Three-dimensional max and average pooling ops, with gradients up to second order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import UnimplementedError, invalid
from tfmini._src.devices.numpy.windows import pooling as kernels
from tfmini._src.devices.numpy.windows.axes import Axis
from tfmini._src.graph.opdef import Attr, op, raw
from tfmini._src.graph.shape_inference import (
    Dims,
    InferenceError,
    copy_input_shape,
    input_dims,
    merge,
    with_rank,
)
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.ops.nn.convolution.conv_windows import ConvWindows, static_count, window_axes
from tfmini._src.ops.nn.layouts import (
    merge_channels_into_batch,
    narrow,
    shape_with_channels_last,
    split_channels_from_batch,
    widen,
)
from tfmini._src.ops.nn.pooling.pool_2d_ops import LARGEST_GRADIENT
from tfmini._src.ops.nn.pooling.pool_windows import check_ranks
from tfmini._src.ops.type_lists import HALF_TO_DOUBLE

_ATTRS: dict[str, Any] = {
    "ksize": Attr("list(int)", minimum=5),
    "strides": Attr("list(int)", minimum=5),
    "padding": Attr("string", allowed=("SAME", "VALID")),
    "data_format": Attr("string", "NDHWC", allowed=("NDHWC", "NCDHW")),
}
_FLOATS = (dtypes.float16, dtypes.bfloat16, dtypes.float32)
_WINDOWS = tuple(_ATTRS)


def _gradient_attrs(op: Any) -> dict[str, Any]:
    return {name: op.attrs[name] for name in _WINDOWS}


def _check_attrs(cpu_message: str) -> Callable:
    """Returns the attr check of a 3-D pooling op; channels-first on a CPU raises `cpu_message`."""

    def check(attrs: dict[str, Any], on_gpu: bool) -> None:
        first = attrs["data_format"] == "NCDHW"
        if first and not on_gpu:
            invalid(cpu_message)
        channel = 1 if first else 4
        ksize, strides = attrs["ksize"], attrs["strides"]
        for name, values in (("ksize", ksize), ("stride", strides)):
            if len(values) != 5:
                invalid(f"Sliding window {name} field must specify 5 dimensions")
        for name, axis in (("batch", 0), ("depth", channel)):
            if ksize[axis] != 1 or strides[axis] != 1:
                text = f"Pooling is not yet supported on the {name} dimension."
                raise UnimplementedError(None, None, text)
        if min(ksize) < 1:
            axis = next(axis for axis, size in enumerate(ksize) if size < 1)
            invalid(f"Sliding window ksize for dimension {axis} was {ksize[axis]}.")

    return check


def _spatial_axes(
    shape: Sequence[int], ksize: Any, strides: Any, padding: str, data_format: str
) -> tuple[list[Axis], bool]:
    """Returns planes, rows and columns of an input with this shape, and whether channels are first."""
    first = data_format == "NCDHW"
    spatial_axes = slice(2, 5) if first else slice(1, 4)
    windows = ConvWindows(tuple(strides[spatial_axes]), (1, 1, 1), padding, ((0, 0),) * 3, first)
    axes = window_axes(windows, shape[spatial_axes], ksize[spatial_axes])
    return [axis.clip() for axis in axes], first


def _pool(xp: Any, x: Any, compute: Callable, attrs: dict[str, Any]) -> Any:
    if x.ndim != 5:
        invalid("tensor_in must be 5-dimensional")
    axes, first = _spatial_axes(x.shape, **attrs)
    result = compute(xp, merge_channels_into_batch(widen(x), first), *axes)
    return narrow(x.dtype, split_channels_from_batch(result, x, first))


def _static_shape(op: Any) -> Dims:
    dims = with_rank(op.inputs[0]._dims, 5)
    ksize, strides = op.attrs["ksize"], op.attrs["strides"]
    if len(strides) != 5:
        raise InferenceError(
            f"Pool3D ops require the stride attribute to contain 5 values, but got: {len(strides)}"
        )
    if len(ksize) != 5:
        raise InferenceError(
            f"Pool3D requires the ksize attribute to contain 5 values, but got: {len(ksize)}"
        )
    axes = (2, 3, 4) if op.attrs["data_format"] == "NCDHW" else (1, 2, 3)
    is_same = op.attrs["padding"] == "SAME"
    return tuple(
        static_count(size, ksize[axis], strides[axis], 1, 0, is_same) if axis in axes else size
        for axis, size in enumerate(dims)
    )


# The largest -----------------------------------------------------------------------------------------


def _max_pool(xp: Any, x: Any, *axes: Axis) -> Any:
    return kernels.max_pooled(xp, x, *axes, lowest=-np.inf)


@op("MaxPool3D", "input: T -> output: T", infer=_static_shape, **_ATTRS, T=_FLOATS)
def max_pool3d_op(xp, x, *, ksize, strides, padding, data_format):
    attrs = {"ksize": ksize, "strides": strides, "padding": padding, "data_format": data_format}
    return _pool(xp, x, _max_pool, attrs)


max_pool3d_op.check_attrs(
    _check_attrs("Default Pooling3DOp only supports NDHWC on device type CPU")
)


@max_pool3d_op.gradient
def _(op, grad):
    return raw.MaxPool3DGrad(op.inputs[0], op.outputs[0], grad, **_gradient_attrs(op))


def _compute_gradient(
    xp: Any, x: Any, pooled: Any, grad: Any, compute: Callable, second: bool, **attrs: Any
) -> Any:
    """Calls `compute(xp, x, pooled, grad, *axes)`; `second`: whether grad has the size of the input."""
    last = "out_grad_backprop" if second else "out_backprop"
    check_ranks(5, tensor_in=x, tensor_out=pooled, **{last: grad})
    axes, first = _spatial_axes(x.shape, **attrs)
    large, *actual = (shape_with_channels_last(a.shape, first) for a in (x, pooled, grad))
    small = (len(x), *(axis.count for axis in axes), large[4])
    expected = (small, large if second else small)
    for role, actual_shape, shape in zip(("tensor_out", "out_backprop"), actual, expected):
        if actual_shape != shape:
            invalid(f"{role} must have the shape {list(shape)}, not {list(actual_shape)}")
    arrays = [merge_channels_into_batch(widen(array), first) for array in (x, pooled, grad)]
    result = compute(xp, *arrays, *axes)
    return narrow(grad.dtype, split_channels_from_batch(result, x, first))


@op(
    "MaxPool3DGrad",
    "orig_input: TInput, orig_output: TInput, grad: T -> output: T",
    check_attrs=_check_attrs("Default MaxPooling3dGradOp only supports NDHWC on device type CPU"),
    infer=copy_input_shape(0, rank=5),
    **_ATTRS,
    T=Attr("type", dtypes.float32, allowed=_FLOATS),
    TInput=Attr("type", dtypes.float32, allowed=_FLOATS),
)
def max_pool3d_grad_op(xp, x, pooled, grad, *, ksize, strides, padding, data_format):
    attrs = {"ksize": ksize, "strides": strides, "padding": padding, "data_format": data_format}
    return _compute_gradient(xp, x, pooled, grad, kernels.gradient_of_equals, False, **attrs)


def _zero_gradients(op: Any) -> list[Tensor]:
    return [ops.zeros(shape=ops.shape(tensor), dtype=tensor.dtype) for tensor in op.inputs[:2]]


@max_pool3d_grad_op.gradient
def _(op, grad):
    zeros = _zero_gradients(op)
    return (*zeros, raw.MaxPool3DGradGrad(op.inputs[0], op.inputs[1], grad, **_gradient_attrs(op)))


@op(
    "MaxPool3DGradGrad",
    "orig_input: T, orig_output: T, grad: T -> output: T",
    check_attrs=_check_attrs(
        "Default MaxPooling3dGradGradOp only supportsNDHWC on CPU device type"
    ),
    **_ATTRS,
    T=Attr("type", allowed=LARGEST_GRADIENT),
)
def max_pool3d_grad_grad_op(xp, x, pooled, grad, *, ksize, strides, padding, data_format):
    attrs = {"ksize": ksize, "strides": strides, "padding": padding, "data_format": data_format}
    return _compute_gradient(xp, x, pooled, grad, kernels.second_gradient_of_equals, True, **attrs)


@max_pool3d_grad_grad_op.infer
def _(op) -> Dims:
    dims = _static_shape(op)
    merge(with_rank(op.inputs[0]._dims, 5), op.inputs[2]._dims)
    return merge(op.inputs[1]._dims, dims)


@max_pool3d_grad_grad_op.gradient
def _(op, grad):
    zeros = _zero_gradients(op)
    return (*zeros, raw.MaxPool3DGrad(op.inputs[0], op.inputs[1], grad, **_gradient_attrs(op)))


# The mean --------------------------------------------------------------------------------------------


@op("AvgPool3D", "input: T -> output: T", infer=_static_shape, **_ATTRS, T=HALF_TO_DOUBLE)
def avg_pool3d_op(xp, x, *, ksize, strides, padding, data_format):
    attrs = {"ksize": ksize, "strides": strides, "padding": padding, "data_format": data_format}
    return _pool(xp, x, kernels.average_pooled, attrs)


avg_pool3d_op.check_attrs(
    _check_attrs("Default Pooling3DOp only supports NDHWC on device type CPU")
)


@avg_pool3d_op.gradient
def _(op, grad):
    return raw.AvgPool3DGrad(ops.shape(op.inputs[0]), grad, **_gradient_attrs(op))


@op(
    "AvgPool3DGrad",
    "orig_input_shape: int32, grad: T -> output: T",
    infer=lambda op: with_rank(input_dims(op, 0), 5),
    gradient=lambda op, grad: (
        ops.stop_gradient(op.inputs[0]),
        raw.AvgPool3D(grad, **_gradient_attrs(op)),
    ),
    check_attrs=_check_attrs("Default AvgPooling3dGradOp only supports NDHWC on device type CPU"),
    static_inputs=("orig_input_shape",),
    **_ATTRS,
    T=HALF_TO_DOUBLE,
)
def avg_pool3d_grad_op(xp, shape, grad, *, ksize, strides, padding, data_format):
    if shape.shape != (5,):
        invalid("tensor_in must be 1-dimensional and 5 elements")
    if grad.ndim != 5:
        invalid("out_backprop must be 5-dimensional")
    sizes = shape.tolist()
    axes, first = _spatial_axes(sizes, ksize, strides, padding, data_format)
    actual = shape_with_channels_last(grad.shape, first)
    expected = (sizes[0], *(axis.count for axis in axes), sizes[1 if first else 4])
    if actual != expected:
        invalid(f"out_backprop must have the shape {list(expected)}, not {list(actual)}")
    grads = merge_channels_into_batch(widen(grad), first)
    result = kernels.average_gradient(xp, grads, *axes)
    return narrow(grad.dtype, split_channels_from_batch(result, grad, first))
