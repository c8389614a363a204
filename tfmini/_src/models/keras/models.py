"""`tf.keras.models`: functions that load, save, clone and deserialize models."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import Any

from tfmini._src.formats.hdf5 import is_hdf5 as _is_hdf5
from tfmini._src.formats.keras_archive import is_archive as _is_archive
from tfmini._src.models.keras.engine import clone_model as _cloning
from tfmini._src.models.keras.engine.model import Model
from tfmini._src.models.keras.engine.network import Network as _Network
from tfmini._src.models.keras.engine.sequential import Sequential
from tfmini._src.models.keras.saved_model.load import load as _read_directory
from tfmini._src.models.keras.saved_model.save import save as _write_directory
from tfmini._src.models.keras.saving import hdf5 as _hdf5
from tfmini._src.models.keras.saving.keras_3_archive import load_archive as _load_archive
from tfmini._src.models.keras.saving.yaml_configs import from_yaml as _from_yaml
from tfmini._src.nn.layers.serialization import layer_registry as _registry
from tfmini._src.nn.layers.serialization.function_code import forbid_code as _without_code

_registry.register(_Network, Model, Sequential)
Model._directory_writer = staticmethod(_write_directory)


def model_from_config(config: dict[str, Any], custom_objects: dict[str, Any] | None = None) -> Any:
    """Creates a model from a configuration {"class_name": ..., "config": ...}, with new weights.

    Args:
      config: the configuration.
      custom_objects: custom classes and functions by name.

    Raises:
      TypeError: if `config` is a list.
    """
    if isinstance(config, list):
        raise TypeError(
            "`model_from_config` expects a dictionary, not a list. Maybe you meant to use "
            "`Sequential.from_config(config)`?"
        )
    return _registry.deserialize_layer(config, custom_objects)


def model_from_json(json_string: str, custom_objects: dict[str, Any] | None = None) -> Any:
    """Creates a model from a `to_json` result, with new weights.

    Args:
      json_string: the JSON.
      custom_objects: custom classes and functions by name.
    """
    return _registry.deserialize_layer(json.loads(json_string), custom_objects)


def model_from_yaml(yaml_string: str, custom_objects: dict[str, Any] | None = None) -> Any:
    """Creates a model from a `to_yaml` result, with new weights; requires `pyyaml`, and rejects Python object tags.

    Args:
      yaml_string: the YAML.
      custom_objects: custom classes and functions by name.

    Raises:
      ImportError: if pyyaml is not installed.
      ValueError: if aliases expand to more than a million values.
      yaml.constructor.ConstructorError: for other object tags.
    """
    return _registry.deserialize_layer(_from_yaml(yaml_string), custom_objects)


def save_model(
    model: Model,
    filepath: Any,
    overwrite: bool = True,
    include_optimizer: bool = True,
    save_format: str | None = None,
    signatures: object = None,
) -> None:
    """Calls `model.save`."""
    model.save(filepath, overwrite, include_optimizer, save_format, signatures)


def load_model(
    filepath: Any,
    custom_objects: dict[str, Any] | None = None,
    compile: bool = True,
    safe_mode: bool = False,
) -> Any:
    """Loads and recompiles a model from an HDF5 file or SavedModel.

    Keras 3 models in an archive (`.keras`) or HDF5 file are loaded uncompiled, if all layers are supported.

    SavedModel layers run their saved functions; the optimizer state of a SavedModel is not restored.

    Args:
      filepath: a file path, an open h5py file, or a directory.
      custom_objects: custom classes and functions by name.
      compile: whether to compile the model.
      safe_mode: whether to reject functions stored as bytecode, a tfmini extension. The environment variable
        TFMINI_SAFE=1 always rejects them.

    Raises:
      ImportError: for an HDF5 file, if h5py is not installed.
      OSError: if the file does not exist.
      ValueError: if the file contains no model, or rejected code.
    """
    with _without_code(safe_mode):
        if isinstance(filepath, (str, os.PathLike)) and not _is_hdf5(os.fspath(filepath)):
            if os.path.isfile(filepath) and _is_archive(os.fspath(filepath)):
                return _load_archive(os.fspath(filepath), custom_objects, compile)
            return _read_directory(os.fspath(filepath), compile, custom_objects)
        return _hdf5.load_model(filepath, custom_objects, compile)


def clone_model(
    model: Model, input_tensors: object = None, clone_function: Callable[..., Any] | None = None
) -> Any:
    """Copies a model with new layers and weights.

    Args:
      model: a functional or a Sequential model.
      input_tensors: input tensors of the copy, by default new inputs.
      clone_function: function from a layer to its copy; by default, creates a layer from its configuration.

    Raises:
      ValueError: for a subclassed model, or incompatible tensors.

    Example:
      copy = tf.keras.models.clone_model(model)
      copy.set_weights(model.get_weights())
    """
    function = _cloning.copy_layer if clone_function is None else clone_function
    if not isinstance(model, Model):
        raise ValueError("Expected `model` argument to be a `Model` instance, got ", model)
    return model._clone(input_tensors, function)
