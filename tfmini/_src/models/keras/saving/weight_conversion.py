"""Converts stored weights to the layout of layers.

Files written by Keras 1, with the Theano backend, or for the other kind of recurrent layer
(`cudnn_weight_conversion.py`) use other layouts. Layers are identified by class name, as in TensorFlow
1.15.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.models.keras.saving import cudnn_weight_conversion
from tfmini._src.models.keras.saving.cudnn_weight_conversion import Arrays
from tfmini._src.models.keras.saving.keras_1_weights import from_keras_1

_CONVOLUTIONS = frozenset({"Conv1D", "Conv2D", "Conv3D", "Conv2DTranspose", "ConvLSTM2D"})


def preprocess_weights_for_loading(
    layer: Any,
    weights: Arrays,
    original_keras_version: str | None = None,
    original_backend: str | None = None,
) -> Arrays:
    """Converts the weights in a file to the layout and order of a layer, if necessary.

    The file was written by Keras `original_keras_version` on `original_backend`. Layers within `Bidirectional`,
    `TimeDistributed`, `Model` and `Sequential` are converted individually.

    Raises:
      ValueError: for recurrent layers with weights of another shape.
    """

    def inner(layer: Any, arrays: Arrays) -> Arrays:
        return preprocess_weights_for_loading(
            layer, arrays, original_keras_version, original_backend
        )

    arrays = weights
    class_name = type(layer).__name__
    if class_name == "Bidirectional":
        half = len(arrays) // 2
        arrays = inner(layer.forward_layer, arrays[:half]) + inner(
            layer.backward_layer, arrays[half:]
        )
    elif class_name == "TimeDistributed":
        arrays = inner(layer.layer, arrays)
    elif class_name in ("Model", "Sequential"):
        arrays = _convert_network(layer, arrays, inner)
    if original_keras_version == "1":
        # TensorFlow converts the weights within TimeDistributed a second time.
        is_time_distributed = class_name == "TimeDistributed"
        arrays = inner(layer.layer, arrays) if is_time_distributed else from_keras_1(layer, arrays)
    if class_name in _CONVOLUTIONS:
        count = 2 if class_name == "ConvLSTM2D" else 1
        arrays = _convert_kernels(layer, arrays, count, original_backend)
    return cudnn_weight_conversion.convert(layer, arrays)


def _convert_network(network: Any, arrays: Arrays, inner: Callable[..., Arrays]) -> Arrays:
    """Converts the weights of a network's layers: trainable weights first, followed by the others."""
    count = len(network.trainable_weights)
    trained, untrained = arrays[:count], arrays[count:]
    new_trained: Arrays = []
    new_untrained: Arrays = []
    for layer in network.layers:
        if not layer.weights:
            continue
        trainable, fixed = len(layer.trainable_weights), len(layer.non_trainable_weights)
        new = inner(layer, trained[:trainable] + untrained[:fixed])
        new_trained += new[:trainable]
        new_untrained += new[trainable:]
        trained, untrained = trained[trainable:], untrained[fixed:]
    return new_trained + new_untrained


def _convert_kernels(layer: Any, arrays: Arrays, count: int, backend: str | None) -> Arrays:
    """Flips the kernels of Theano, and transposes kernels of another shape."""
    kernels, remaining = arrays[:count], arrays[count:]
    if backend == "theano":
        kernels = [
            np.copy(kernel[(slice(None, None, -1),) * (kernel.ndim - 2)]) for kernel in kernels
        ]
    if tuple(layer.weights[0].shape.as_list()) != kernels[0].shape:
        kernels = [np.transpose(kernel, (3, 2, 0, 1)) for kernel in kernels]
    return kernels + remaining
