"""Max pooling with indices: MaxPoolWithArgmax and its gradients."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.errors import invalid
from tfmini._src.base.names.deprecation import deprecated_argument_lookup
from tfmini._src.devices.cuda.gather_scatter import reduce_segments
from tfmini._src.devices.host.native import pooling as native
from tfmini._src.devices.numpy.windows import pooling as kernels
from tfmini._src.graph.opdef import Attr, op, public, raw
from tfmini._src.graph.shape_inference import Dims, copy_input_shape, merge, with_rank
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops.nn.layouts import format_axes
from tfmini._src.ops.nn.pooling.pool_2d_ops import LARGEST_GRADIENT
from tfmini._src.ops.nn.pooling.pool_windows import (
    Pooling,
    check_ksize,
    input_windows,
    node_windows,
    static_shape,
)
from tfmini._src.ops.operands import shape_text

_ATTRS: dict[str, Any] = {
    "ksize": Attr("list(int)", minimum=4),
    "strides": Attr("list(int)", minimum=4),
    "padding": Attr("string", allowed=("SAME", "VALID")),
}
_INDEX = (dtypes.int32, dtypes.int64)


def _pooling(x: Any, ksize: Any, strides: Any, padding: str) -> Pooling:
    windows = node_windows(ksize, strides, padding, False)
    pooling = input_windows(x.shape, ksize, strides, windows)
    if pooling.depth != 1:
        invalid("Pooling with argmax is not yet supported on the depth dimension.")
    return pooling


def _check_attrs(attrs: dict[str, Any], on_gpu: bool) -> None:
    node_windows(attrs["ksize"], attrs["strides"], attrs["padding"], False)
    check_ksize(attrs["ksize"])


def _first_of_images(xp: Any, x: Any) -> Any:
    """Returns the flat index of the first element of each image: [batch, 1, 1, 1]."""
    step = math.prod(x.shape[1:])
    return (xp.arange(len(x), dtype=np.int64) * step).reshape(-1, 1, 1, 1)


@op(
    "MaxPoolWithArgmax",
    "input: T -> output: T, argmax: Targmax",
    check_attrs=_check_attrs,
    **{name: _ATTRS[name] for name in ("ksize", "strides")},
    Targmax=Attr("type", dtypes.int64, allowed=_INDEX),
    padding=_ATTRS["padding"],
    include_batch_in_index=False,
    T=Attr("type", allowed=LARGEST_GRADIENT),
)
def max_pool_with_argmax_op(xp, x, *, ksize, strides, padding, include_batch_in_index, Targmax):
    axes = _pooling(x, ksize, strides, padding).axes
    if (
        xp is np
        and (result := native.max_with_indices(x, axes, include_batch_in_index)) is not None
    ):
        return result[0], result[1].astype(Targmax.as_numpy_dtype, copy=False)
    positions = kernels.largest_indices(xp, x, *axes)
    flat = positions + _first_of_images(xp, x)
    largest = x.reshape(-1).take(flat) if x.size else xp.zeros(flat.shape, x.dtype)
    argmax = flat if include_batch_in_index else positions
    return largest, argmax.astype(Targmax.as_numpy_dtype, copy=False)


@max_pool_with_argmax_op.infer
def _(op) -> list[Dims]:
    dims = static_shape(op)
    return [dims, dims]


@max_pool_with_argmax_op.gradient
def _(op, grad, _):
    attrs = {name: op.attrs[name] for name in (*_ATTRS, "include_batch_in_index")}
    return raw.MaxPoolGradWithArgmax(op.inputs[0], grad, op.outputs[1], **attrs)


_GRADIENT_ATTRS: dict[str, Any] = {
    **_ATTRS,
    "include_batch_in_index": False,
    "Targmax": Attr("type", allowed=_INDEX),
    "T": Attr("type", allowed=LARGEST_GRADIENT),
}


def _indices_in_batch(xp: Any, x: Any, argmax: Any, with_batch: bool) -> Any:
    """Converts indices within images to indices within the batch."""
    if argmax.ndim != 4 or len(argmax) != len(x):
        invalid(
            f"argmax must be 4-dimensional with a batch of {len(x)}, not {shape_text(argmax.shape)}"
        )
    return argmax if with_batch else argmax + _first_of_images(xp, x)


def _check_same(grad: Any, argmax: Any) -> None:
    if grad.size != argmax.size:
        invalid(
            f"grad must have as many elements as argmax: {shape_text(grad.shape)} vs "
            f"{shape_text(argmax.shape)}"
        )


def _check_range(positions: Any, size: int) -> None:
    if positions.size and (positions.min() < 0 or positions.max() >= size):
        wrong = int(positions.min()) if positions.min() < 0 else int(positions.max())
        invalid(f"Invalid output gradient index: {wrong}, 0, {size}")


@op(
    "MaxPoolGradWithArgmax",
    "input: T, grad: T, argmax: Targmax -> output: T",
    host_or_cuda=True,
    check_attrs=_check_attrs,
    infer=copy_input_shape(0, rank=4),
    **_GRADIENT_ATTRS,
)
def max_pool_grad_with_argmax_op(
    xp, x, grad, argmax, *, ksize, strides, padding, include_batch_in_index
):
    _pooling(x, ksize, strides, padding)
    _check_same(grad, argmax)
    indices = _indices_in_batch(xp, x, argmax, include_batch_in_index).reshape(-1)
    _check_range(indices, x.size)
    sums = np.bincount(indices, weights=grad.reshape(-1), minlength=x.size)
    return sums.astype(x.dtype).reshape(x.shape)


@max_pool_grad_with_argmax_op.on_gpu
def _(gpu, x, grad, argmax, *, ksize, strides, padding, include_batch_in_index):
    _pooling(x, ksize, strides, padding)
    _check_same(grad, argmax)
    indices = _indices_in_batch(gpu.xp, x, argmax, include_batch_in_index).reshape(-1)
    flat_grad = grad.reshape(-1)
    flat_grad = flat_grad.astype("f") if flat_grad.dtype.itemsize == 2 else flat_grad
    sums = reduce_segments(gpu.xp, "add", flat_grad, indices, x.size, 0)
    return sums.astype(x.dtype, copy=False).reshape(x.shape)


@op(
    "MaxPoolGradGradWithArgmax",
    "input: T, grad: T, argmax: Targmax -> output: T",
    check_attrs=_check_attrs,
    **_GRADIENT_ATTRS,
)
def max_pool_grad_grad_with_argmax_op(
    xp, x, grad, argmax, *, ksize, strides, padding, include_batch_in_index
):
    return _second(xp, x, grad, argmax, ksize, strides, padding, include_batch_in_index)


@max_pool_grad_grad_with_argmax_op.on_gpu
def _(gpu, x, grad, argmax, *, ksize, strides, padding, include_batch_in_index):
    return _second(gpu.xp, x, grad, argmax, ksize, strides, padding, include_batch_in_index)


def _second(
    xp: Any,
    x: Any,
    grad: Any,
    argmax: Any,
    ksize: Any,
    strides: Any,
    padding: str,
    with_batch: bool,
) -> Any:
    _pooling(x, ksize, strides, padding)
    if grad.shape != x.shape:
        invalid(
            f"grad must have the shape of the input: {shape_text(grad.shape)} vs "
            f"{shape_text(x.shape)}"
        )
    positions = _indices_in_batch(xp, x, argmax, with_batch)
    if xp is np:
        _check_range(positions, x.size)
    return grad.reshape(-1).take(positions) if x.size else xp.zeros(positions.shape, x.dtype)


@max_pool_grad_grad_with_argmax_op.infer
def _(op) -> Dims:
    dims = static_shape(op)
    merge(with_rank(op.inputs[0]._dims, 4), op.inputs[1]._dims)
    return merge(dims, op.inputs[2]._dims)


@public
def max_pool_with_argmax(
    input: TensorLike,
    ksize: Sequence[int],
    strides: Any,
    padding: str,
    data_format: str = "NHWC",
    Targmax: DTypeLike | None = None,
    name: str | None = None,
    output_dtype: DTypeLike | None = None,
    include_batch_in_index: bool = False,
) -> tuple[Tensor, Tensor]:
    """Computes max pooling and the index of each maximum within its image.

    Args:
      input: numeric tensor [batch, rows, columns, depth].
      ksize: four numbers, the window size: [1, rows, columns, 1].
      strides: four numbers, the stride of the windows.
      padding: "VALID" or "SAME".
      data_format: "NHWC".
      Targmax: the dtype of the indices, tf.int64 (the default) or tf.int32.
      output_dtype: the new name of `Targmax`.
      include_batch_in_index: whether indices are relative to the first image of the batch.

    Returns:
      (output, argmax), both [batch, window rows, window columns, depth]. The index of element
      [b, y, x, c] is (y * columns + x) * depth + c; on ties, the first index.

    Raises:
      ValueError: for an unsupported data format or invalid sizes.

    Example:
      largest, places = tf.nn.max_pool_with_argmax(images, [1, 2, 2, 1], [1, 2, 2, 1], "SAME")
    """
    if data_format != "NHWC":
        raise ValueError("Data formats other than 'NHWC' are not yet supported")
    Targmax = deprecated_argument_lookup("output_dtype", output_dtype, "Targmax", Targmax)
    return raw.MaxPoolWithArgmax(
        input,
        ksize=ksize,
        strides=strides,
        padding=padding,
        Targmax=dtypes.int64 if Targmax is None else Targmax,
        include_batch_in_index=include_batch_in_index,
        name=name,
    )


def max_pool_with_argmax_v2(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: str,
    data_format: str = "NHWC",
    output_dtype: Any = dtypes.int64,
    include_batch_in_index: bool = False,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """`tf.compat.v2.nn.max_pool_with_argmax`, which also accepts a number or a pair of numbers as sizes.

    Args:
      input, padding, data_format, output_dtype, include_batch_in_index, name: same as for
        `tf.nn.max_pool_with_argmax`.
      ksize: the window size: a number, two, or four: [1, rows, columns, 1].
      strides: the stride of the windows, in the same form.

    Returns:
      (output, argmax), as from `tf.nn.max_pool_with_argmax`.

    Raises:
      ValueError: for an unsupported data format or invalid sizes.
    """
    return max_pool_with_argmax(
        input,
        format_axes(ksize, 2, "NHWC", "ksize"),
        format_axes(strides, 2, "NHWC", "strides"),
        padding,
        data_format,
        output_dtype,
        name,
        include_batch_in_index=include_batch_in_index,
    )
