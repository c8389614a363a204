"""Max pooling with window sizes and strides as inputs: MaxPoolV2 and its gradients."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.errors import UnimplementedError, invalid
from tfmini._src.graph.opdef import Attr, op, raw
from tfmini._src.graph.shape_inference import (
    Dims,
    InferenceError,
    copy_input_shape,
    input_value,
    merge,
    with_rank,
)
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.ops.nn.pooling.pool_2d_ops import (
    LARGEST,
    LARGEST_GRADIENT,
    max_pool_gradient,
    max_pool_second_gradient,
    max_pooled,
)
from tfmini._src.ops.nn.pooling.pool_windows import check_ksize, check_on_cpu, pooled_dims

_PADDING: dict[str, Any] = {"padding": Attr("string", allowed=("SAME", "VALID"))}
_FORMAT: dict[str, Any] = {
    "data_format": Attr("string", "NHWC", allowed=("NHWC", "NCHW")),
}


def _window_attrs(ksize: Any, strides: Any) -> dict[str, Sequence[int]]:
    sizes = {"ksize": ksize.reshape(-1).tolist(), "strides": strides.reshape(-1).tolist()}
    for attr_name, values in (("ksize", sizes["ksize"]), ("stride", sizes["strides"])):
        if len(values) != 4:
            invalid(f"Sliding window {attr_name} field must specify 4 dimensions")
    if sizes["ksize"][0] == 1:  # otherwise it pools over the batch axis
        check_ksize(sizes["ksize"])
    return sizes


def _static_dims(op: Any, position: int) -> Dims:
    """Returns the static shape of the result; input `position` has the window sizes, the next input the strides."""
    data_format = op.attrs["data_format"]
    x = with_rank(op.inputs[0]._dims, 5 if data_format == "NCHW_VECT_C" else 4)
    for index in (position, position + 1):
        (size,) = with_rank(op.inputs[index]._dims, 1)
        if size not in (None, 4):
            raise InferenceError(f"Dimension must be 4 but is {size}")
    ksize = input_value(op, position)
    strides = None if ksize is None else input_value(op, position + 1)
    if ksize is None or strides is None:
        return None
    sizes = (ksize.tolist(), strides.tolist())
    return pooled_dims("MaxPool", x, *sizes, op.attrs["padding"], data_format)


@op(
    "MaxPoolV2",
    "input: T, ksize: int32, strides: int32 -> output: T",
    infer=lambda op: _static_dims(op, 1),
    T=Attr("type", dtypes.float32, allowed=LARGEST),
    **_PADDING,
    data_format=Attr("string", "NHWC", allowed=("NHWC", "NCHW", "NCHW_VECT_C")),
)
def max_pool_v2_op(xp, x, ksize, strides, *, padding, data_format):
    return max_pooled(
        xp, x, **_window_attrs(ksize, strides), padding=padding, data_format=data_format
    )


@max_pool_v2_op.on_gpu
def _(gpu, x, ksize, strides, *, padding, data_format):
    if data_format == "NCHW_VECT_C":
        raise UnimplementedError(
            None, None, "tfmini does not support pooling in format NCHW_VECT_C"
        )
    return max_pooled(
        gpu.xp, x, **_window_attrs(ksize, strides), padding=padding, data_format=data_format
    )


@max_pool_v2_op.check_attrs
def _(attrs, on_gpu):
    if not on_gpu and attrs["data_format"] != "NHWC":
        invalid(f"MaxPoolingV2Op only supports NHWC or NCHW_VECT_C. Got: {attrs['data_format']}")


def _gradient_attrs(op: Any) -> dict[str, Any]:
    return {name: op.attrs[name] for name in ("padding", "data_format")}


@max_pool_v2_op.gradient
def _(op, grad):
    x, ksize, strides = op.inputs
    return (
        raw.MaxPoolGradV2(x, op.outputs[0], grad, ksize, strides, **_gradient_attrs(op)),
        None,
        None,
    )


def _data_format_check(kernel: str) -> Callable:
    def check(attrs: dict[str, Any], on_gpu: bool) -> None:
        if not on_gpu:
            check_on_cpu(kernel, attrs["data_format"])

    return check


_GRADIENT = "orig_input: T, orig_output: T, grad: T, ksize: int32, strides: int32 -> output: T"


@op(
    "MaxPoolGradV2",
    _GRADIENT,
    **_PADDING,
    **_FORMAT,
    T=Attr("type", dtypes.float32, allowed=LARGEST_GRADIENT),
)
def max_pool_grad_v2_op(xp, x, pooled, grad, ksize, strides, *, padding, data_format):
    attrs = {**_window_attrs(ksize, strides), "padding": padding, "data_format": data_format}
    return max_pool_gradient(xp, x, grad, **attrs)


@max_pool_grad_v2_op.on_gpu
def _(gpu, x, pooled, grad, ksize, strides, *, padding, data_format):
    attrs = {**_window_attrs(ksize, strides), "padding": padding, "data_format": data_format}
    return max_pool_gradient(gpu.xp, x, grad, **attrs)


max_pool_grad_v2_op.check_attrs(_data_format_check("MaxPoolingGradOp"))


max_pool_grad_v2_op.infer(copy_input_shape(0, rank=4))


def _zero_gradients(op: Any) -> list[Tensor]:
    return [ops.zeros(shape=ops.shape(tensor), dtype=tensor.dtype) for tensor in op.inputs[:2]]


@max_pool_grad_v2_op.gradient
def _(op, grad):
    x, pooled, _, ksize, strides = op.inputs
    zeros = _zero_gradients(op)
    return (
        *zeros,
        raw.MaxPoolGradGradV2(x, pooled, grad, ksize, strides, **_gradient_attrs(op)),
        None,
        None,
    )


@op(
    "MaxPoolGradGradV2",
    _GRADIENT,
    **_PADDING,
    **_FORMAT,
    T=Attr("type", allowed=LARGEST_GRADIENT),
)
def max_pool_grad_grad_v2_op(xp, x, pooled, grad, ksize, strides, *, padding, data_format):
    attrs = {**_window_attrs(ksize, strides), "padding": padding, "data_format": data_format}
    return max_pool_second_gradient(xp, x, pooled, grad, **attrs)


@max_pool_grad_grad_v2_op.on_gpu
def _(gpu, x, pooled, grad, ksize, strides, *, padding, data_format):
    attrs = {**_window_attrs(ksize, strides), "padding": padding, "data_format": data_format}
    return max_pool_second_gradient(gpu.xp, x, pooled, grad, **attrs)


max_pool_grad_grad_v2_op.check_attrs(_data_format_check("MaxPoolingGradGradOp"))


@max_pool_grad_grad_v2_op.infer
def _(op) -> Dims:
    dims = _static_dims(op, 3)
    merge(with_rank(op.inputs[0]._dims, 4), op.inputs[2]._dims)
    return merge(op.inputs[1]._dims, dims)
