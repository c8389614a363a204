"""Dilated convolution, computed by moving spatial blocks to the batch axis and back."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.names.deprecation import deprecated_argument_lookup
from tfmini._src.base.shapes import TensorShape, as_shape
from tfmini._src.graph.opdef import public, raw
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.static_values import get_static_value
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.nn.convolution.conv1d import conv1d
from tfmini._src.ops.nn.convolution.conv2d import conv2d
from tfmini._src.ops.nn.layouts import format_axes

# Creates the node for an input in blocks: (input, padding) -> tensor.
Inner = Callable[[Any, str], Tensor]


def with_space_to_batch(
    input: TensorLike,
    dilation_rate: Any,
    padding: str,
    op: Callable[[Any, int, str], Tensor],
    filter_shape: TensorLike | None = None,
    spatial_dims: Sequence[int] | None = None,
    data_format: str | None = None,
) -> Tensor:
    """Applies `op` with dilated windows by running it on every `dilation_rate`-th element.

    Args:
      input: a tensor whose rank covers the axes in `spatial_dims`.
      dilation_rate: an int32 vector, one positive number per spatial axis; if all are 1, applies `op` directly.
      padding: "VALID" or "SAME".
      op: a function of (input, number of spatial axes, padding) that returns a tensor; for rates above 1,
        it receives the blocks on the batch axis and the padding "VALID".
      filter_shape: the window sizes, required for "SAME".
      spatial_dims: the spatial axes in ascending order; by default, those after the batch
        axis, or for "NC..." after the channel axis.
      data_format: "NC..." for channels before the spatial axes.

    Returns:
      The result of `op`, converted back from blocks.

    Raises:
      ValueError: if arguments are invalid.

    Example:
      pooled = tf.nn.with_space_to_batch(
          images, [2, 2], "VALID", lambda x, n, padding: tf.nn.max_pool(x, 2, 1, padding))
    """
    input = ops.convert_to_tensor(input, name="input")

    def inner(count: int) -> Inner:
        return lambda x, padding: op(x, count, padding)

    return _in_blocks(
        input, input.shape, dilation_rate, padding, inner, filter_shape, spatial_dims, data_format
    )


def _in_blocks(
    x: Any,
    shape: TensorShape,
    dilation_rate: Any,
    padding: str,
    run_inner: Callable[[int], Inner],
    filter_shape: Any,
    spatial_dims: Any,
    data_format: str | None,
    filter: Any = None,
) -> Tensor:
    rate = ops.convert_to_tensor(dilation_rate, dtypes.int32, name="dilation_rate")
    try:
        rate_shape = rate.shape.with_rank(1)
    except ValueError:
        raise ValueError("rate must be rank 1") from None
    if not rate.shape.is_fully_defined():
        raise ValueError("rate must have known shape")
    count = rate_shape.as_list()[0]
    inner = run_inner(count)
    dims = _spatial_dims(spatial_dims, count, shape, data_format)
    static_rate = get_static_value(rate)
    if static_rate is not None:
        if (static_rate < 1).any():
            raise ValueError("dilation_rate must be positive")
        if (static_rate == 1).all():
            return inner(x, padding)
    base = _base_paddings(
        padding, filter_shape, count, rate if static_rate is None else static_rate
    )
    sizes = _spatial_sizes(x, shape, dims)
    if base is None:
        base = _same_paddings(
            ops.shape(filter), count, rate if static_rate is None else static_rate
        )
    paddings, crops = ops.required_space_to_batch_paddings(
        input_shape=sizes, base_paddings=base, block_shape=rate
    )
    block = _fill_axes(rate, 1, dims)
    paddings, crops = (_fill_axes(pairs, 0, dims) for pairs in (paddings, crops))
    blocks = ops.space_to_batch_nd(input=x, block_shape=block, paddings=paddings)
    result = inner(blocks, "VALID")
    joined = ops.batch_to_space_nd(input=result, block_shape=block, crops=crops)
    if data_format is not None and data_format.startswith("NC") and filter is not None:
        static = joined.shape.as_list()
        if not static[1]:
            static[1] = filter.shape[-1]
            joined.set_shape(static)
    return joined


def _spatial_dims(value: Any, count: int, shape: TensorShape, data_format: str | None) -> list[int]:
    channels_first = data_format is not None and data_format.startswith("NC")
    first = 2 if channels_first else 1
    original = list(range(first, first + count) if value is None else value)
    dims = sorted({int(dim) for dim in original})
    if dims != original or any(dim < 1 for dim in dims):
        raise ValueError(
            "spatial_dims must be a montonically increasing sequence of positive integers"
        )
    rank = dims[-1] if channels_first else dims[-1] + 1
    try:
        shape.with_rank_at_least(rank)
    except ValueError:
        raise ValueError(f"input tensor must have rank {rank} at least") from None
    return dims


def _base_paddings(padding: str, filter_shape: Any, count: int, rate: Any) -> Any:
    """Returns the zero padding that makes "VALID" equivalent; None if it depends on the filter at run time."""
    if padding == "VALID":
        return np.zeros([count, 2], np.int32)
    if padding != "SAME":
        raise ValueError(f"Invalid padding method {padding!r}")
    if filter_shape is None:
        raise ValueError("filter_shape must be specified for SAME padding")
    static = get_static_value(ops.convert_to_tensor(filter_shape, name="filter_shape"))
    return None if static is None else _same_paddings(static, count, rate)


def _same_paddings(filter_shape: Any, count: int, rate: Any) -> Tensor:
    """Returns [before, after] zeros per spatial axis for a dilated filter with "SAME" padding."""
    sizes = filter_shape[:count]
    spread = sizes + (sizes - 1) * (rate - 1)
    missing = spread - 1
    before = missing // 2
    after = missing - before
    return ops.stack([[before[i], after[i]] for i in range(count)])


def _spatial_sizes(x: Any, shape: TensorShape, dims: list[int]) -> Any:
    """Returns the sizes of the input along its spatial axes."""
    if shape.ndims is not None:
        static = shape.as_list()
        sizes = [static[dim] for dim in dims]
        if None not in sizes:
            return sizes
    dynamic = ops.shape(x)
    return ops.stack([dynamic[dim] for dim in dims])


def _fill_axes(tensor: Any, fill: int, dims: list[int]) -> Any:
    """Returns rows for all axes after the batch: the rows of `tensor` for `dims`, and `fill` for others."""
    row = tensor.shape.as_list()[1:]
    static = get_static_value(tensor)
    values = tensor if static is None else static
    parts: list[Any] = []
    before = start = 0
    while start < len(dims):
        if dims[start] > 1:
            gap = dims[start] - 1 - before
            parts.append(np.full([gap, *row], fill, tensor.dtype.as_numpy_dtype))
        end = start
        while end + 1 < len(dims) and dims[end + 1] == dims[end] + 1:
            end += 1
        parts.append(values[start : end + 1])
        before = dims[end]
        start = end + 1
    return np.concatenate(parts) if static is not None else ops.concat(parts, 0)


# Convolution of any number of axes -------------------------------------------------------------------


@public
def convolution(
    input: TensorLike,
    filter: TensorLike,
    padding: str,
    strides: Any = None,
    dilation_rate: Any = None,
    name: str | None = None,
    data_format: str | None = None,
    filters: TensorLike | None = None,
    dilations: int | Sequence[int] | None = None,
) -> Tensor:
    """Computes a convolution over one, two or three spatial axes.

    Args:
      input: [batch, sizes ..., depth], a float tensor (on a GPU also [batch, depth, sizes ...]).
      filter: [sizes ..., depth, filters], of the same dtype.
      padding: "VALID" or "SAME".
      strides: the stride of the filter: a number, or one per spatial axis; not combined with `dilation_rate`.
      dilation_rate: the dilation of the filter, in the same form.
      name: the name of the scope, "convolution" by default.
      data_format: "NWC", "NHWC", "NDHWC" (the defaults), "NCW", "NCHW" or "NCDHW".
      filters, dilations: new names of `filter` and `dilation_rate`.

    Returns:
      [batch, sizes ..., filters], of the same dtype.

    Raises:
      ValueError: if arguments are invalid, or the number of axes is unknown.

    Example:
      y = tf.nn.convolution(x, w, "SAME", dilation_rate=[2, 2])
    """
    filter = deprecated_argument_lookup("filters", filters, "filter", filter)
    rate = deprecated_argument_lookup("dilations", dilations, "dilation_rate", dilation_rate)
    count = _axis_count(input, filter)
    channels_first = data_format is not None and data_format.startswith("NC")
    order = "NC" if channels_first else "N"
    strides = format_axes(strides, count, order, "strides")
    rate = format_axes(rate, count, order, "dilations")
    with name_scope(name, "convolution", [input, filter]) as name:
        if all(size == 1 for size in rate):
            settings = {"data_format": data_format, "dilations": rate, "name": name}
            if count == 1:
                return conv1d(input, filter, strides, padding=padding, **settings)
            node = raw.Conv2D if count == 2 else raw.Conv3D
            specified = {key: value for key, value in settings.items() if value is not None}
            return node(input, filter, strides=strides, padding=padding, **specified)
        spatial_axes = slice(2, None) if channels_first else slice(1, -1)
        return _dilated_convolution(
            input, filter, padding, strides[spatial_axes], rate[spatial_axes], name, data_format
        )


def _axis_count(x: Any, filter: Any) -> int:
    for value in (x, filter):
        shape = value.shape
        if shape is None or isinstance(shape, TensorShape) and shape.rank is None:
            continue
        if not 1 <= len(shape) - 2 <= 3:
            raise ValueError(f"Input tensor must be of rank 3, 4 or 5 but was {len(shape)}.")
        return len(shape) - 2
    raise ValueError("rank of input or filter must be known")


def _dilated_convolution(
    x: Any,
    filter: Any,
    padding: str,
    strides: Sequence[int],
    rate: Sequence[int],
    name: str,
    data_format: str | None,
) -> Tensor:
    """Computes a dilated convolution using blocks on the batch axis."""
    x_shape, filter_shape = as_shape(x.shape), as_shape(filter.shape)
    rank: Any = x_shape.ndims if filter_shape.ndims is None else filter_shape.ndims
    for argument, shape in (("input", x_shape), ("filter", filter_shape)):
        try:
            shape.with_rank(rank)
        except ValueError:
            raise ValueError(f"{argument} tensor must have rank {rank}") from None
    count = rank - 2
    channels_first = data_format is not None and data_format.startswith("NC")
    dims: Any = x_shape.with_rank(rank).dims
    filter_dims: Any = filter_shape.with_rank(rank).dims
    depth, filter_size = dims[1 if channels_first else rank - 1], filter_dims[count]
    if not depth.is_compatible_with(filter_size):
        raise ValueError(
            "number of input channels does not match corresponding dimension of filter, "
            f"{depth} != {filter_size}"
        )
    full_strides, filter_rates = strides_and_rates(count, strides, rate)
    inner = functools.partial(
        _convolve_blocks, filter, count, full_strides.tolist(), name, data_format
    )
    first = 2 if channels_first else 1
    dims = range(first, first + count)
    return _in_blocks(
        x, x_shape, filter_rates, padding, lambda _: inner, filter_shape, dims, data_format, filter
    )


def _convolve_blocks(
    filter: Any,
    count: int,
    strides: list[int],
    name: str,
    data_format: str | None,
    x: Any,
    padding: str,
) -> Tensor:
    """Returns the inner convolution of an input that is split into blocks."""
    first = {1: ("NWC", "NCW", "NHWC", "NCHW"), 2: ("NHWC", "NCHW"), 3: ("NDHWC", "NCDHW")}
    data_format = data_format or first[count][0]
    if data_format not in first[count]:
        have = f" Have: {data_format}" if count == 3 else ""
        raise ValueError(f'data_format must be "{first[count][0]}" or "{first[count][1]}".{have}')
    if count == 1:
        return conv1d(x, filter, strides[0], padding=padding, data_format=data_format, name=name)
    full_strides = [1, 1, *strides] if data_format.startswith("NC") else [1, *strides, 1]
    node = conv2d if count == 2 else raw.Conv3D
    return node(
        x, filter, strides=full_strides, padding=padding, data_format=data_format, name=name
    )


def strides_and_rates(
    count: int, strides: Any, dilation_rate: Any
) -> tuple[np.ndarray, np.ndarray]:
    """Checks that both are vectors of `count` numbers, one of which must be all ones."""
    rates = _positive(count, dilation_rate, "dilation_rate")
    positive_strides = _positive(count, strides, "strides")
    if (positive_strides > 1).any() and (rates > 1).any():
        raise ValueError("strides > 1 not supported in conjunction with dilation_rate > 1")
    return positive_strides, rates


def _positive(count: int, values: Any, argument: str) -> np.ndarray:
    if values is None:
        return np.ones(count, np.int32)
    if len(values) != count:
        raise ValueError(f"len({argument})={len(values)} but should be {count}")
    array = np.array(values, np.int32)
    if (array < 1).any():
        raise ValueError(f"all values of {argument} must be positive")
    return array


# Images ----------------------------------------------------------------------------------------------


def atrous_conv2d(
    value: TensorLike, filters: int, rate: Any, padding: str, name: str | None = None
) -> Tensor:
    """Computes `conv2d` with a filter dilated by `rate`.

    Args:
      value: [batch, rows, columns, depth], a float tensor.
      filters: [rows, columns, depth, filters], of the same dtype.
      rate: a positive integer; 1 is equivalent to `conv2d`.
      padding: "VALID" or "SAME".
      name: the name of the scope, "convolution" by default.

    Returns:
      [batch, rows, columns, filters], of the same dtype.

    Raises:
      ValueError: if shapes do not match, or the padding is unknown.
    """
    return convolution(
        input=value,
        filter=filters,
        padding=padding,
        dilation_rate=np.broadcast_to(rate, (2,)),
        name=name,
    )


@public
def atrous_conv2d_transpose(
    value: TensorLike,
    filters: TensorLike,
    output_shape: Any,
    rate: int,
    padding: str,
    name: str | None = None,
) -> Tensor:
    """Computes a transposed dilated convolution: the input gradient of `atrous_conv2d`, used as a layer.

    Args:
      value: [batch, rows, columns, depth], a float tensor.
      filters: [rows, columns, filters, depth], of the same dtype.
      output_shape: the shape of the result: four numbers, or an int32 vector.
      rate: a positive integer, the dilation of the filter.
      padding: "VALID" or "SAME".
      name: the name of the scope, "atrous_conv2d_transpose" by default.

    Returns:
      [batch, rows, columns, filters], of the same dtype.

    Raises:
      ValueError: if shapes do not match, or the padding is unknown.
    """
    with name_scope(name, "atrous_conv2d_transpose", [value, filters, output_shape]) as name:
        value = ops.convert_to_tensor(value, name="value")
        filters = ops.convert_to_tensor(filters, name="filters")
        if not value.shape.dims[3].is_compatible_with(filters.shape[3]):
            raise ValueError(
                "value's input channels does not match filters' input channels, "
                f"{value.shape[3]} != {filters.shape[3]}"
            )
        if rate < 1:
            raise ValueError(f"rate {rate} cannot be less than one")
        if rate == 1:
            ones = [1, 1, 1, 1]
            return ops.conv2d_transpose(value, filters, output_shape, ones, padding, "NHWC")
        _check_output_shape(output_shape, filters)
        if isinstance(output_shape, tuple):
            output_shape = list(output_shape)
        (top, bottom), (left, right) = _spread_paddings(filters, rate, padding)
        rows = output_shape[1] + top + bottom
        columns = output_shape[2] + left + right
        more_rows = (rate - rows % rate) % rate
        more_columns = (rate - columns % rate) % rate
        blocks = ops.space_to_batch(
            input=value, paddings=[[0, more_rows], [0, more_columns]], block_size=rate
        )
        sizes = [
            rate * rate * output_shape[0],
            (rows + more_rows) // rate,
            (columns + more_columns) // rate,
            output_shape[3],
        ]
        result = raw.Conv2DBackpropInput(
            input_sizes=sizes,
            filter=filters,
            out_backprop=blocks,
            strides=[1, 1, 1, 1],
            padding="VALID",
            data_format="NHWC",
        )
        crops = [[top, bottom + more_rows], [left, right + more_columns]]
        return ops.batch_to_space(input=result, crops=crops, block_size=rate)


def _check_output_shape(output_shape: Any, filters: Tensor) -> None:
    tensor = ops.convert_to_tensor(output_shape, name="output_shape")
    if not tensor.shape.is_compatible_with([4]):
        raise ValueError(f"output_shape must have shape (4,), got {tensor.shape}")
    if isinstance(output_shape, list | tuple | np.ndarray):
        dims: Any = filters.shape.dims
        batch_size = dims[2]
        if not batch_size.is_compatible_with(output_shape[3]):
            raise ValueError(
                "output_shape does not match filter's output channels, "
                f"{output_shape[3]} != {filters.shape[2]}"
            )


def _spread_paddings(filters: Tensor, rate: int, padding: str) -> tuple[tuple, tuple]:
    """Returns the zero padding of rows and columns for a dilated filter, and the crops of the result."""
    if padding == "VALID":
        return (0, 0), (0, 0)
    if padding != "SAME":
        raise ValueError(f"padding must be either VALID or SAME: {padding}")
    is_static = filters.shape.is_fully_defined()
    shape = filters.shape.as_list() if is_static else ops.shape(filters)
    sizes = [shape[0], shape[1]]
    spread = [size + (size - 1) * (rate - 1) for size in sizes]
    missing = [size - 1 for size in spread]
    top = missing[0] // 2
    bottom = missing[0] - top
    left = missing[1] // 2
    return (top, bottom), (left, missing[1] - left)
