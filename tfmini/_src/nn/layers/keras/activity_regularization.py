"""`tf.keras.layers.ActivityRegularization`: adds a penalty on its inputs to the losses."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.shapes.tensor_shape import ShapeLike
from tfmini._src.nn.layers.base_layer import Layer
from tfmini._src.nn.layers.regularizers import L1L2


class ActivityRegularization(Layer):
    """Adds a penalty on its inputs to the losses; returns the inputs unchanged.

    Args:
      l1: the factor of the sum of absolute values.
      l2: the factor of the sum of squares.
    """

    _in_config = ("l1", "l2")

    def __init__(self, l1: float = 0.0, l2: float = 0.0, **kwargs: Any):
        super().__init__(activity_regularizer=L1L2(l1=l1, l2=l2), **kwargs)
        self.supports_masking = True
        self.l1 = l1
        self.l2 = l2

    def compute_output_shape(self, input_shape: ShapeLike) -> Any:
        """Returns the input shape."""
        return input_shape
