"""`tf.keras.models.load_model` for directories: revives layers and models that run their saved functions."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from tfmini._src.base.nest.structure import map_structure
from tfmini._src.functions.trace_keys import common_spec
from tfmini._src.models.keras.engine.model import Model
from tfmini._src.models.keras.engine.network import Network
from tfmini._src.models.keras.engine.sequential import Sequential
from tfmini._src.models.keras.saving import training_config
from tfmini._src.nn.layers import regularizers
from tfmini._src.nn.layers.base_layer import Layer
from tfmini._src.nn.layers.input_spec import InputSpec
from tfmini._src.nn.layers.saved_layer.saved_attributes import (
    FUNCTIONS,
    KERAS_API,
    OWN_FUNCTIONS,
    OWN_OBJECTS,
)
from tfmini._src.nn.layers.saved_layer.training_argument import wrapped_call
from tfmini._src.saved_model.objects.load import SavedObjects, load_objects
from tfmini._src.variables.trackable import (
    Trackable,
    no_automatic_dependency_tracking_scope,
)

_OWN_NAMES = (*OWN_FUNCTIONS, *OWN_OBJECTS, KERAS_API)


def load(path: str, compile: bool = True, custom_objects: Any = None) -> Any:
    """Loads a SavedModel; Keras layers and models are revived, other objects are loaded as in `tf.saved_model.load_v2`.

    Args:
      path: the directory.
      compile: whether to recompile the model.
      custom_objects: custom losses and metrics, by name.

    Raises:
      OSError: if the SavedModel does not exist.
    """
    model: Any = load_objects(path, None, KerasObjects)
    if isinstance(model, RevivedModel) and isinstance(model, Model) and compile:
        trained = model._metadata.get("training_config")
        if trained is not None:
            model.compile(**training_config.compile_arguments(trained, custom_objects))
    return model


class RevivedLayer:
    """Mixin of layers loaded from a SavedModel."""

    _metadata: dict[str, Any]
    _saved: dict[str, Any]  # objects and functions created for saving

    @classmethod
    def _from_metadata(cls, metadata: dict[str, Any]) -> Any:
        """Creates a layer from its metadata only."""
        options = {"name": metadata["name"], "trainable": metadata["trainable"]}
        for key in ("dtype", "batch_input_shape"):
            if metadata.get(key) is not None:
                options[key] = metadata[key]
        result: Any = cls(**options)
        with no_automatic_dependency_tracking_scope(result):
            if metadata.get("input_spec") is not None:
                result.input_spec = _decode_specs(metadata["input_spec"])
            if metadata.get("_is_feature_layer") is not None:
                result._is_feature_layer = metadata["_is_feature_layer"]
        return result._set_metadata(metadata)

    def _set_metadata(self, metadata: dict[str, Any]) -> Any:
        vars(self).update(_metadata=metadata, _saved={})
        if metadata.get("activity_regularizer") is not None:
            with no_automatic_dependency_tracking_scope(self):
                self.activity_regularizer = regularizers.deserialize(
                    metadata["activity_regularizer"]
                )
        return self

    def _attach(self, name: str, value: Any) -> None:
        """Attaches an object or function of the SavedModel."""
        if name not in _OWN_NAMES:
            setattr(self, name, value)
            return
        if isinstance(value, Trackable):
            self._track_trackable(value, name)  # type: ignore[attr-defined]  # of the layer
        self._saved[name] = value

    @property
    def keras_api(self) -> Any:
        """The object that holds everything saved only for Keras."""
        return self._saved.get(KERAS_API)

    def get_config(self) -> dict[str, Any]:
        """Returns the saved configuration; raises NotImplementedError if no configuration was saved."""
        config = self._metadata.get("config")
        if config is None:
            raise NotImplementedError
        return config

    def _saved_functions(self) -> dict[str, Any] | None:
        return {name: getattr(self.keras_api, name, None) for name in FUNCTIONS}

    def _call_saved_function(self) -> None:
        """Sets `call` to the saved function."""
        function = getattr(self.keras_api, "call_and_return_conditional_losses", None)
        if function is not None:
            vars(self).update(call=wrapped_call(self, function), built=True)

    def _add_saved_losses(self) -> None:
        losses = getattr(self.keras_api, "layer_regularization_losses", None)
        if losses is None:  # older SavedModels lack losses
            losses = self._saved.get("regularization_losses", [])
        for loss in losses:
            self.add_loss(loss)  # type: ignore[attr-defined]  # of the layer
        if self.activity_regularizer is None:
            self.activity_regularizer = getattr(self.keras_api, "activity_regularizer_fn", None)
        for name in _OWN_NAMES:
            self._untrack(name)  # type: ignore[attr-defined]  # of the layer


class RevivedNetwork(RevivedLayer):
    """Mixin of networks loaded from a SavedModel."""

    @classmethod
    def _from_metadata(cls, metadata: dict[str, Any]) -> Any:
        result: Any = cls(name=metadata["name"])  # type: ignore[call-arg]  # of the network
        with no_automatic_dependency_tracking_scope(result):
            if metadata.get("dtype") is not None:
                result._dtype = metadata["dtype"]
            result.trainable = metadata["trainable"]
        return result._set_metadata(metadata)


class RevivedModel(RevivedNetwork):
    """Mixin of models loaded from a SavedModel."""

    inputs: Any

    def _set_saved_inputs(self) -> None:
        function = getattr(self.keras_api, "call_and_return_conditional_losses", None)
        if function is None or self.inputs:
            return
        if function.input_signature is not None:
            inputs = function.input_signature[0]
        else:
            inputs = infer_inputs_from_restored_call_function(function)
        self._set_inputs(inputs)  # type: ignore[attr-defined]  # of the model


class RevivedSequential(RevivedModel):
    """Mixin of Sequential models loaded from a SavedModel, to which layers can be added."""

    def _saved_functions(self) -> dict[str, Any] | None:
        return None

    def _call_saved_function(self) -> None:
        """Does nothing, since the model calls its layers."""

    def _set_saved_inputs(self) -> None:
        with no_automatic_dependency_tracking_scope(self):
            self._layers: list[Any] = []
        for layer in self.keras_api.layers:
            self.add(layer)  # type: ignore[attr-defined]  # of the model
        super()._set_saved_inputs()


_REVIVED_CLASSES: dict[str, tuple[type[RevivedLayer], type]] = {
    "_tf_keras_layer": (RevivedLayer, Layer),
    "_tf_keras_network": (RevivedNetwork, Network),
    "_tf_keras_model": (RevivedModel, Model),
    "_tf_keras_sequential": (RevivedSequential, Sequential),
}


class KerasObjects(SavedObjects):
    """Creates the objects of a SavedModel, including its Keras objects."""

    def load(self) -> Any:
        """Returns the root object, loaded with its dependencies."""
        root = super().load()
        revived = [node for node in self._nodes.values() if isinstance(node, RevivedLayer)]
        for layer in revived:
            layer._call_saved_function()
        for layer in revived:
            if isinstance(layer, RevivedModel) and layer.keras_api is not None:
                layer._set_saved_inputs()
            layer._add_saved_losses()
        return root

    def _make_user_object(self, message: Any) -> tuple[Any, Callable[[Any, str, Any], None]]:
        bases = _REVIVED_CLASSES.get(message.identifier)
        if bases is None:
            return super()._make_user_object(message)
        metadata = json.loads(message.metadata)
        revived: Any = type(metadata["class_name"], bases, {})
        return revived._from_metadata(metadata), revived._attach


def infer_inputs_from_restored_call_function(fn: Any) -> Any:
    """Returns the input specs of a restored function, relaxed to include all traces.

    Args:
      fn: the function; the inputs are its first argument.
    """
    specs = [function.structured_input_signature[0][0] for function in fn.concrete_functions]
    relaxed = specs[0]
    for other in specs[1:]:
        relaxed = map_structure(common_spec, relaxed, other)
    return relaxed


def _decode_specs(config: Any) -> Any:
    """Decodes a nested structure of serialized InputSpecs."""
    if isinstance(config, dict):
        if "class_name" in config:
            return InputSpec.from_config(config["config"])
        return {key: _decode_specs(item) for key, item in config.items()}
    return None if config is None else [_decode_specs(item) for item in config]
