"""Layers that zero-pad or crop sequences, images and volumes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base.shapes import TensorShape
from tfmini._src.base.shapes.tensor_shape import ShapeLike
from tfmini._src.graph.tensor import Tensor
from tfmini._src.nn.layers.backend.padding import (
    spatial_2d_padding,
    spatial_3d_padding,
    temporal_padding,
)
from tfmini._src.nn.layers.base_layer import Layer
from tfmini._src.nn.layers.input_spec import InputSpec
from tfmini._src.nn.layers.windows.conv_output_length import normalize_tuple
from tfmini._src.nn.layers.windows.window_arguments import resolve_data_format, spatial_axes

_ORDINALS = ("1st", "2nd", "3rd")
_SHAPES = {
    2: (
        "(symmetric_height_{0}, symmetric_width_{0})",
        "((top_{0}, bottom_{0}), (left_{0}, right_{0}))",
    ),
    3: (
        "(symmetric_dim1_{0}, symmetric_dim2_{0}, symmetric_dim3_{0})",
        "((left_dim1_{0}, right_dim1_{0}), (left_dim2_{0}, right_dim2_{0}), (left_dim3_{0}, "
        "right_dim2_{0}))",
    ),
}


def _margins(value: Any, count: int, name: str) -> tuple:
    """Expands an argument to pairs (before, after), one per axis."""
    if isinstance(value, int):
        return ((value, value),) * count
    if not hasattr(value, "__len__"):
        single, pairs = (
            text.format({"padding": "pad", "cropping": "crop"}[name]) for text in _SHAPES[count]
        )
        raise ValueError(
            f"`{name}` should be either an int, a tuple of {count} ints {single}, or a tuple of {count} "
            f"tuples of 2 ints {pairs}. Found: {value}"
        )
    if len(value) != count:
        count_text = "two" if count == 2 else count
        raise ValueError(f"`{name}` should have {count_text} elements. Found: {value}")
    return tuple(
        normalize_tuple(pair, 2, f"{ordinal} entry of {name}")
        for ordinal, pair in zip(_ORDINALS, value)
    )


class _Margins(Layer):
    """Base of layers that pad (`_sign` 1) or crop (-1) `_spatial_rank` axes, by the attribute named by `_name_of`."""

    _spatial_rank: int
    _name_of: str
    _sign: int

    def _prepare(self, value: Any, data_format: str | None) -> None:
        self.data_format = resolve_data_format(data_format)
        setattr(self, self._name_of, _margins(value, self._spatial_rank, self._name_of))
        self.input_spec = InputSpec(ndim=self._spatial_rank + 2)

    def compute_output_shape(self, input_shape: ShapeLike) -> TensorShape:
        """Returns the shape after padding or cropping."""
        sizes = TensorShape(input_shape).as_list()
        for axis, change in zip(
            spatial_axes(self.data_format, self._spatial_rank), self._changes()
        ):
            if sizes[axis] is not None:
                sizes[axis] += self._sign * change
        return TensorShape(sizes)

    def _changes(self) -> list[int]:
        return [sum(pair) for pair in getattr(self, self._name_of)]

    def get_config(self) -> dict[str, Any]:
        """Returns the constructor arguments, as plain data."""
        config = {self._name_of: getattr(self, self._name_of), "data_format": self.data_format}
        return {**super().get_config(), **config}


class ZeroPadding1D(Layer):
    """Pads sequences [batch, steps, channels] with zero steps.

    Args:
      padding: number of steps, or a pair.
    """

    _in_config = ("padding",)

    def __init__(self, padding: int | Sequence[int] = 1, **kwargs: Any):
        super().__init__(**kwargs)
        self.padding = normalize_tuple(padding, 2, "padding")
        self.input_spec = InputSpec(ndim=3)

    def compute_output_shape(self, input_shape: ShapeLike) -> TensorShape:
        """Returns [batch, padded steps, channels]."""
        batch, steps, channels = TensorShape(input_shape).as_list()[:3]
        return TensorShape([batch, None if steps is None else steps + sum(self.padding), channels])

    def call(self, inputs: Tensor) -> Any:
        """Pads the inputs."""
        return temporal_padding(inputs, padding=self.padding)


class ZeroPadding2D(_Margins):
    """Pads images with zeros.

    Args:
      padding: a number, one for each axis, or a pair for each axis.
      data_format: "channels_last" or "channels_first".

    Raises:
      ValueError: for an unsupported padding.
    """

    _spatial_rank, _name_of, _sign = 2, "padding", 1
    padding: tuple

    def __init__(
        self,
        padding: int | Sequence[int] | Sequence[Sequence[int]] = (1, 1),
        data_format: str | None = None,
        **kwargs: Any,
    ):
        super().__init__(**kwargs)
        self._prepare(padding, data_format)

    def call(self, inputs: Tensor) -> Any:
        """Pads the inputs."""
        return spatial_2d_padding(inputs, padding=self.padding, data_format=self.data_format)


class ZeroPadding3D(_Margins):
    """Pads volumes with zeros.

    Args:
      padding: a number, one for each axis, or a pair for each axis.
      data_format: "channels_last" or "channels_first".

    Raises:
      ValueError: for an unsupported padding.
    """

    _spatial_rank, _name_of, _sign = 3, "padding", 1
    padding: tuple

    def __init__(
        self,
        padding: int | Sequence[int] | Sequence[Sequence[int]] = (1, 1, 1),
        data_format: str | None = None,
        **kwargs: Any,
    ):
        super().__init__(**kwargs)
        self._prepare(padding, data_format)

    def _changes(self) -> list[int]:
        """Returns the change of each size, counting one side twice, as TensorFlow does."""
        side = 0 if self.data_format == "channels_first" else 1
        return [2 * pair[side] for pair in self.padding]

    def call(self, inputs: Tensor) -> Any:
        """Pads the inputs."""
        return spatial_3d_padding(inputs, padding=self.padding, data_format=self.data_format)


class Cropping1D(Layer):
    """Removes the first and last steps of sequences [batch, steps, channels].

    Args:
      cropping: number of steps to remove, or a pair.
    """

    _in_config = ("cropping",)

    def __init__(self, cropping: int | Sequence[int] = (1, 1), **kwargs: Any):
        super().__init__(**kwargs)
        self.cropping = normalize_tuple(cropping, 2, "cropping")
        self.input_spec = InputSpec(ndim=3)

    def compute_output_shape(self, input_shape: ShapeLike) -> TensorShape:
        """Returns [batch, remaining steps, channels]."""
        batch, steps, channels = TensorShape(input_shape).as_list()[:3]
        return TensorShape([batch, None if steps is None else steps - sum(self.cropping), channels])

    def call(self, inputs: Tensor) -> Any:
        """Crops the inputs."""
        return inputs[:, _inner_slice(self.cropping), :]


def _inner_slice(margins: tuple) -> slice:
    before, after = margins
    return slice(before, -after if after else None)


class _Cropping(_Margins):
    """Base class of the cropping layers."""

    _name_of, _sign = "cropping", -1
    cropping: tuple

    def call(self, inputs: Tensor) -> Any:
        """Crops the inputs."""
        slices = tuple(_inner_slice(pair) for pair in self.cropping)
        full = slice(None)
        if self.data_format == "channels_first":
            return inputs[(full, full, *slices)]
        return inputs[(full, *slices, full)]


class Cropping2D(_Cropping):
    """Crops the margins of images.

    Args:
      cropping: a number, one for each axis, or a pair for each axis.
      data_format: "channels_last" or "channels_first".

    Raises:
      ValueError: for an unsupported cropping.
    """

    _spatial_rank = 2

    def __init__(
        self,
        cropping: int | Sequence[int] | Sequence[Sequence[int]] = ((0, 0), (0, 0)),
        data_format: str | None = None,
        **kwargs: Any,
    ):
        super().__init__(**kwargs)
        self._prepare(cropping, data_format)


class Cropping3D(_Cropping):
    """Crops the margins of volumes.

    Args:
      cropping: a number, one for each axis, or a pair for each axis.
      data_format: "channels_last" or "channels_first".

    Raises:
      ValueError: for an unsupported cropping.
    """

    _spatial_rank = 3

    def __init__(
        self,
        cropping: int | Sequence[int] | Sequence[Sequence[int]] = ((1, 1), (1, 1), (1, 1)),
        data_format: str | None = None,
        **kwargs: Any,
    ):
        super().__init__(**kwargs)
        self._prepare(cropping, data_format)
