"""Keras 3 models in `.keras` archives.

The weights of a layer are numbered in a group named after its class: `layers/dense_1/vars/0`.
"""

from __future__ import annotations

import zipfile
from collections import Counter
from typing import Any

import numpy as np

from tfmini._src.formats.hdf5 import require_h5py
from tfmini._src.formats.keras_archive import WEIGHTS, read_version_and_config
from tfmini._src.models.keras.saving.keras_3_configs import (
    keras_2_config,
    unsupported_error,
    warn_not_compiled,
)
from tfmini._src.nn.layers.backend.session import set_values
from tfmini._src.nn.layers.backend.unique_object_name import snake_case
from tfmini._src.nn.layers.serialization.layer_registry import deserialize_layer

# Sublayers with their own weights, in the order of the layer's weights.
_INNER_LAYERS = ("cell", "forward_layer", "backward_layer", "layer")


def load_archive(path: str, custom_objects: Any, compile: bool) -> Any:
    """Loads a model and its weights from a `.keras` archive, without compiling it.

    Raises:
      ValueError: for unsupported layers or arguments.
    """
    h5py = require_h5py("`load_model` requires h5py.")
    version, config = read_version_and_config(path)
    model = deserialize_layer(keras_2_config(config, version, custom_objects), custom_objects)
    with zipfile.ZipFile(path) as archive, archive.open(WEIGHTS) as weights:
        with h5py.File(weights, mode="r") as file:
            pairs = _weight_values(model, config, file, version)
    set_values(pairs)
    if compile and config.get("compile_config"):
        warn_not_compiled(version)
    return model


def _weight_values(
    model: Any, config: dict[str, Any], group: Any, version: str
) -> list[tuple[Any, np.ndarray]]:
    """Returns a model's variables with their values in a group of the weight file."""
    counts: Counter[str] = Counter()
    pairs = []
    by_name = {layer.name: layer for layer in model.layers}
    for layer_config in config["config"]["layers"]:
        class_name = snake_case(layer_config["class_name"])
        counts[class_name] += 1
        name = class_name if counts[class_name] == 1 else f"{class_name}_{counts[class_name] - 1}"
        layer = by_name.get(layer_config["config"].get("name"))
        if layer is None:
            continue  # a Sequential model's input
        part = group["layers"][name]
        if "layers" in layer_config["config"]:
            pairs += _weight_values(layer, layer_config, part, version)
        else:
            pairs += _layer_weights(layer, part, version)
    return pairs


def _layer_weights(layer: Any, group: Any, version: str) -> list[tuple[Any, np.ndarray]]:
    parts = [part for part in _INNER_LAYERS if part in group and hasattr(layer, part)]
    if parts:
        return [
            pair
            for part in parts
            for pair in _layer_weights(getattr(layer, part), group[part], version)
        ]
    stored = group["vars"]
    values = [np.asarray(stored[str(index)]) for index in range(len(stored))]
    if [value.shape for value in values] != [tuple(w.shape.as_list()) for w in layer.weights]:
        shapes = ", ".join(str(value.shape) for value in values)
        raise unsupported_error(
            version,
            f"layer {layer.name!r} has saved weights of shapes {shapes}, expected {[w.shape for w in layer.weights]}",
        )
    return list(zip(layer.weights, values))
