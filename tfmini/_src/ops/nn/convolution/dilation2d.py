"""Grayscale dilation and erosion of images, with gradients."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base.errors import InvalidArgumentError, UnimplementedError, invalid
from tfmini._src.base.names.deprecation import deprecated_argument_lookup
from tfmini._src.devices.numpy.windows import dilation as kernels
from tfmini._src.devices.numpy.windows.axes import Axis
from tfmini._src.graph.opdef import Attr, op, public, raw
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.shape_inference import (
    Dims,
    InferenceError,
    copy_input_shape,
    merge_dim,
    same_shape,
    with_rank,
)
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.nn.convolution.conv_windows import ConvWindows, window_axes
from tfmini._src.ops.operands import shape_text
from tfmini._src.ops.type_lists import REAL_NUMBERS

_ATTRS: dict[str, Any] = {
    "T": REAL_NUMBERS,
    "strides": Attr("list(int)", minimum=4),
    "rates": Attr("list(int)", minimum=4),
    "padding": Attr("string", allowed=("SAME", "VALID")),
}


def _check_attrs(attrs: dict[str, Any], on_gpu: bool) -> None:
    for attr_name, field, values in (
        ("Stride", "Sliding window stride field must specify 4 dimensions", attrs["strides"]),
        ("Rate", "Input stride (atrous rate) field must specify 4 dimensions", attrs["rates"]),
    ):
        if len(values) != 4:
            invalid(field)
        if values[0] != 1 or values[3] != 1:
            text = f"{attr_name} is only supported across spatial dimensions."
            raise UnimplementedError(None, None, text)


def _checked_axes(
    x: Any, filter: Any, strides: Sequence[int], rates: Sequence[int], padding: str
) -> list:
    if x.ndim != 4:
        invalid(f"input must be 4-dimensional{shape_text(x.shape)}")
    if filter.ndim != 3:
        invalid(f"filter must be 3-dimensional: {shape_text(filter.shape)}")
    if x.shape[3] != filter.shape[2]:
        invalid(f"input and filter must have the same depth: {x.shape[3]} vs {filter.shape[2]}")
    pads = ((0, 0), (0, 0))
    windows = ConvWindows(tuple(strides[1:3]), tuple(rates[1:3]), padding, pads, False)
    return window_axes(windows, x.shape[1:3], filter.shape[:2])


def _gradient_axes(
    x: Any, filter: Any, grad: Any, strides: Sequence[int], rates: Sequence[int], padding: str
) -> list[Axis]:
    axes = _checked_axes(x, filter, strides, rates, padding)
    if grad.shape != (len(x), *(axis.count for axis in axes), x.shape[3]):
        invalid("out_backprop has incompatible size.")
    return axes


@op("Dilation2D", "input: T, filter: T -> output: T", check_attrs=_check_attrs, **_ATTRS)
def dilation2d_op(xp, x, filter, *, strides, rates, padding):
    return kernels.dilate(xp, x, filter, *_checked_axes(x, filter, strides, rates, padding))


@dilation2d_op.infer
def _(op) -> Dims:
    x, filter = with_rank(op.inputs[0]._dims, 4), with_rank(op.inputs[1]._dims, 3)
    strides, rates, padding = (op.attrs[name] for name in ("strides", "rates", "padding"))
    for attr_name, values in (("stride", strides), ("rates", rates)):
        if len(values) != 4:
            raise InferenceError(
                f"Dilation2D requires the {attr_name} attribute to contain 4 values, but got: "
                f"{len(values)}"
            )
    if None in (*x[1:3], *filter[:2]):
        return (x[0], None, None, filter[2])
    merge_dim(x[3], filter[2])
    windows = ConvWindows(tuple(strides[1:3]), tuple(rates[1:3]), padding, ((0, 0), (0, 0)), False)
    try:
        axes = window_axes(windows, x[1:3], filter[:2])  # type: ignore[arg-type]
    except InvalidArgumentError as error:
        raise InferenceError(error.message) from None
    return (x[0], *(axis.count for axis in axes), filter[2])


@dilation2d_op.gradient
def _(op, grad):
    x, filter = op.inputs
    attrs = {name: op.attrs[name] for name in ("strides", "rates", "padding")}
    return (
        raw.Dilation2DBackpropInput(x, filter, grad, **attrs),
        raw.Dilation2DBackpropFilter(x, filter, grad, **attrs),
    )


@op(
    "Dilation2DBackpropInput",
    "input: T, filter: T, out_backprop: T -> in_backprop: T",
    infer=same_shape,
    check_attrs=_check_attrs,
    **_ATTRS,
)
def dilation2d_backprop_input_op(xp, x, filter, grad, *, strides, rates, padding):
    axes = _gradient_axes(x, filter, grad, strides, rates, padding)
    return kernels.input_gradient(xp, x, filter, grad, *axes)


@op(
    "Dilation2DBackpropFilter",
    "input: T, filter: T, out_backprop: T -> filter_backprop: T",
    infer=copy_input_shape(1),
    check_attrs=_check_attrs,
    **_ATTRS,
)
def dilation2d_backprop_filter_op(xp, x, filter, grad, *, strides, rates, padding):
    axes = _gradient_axes(x, filter, grad, strides, rates, padding)
    return kernels.filter_gradient(xp, x, filter, grad, *axes)


def dilation2d(
    input: TensorLike,
    filter: TensorLike | None = None,
    strides: Any = None,
    rates: Any = None,
    padding: Any = None,
    name: str | None = None,
    filters: TensorLike | None = None,
    dilations: int | Sequence[int] | None = None,
) -> Tensor:
    """Computes grayscale dilation: the maximum over each window of the sums of elements and filter values.

    Args:
      input: numeric tensor [batch, rows, columns, depth].
      filter: [rows, columns, depth], of the same dtype.
      strides: four numbers, the stride of the windows: [1, rows, columns, 1].
      rates: four numbers, the dilation of the windows: [1, rows, columns, 1].
      padding: "VALID" or "SAME".
      filters, dilations: new names of `filter` and `rates`.

    Returns:
      [batch, window rows, window columns, depth], of the same dtype.

    Raises:
      ValueError: if shapes, strides or rates are invalid.

    Example:
      grown = tf.nn.dilation2d(masks, tf.zeros([3, 3, 1]), [1, 1, 1, 1], [1, 1, 1, 1], "SAME")
    """
    filter = deprecated_argument_lookup("filters", filters, "filter", filter)
    rates = deprecated_argument_lookup("dilations", dilations, "rates", rates)
    return raw.Dilation2D(input, filter, strides=strides, rates=rates, padding=padding, name=name)


@public
def erosion2d(
    value: TensorLike,
    kernel: TensorLike,
    strides: Any,
    rates: Any,
    padding: str,
    name: str | None = None,
) -> Tensor:
    """Computes grayscale erosion: the minimum over each window of the elements minus kernel values.

    Args:
      value: numeric tensor [batch, rows, columns, depth].
      kernel: [rows, columns, depth], of the same dtype.
      strides, rates, padding: same as for `tf.nn.dilation2d`.
      name: the name of the scope, "erosion2d" by default.

    Returns:
      [batch, window rows, window columns, depth], of the same dtype.

    Raises:
      ValueError: if shapes, strides or rates are invalid.
    """
    with name_scope(name, "erosion2d", [value, kernel]) as name:
        inputs = ops.negative(value), ops.reverse(kernel, [0, 1])
        largest = raw.Dilation2D(*inputs, strides=strides, rates=rates, padding=padding, name=name)
        return ops.negative(largest)


def dilation2d_v2(
    input: Any,
    filters: Any,
    strides: Any,
    padding: str,
    data_format: str,
    dilations: Any,
    name: str | None = None,
) -> Tensor:
    """`tf.nn.dilation2d` with TensorFlow 2.0's signature; raises ValueError unless `data_format` is "NHWC"."""
    if data_format != "NHWC":
        raise ValueError("Data formats other than NHWC are not yet supported")
    return raw.Dilation2D(
        input, filters, strides=strides, rates=dilations, padding=padding, name=name
    )


def erosion2d_v2(
    value: Any,
    filters: Any,
    strides: Any,
    padding: str,
    data_format: str,
    dilations: Any,
    name: str | None = None,
) -> Tensor:
    """`tf.nn.erosion2d` with TensorFlow 2.0's signature; raises ValueError unless `data_format` is "NHWC"."""
    if data_format != "NHWC":
        raise ValueError("Data formats other than NHWC are not yet supported")
    return erosion2d(value, filters, strides, dilations, padding, name)
