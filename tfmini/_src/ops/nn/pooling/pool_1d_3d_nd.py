"""Pooling over one or three axes, or as many as the input has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base.names.deprecation import deprecated_argument_lookup
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.graph.opdef import public, raw
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.ops.nn.convolution.convolution_atrous_conv2d import (
    strides_and_rates,
    with_space_to_batch,
)
from tfmini._src.ops.nn.layouts import axes_of_format
from tfmini._src.ops.nn.pooling.max_pool_avg_pool import avg_pool, max_pool


def _pooled_1d(
    node: Callable,
    scope: str,
    input: Any,
    ksize: Any,
    strides: Any,
    padding: str,
    data_format: str | None,
    name: str | None,
) -> Tensor:
    """A sequence as an image of one row, pooled by `node`."""
    with name_scope(name, scope, [input]) as name:
        data_format = data_format or "NWC"
        ksize = [1, *axes_of_format(ksize, 1, data_format, "ksize")]
        strides = [1, *axes_of_format(strides, 1, data_format, "strides")]
        axis, order = (1, "NHWC") if data_format == "NWC" else (2, "NCHW")
        images = ops.expand_dims(input, axis)
        result = node(
            images, ksize=ksize, strides=strides, padding=padding, data_format=order, name=name
        )
        return ops.squeeze(result, axis)


@public
def max_pool1d(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: str,
    data_format: str | None = "NWC",
    name: str | None = None,
) -> Tensor:
    """The largest element of each window along a sequence.

    Args:
      input: [batch, width, depth], numbers (on a GPU also [batch, depth, width], with "NCW").
      ksize: the size of a window: a number, or three in the order of `data_format`.
      strides: how far windows are apart, given in the same way.
      padding: "VALID": windows lie inside; "SAME": as many windows as the width divided by the stride.
      data_format: "NWC" or "NCW"; None for "NWC".
      name: the name of the scope, "MaxPool1d" by default.

    Returns:
      [batch, windows, depth], of the same dtype.

    Raises:
      ValueError: if the sizes do not fit.

    Example:
      half = tf.nn.max_pool1d(sequences, 2, 2, "SAME")
    """
    return _pooled_1d(raw.MaxPool, "MaxPool1d", input, ksize, strides, padding, data_format, name)


@public
@arguments_of(max_pool1d)
def avg_pool1d(*given: Any) -> Tensor:
    """The mean of each window along a sequence; of a window at an end, of the elements inside.

    Args:
      input: [batch, width, depth], floats (on a GPU also [batch, depth, width], with "NCW").
      ksize, strides, padding, data_format: as `tf.nn.max_pool1d` takes them.
      name: the name of the scope, "AvgPool1D" by default.

    Returns:
      [batch, windows, depth], of the same dtype.

    Raises:
      ValueError: if the sizes do not fit.
    """
    return _pooled_1d(raw.AvgPool, "AvgPool1D", *given)


def _pooled_3d(
    node: Callable,
    scope: str,
    input: Any,
    ksize: Any,
    strides: Any,
    padding: str,
    data_format: str | None,
    name: str | None,
) -> Tensor:
    with name_scope(name, scope, [input]) as name:
        data_format = data_format or "NDHWC"
        return node(
            input,
            ksize=axes_of_format(ksize, 3, data_format, "ksize"),
            strides=axes_of_format(strides, 3, data_format, "strides"),
            padding=padding,
            data_format=data_format,
            name=name,
        )


@public
def max_pool3d(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: str,
    data_format: str | None = "NDHWC",
    name: str | None = None,
) -> Tensor:
    """The largest element of each window over planes, rows and columns.

    Args:
      input: [batch, planes, rows, columns, depth], half or float32 (on a GPU also [batch, depth, planes,
        rows, columns], with "NCDHW").
      ksize: the size of a window: a number, three, or five in the order of `data_format`.
      strides: how far windows are apart, given in the same way.
      padding: "VALID": windows lie inside; "SAME": as many windows as the size divided by the stride.
      data_format: "NDHWC" or "NCDHW"; None for "NDHWC".
      name: the name of the node, "MaxPool3D" by default.

    Returns:
      [batch, planes, rows, columns, depth] of the windows, of the same dtype. Its gradient goes to all
      elements of a window that are within 1e-5 of its largest.

    Raises:
      ValueError: if the sizes do not fit.
    """
    return _pooled_3d(raw.MaxPool3D, "MaxPool3D", input, ksize, strides, padding, data_format, name)


@public
@arguments_of(max_pool3d)
def avg_pool3d(*given: Any) -> Tensor:
    """The mean of each window over planes, rows and columns; at a border, of the elements inside.

    Args:
      input: [batch, planes, rows, columns, depth], floats.
      ksize, strides, padding, data_format: as `tf.nn.max_pool3d` takes them.
      name: the name of the node, "AvgPool3D" by default.

    Returns:
      [batch, planes, rows, columns, depth] of the windows, of the same dtype.

    Raises:
      ValueError: if the sizes do not fit.
    """
    return _pooled_3d(raw.AvgPool3D, "AvgPool3D", *given)


def _pooled(
    nodes: tuple[Callable, Callable, Callable],
    input: Any,
    ksize: Any,
    strides: Any,
    padding: str,
    data_format: str | None,
    name: str | None,
) -> Tensor:
    """Pooling over as many axes as the input has."""
    count = len(input.shape) - 2
    if not 1 <= count <= 3:
        raise ValueError(f"Input tensor must be of rank 3, 4 or 5 but was {count + 2}.")
    order = data_format or "N"
    ksize = axes_of_format(ksize, count, order, "ksize")
    strides = axes_of_format(strides, count, order, "strides")
    given = {} if data_format is None else {"data_format": data_format}
    return nodes[count - 1](
        input, ksize=ksize, strides=strides, padding=padding, name=name, **given
    )


@public
def max_pool_v2(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: str,
    data_format: str | None = None,
    name: str | None = None,
) -> Tensor:
    """The largest element of each window over one, two or three axes, by the rank of the input.

    Args:
      input: [batch, sizes ..., depth], of three to five axes.
      ksize: the size of a window: a number, one for each axis, or all in the order of `data_format`.
      strides: how far windows are apart, given in the same way.
      padding: "VALID" or "SAME".
      data_format: "NWC", "NHWC", "NDHWC" (the defaults) or, on a GPU, with "C" in second place.
      name: the name of the node.

    Returns:
      [batch, sizes ..., depth] of the windows, of the same dtype.

    Raises:
      ValueError: if the sizes do not fit, or the rank is unknown.
    """
    nodes = (max_pool1d, raw.MaxPool, raw.MaxPool3D)
    return _pooled(nodes, input, ksize, strides, padding, data_format, name)


@public
@arguments_of(max_pool_v2)
def avg_pool_v2(*given: Any) -> Tensor:
    """The mean of each window over one, two or three axes, by the rank of the input.

    Args:
      input: [batch, sizes ..., depth], floats, of three to five axes.
      ksize, strides, padding, data_format, name: as `tf.nn.max_pool_v2` takes them.

    Returns:
      [batch, sizes ..., depth] of the windows, of the same dtype.

    Raises:
      ValueError: if the sizes do not fit, or the rank is unknown.
    """
    return _pooled((avg_pool1d, raw.AvgPool, raw.AvgPool3D), *given)


@public
def pool(
    input: Any,
    window_shape: Any,
    pooling_type: str,
    padding: str,
    dilation_rate: Any = None,
    strides: Any = None,
    name: str | None = None,
    data_format: str | None = None,
    dilations: Any = None,
) -> Tensor:
    """Pooling over one, two or three axes, of windows whose elements may lie apart.

    Args:
      input: [batch, sizes ..., depth], floats (on a GPU also [batch, depth, sizes ...]).
      window_shape: one to three numbers, the sizes of a window.
      pooling_type: "MAX" or "AVG".
      padding: "VALID" or "SAME"; "VALID" with rates above 1.
      dilation_rate: as many numbers, how far apart a window's elements lie; 1 by default.
      strides: as many numbers, how far windows are apart, no more than their sizes; 1 by default. Not with
        `dilation_rate`.
      name: the name of the scope, "max_pool" or "avg_pool" by default.
      data_format: "NWC", "NHWC", "NDHWC" (the defaults), "NCW", "NCHW" or "NCDHW".
      dilations: the newer name of `dilation_rate`.

    Returns:
      [batch, sizes ..., depth] of the windows, of the same dtype.

    Raises:
      ValueError: if arguments do not fit.

    Example:
      y = tf.nn.pool(images, [2, 2], "MAX", "VALID", strides=[2, 2])
    """
    rate = deprecated_argument_lookup("dilations", dilations, "dilation_rate", dilation_rate)
    with name_scope(name, f"{pooling_type.lower()}_pool", [input]) as scope:
        input = ops.convert_to_tensor(input, name="input")
        count = len(window_shape)
        if not 1 <= count <= 3:
            raise ValueError("It is required that 1 <= num_spatial_dims <= 3.")
        input.shape.with_rank(count + 2)
        moves, rates = strides_and_rates(count, strides, rate)
        if padding == "SAME" and (rates > 1).any():
            raise ValueError("pooling with SAME padding is not implemented for dilation_rate > 1")
        if np.any(moves > window_shape):
            raise ValueError(
                "strides > window_shape not supported due to inconsistency between CPU and GPU "
                "implementations"
            )
        if pooling_type not in ("MAX", "AVG"):
            raise ValueError(f"{count}-D {pooling_type} pooling is not supported.")
        inner = _pooling_of_blocks(
            pooling_type, list(window_shape), moves.tolist(), data_format, scope
        )
        first = 2 if data_format is not None and data_format.startswith("NC") else 1
        return with_space_to_batch(
            input=input,
            dilation_rate=rates,
            padding=padding,
            op=inner,
            spatial_dims=range(first, first + count),
            filter_shape=window_shape,
        )


def _pooling_of_blocks(
    kind: str, ksize: list[int], strides: list[int], data_format: str | None, scope: str
) -> Callable[[Tensor, int, str], Tensor]:
    """The function that pools an input in blocks, for `with_space_to_batch`."""
    channels_first = data_format is not None and data_format.startswith("NC")
    ends: tuple[list[int], list[int]] = ([1, 1], []) if channels_first else ([1], [1])
    sizes, moves = ([*ends[0], *values, *ends[1]] for values in (ksize, strides))
    if len(ksize) == 3:
        node: Callable = max_pool3d if kind == "MAX" else avg_pool3d
    else:
        node = max_pool if kind == "MAX" else avg_pool
    if len(ksize) > 1:
        return lambda x, _, padding: node(x, sizes, moves, padding, data_format, scope)
    if data_format not in (None, "NWC", "NCW"):
        raise ValueError('data_format must be either "NWC" or "NCW".')
    axis, order = (2, "NCHW") if data_format == "NCW" else (1, "NHWC")

    def of_sequence(x: Tensor, _: int, padding: str) -> Tensor:
        images = ops.expand_dims(x, axis)
        return ops.squeeze(node(images, [1, *sizes], [1, *moves], padding, order, scope), [axis])

    return of_sequence
