"""Layers that upsample sequences, images and volumes by repetition or interpolation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base.shapes import TensorShape
from tfmini._src.base.shapes.tensor_shape import ShapeLike
from tfmini._src.graph.tensor import Tensor
from tfmini._src.nn.layers.backend.array_functions import repeat_elements
from tfmini._src.nn.layers.backend.padding import resize_images, resize_volumes
from tfmini._src.nn.layers.base_layer import Layer
from tfmini._src.nn.layers.input_spec import InputSpec
from tfmini._src.nn.layers.windows.conv_output_length import normalize_tuple
from tfmini._src.nn.layers.windows.window_arguments import resolve_data_format, spatial_axes


class UpSampling1D(Layer):
    """Repeats each step of sequences [batch, steps, channels] several times.

    Args:
      size: number of repeats.
    """

    _in_config: tuple[str, ...] = ("size",)

    def __init__(self, size: int = 2, **kwargs: Any):
        super().__init__(**kwargs)
        self.size = int(size)
        self.input_spec = InputSpec(ndim=3)

    def compute_output_shape(self, input_shape: ShapeLike) -> TensorShape:
        """Returns [batch, size * steps, channels]."""
        batch, steps, channels = TensorShape(input_shape).as_list()
        return TensorShape([batch, None if steps is None else self.size * steps, channels])

    def call(self, inputs: Tensor) -> Any:
        """Repeats the steps."""
        return repeat_elements(inputs, self.size, axis=1)


class _UpSampling(Layer):
    """Base class of layers that enlarge `_spatial_rank` axes by `size`."""

    _in_config: tuple[str, ...] = ("size", "data_format")
    _spatial_rank: int

    def __init__(self, size: int | Sequence[int], data_format: str | None, **kwargs: Any):
        super().__init__(**kwargs)
        self.data_format = resolve_data_format(data_format)
        self.size = normalize_tuple(size, self._spatial_rank, "size")
        self.input_spec = InputSpec(ndim=self._spatial_rank + 2)

    def compute_output_shape(self, input_shape: ShapeLike) -> TensorShape:
        """Returns the enlarged shape."""
        sizes = TensorShape(input_shape).as_list()
        for axis, factor in zip(spatial_axes(self.data_format, self._spatial_rank), self.size):
            if sizes[axis] is not None:
                sizes[axis] *= factor
        return TensorShape(sizes)


class UpSampling2D(_UpSampling):
    """Enlarges images.

    Args:
      size: the factors for rows and columns; a single number applies to both.
      data_format: "channels_last" or "channels_first".
      interpolation: "nearest" repeats elements, "bilinear" interpolates.

    Raises:
      ValueError: for an unsupported interpolation.
    """

    _in_config: tuple[str, ...] = (*_UpSampling._in_config, "interpolation")
    _spatial_rank = 2

    def __init__(
        self,
        size: int | Sequence[int] = (2, 2),
        data_format: str | None = None,
        interpolation: str = "nearest",
        **kwargs: Any,
    ):
        super().__init__(size, data_format, **kwargs)
        if interpolation not in ("nearest", "bilinear"):
            raise ValueError(
                '`interpolation` argument should be one of `"nearest"` or `"bilinear"`.'
            )
        self.interpolation = interpolation

    def call(self, inputs: Tensor) -> Any:
        """Enlarges the images."""
        rows, columns = self.size
        return resize_images(inputs, rows, columns, self.data_format, self.interpolation)


class UpSampling3D(_UpSampling):
    """Repeats the elements of volumes along each axis.

    Args:
      size: number of repeats per axis; a single number applies to all axes.
      data_format: "channels_last" or "channels_first".
    """

    _spatial_rank = 3

    def __init__(
        self, size: int | Sequence[int] = (2, 2, 2), data_format: str | None = None, **kwargs: Any
    ):
        super().__init__(size, data_format, **kwargs)
        self.input_spec = None

    def call(self, inputs: Tensor) -> Any:
        """Enlarges the volumes."""
        depth, rows, columns = self.size
        return resize_volumes(inputs, depth, rows, columns, self.data_format)
