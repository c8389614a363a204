"""Models and layers of a SavedModel, which compute with the functions saved with them."""

from __future__ import annotations

import json
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.nest.structure import flatten, pack_sequence_as
from tfmini._src.base.shapes import TensorShape
from tfmini._src.graph.scopes import name_scope
from tfmini._src.models.keras.engine.model import Model
from tfmini._src.models.keras.saved_model_load.restored_function import (
    RestoredFunction,
    renamed_library,
)
from tfmini._src.nn.layers import regularizers
from tfmini._src.nn.layers.backend.learning_phase import learning_phase
from tfmini._src.nn.layers.backend.session import track
from tfmini._src.nn.layers.base_layer import Layer
from tfmini._src.ops import ops
from tfmini._src.variables.resource_variable import ResourceVariable

_MODELS = ("_tf_keras_model", "_tf_keras_sequential", "_tf_keras_network")
_LAYER = "_tf_keras_layer"
_CALL = "call_and_return_conditional_losses"
_LISTS, _DICTS = ("trackable_list_wrapper", "trackable_tuple_wrapper"), ("trackable_dict_wrapper",)
# Attributes that a layer makes itself, or to which functions are attached.
_OF_LAYERS = frozenset(
    (
        *("variables", "trainable_variables", "non_trainable_variables", "regularization_losses"),
        *("layer_regularization_losses", "losses", "metrics", "layers", "keras_api", "signatures"),
        *("optimizer", "_callable_losses", "__call__", "call_and_return_all_conditional_losses"),
        *("_default_save_signature", _CALL),
    )
)


class _Revived:
    """Mixin of revived layers and models."""

    _metadata: dict[str, Any]
    _restored: RestoredFunction | None = None

    def call(self, inputs: Any, training: Any = None) -> Any:
        """Computes the outputs with the saved layer's functions.

        Args:
          inputs: as those of the saved one.
          training: whether it is for training, for layers that ask.
        """
        if self._restored is None:
            return inputs
        outputs, losses = self._called(self._restored, inputs, training)
        self.add_loss(losses, inputs)  # type: ignore[attr-defined]
        return outputs

    def _called(self, function: RestoredFunction, inputs: Any, training: Any) -> Any:
        if not self._metadata.get("expects_training_arg"):
            return function(inputs)
        if training is None:
            training = learning_phase()
        if isinstance(training, (bool, int)):
            return function(inputs, bool(training))
        structures = []

        def branch(flag: bool) -> list[Any]:
            structures.append(function(inputs, flag))
            return flatten(structures[-1])

        found = ops.cond(training, lambda: branch(True), lambda: branch(False))
        return pack_sequence_as(structures[0], flatten(found))

    def _call_arguments(self) -> tuple[list[str], bool]:
        asks = self._metadata.get("expects_training_arg")
        return (["inputs", "training"] if asks else ["inputs"]), False

    def get_config(self) -> dict[str, Any]:
        """The configuration that was saved.

        Raises:
          NotImplementedError: if none was.
        """
        config = self._metadata.get("config")
        if config is None:
            raise NotImplementedError
        return config


def revived_model(meta_graph: Any) -> Any:
    """The model described by a MetaGraphDef, its weights not loaded; None if it has no functions."""
    graph = meta_graph.object_graph_def
    nodes = _Nodes(graph, renamed_library(meta_graph.graph_def.library))
    if nodes.function_of(0) is None:
        return None
    model = nodes.object(0)
    for number, layer in nodes.layers():
        layer._restored = nodes.function_of(number)
        for loss in nodes.losses_of(number):
            layer.add_loss(loss)
    model._set_inputs(model._restored.input_specs())
    return model


