"""Convolutions, pooling and biases under their Keras names."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.layers.backend.array_functions import batch_dot, concatenate
from tfmini._src.nn.layers.backend.config import image_data_format
from tfmini._src.nn.layers.backend.padding import temporal_padding
from tfmini._src.nn.layers.backend.tensor_values import int_shape, ndim
from tfmini._src.nn.layers.windows.channels_first import (
    images_for,
    images_from,
    takes_channels_first as _takes_channels_first,
)
from tfmini._src.ops import ops
from tfmini._src.variables.variable import Variable

_CHANNELS_FIRST, _CHANNELS_LAST = "channels_first", "channels_last"


def _checked_data_format(data_format: str | None) -> str:
    order = image_data_format() if data_format is None else data_format
    if order not in (_CHANNELS_FIRST, _CHANNELS_LAST):
        raise ValueError(f"Unknown data_format: {order}")
    return order


def op_padding(padding: str) -> str:
    """Returns an op's padding, "SAME" or "VALID", for a Keras padding; raises ValueError for unknown paddings."""
    if padding not in ("same", "valid"):
        raise ValueError(f"Invalid padding: {padding}")
    return padding.upper()


def _to_supported_layout(x: Any, order: str, count: int) -> tuple[Any, str]:
    """Converts inputs to a layout supported on this machine; also returns the layout's name."""
    if count == 2:
        return images_for(x, order)
    letters = "DHW"[3 - count :]
    if order == _CHANNELS_LAST:
        return x, f"N{letters}C"
    if _takes_channels_first():
        return x, f"NC{letters}"
    return ops.transpose(x, (0, *range(2, count + 2), 1)), f"N{letters}C"


def _from_supported_layout(x: Any, spelled: str, order: str, count: int) -> Any:
    if count == 2:
        return images_from(x, spelled, order)
    if order == _CHANNELS_FIRST and spelled[1] != "C":
        return ops.transpose(x, (0, count + 1, *range(1, count + 1)))
    return x


def _expand_to_all_axes(sizes: Any, spelled: str) -> tuple:
    """Expands strides or sizes to all axes, with 1 for the batch and channel axes."""
    return (1, 1, *sizes) if spelled[1] == "C" else (1, *sizes, 1)


def _convolve(
    x: Any, kernel: Any, strides: Any, padding: str, order: str, rate: Any, count: int
) -> Any:
    x, spelled = _to_supported_layout(x, order, count)
    x = ops.convolution(
        input=x,
        filter=kernel,
        dilation_rate=(rate,) if count == 1 and isinstance(rate, int) else rate,
        strides=(strides,) if count == 1 and isinstance(strides, int) else strides,
        padding=op_padding(padding),
        data_format=spelled,
    )
    return _from_supported_layout(x, spelled, order, count)


def conv1d(
    x: Tensor | Variable,
    kernel: Tensor | Variable,
    strides: int | Sequence[int] = 1,
    padding: str = "valid",
    data_format: str | None = None,
    dilation_rate: int | Sequence[int] = 1,
) -> Any:
    """Convolves sequences [batch, steps, channels].

    Args:
      x: the sequences.
      kernel: [size, channels, filters].
      strides, data_format, dilation_rate: as in `conv2d`.
      padding: "valid", "same" or "causal" (no output depends on a later step).

    Raises:
      ValueError: for an unsupported padding or data_format.
    """
    order = _checked_data_format(data_format)
    if padding == "causal":
        x = temporal_padding(x, (dilation_rate * (kernel.shape.as_list()[0] - 1), 0))
        padding = "valid"
    return _convolve(x, kernel, strides, padding, order, dilation_rate, 1)


def conv2d(
    x: TensorLike,
    kernel: Tensor | Variable,
    strides: int | Sequence[int] = (1, 1),
    padding: str = "valid",
    data_format: str | None = None,
    dilation_rate: int | Sequence[int] = (1, 1),
) -> Any:
    """Convolves images [batch, rows, columns, channels].

    Args:
      x: the images.
      kernel: [rows, columns, channels, filters].
      strides: filter stride.
      padding: "valid" or "same".
      data_format: "channels_last" or "channels_first".
      dilation_rate: filter dilation.

    Raises:
      ValueError: for an unsupported padding or data_format.
    """
    return _convolve(
        x, kernel, strides, padding, _checked_data_format(data_format), dilation_rate, 2
    )


