"""Core layers missing from `tf.layers`: Activation, Reshape, Permute, Lambda ..."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tfmini._src.nn.layers.activations import find_activation
from tfmini._src.nn.layers.base_layer import Layer

if TYPE_CHECKING:
    from tfmini._src.base.shapes.tensor_shape import ShapeLike
    from tfmini._src.graph.tensor import Tensor
    from tfmini._src.nn.layers.deserialize import Identifier


class Activation(Layer):
    """Applies an activation function to its inputs.

    Args:
      activation: an activation function or its name.
    """

    _in_config = ("activation",)

    def __init__(self, activation: Identifier, **kwargs: Any):
        super().__init__(**kwargs)
        self.supports_masking = True
        self.activation = find_activation(activation)

    def call(self, inputs: Tensor) -> Any:
        """Returns activation(inputs)."""
        return self.activation(inputs)

    def compute_output_shape(self, input_shape: ShapeLike) -> Any:
        """Returns the input shape."""
        return input_shape
