"""Weights and models in HDF5 files, in the layout of Keras 2.

Each layer is stored in a group named after it, with one dataset per weight. Attributes list the names in
order, and are split if too long.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from tfmini._src.base import logs
from tfmini._src.formats.hdf5 import is_open_file, require_h5py, text
from tfmini._src.models.keras.optimizers.optimizer_by_name import TFOptimizer
from tfmini._src.models.keras.saving.keras_3_configs import keras_2_config, warn_not_compiled
from tfmini._src.models.keras.saving.training_config import compile_arguments, metadata
from tfmini._src.models.keras.saving.weight_conversion import preprocess_weights_for_loading
from tfmini._src.nn.layers.backend.session import set_values, variable_values
from tfmini._src.nn.layers.serialization.json_encoding import json_value
from tfmini._src.nn.layers.serialization.layer_registry import deserialize_layer

_LIMIT = 64512  # maximum bytes of an attribute


def _write_names(group: Any, name: str, values: list[bytes]) -> None:
    too_long = [value for value in values if len(value) > _LIMIT]
    if too_long:
        raise RuntimeError(
            f"The following attributes cannot be saved to HDF5 file because they are larger than {_LIMIT} bytes: "
            f"{', '.join(str(x) for x in too_long)}"
        )
    count = 1
    parts = [np.asarray(values)]
    while any(part.nbytes > _LIMIT for part in parts):
        count += 1
        parts = np.array_split(np.asarray(values), count)
    if count == 1:
        group.attrs[name] = parts[0]  # fixed-length strings, as written by h5py in 2019
    else:
        for index, part in enumerate(parts):
            group.attrs[f"{name}{index}"] = part


def _read_names(group: Any, name: str) -> list[str]:
    if name in group.attrs:
        values = list(group.attrs[name])
    else:
        values, index = [], 0
        while f"{name}{index}" in group.attrs:
            values += list(group.attrs[f"{name}{index}"])
            index += 1
    return [text(value) for value in values]


def save_weights(group: Any, layers: list) -> None:
    """Writes the weights of layers to a file or group."""
    _write_names(group, "layer_names", [layer.name.encode("utf8") for layer in layers])
    group.attrs["backend"] = b"tensorflow"
    group.attrs["keras_version"] = b"2.2.4-tf"
    for layer in layers:
        _write_arrays(group.create_group(layer.name), _weights_in_file_order(layer))


def _weights_in_file_order(layer: Any) -> list:
    """Returns the weights of a layer in file order; for a nested network, trainable weights come first."""
    return [*layer.trainable_weights, *layer.non_trainable_weights]


def _write_arrays(group: Any, variables: list) -> None:
    names = [variable.name.encode("utf8") for variable in variables]
    _write_names(group, "weight_names", names)
    for name, value in zip(names, variable_values(variables)):
        value = np.asarray(value)
        dataset = group.create_dataset(name.decode("utf8"), value.shape, dtype=value.dtype)
        dataset[() if not value.shape else slice(None)] = value


def _arrays(group: Any) -> list[np.ndarray]:
    return [np.asarray(group[name]) for name in _read_names(group, "weight_names")]


def _origin(group: Any) -> tuple[str, str]:
    """Returns the Keras version and backend that wrote a file, which Keras 1 did not record."""
    return text(group.attrs.get("keras_version", "1")), text(group.attrs.get("backend", ""))


def load_weights(group: Any, layers: list) -> None:
    """Reads the weights of layers, matched by order; raises ValueError if the number of layers or weights differs."""
    expected = [layer for layer in layers if layer.weights]
    names = [n for n in _read_names(group, "layer_names") if _read_names(group[n], "weight_names")]
    if len(names) != len(expected):
        raise ValueError(
            f"You are trying to load a weight file containing {len(names)} layers into a model with {len(expected)} "
            "layers."
        )
    pairs: list = []
    for index, (name, layer) in enumerate(zip(names, expected)):
        arrays = preprocess_weights_for_loading(layer, _arrays(group[name]), *_origin(group))
        weights = _weights_in_file_order(layer)
        if len(arrays) != len(weights):
            raise ValueError(
                f'Layer #{index} (named "{layer.name}" in the current model) was found to correspond to layer {name} '
                f"in the save file. However the new layer {layer.name} expects {len(weights)} weights, but the "
                f"saved weights have {len(arrays)} elements."
            )
        pairs += zip(weights, arrays)
    set_values(pairs)


def load_weights_by_name(group: Any, layers: list) -> None:
    """Reads the weights of layers, matched by name; raises ValueError if the weights of a layer do not match."""
    by_name: dict[str, list] = {}
    for layer in layers:
        by_name.setdefault(layer.name, []).append(layer)
    pairs: list = []
    for index, name in enumerate(_read_names(group, "layer_names")):
        stored = _arrays(group[name])
        for layer in by_name.get(name, []):
            arrays = preprocess_weights_for_loading(layer, stored, *_origin(group))
            weights = _weights_in_file_order(layer)
            if len(arrays) != len(weights):
                raise ValueError(
                    f'Layer #{index} (named "{layer.name}") expects {len(weights)} weight(s), but the saved '
                    f"weights have {len(arrays)} element(s)."
                )
            for variable, value in zip(weights, arrays):
                if tuple(variable.shape.as_list()) != value.shape:
                    raise ValueError(
                        f'Layer #{index} (named "{layer.name}"), weight {variable} has shape '
                        f"{tuple(variable.shape.as_list())}, but the saved weight has shape {value.shape}."
                    )
            pairs += zip(weights, arrays)
    set_values(pairs)


def save_model(model: Any, filepath: Any, include_optimizer: bool) -> None:
    """Writes a model: its config, weights, compile arguments and optimizer variables."""
    h5py = require_h5py("`save_model` requires h5py.")
    file = filepath if is_open_file(filepath) else h5py.File(filepath, mode="w")
    try:
        for key, value in metadata(model, include_optimizer).items():
            if isinstance(value, (dict, list, tuple)):
                value = json.dumps(value, default=json_value).encode("utf8")
            file.attrs[key] = value
        save_weights(file.create_group("model_weights"), model.layers)
        optimizer = model.optimizer
        if include_optimizer and optimizer and not isinstance(optimizer, TFOptimizer):
            if optimizer.weights:
                _write_arrays(file.create_group("optimizer_weights"), optimizer.weights)
        file.flush()
    finally:
        if file is not filepath:
            file.close()


def load_optimizer_weights(file: Any) -> list:
    """Returns the optimizer weights in an open model file, in the order of the optimizer's `weights`."""
    return _arrays(file["optimizer_weights"])


