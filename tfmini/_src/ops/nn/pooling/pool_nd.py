"""One- and three-dimensional pooling, and pooling that adapts to the rank of the input."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tfmini._src.base.names.deprecation import deprecated_argument_lookup
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.graph.opdef import public, raw
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.nn.convolution.dilated_convolution import (
    strides_and_rates,
    with_space_to_batch,
)
from tfmini._src.ops.nn.layouts import format_axes
from tfmini._src.ops.nn.pooling.pool_2d import avg_pool, max_pool


def _pool_1d(
    node: Callable,
    scope: str,
    input: Any,
    ksize: Any,
    strides: Any,
    padding: str,
    data_format: str | None,
    name: str | None,
) -> Tensor:
    """Pools sequences as single-row images with `node`."""
    with name_scope(name, scope, [input]) as name:
        data_format = data_format or "NWC"
        ksize = [1, *format_axes(ksize, 1, data_format, "ksize")]
        strides = [1, *format_axes(strides, 1, data_format, "strides")]
        axis, order = (1, "NHWC") if data_format == "NWC" else (2, "NCHW")
        images = ops.expand_dims(input, axis)
        result = node(
            images, ksize=ksize, strides=strides, padding=padding, data_format=order, name=name
        )
        return ops.squeeze(result, axis)


@public
def max_pool1d(
    input: TensorLike,
    ksize: Sequence[int],
    strides: int | Sequence[int],
    padding: str,
    data_format: str | None = "NWC",
    name: str | None = None,
) -> Tensor:
    """Computes one-dimensional max pooling of sequences.

    Args:
      input: numeric tensor [batch, width, depth] (on a GPU also [batch, depth, width], with "NCW").
      ksize: the window size: a number, or three in the order of `data_format`.
      strides: the stride of the windows, in the same form.
      padding: "VALID" for windows inside the sequence only; "SAME" for width / stride windows, rounded up.
      data_format: "NWC" or "NCW"; None for "NWC".
      name: the name of the scope, "MaxPool1d" by default.

    Returns:
      [batch, windows, depth], of the same dtype.

    Raises:
      ValueError: if the sizes are invalid.

    Example:
      half = tf.nn.max_pool1d(sequences, 2, 2, "SAME")
    """
    return _pool_1d(raw.MaxPool, "MaxPool1d", input, ksize, strides, padding, data_format, name)


@public
@arguments_of(max_pool1d)
def avg_pool1d(*args: Any) -> Tensor:
    """Computes one-dimensional average pooling of sequences; at the ends, over the elements inside the sequence.

    Args:
      input: float tensor [batch, width, depth] (on a GPU also [batch, depth, width], with "NCW").
      ksize, strides, padding, data_format: same as for `tf.nn.max_pool1d`.
      name: the name of the scope, "AvgPool1D" by default.

    Returns:
      [batch, windows, depth], of the same dtype.

    Raises:
      ValueError: if the sizes are invalid.
    """
    return _pool_1d(raw.AvgPool, "AvgPool1D", *args)


def _pool_3d(
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
            ksize=format_axes(ksize, 3, data_format, "ksize"),
            strides=format_axes(strides, 3, data_format, "strides"),
            padding=padding,
            data_format=data_format,
            name=name,
        )


@public
def max_pool3d(
    input: TensorLike,
    ksize: Sequence[int],
    strides: int | Sequence[int],
    padding: str,
    data_format: str | None = "NDHWC",
    name: str | None = None,
) -> Tensor:
    """Computes three-dimensional max pooling of volumes.

    Args:
      input: half or float32 tensor [batch, planes, rows, columns, depth] (on a GPU also [batch, depth,
        planes, rows, columns], with "NCDHW").
      ksize: the window size: a number, three, or five in the order of `data_format`.
      strides: the stride of the windows, in the same form.
      padding: "VALID" for windows inside the volume only; "SAME" for size / stride windows, rounded up.
      data_format: "NDHWC" or "NCDHW"; None for "NDHWC".
      name: the name of the node, "MaxPool3D" by default.

    Returns:
      [batch, window planes, window rows, window columns, depth], of the same dtype. Its gradient flows to all
      elements of a window within 1e-5 of the maximum.

    Raises:
      ValueError: if the sizes are invalid.
    """
    return _pool_3d(raw.MaxPool3D, "MaxPool3D", input, ksize, strides, padding, data_format, name)


@public
@arguments_of(max_pool3d)
def avg_pool3d(*args: Any) -> Tensor:
    """Computes three-dimensional average pooling of volumes; at the borders, over the elements inside.

    Args:
      input: float tensor [batch, planes, rows, columns, depth].
      ksize, strides, padding, data_format: same as for `tf.nn.max_pool3d`.
      name: the name of the node, "AvgPool3D" by default.

    Returns:
      [batch, window planes, window rows, window columns, depth], of the same dtype.

    Raises:
      ValueError: if the sizes are invalid.
    """
    return _pool_3d(raw.AvgPool3D, "AvgPool3D", *args)


def _add_pool(
    nodes: tuple[Callable, Callable, Callable],
    input: Any,
    ksize: Any,
    strides: Any,
    padding: str,
    data_format: str | None,
    name: str | None,
) -> Tensor:
    """Adds the op that pools over the spatial axes of the input."""
    count = len(input.shape) - 2
    if not 1 <= count <= 3:
        raise ValueError(f"Input tensor must be of rank 3, 4 or 5 but was {count + 2}.")
    order = data_format or "N"
    ksize = format_axes(ksize, count, order, "ksize")
    strides = format_axes(strides, count, order, "strides")
    values = {} if data_format is None else {"data_format": data_format}
    return nodes[count - 1](
        input, ksize=ksize, strides=strides, padding=padding, name=name, **values
    )


@public
def max_pool_v2(
    input: TensorLike,
    ksize: Sequence[int],
    strides: int | Sequence[int],
    padding: str,
    data_format: str | None = None,
    name: str | None = None,
) -> Tensor:
    """Computes max pooling over one, two or three axes, depending on the rank of the input.

    Args:
      input: [batch, sizes ..., depth], of rank three to five.
      ksize: the window size: a number, one per spatial axis, or one per axis in the order of `data_format`.
      strides: the stride of the windows, in the same form.
      padding: "VALID" or "SAME".
      data_format: "NWC", "NHWC", "NDHWC" (the defaults) or, on a GPU, with "C" after "N".

    Returns:
      [batch, window counts ..., depth], of the same dtype.

    Raises:
      ValueError: if the sizes are invalid, or the rank is unknown.
    """
    nodes = (max_pool1d, raw.MaxPool, raw.MaxPool3D)
    return _add_pool(nodes, input, ksize, strides, padding, data_format, name)


@public
@arguments_of(max_pool_v2)
def avg_pool_v2(*args: Any) -> Tensor:
    """Computes average pooling over one, two or three axes, depending on the rank of the input.

    Args:
      input: float tensor [batch, sizes ..., depth], of rank three to five.
      ksize, strides, padding, data_format, name: same as for `tf.nn.max_pool_v2`.

    Returns:
      [batch, window counts ..., depth], of the same dtype.

    Raises:
      ValueError: if the sizes are invalid, or the rank is unknown.
    """
    return _add_pool((avg_pool1d, raw.AvgPool, raw.AvgPool3D), *args)


@public
def pool(
    input: TensorLike,
    window_shape: Any,
    pooling_type: str,
    padding: str,
    dilation_rate: int | Sequence[int] | None = None,
    strides: int | Sequence[int] | None = None,
    name: str | None = None,
    data_format: str | None = None,
    dilations: Sequence[int] | None = None,
) -> Tensor:
    """Computes pooling over one, two or three axes with optionally dilated windows.

    Args:
      input: float tensor [batch, sizes ..., depth] (on a GPU also [batch, depth, sizes ...]).
      window_shape: one to three numbers, the window sizes.
      pooling_type: "MAX" or "AVG".
      padding: "VALID" or "SAME"; only "VALID" with rates above 1.
      dilation_rate: one number per axis, the dilation of the windows; 1 by default.
      strides: one number per axis, the stride of the windows, at most the window size; 1 by default. Not combined with
        `dilation_rate`.
      name: the name of the scope, "max_pool" or "avg_pool" by default.
      data_format: "NWC", "NHWC", "NDHWC" (the defaults), "NCW", "NCHW" or "NCDHW".
      dilations: the new name of `dilation_rate`.

    Returns:
      [batch, window counts ..., depth], of the same dtype.

    Raises:
      ValueError: if arguments are invalid.

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
        full_strides, rates = strides_and_rates(count, strides, rate)
        if padding == "SAME" and (rates > 1).any():
            raise ValueError("pooling with SAME padding is not implemented for dilation_rate > 1")
        if np.any(full_strides > window_shape):
            raise ValueError(
                "strides > window_shape not supported due to inconsistency between CPU and GPU "
                "implementations"
            )
        if pooling_type not in ("MAX", "AVG"):
            raise ValueError(f"{count}-D {pooling_type} pooling is not supported.")
        inner = _block_pooling(
            pooling_type, list(window_shape), full_strides.tolist(), data_format, scope
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


def _block_pooling(
    pooling_type: str, ksize: list[int], strides: list[int], data_format: str | None, scope: str
) -> Callable[[Tensor, int, str], Tensor]:
    """Creates the function that pools an input in blocks, for `with_space_to_batch`."""
    channels_first = data_format is not None and data_format.startswith("NC")
    outer_sizes: tuple[list[int], list[int]] = ([1, 1], []) if channels_first else ([1], [1])
    sizes, full_strides = (
        [*outer_sizes[0], *values, *outer_sizes[1]] for values in (ksize, strides)
    )
    if len(ksize) == 3:
        node: Callable = max_pool3d if pooling_type == "MAX" else avg_pool3d
    else:
        node = max_pool if pooling_type == "MAX" else avg_pool
    if len(ksize) > 1:
        return lambda x, _, padding: node(x, sizes, full_strides, padding, data_format, scope)
    if data_format not in (None, "NWC", "NCW"):
        raise ValueError('data_format must be either "NWC" or "NCW".')
    axis, order = (2, "NCHW") if data_format == "NCW" else (1, "NHWC")

    def of_sequence(x: Tensor, _: int, padding: str) -> Tensor:
        images = ops.expand_dims(x, axis)
        return ops.squeeze(
            node(images, [1, *sizes], [1, *full_strides], padding, order, scope), [axis]
        )

    return of_sequence