def conv2d_transpose(
    x: Any,
    kernel: Any,
    output_shape: Any,
    strides: int | Sequence[int] = (1, 1),
    padding: str = "valid",
    data_format: str | None = None,
    dilation_rate: Any = (1, 1),
) -> Any:
    """Computes the transposed convolution of images [batch, rows, columns, channels].

    Args:
      x, strides, padding, data_format, dilation_rate: as in `conv2d`.
      kernel: [rows, columns, filters, channels].
      output_shape: the shape of the result; its first size may be None.

    Raises:
      ValueError: for an unsupported padding or data_format.
    """
    order = _checked_data_format(data_format)
    is_dilated = tuple(dilation_rate) != (1, 1)
    if is_dilated and order == _CHANNELS_FIRST:  # no kernel supports it
        x, spelled = ops.transpose(x, (0, 2, 3, 1)), "NHWC"
    else:
        x, spelled = images_for(x, order)
    if order == _CHANNELS_FIRST and spelled == "NHWC":
        output_shape = (output_shape[0], output_shape[2], output_shape[3], output_shape[1])
    if output_shape[0] is None:
        output_shape = (ops.shape(x)[0], *output_shape[1:])
    if isinstance(output_shape, (tuple, list)):
        output_shape = ops.stack(list(output_shape))
    padding = op_padding(padding)
    if is_dilated:
        assert dilation_rate[0] == dilation_rate[1]
        result = ops.atrous_conv2d_transpose(
            x, kernel, output_shape, rate=dilation_rate[0], padding=padding
        )
    else:
        result = ops.conv2d_transpose(
            x,
            kernel,
            output_shape,
            _expand_to_all_axes(strides, spelled),
            padding=padding,
            data_format=spelled,
        )
    return images_from(result, spelled, order)


def conv3d(
    x: TensorLike,
    kernel: Tensor | Variable,
    strides: int | Sequence[int] = (1, 1, 1),
    padding: str = "valid",
    data_format: str | None = None,
    dilation_rate: int | Sequence[int] = (1, 1, 1),
) -> Any:
    """Convolves volumes [batch, depth, rows, columns, channels].

    Args:
      x: the volumes.
      kernel: [depth, rows, columns, channels, filters].
      strides, padding, data_format, dilation_rate: as in `conv2d`.

    Raises:
      ValueError: for an unsupported padding or data_format.
    """
    return _convolve(
        x, kernel, strides, padding, _checked_data_format(data_format), dilation_rate, 3
    )


def separable_conv2d(
    x: TensorLike,
    depthwise_kernel: Tensor | Variable,
    pointwise_kernel: Tensor | Variable,
    strides: Any = (1, 1),
    padding: str = "valid",
    data_format: str | None = None,
    dilation_rate: int | Sequence[int] = (1, 1),
) -> Any:
    """Applies a depthwise convolution to images, then a pointwise convolution that mixes the channels.

    Args:
      x, strides, padding, data_format, dilation_rate: as in `conv2d`.
      depthwise_kernel: [rows, columns, channels, multiplier].
      pointwise_kernel: [1, 1, channels * multiplier, filters].

    Raises:
      ValueError: for an unsupported padding or data_format, or if `strides` is not a pair.
    """
    order = _checked_data_format(data_format)
    if len(strides) != 2:
        raise ValueError("`strides` must be a tuple of 2 integers.")
    x, spelled = _to_supported_layout(x, order, 2)
    x = ops.separable_conv2d(
        x,
        depthwise_kernel,
        pointwise_kernel,
        strides=_expand_to_all_axes(strides, spelled),
        padding=op_padding(padding),
        rate=dilation_rate,
        data_format=spelled,
    )
    return _from_supported_layout(x, spelled, order, 2)


def _pool(x: Any, size: Any, strides: Any, padding: str, order: str, mode: str, count: int) -> Any:
    x, spelled = _to_supported_layout(x, order, count)
    padding = op_padding(padding)
    if mode not in ("max", "avg"):
        raise ValueError(f"Invalid pooling mode: {mode}")
    pool = getattr(ops, f"{mode}_pool3d" if count == 3 else f"{mode}_pool")
    x = pool(
        x,
        _expand_to_all_axes(size, spelled),
        _expand_to_all_axes(strides, spelled),
        padding=padding,
        data_format=spelled,
    )
    return _from_supported_layout(x, spelled, order, count)


def pool2d(
    x: TensorLike,
    pool_size: Any,
    strides: Any = (1, 1),
    padding: str = "valid",
    data_format: str | None = None,
    pool_mode: str = "max",
) -> Any:
    """Applies max or average pooling to images.

    Args:
      x: [batch, rows, columns, channels].
      pool_size: window sizes.
      strides: strides.
      padding: "valid" or "same".
      data_format: "channels_last" or "channels_first".
      pool_mode: "max" or "avg".

    Raises:
      ValueError: for an unsupported `padding`, `data_format` or `pool_mode`.
    """
    order = _checked_data_format(data_format)
    if len(pool_size) != 2:
        raise ValueError("`pool_size` must be a tuple of 2 integers.")
    if len(strides) != 2:
        raise ValueError("`strides` must be a tuple of 2 integers.")
    return _pool(x, pool_size, strides, padding, order, pool_mode, 2)