def load_model(filepath: Any, custom_objects: Any, compile: bool) -> Any:
    """Reads a model and, if `compile`, recompiles it. Raises ValueError if the file contains no model."""
    h5py = require_h5py("`load_model` requires h5py.")
    file = filepath if is_open_file(filepath) else h5py.File(filepath, mode="r")
    try:
        config = file.attrs.get("model_config")
        if config is None:
            raise ValueError("No model found in config file.")
        version, config = text(file.attrs.get("keras_version", "")), json.loads(text(config))
        is_new = int(version.partition(".")[0] or 0) >= 3
        if is_new:
            config = keras_2_config(config, version, custom_objects)
        model = deserialize_layer(config, custom_objects)
        load_weights(file["model_weights"], model.layers)
        if is_new and compile and "training_config" in file.attrs:
            warn_not_compiled(version)
        elif compile:
            _compile(model, file, custom_objects)
    finally:
        if file is not filepath:
            file.close()
    return model


def _compile(model: Any, file: Any, custom_objects: Any) -> None:
    config = file.attrs.get("training_config")
    if config is None:
        logs.warning(
            "No training configuration found in save file: the model was *not* compiled. Compile it manually."
        )
        return
    model.compile(**compile_arguments(json.loads(text(config)), custom_objects))
    if "optimizer_weights" not in file:
        return
    if not model._is_graph_network:
        logs.warning(
            "Sequential models without an `input_shape` passed to the first layer cannot reload their optimizer state. "
            "As a result, your model isstarting with a freshly initialized optimizer."
        )
        return
    model._make_train_function()
    try:
        model.optimizer.set_weights(load_optimizer_weights(file))
    except ValueError:
        logs.warning(
            "Error in loading the saved optimizer state. As a result, your model is starting with a freshly "
            "initialized optimizer."
        )
