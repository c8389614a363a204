"""Converts convolution kernels to and from Theano."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.nn.layers.backend.tensor_values import get_value, set_value

_CONVOLUTIONS = ("Conv1D", "Conv2D", "Conv3D", "Conv2DTranspose")


def convert_all_kernels_in_model(model: Any) -> None:
    """Rotates a model's convolution kernels by 180 degrees in place, for true convolution as in Theano."""
    for layer in model.layers:
        if type(layer).__name__ in _CONVOLUTIONS:
            kernel = get_value(layer.kernel)
            set_value(layer.kernel, np.flip(kernel, tuple(range(kernel.ndim - 2))).copy())