def pool3d(
    x: TensorLike,
    pool_size: int | Sequence[int],
    strides: int | Sequence[int] = (1, 1, 1),
    padding: str = "valid",
    data_format: str | None = None,
    pool_mode: str = "max",
) -> Any:
    """Applies max or average pooling to volumes.

    Args:
      x: [batch, depth, rows, columns, channels].
      pool_size, strides, padding, data_format, pool_mode: as in `pool2d`.

    Raises:
      ValueError: for an unsupported `padding`, `data_format` or `pool_mode`.
    """
    return _pool(x, pool_size, strides, padding, _checked_data_format(data_format), pool_mode, 3)


def bias_add(x: TensorLike, bias: Any, data_format: str | None = None) -> Any:
    """Adds a bias for each channel, or for each position.

    Args:
      x: a tensor of rank 2 or more.
      bias: [channels], or the shape of an example, channels last.
      data_format: "channels_last" or "channels_first".

    Raises:
      ValueError: for an unsupported data_format, or a bias of another rank.
    """
    order = _checked_data_format(data_format)
    sizes, rank = int_shape(bias) or (), ndim(x) or 0
    if len(sizes) not in (1, rank - 1):
        raise ValueError(
            f"Unexpected bias dimensions {len(sizes)}, expect to be 1 or {rank} dimensions"
        )
    if rank not in (3, 4, 5):
        return ops.bias_add(x, bias)
    single = len(sizes) == 1
    if rank == 4 and single and order == _CHANNELS_LAST:
        return ops.bias_add(x, bias, data_format="NHWC")
    if rank == 4 and single and _takes_channels_first():
        return ops.bias_add(x, bias, data_format="NCHW")
    if order == _CHANNELS_FIRST:
        if single:
            return x + ops.reshape(bias, (1, sizes[0], *(1,) * (rank - 2)))
        return x + ops.reshape(bias, (1, sizes[-1], *sizes[:-1]))
    if single:  # TensorFlow relies on broadcasting for a vector bias
        return x + ops.reshape(bias, (1,) * (2 if rank == 3 else 3) + (sizes[0],))
    return x + ops.reshape(bias, (1, *sizes))


def local_conv(
    inputs: Any, kernel: Any, kernel_size: Any, strides: Any, output_shape: Any, data_format: Any
) -> Any:
    """Locally connected convolution, which uses a separate filter at each position.

    Args:
      inputs: [batch, sizes ..., channels], or with "channels_first" the channels after the batch.
      kernel: [positions, window elements, filters].
      kernel_size: window sizes.
      strides: strides.
      output_shape: number of positions along each axis.
      data_format: "channels_last" or "channels_first".

    Raises:
      ValueError: for an unsupported data_format.
    """
    order = _checked_data_format(data_format)
    _, features, filters = int_shape(kernel) or ()
    full, count, rows = slice(None), len(output_shape), []
    for output_position in itertools.product(*(range(int(size)) for size in output_shape)):
        starts = [position * stride for position, stride in zip(output_position, strides)]
        window = [slice(start, start + size) for start, size in zip(starts, kernel_size)]
        around = (full, full, *window) if order == _CHANNELS_FIRST else (full, *window, full)
        rows.append(ops.reshape(inputs[around], (1, -1, features)))
    outputs = batch_dot(concatenate(rows, axis=0), kernel)
    outputs = ops.reshape(outputs, (*output_shape, -1, filters))
    inner = range(count)
    last = (count, *inner, count + 1)
    return ops.transpose(
        outputs, perm=[count, count + 1, *inner] if order == _CHANNELS_FIRST else [*last]
    )


def local_conv1d(
    inputs: Tensor | Variable,
    kernel: Tensor | Variable,
    kernel_size: int | Sequence[int],
    strides: int | Sequence[int],
    data_format: str | None = None,
) -> Any:
    """Convolves sequences with separate filters at each step.

    Args:
      inputs: [batch, steps, channels].
      kernel: [output steps, size * channels, filters].
      kernel_size: (size,).
      strides: (filter stride,).
      data_format: "channels_last" or "channels_first".

    Raises:
      ValueError: for an unsupported data_format.
    """
    steps = (int_shape(kernel) or ())[:1]
    return local_conv(inputs, kernel, kernel_size, strides, steps, data_format)


def local_conv2d(
    inputs: Tensor | Variable,
    kernel: Tensor | Variable,
    kernel_size: int | Sequence[int],
    strides: int | Sequence[int],
    output_shape: TensorLike,
    data_format: str | None = None,
) -> Any:
    """Convolves images with separate filters at each position.

    Args:
      inputs: [batch, rows, columns, channels].
      kernel: [output rows * output columns, rows * columns * channels, filters].
      kernel_size: (rows, columns).
      strides: filter stride.
      output_shape: (output rows, output columns).
      data_format: "channels_last" or "channels_first".

    Raises:
      ValueError: for an unsupported data_format.
    """
    return local_conv(inputs, kernel, kernel_size, strides, output_shape, data_format)


__all__ = [
    "bias_add",
    "conv1d",
    "conv2d",
    "conv3d",
    "local_conv1d",
    "local_conv2d",
    "pool2d",
    "pool3d",
    "separable_conv2d",
]
