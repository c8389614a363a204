"""Conversion of the weight layouts of Keras 1."""

from __future__ import annotations

from typing import Any

import numpy as np

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


def from_keras_1(layer: Any, arrays: Arrays) -> Arrays:
    """Converts the weights of a layer from Keras 1 to the current layout."""
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