class _Nodes:
    """The objects of a SavedObjectGraph, each created once."""

    def __init__(self, graph: Any, functions: dict[str, Any]):
        self._graph = graph
        self._functions = functions
        self._made: dict[int, Any] = {}
        self._restored: dict[int, RestoredFunction] = {}

    def layers(self) -> list[tuple[int, Any]]:
        """The layers and models, with their node indices."""
        return [(n, each) for n, each in self._made.items() if isinstance(each, _Revived)]

    def object(self, number: int) -> Any:
        """The object of a node; None for kinds that models do not need."""
        if number in self._made:
            return self._made[number]
        node = self._graph.nodes[number]
        kind = node.WhichOneof("kind")
        if kind == "variable":
            self._made[number] = _variable(node.variable)
        elif kind == "user_object":
            self._made[number] = self._of_user(number, node)
        return self._made.get(number)

    def _of_user(self, number: int, node: Any) -> Any:
        identifier = node.user_object.identifier
        children = {child.local_name: child.node_id for child in node.children}
        if identifier in _LISTS:
            return [
                self.object(children[str(n)]) for n in range(len(children)) if str(n) in children
            ]
        if identifier in _DICTS:
            return {name: self.object(child) for name, child in children.items()}
        if identifier not in (*_MODELS, _LAYER):
            return None
        made = self._made[number] = _layer(json.loads(node.user_object.metadata), identifier)
        for name, child in children.items():
            value = None if name in _OF_LAYERS else self.object(child)
            if value is not None and value != [] and type(value).__name__ != "InputLayer":
                setattr(made, name, value)
        made.built = True
        return made

    def function_of(self, number: int) -> RestoredFunction | None:
        """The function with which a layer's node computes outputs and losses; None if it has none."""
        interface = self._interface(number)
        return self._function(interface[_CALL]) if _CALL in interface else None

    def losses_of(self, number: int) -> list[RestoredFunction]:
        """The functions of a layer's node that compute its regularization losses."""
        losses = self._interface(number).get("layer_regularization_losses")
        children = [] if losses is None else self._graph.nodes[losses].children
        return [self._function(child.node_id) for child in children]

    def _interface(self, number: int) -> dict[str, int]:
        node = self._graph.nodes[number]
        found = next((c.node_id for c in node.children if c.local_name == "keras_api"), None)
        if found is None:
            return {}
        return {c.local_name: c.node_id for c in self._graph.nodes[found].children}

    def _function(self, number: int) -> RestoredFunction:
        if number not in self._restored:
            names = self._graph.nodes[number].function.concrete_functions
            saved = {name: self._graph.concrete_functions[name] for name in names}
            used = {n for message in saved.values() for n in message.bound_inputs}
            bound = {n: self.object(n) for n in used}
            self._restored[number] = RestoredFunction(saved, self._functions, bound)
        return self._restored[number]


def _layer(metadata: dict[str, Any], identifier: str) -> Any:
    """A revived layer or model with the class's name, its children not yet attached."""
    options = {"name": metadata["name"]}
    if identifier == _LAYER:
        base: Any = Layer
        options["trainable"] = metadata["trainable"]
        for key in ("dtype", "batch_input_shape"):
            if metadata.get(key) is not None:
                options[key] = metadata[key]
    else:
        base = Model
    class_name = metadata["class_name"]
    if class_name == "Sequential":  # whose layers are no attributes
        class_name = "RevivedSequential"
    made = type(class_name, (_Revived, base), {})(**options)
    object.__setattr__(made, "_metadata", metadata)
    if identifier != _LAYER:
        made.trainable = metadata["trainable"]
    if metadata.get("activity_regularizer") is not None:
        made.activity_regularizer = regularizers.deserialize(metadata["activity_regularizer"])
    return made


def _variable(saved: Any) -> ResourceVariable:
    dtype = dtypes.as_dtype(saved.dtype)
    shape = TensorShape(saved.shape).as_list()
    with name_scope(None):
        made = ResourceVariable(
            lambda: ops.zeros(shape, dtype),
            trainable=saved.trainable,
            name=saved.name or None,
            dtype=dtype,
        )
    track(made)
    return made
