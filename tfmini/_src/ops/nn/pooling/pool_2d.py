"""Two-dimensional pooling functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tfmini._src.base.names.deprecation import deprecated_argument_lookup
from tfmini._src.graph.opdef import public, raw
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops.nn.layouts import format_axes


def _axis_order_windows(ksize: Any, strides: Any, data_format: str) -> tuple[Any, Any]:
    return (
        format_axes(ksize, 2, data_format, "ksize"),
        format_axes(strides, 2, data_format, "strides"),
    )


def _has_zero(ksize: Any) -> bool:
    if isinstance(ksize, list | tuple | np.ndarray):
        return any(size == 0 for size in ksize)
    return bool(np.isscalar(ksize) and ksize == 0)


@public
def max_pool(
    value: TensorLike,
    ksize: Sequence[int],
    strides: int | Sequence[int],
    padding: str,
    data_format: str | None = "NHWC",
    name: str | None = None,
    input: TensorLike | None = None,
) -> Tensor:
    """Computes max pooling, the largest element of each window.

    Args:
      value: numeric tensor [batch, rows, columns, depth] (on a GPU also [batch, depth, rows, columns], with "NCHW").
      ksize: the window size: a number, two, or four in the order of `data_format`. A window spans rows and
        columns, or channels.
      strides: the stride of the windows, in the same form.
      padding: "VALID" for windows inside the image only; "SAME" for size / stride windows, rounded up, which are
        smaller at the borders.
      data_format: "NHWC" or "NCHW"; None for "NHWC".
      name: the name of the node, "MaxPool" by default.
      input: the new name of `value`.

    Returns:
      [batch, window rows, window columns, depth], of the same dtype.

    Raises:
      ValueError: if the sizes are invalid.
      UnimplementedError (when run): if windows span the batch axis, or both channels and rows.

    Example:
      half = tf.nn.max_pool(images, 2, 2, "SAME")
    """
    value = deprecated_argument_lookup("input", input, "value", value)
    with name_scope(name, "MaxPool", [value]) as name:
        data_format = data_format or "NHWC"
        sizes, steps = _axis_order_windows(ksize, strides, data_format)
        if _has_zero(ksize):
            raise ValueError("ksize cannot be zero.")
        return raw.MaxPool(
            value, ksize=sizes, strides=steps, padding=padding, data_format=data_format, name=name
        )


@public
def max_pool2d(
    input: TensorLike,
    ksize: Sequence[int],
    strides: int | Sequence[int],
    padding: str,
    data_format: str = "NHWC",
    name: str | None = None,
) -> Tensor:
    """`tf.nn.max_pool` with the default node name "MaxPool2d"."""
    with name_scope(name, "MaxPool2d", [input]) as name:
        data_format = data_format or "NHWC"
        sizes, steps = _axis_order_windows(ksize, strides, data_format)
        return raw.MaxPool(
            input, ksize=sizes, strides=steps, padding=padding, data_format=data_format, name=name
        )


def avg_pool2d_v2(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: str,
    data_format: str = "NHWC",
    name: str | None = None,
) -> Tensor:
    """`tf.compat.v2.nn.avg_pool2d`: `tf.nn.avg_pool` with the default node name "AvgPool2D"."""
    with name_scope(name, "AvgPool2D", [input]) as name:
        return avg_pool(input, ksize, strides, padding, data_format, name)


@public
def avg_pool(
    value: TensorLike,
    ksize: Sequence[int],
    strides: int | Sequence[int],
    padding: str,
    data_format: str | None = "NHWC",
    name: str | None = None,
    input: TensorLike | None = None,
) -> Tensor:
    """Computes average pooling, the mean of each window; at the borders, over the elements inside the image.

    Args:
      value: float tensor [batch, rows, columns, depth] (on a GPU also [batch, depth, rows, columns], with "NCHW").
      ksize, strides, padding, data_format: same as for `tf.nn.max_pool`; windows only span rows and columns.
      name: the name of the node, "AvgPool" by default.
      input: the new name of `value`.

    Returns:
      [batch, window rows, window columns, depth], of the same dtype.

    Raises:
      ValueError: if the sizes are invalid.

    Example:
      means = tf.nn.avg_pool(images, [1, 2, 2, 1], [1, 2, 2, 1], "VALID")
    """
    with name_scope(name, "AvgPool", [value]) as name:
        value = deprecated_argument_lookup("input", input, "value", value)
        data_format = data_format or "NHWC"
        sizes, steps = _axis_order_windows(ksize, strides, data_format)
        return raw.AvgPool(
            value, ksize=sizes, strides=steps, padding=padding, data_format=data_format, name=name
        )


avg_pool2d = avg_pool
