"""Convolutions in two steps: shape-dependent setup on weight creation, computation for each input."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.shapes import TensorShape
from tfmini._src.graph.static_values import get_static_value
from tfmini._src.ops import ops, raw


class Convolution:
    """A convolution along one to three axes for inputs and filters of fixed shapes.

    Args:
      input_shape, filter_shape: static shapes of inputs and filters.
      padding: "VALID" or "SAME".
      strides, dilation_rate: one number for each axis.
      data_format: "NWC", "NCHW" ...

    Raises:
      ValueError: if the arguments do not match.
    """

    def __init__(
        self,
        input_shape: TensorShape,
        filter_shape: TensorShape,
        padding: Any,
        strides: tuple,
        dilation_rate: tuple,
        data_format: str,
    ):
        if input_shape.rank not in (None, filter_shape.rank):
            raise ValueError(f"input tensor must have rank {filter_shape.rank}")
        self._input_shape = input_shape
        self._padding = padding
        self._strides = _positive(strides, "strides")
        rates = _positive(dilation_rate, "dilation_rate")
        if (self._strides > 1).any() and (rates > 1).any():
            raise ValueError("strides > 1 not supported in conjunction with dilation_rate > 1")
        self._data_format = data_format
        self._first = 2 if data_format.startswith("NC") else 1
        self._rates = rates
        self._rate = ops.convert_to_tensor(rates, dtypes.int32, name="dilation_rate")
        self._base: Any = None
        if (rates > 1).any():
            self._base = self._base_paddings(filter_shape)

    def _base_paddings(self, filter_shape: TensorShape) -> Any:
        """Returns the zero padding that makes a "VALID" convolution equivalent."""
        count = len(self._rates)
        if self._padding == "VALID":
            return np.zeros([count, 2], np.int32)
        if self._padding != "SAME":
            raise ValueError(f"Invalid padding method {self._padding!r}")
        sizes = get_static_value(ops.convert_to_tensor(filter_shape, name="filter_shape"))[:count]
        missing = sizes + (sizes - 1) * (self._rates - 1) - 1
        leading_padding = missing // 2
        return ops.stack(
            [[leading_padding[n], missing[n] - leading_padding[n]] for n in range(count)]
        )

    def __call__(self, x: Any, filter: Any) -> Any:
        """Convolves `x` with `filter`."""
        if self._base is None:
            return self._plain(x, filter, self._padding)
        axes = range(self._first, self._first + len(self._rates))
        sizes: Any = [self._input_shape.as_list()[axis] for axis in axes]
        if None in sizes:
            shape = ops.shape(x)
            sizes = ops.stack([shape[axis] for axis in axes])
        paddings, crops = ops.required_space_to_batch_paddings(
            input_shape=sizes, base_paddings=self._base, block_shape=self._rate
        )
        block = self._from_axis_1(self._rate, 1)
        paddings, crops = (self._from_axis_1(pairs, 0) for pairs in (paddings, crops))
        blocks = ops.space_to_batch_nd(input=x, block_shape=block, paddings=paddings)
        result = self._plain(blocks, filter, "VALID")
        output = ops.batch_to_space_nd(input=result, block_shape=block, crops=crops)
        if self._first == 2 and not output.shape.dims[1].value:
            static = output.shape.as_list()
            static[1] = filter.shape[-1]
            output.set_shape(static)
        return output

    def _from_axis_1(self, tensor: Any, fill: int) -> Any:
        """Returns rows for all axes after the batch, with `fill` for the channels of a channels-first format."""
        value = get_static_value(tensor)
        rows = tensor[0 : len(self._rates)] if value is None else value
        parts = [rows]
        if self._first == 2:
            gap = np.full([1, *tensor.shape.as_list()[1:]], fill, tensor.dtype.as_numpy_dtype)
            parts = [gap, rows]
        return ops.concat(parts, 0) if value is None else np.concatenate(parts)

    def _plain(self, x: Any, filter: Any, padding: Any) -> Any:
        strides = self._strides.tolist()
        if len(strides) == 1:
            return ops.conv1d(
                value=x,
                filters=filter,
                stride=strides[0],
                padding=padding,
                data_format=self._data_format,
            )
        full_strides = [1, 1, *strides] if self._first == 2 else [1, *strides, 1]
        settings = {"strides": full_strides, "padding": padding, "data_format": self._data_format}
        if len(strides) == 2:
            return ops.conv2d(x, filter, **settings)
        return raw.Conv3D(x, filter, **settings)


def _positive(values: tuple, label: str) -> np.ndarray:
    array = np.array(values, np.int32)
    if (array < 1).any():
        raise ValueError(f"all values of {label} must be positive")
    return array
