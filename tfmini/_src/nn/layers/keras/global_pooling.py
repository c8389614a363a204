"""Global pooling of sequences, images and volumes: the mean or the maximum over all positions."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.names.signature import change_defaults
from tfmini._src.base.shapes import TensorShape
from tfmini._src.base.shapes.tensor_shape import ShapeLike
from tfmini._src.graph.tensor import Tensor
from tfmini._src.nn.layers.backend.config import floatx
from tfmini._src.nn.layers.backend.math_functions import mean
from tfmini._src.nn.layers.base_layer import Layer
from tfmini._src.nn.layers.input_spec import InputSpec
from tfmini._src.nn.layers.windows.window_arguments import resolve_data_format, spatial_axes
from tfmini._src.ops import ops


class _GlobalPooling(Layer):
    """Base class of layers that reduce all spatial axes: [batch, ..., channels] becomes [batch, channels].

    Args:
      data_format: "channels_last" or "channels_first".
    """

    _in_config = ("data_format",)
    _spatial_rank: int

    def __init__(self, data_format: str | None = None, **kwargs: Any):
        super().__init__(**kwargs)
        self.data_format = resolve_data_format(data_format)
        self.input_spec = InputSpec(ndim=self._spatial_rank + 2)

    def _axes(self) -> Any:
        axes = list(spatial_axes(self.data_format, self._spatial_rank))
        return axes[0] if self._spatial_rank == 1 else axes

    def compute_output_shape(self, input_shape: ShapeLike) -> TensorShape:
        """Returns [batch, channels]."""
        sizes = TensorShape(input_shape).as_list()
        return TensorShape([sizes[0], sizes[1 if self.data_format == "channels_first" else -1]])


class _Mean(_GlobalPooling):
    def call(self, inputs: Tensor) -> Any:
        """Returns the means."""
        return mean(inputs, axis=self._axes())


class _GlobalMaxPooling(_GlobalPooling):
    def call(self, inputs: Tensor) -> Any:
        """Returns the maxima."""
        return ops.reduce_max(inputs, self._axes(), False)


@change_defaults(data_format="channels_last")
class GlobalAveragePooling1D(_Mean):
    __doc__ = f"The mean over the unmasked steps of sequences.\n{_GlobalPooling.__doc__}"
    _spatial_rank = 1

    def __init__(self, data_format: str | None = None, **kwargs: Any):
        super().__init__(data_format, **kwargs)
        self.supports_masking = True

    def call(self, inputs: Tensor, mask: Tensor | None = None) -> Any:
        """Returns the means; with a mask, the means over unmasked steps."""
        if mask is None:
            return super().call(inputs)
        axis = self._axes()
        mask = ops.cast(mask, floatx())
        mask = ops.reshape(mask, [-1, inputs.shape.as_list()[axis], 1])
        inputs *= mask
        return ops.reduce_sum(inputs, axis, False) / ops.reduce_sum(mask, axis=axis)

    def compute_mask(self, inputs: Any, mask: Tensor | None = None) -> Any:
        """Returns None, because the result has no time axis."""


@change_defaults(data_format="channels_last")
class GlobalMaxPooling1D(_GlobalMaxPooling):
    __doc__ = f"The maximum over the steps of sequences.\n{_GlobalPooling.__doc__}"
    _spatial_rank = 1


class GlobalAveragePooling2D(_Mean):
    __doc__ = f"The mean over all positions of images.\n{_GlobalPooling.__doc__}"
    _spatial_rank = 2


class GlobalMaxPooling2D(_GlobalMaxPooling):
    __doc__ = f"The maximum over all positions of images.\n{_GlobalPooling.__doc__}"
    _spatial_rank = 2


class GlobalAveragePooling3D(_Mean):
    __doc__ = f"The mean over all positions of volumes.\n{_GlobalPooling.__doc__}"
    _spatial_rank = 3


class GlobalMaxPooling3D(_GlobalMaxPooling):
    __doc__ = f"The maximum over all positions of volumes.\n{_GlobalPooling.__doc__}"
    _spatial_rank = 3
