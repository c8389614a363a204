"""Conversion of stored weights to the layout of layers.

Files of Keras 1, of the Theano backend, and of the other kind of recurrent layer
(`cudnn_weight_conversion.py`) use other layouts. Layers are identified by class name, as in TensorFlow
1.15.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.models.keras.saving import cudnn_weight_conversion
from tfmini._src.models.keras.saving.cudnn_weight_conversion import Arrays

# By class and data format: the order of a kernel's axes.
_AXES = {
    ("Conv2D", "channels_first"): (2, 3, 1, 0),
    ("Conv2DTranspose", "channels_last"): (0, 1, 3, 2),
    ("Conv2DTranspose", "channels_first"): (2, 3, 0, 1),
    ("Conv3D", "channels_first"): (2, 3, 4, 1, 0),
}
# The gates of recurrent layers, whose kernel, recurrent kernel and bias were separate: their positions there.
_GATES = {"GRU": (0, 3, 6), "LSTM": (0, 6, 3, 9), "ConvLSTM2D": (0, 6, 3, 9)}

_CONVOLUTIONS = frozenset({"Conv1D", "Conv2D", "Conv3D", "Conv2DTranspose", "ConvLSTM2D"})


def convert(
    layer: Any, arrays: Arrays, version: str | None = None, backend: str | None = None
) -> Arrays:
    """Converts a file's weights to a layer's layout and order, if necessary.

    The file was written by Keras `version` on `backend`. Layers within `Bidirectional`, `TimeDistributed`,
    `Model` and `Sequential` are converted individually.

    Raises:
      ValueError: for recurrent layers with weights of another shape.
    """

    def inner(layer: Any, arrays: Arrays) -> Arrays:
        return convert(layer, arrays, version, backend)

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
    if version == "1":
        # TensorFlow converts the weights within TimeDistributed a second time.
        again = class_name == "TimeDistributed"
        arrays = inner(layer.layer, arrays) if again else _from_keras_1(layer, arrays)
    if class_name in _CONVOLUTIONS:
        arrays = _convert_kernels(layer, arrays, 2 if class_name == "ConvLSTM2D" else 1, backend)
    return cudnn_weight_conversion.convert(layer, arrays)


def _convert_network(network: Any, arrays: Arrays, inner: Callable[..., Arrays]) -> Arrays:
    """Converts the weights of a network's layers: trainable weights first, then the others."""
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
    """Flips Theano's kernels, and transposes kernels of another shape."""
    kernels, remaining = arrays[:count], arrays[count:]
    if backend == "theano":
        kernels = [
            np.copy(kernel[(slice(None, None, -1),) * (kernel.ndim - 2)]) for kernel in kernels
        ]
    if tuple(layer.weights[0].shape.as_list()) != kernels[0].shape:
        kernels = [np.transpose(kernel, (3, 2, 0, 1)) for kernel in kernels]
    return kernels + remaining


def _from_keras_1(layer: Any, arrays: Arrays) -> Arrays:
    """Converts a layer's weights from Keras 1 to the current layout."""
    class_name = type(layer).__name__
    gates = _GATES.get(class_name, ())
    if gates and len(arrays) == 3 * len(gates):
        arrays = [
            np.concatenate([arrays[gate + part] for gate in gates], axis=-1) for part in range(3)
        ]
        if class_name == "ConvLSTM2D" and layer.data_format == "channels_first":
            arrays = [*(np.transpose(kernel, (2, 3, 1, 0)) for kernel in arrays[:2]), arrays[2]]
        return arrays
    if class_name == "Conv1D":
        kernel, length = arrays[0], layer.kernel_size[0]
        if kernel.shape[:2] != (length, 1) or kernel.shape[3] != layer.filters:
            assert kernel.shape[0] == layer.filters and kernel.shape[2:] == (length, 1)
            kernel = np.transpose(kernel, (2, 3, 1, 0))
        return [kernel[:, 0], *arrays[1:]]
    axes = _AXES.get((class_name, getattr(layer, "data_format", "")))
    return arrays if axes is None else [np.transpose(arrays[0], axes), *arrays[1:]]
