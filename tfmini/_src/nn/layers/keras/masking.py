"""`Masking`: a layer that masks steps of sequences."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.shapes.tensor_shape import ShapeLike
from tfmini._src.graph.tensor import Tensor
from tfmini._src.nn.layers.base_layer import Layer
from tfmini._src.ops import ops


class Masking(Layer):
    """Masks the steps of sequences at which all elements equal `mask_value`; later layers skip these steps.

    Args:
      mask_value: the value.
    """

    _in_config = ("mask_value",)

    def __init__(self, mask_value: float = 0.0, **kwargs: Any):
        super().__init__(**kwargs)
        self.supports_masking = True
        self.mask_value = mask_value
        self._compute_output_and_mask_jointly = True

    def compute_mask(self, inputs: Any, mask: Tensor | None = None) -> Any:
        """Returns a bool mask [batch, steps] that is True for steps with any element other than `mask_value`."""
        return ops.reduce_any(ops.cast(ops.not_equal(inputs, self.mask_value), "bool"), -1, False)

    def call(self, inputs: Any) -> Any:
        """Sets masked steps to 0."""
        mask = ops.reduce_any(ops.cast(ops.not_equal(inputs, self.mask_value), "bool"), -1, True)
        outputs = inputs * ops.cast(mask, inputs.dtype)
        outputs._keras_mask = ops.squeeze(mask, axis=-1)
        return outputs

    def compute_output_shape(self, input_shape: ShapeLike) -> Any:
        """Returns the input shape."""
        return input_shape
