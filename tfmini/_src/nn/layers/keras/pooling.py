"""Pooling layers: the maximum or mean of each window, along one, two or three axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base.names.signature import change_defaults, hide_arguments
from tfmini._src.base.shapes import TensorShape
from tfmini._src.base.shapes.tensor_shape import ShapeLike
from tfmini._src.graph.tensor import Tensor
from tfmini._src.nn.layers.base_layer import Layer
from tfmini._src.nn.layers.input_spec import InputSpec
from tfmini._src.nn.layers.windows.channels_first import images_for, images_from
from tfmini._src.nn.layers.windows.conv_output_length import (
    convert_data_format,
    normalize_padding,
    normalize_tuple,
)
from tfmini._src.nn.layers.windows.window_arguments import (
    resolve_data_format,
    spatial_axes,
    window_count,
)
from tfmini._src.ops import ops


class _Pooling(Layer):
    """Base class of pooling layers, which pool windows along `_spatial_rank` axes with the op named `_function`.

    Args:
      pool_size: window sizes, a number for all axes or one per axis.
      strides: window strides, in the same form; by default `pool_size`.
      padding: "valid" for windows inside the inputs only, "same" for size / stride windows per axis, rounded up.
      data_format: "channels_last" or "channels_first".
      name: the layer's name.

    Raises:
      ValueError: for inconsistent arguments.
    """

    _in_config: tuple[str, ...] = ("pool_size", "padding", "strides", "data_format")
    _spatial_rank: int
    _function: str

    def __init__(
        self,
        pool_size: int | Sequence[int] = 2,
        strides: int | Sequence[int] | None = None,
        padding: str = "valid",
        data_format: str | None = None,
        name: str | None = None,
        **kwargs: Any,
    ):
        if strides is None:
            strides = pool_size
        super().__init__(name=name, **kwargs)
        self.pool_size = normalize_tuple(pool_size, self._spatial_rank, "pool_size")
        self.strides = normalize_tuple(strides, self._spatial_rank, "strides")
        self.padding = normalize_padding(padding)
        self.data_format = resolve_data_format(data_format)
        self.input_spec = InputSpec(ndim=self._spatial_rank + 2)

    def compute_output_shape(self, input_shape: ShapeLike) -> TensorShape:
        """Returns the shape of the pooled tensor."""
        shape = TensorShape(input_shape).as_list()
        windows = zip(
            spatial_axes(self.data_format, self._spatial_rank), self.pool_size, self.strides
        )
        lengths = [window_count(shape[a], size, self.padding, step) for a, size, step in windows]
        if self.data_format == "channels_first":
            return TensorShape([*shape[:2], *lengths])
        return TensorShape([shape[0], *lengths, shape[self._spatial_rank + 1]])

    def _expand_to_all_axes(self, values: tuple) -> tuple:
        """Expands window sizes or strides to all axes in the order of the data format; batch and channels get 1."""
        if self.data_format == "channels_last":
            return (1, *values, 1)
        return (1, 1, *values)


class Pooling1D(_Pooling):
    _spatial_rank = 1

    _in_config: tuple[str, ...] = ("strides", "pool_size", "padding", "data_format")

    def call(self, inputs: Tensor) -> Any:
        """Pools [batch, steps, channels] as single-column images."""
        axis = 2 if self.data_format == "channels_last" else 3
        inputs, data_format = images_for(ops.expand_dims(inputs, axis), self.data_format)
        if self.padding not in ("same", "valid"):
            raise ValueError("Invalid padding: " + str(self.padding))
        sizes = ((*self.pool_size, 1), (*self.strides, 1))
        full_shapes = [(1, 1, *s) if data_format == "NCHW" else (1, *s, 1) for s in sizes]
        pool = getattr(ops, self._function)
        outputs = pool(inputs, *full_shapes, padding=self.padding.upper(), data_format=data_format)
        return ops.squeeze(images_from(outputs, data_format, self.data_format), axis)


class Pooling2D(_Pooling):
    _spatial_rank = 2

    def call(self, inputs: Tensor) -> Any:
        """Pools [batch, rows, columns, channels]."""
        return getattr(ops, self._function)(
            inputs,
            ksize=self._expand_to_all_axes(self.pool_size),
            strides=self._expand_to_all_axes(self.strides),
            padding=self.padding.upper(),
            data_format=convert_data_format(self.data_format, 4),
        )


class Pooling3D(_Pooling):
    _spatial_rank = 3

    def call(self, inputs: Tensor) -> Any:
        """Pools [batch, depth, rows, columns, channels]; transposes channels-first inputs and their outputs."""
        first = self.data_format == "channels_first"
        if first:
            inputs = ops.transpose(inputs, (0, 2, 3, 4, 1))
        outputs = getattr(ops, self._function)(
            inputs,
            ksize=(1, *self.pool_size, 1),
            strides=(1, *self.strides, 1),
            padding=self.padding.upper(),
        )
        return ops.transpose(outputs, (0, 4, 1, 2, 3)) if first else outputs


@hide_arguments("name")
@change_defaults(data_format="channels_last")
class MaxPooling1D(Pooling1D):
    __doc__ = (
        f"The maximum of each window of sequences [batch, steps, channels].\n{_Pooling.__doc__}"
    )
    _function = "max_pool"


@hide_arguments("name")
@change_defaults(data_format="channels_last")
class AveragePooling1D(Pooling1D):
    __doc__ = f"The mean of each window of sequences [batch, steps, channels].\n{_Pooling.__doc__}"
    _function = "avg_pool"


@hide_arguments("name")
@change_defaults(pool_size=(2, 2))
class MaxPooling2D(Pooling2D):
    __doc__ = f"The maximum of each window of images.\n{_Pooling.__doc__}"
    _function = "max_pool"


@hide_arguments("name")
@change_defaults(pool_size=(2, 2))
class AveragePooling2D(Pooling2D):
    __doc__ = f"The mean of each window of images.\n{_Pooling.__doc__}"
    _function = "avg_pool"


@hide_arguments("name")
@change_defaults(pool_size=(2, 2, 2))
class MaxPooling3D(Pooling3D):
    __doc__ = f"The maximum of each window of volumes.\n{_Pooling.__doc__}"
    _function = "max_pool3d"


@hide_arguments("name")
@change_defaults(pool_size=(2, 2, 2))
class AveragePooling3D(Pooling3D):
    __doc__ = f"The mean of each window of volumes.\n{_Pooling.__doc__}"
    _function = "avg_pool3d"
