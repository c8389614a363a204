"""`Flatten`: collapses all axes but the batch axis."""

from __future__ import annotations

import math
from typing import Any

from tfmini._src.base.shapes import TensorShape, dimension_value
from tfmini._src.base.shapes.tensor_shape import ShapeLike
from tfmini._src.graph.tensor import Tensor
from tfmini._src.nn.layers.base_layer import Layer
from tfmini._src.nn.layers.input_spec import InputSpec
from tfmini._src.nn.layers.windows.window_arguments import resolve_data_format
from tfmini._src.ops import ops


class Flatten(Layer):
    """Flattens each example: [batch, a, b, ...] becomes [batch, a * b * ...].

    Args:
      data_format: "channels_last" (the default) or "channels_first": order of the input axes; channels are last in the
        result.
      name: the layer's name.

    Raises:
      ValueError: for an unknown format; when called, for a scalar input.
    """

    _in_config = ("data_format",)

    def __init__(self, data_format: str | None = None, **kwargs: Any):
        super().__init__(**kwargs)
        self.data_format = resolve_data_format(data_format)
        self.input_spec = InputSpec(min_ndim=1)

    def call(self, inputs: Tensor) -> Any:
        """Reshapes the inputs to [batch, elements]."""
        rank = inputs.shape.ndims
        if self.data_format == "channels_first" and rank is not None and rank > 1:
            inputs = ops.transpose(inputs, perm=[0, *range(2, rank), 1])
        batch = dimension_value(inputs.shape[0]) or ops.shape(inputs)[0]
        outputs = ops.reshape(inputs, (batch, -1))
        outputs.set_shape(self.compute_output_shape(inputs.shape))
        return outputs

    def compute_output_shape(self, input_shape: ShapeLike) -> TensorShape:
        """Returns [batch, elements]; elements is None if a size is unknown or 0."""
        batch, *sizes = TensorShape(input_shape).as_list()
        return TensorShape([batch, math.prod(sizes) if all(sizes) else None])
