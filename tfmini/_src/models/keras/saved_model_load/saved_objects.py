"""The objects of a model in a SavedModel: layers, weights, and the functions to revive them."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from tfmini._src.base import logs
from tfmini._src.base.nest.structure import flatten
from tfmini._src.functions.concrete_function import ConcreteFunction
from tfmini._src.models.keras.engine.model import Model
from tfmini._src.models.keras.engine.sequential import Sequential
from tfmini._src.models.keras.saved_model_load.traced_layer import (
    TracedLayer,
    traced_layers,
    traced_losses,
)
from tfmini._src.nn.layers import regularizers
from tfmini._src.nn.layers.base_layer import Layer
from tfmini._src.nn.layers.keras.input_layer import InputLayer
from tfmini._src.nn.layers.serialization.json_encoding import json_value
from tfmini._src.saved_model.objects.structured_value import encode, encode_arguments
from tfmini._src.train.object_checkpoint.object_graph import walked
from tfmini._src.variables.variable import Variable

SEQUENTIAL, MODEL, LAYER = "_tf_keras_sequential", "_tf_keras_model", "_tf_keras_layer"


def add_objects(meta_graph: Any, model: Any, described: dict[str, Any]) -> Callable[[Any], None]:
    """Adds a model's objects to a MetaGraphDef, the model first, and their functions.

    Where a function cannot be traced, or uses more of the surrounding graph than the model's variables, the model is
    described alone, and a warning says why.

    Args:
      meta_graph: a MetaGraphDef without objects.
      model: one that knows its inputs.
      described: the model's metadata.

    Returns:
      A function that adds the new objects to the TrackableObjectGraph of the model's checkpoint, where TensorFlow
      expects all objects without a function.
    """
    writer = _Writer(meta_graph, model, described)
    try:
        with flatten(model.outputs)[0].graph.as_default():
            writer.write(traced_layers(model))
    except (ValueError, TypeError, KeyError, NotImplementedError, AttributeError) as error:
        logs.warning(
            "Skipping full serialization of object %s, because an error occurred while tracing layer functions. "
            "Error message: %s",
            model,
            error,
        )
        meta_graph.ClearField("object_graph_def")
        alone = meta_graph.object_graph_def.nodes.add()
        identifier = SEQUENTIAL if isinstance(model, Sequential) else MODEL
        _describe(alone.user_object, identifier, described)
        return lambda message: None
    return writer.extend


class _Writer:
    """Writes nodes of a SavedObjectGraph: first a checkpoint's objects, then Keras's additional ones."""

    def __init__(self, meta_graph: Any, model: Any, described: dict[str, Any]):
        self._graph = meta_graph.object_graph_def
        self._library = meta_graph.graph_def.library
        self._model = model
        self._described = described
        kinds = (Layer, Variable, list, dict)
        self._found = [node for node in walked(model) if isinstance(node.value, kinds)]
        self._numbers = {node.number: n for n, node in enumerate(self._found)}
        self._of_objects = {id(node.value): n for n, node in enumerate(self._found)}
        self._of_handles = {
            node.value.handle: n
            for n, node in enumerate(self._found)
            if hasattr(node.value, "handle")
        }
        self._in_library = {function.signature.name for function in self._library.function}

    def write(self, traced: dict[int, TracedLayer]) -> None:
        """Writes all nodes, with the traces of layers, given by `id`."""
        for node in self._found:
            made = self._graph.nodes.add()
            for name, child in node.children:
                if child.number in self._numbers:
                    made.children.add(local_name=name, node_id=self._numbers[child.number])
            if isinstance(node.value, Variable):
                _describe_variable(made.variable, node.value)
            elif isinstance(node.value, list | dict):
                kind = "list" if isinstance(node.value, list) else "dict"
                _describe(made.user_object, f"trackable_{kind}_wrapper")
            else:
                self._describe_layer(made.user_object, node.value, traced)
        for n, node in enumerate(self._found):
            if isinstance(node.value, Layer):
                self._add_interface(n, node.value, traced.get(id(node.value)))

    def extend(self, message: Any) -> None:
        """Adds the objects missing from a checkpoint to its TrackableObjectGraph."""
        there = {n: node.number for n, node in enumerate(self._found)}
        new = [n for n in range(len(there), len(self._graph.nodes)) if self._is_object(n)]
        there.update({n: len(message.nodes) + k for k, n in enumerate(new)})
        for _ in new:
            message.nodes.add()
        for parent in there:
            for child in self._graph.nodes[parent].children:
                if child.node_id in there and (parent in new or child.node_id in new):
                    entry = message.nodes[there[parent]].children.add()
                    entry.local_name, entry.node_id = child.local_name, there[child.node_id]

    def _is_object(self, number: int) -> bool:
        return self._graph.nodes[number].WhichOneof("kind") == "user_object"

    def _describe_layer(self, message: Any, layer: Any, traced: dict[int, TracedLayer]) -> None:
        its = traced.get(id(layer))
        metadata = self._described if layer is self._model else _metadata_of(layer)
        if its is not None:
            metadata = {**metadata, "expects_training_arg": its.asks}
        _describe(message, _identifier(layer), metadata)

    def _add_interface(self, number: int, layer: Any, traced: TracedLayer | None) -> None:
        """Adds the `keras_api` node that Keras expects of a layer, in addition to its own attributes."""
        interface = self._add_child(number, "keras_api")
        _describe(self._graph.nodes[interface].user_object, "_generic_user_object")
        of_weights = self._add_child(interface, "layer_regularization_losses")
        _describe(self._graph.nodes[of_weights].user_object, "trackable_list_wrapper")
        for n, loss in enumerate(traced_losses(layer)):
            function = self._graph.nodes[self._add_child(of_weights, str(n))].function
            self._add_function(function, loss, (), loss.structured_outputs)
            encode_arguments([], None, function.function_spec.fullargspec)
            encode((), function.function_spec.input_signature)
        if isinstance(layer, Model):
            layers = self._add_child(interface, "layers")
            _describe(self._graph.nodes[layers].user_object, "trackable_list_wrapper")
            known = [n for n in map(self._of_objects.get, map(id, layer.layers)) if n is not None]
            for n, child in enumerate(known):
                self._graph.nodes[layers].children.add(local_name=str(n), node_id=child)
        if traced is None:
            return
        call = self._add_child(interface, "call_and_return_conditional_losses")
        function = self._graph.nodes[call].function
        for each in traced.traces:
            outputs, losses = each.function.structured_outputs
            self._add_function(function, each.function, each.arguments, (outputs, losses))
        names, defaults = (["inputs", "training"], [False]) if traced.asks else (["inputs"], None)
        encode_arguments(names, defaults, function.function_spec.fullargspec)
        encode(None, function.function_spec.input_signature)

    def _add_child(self, number: int, name: str) -> int:
        made = len(self._graph.nodes)
        self._graph.nodes.add()
        self._graph.nodes[number].children.add(local_name=name, node_id=made)
        return made

    def _add_function(
        self, saved: Any, function: ConcreteFunction, arguments: tuple, results: Any
    ) -> None:
        bound = []
        for tensor in function.captured_inputs:
            if tensor not in self._of_handles:
                raise KeyError(
                    f"Failed to add concrete function {function.name} to object based saved model as it captures "
                    f"tensor {tensor} which is unsupported or not reachable from root. One reason could be that a "
                    "stateful object or a variable that the function depends on is not assigned to an attribute of "
                    "the serialized trackable object"
                )
            bound.append(self._of_handles[tensor])
        saved.concrete_functions.append(function.name)
        message = self._graph.concrete_functions[function.name]
        message.bound_inputs.extend(bound)
        encode((arguments, {}), message.canonicalized_input_signature)
        encode(results, message.output_signature)
        self._add_to_library(function)

    def _add_to_library(self, function: Any) -> None:
        if function.name in self._in_library:
            return
        self._in_library.add(function.name)
        self._library.function.add().CopyFrom(function.definition)
        within = getattr(function, "graph", function)
        for called in getattr(within, "_functions", {}).values():
            self._add_to_library(called)


def _identifier(layer: Any) -> str:
    if isinstance(layer, Sequential):
        return SEQUENTIAL
    return MODEL if isinstance(layer, Model) else LAYER


def _metadata_of(layer: Any) -> dict[str, Any]:
    names, any_name = layer._call_arguments()
    found = {
        "class_name": type(layer).__name__,
        "name": layer.name,
        "trainable": layer.trainable,
        "expects_training_arg": "training" in names or any_name,
        "dtype": layer.dtype,
        "batch_input_shape": getattr(layer, "_batch_input_shape", None),
        "activity_regularizer": regularizers.serialize(layer.activity_regularizer),
    }
    if isinstance(layer, InputLayer):
        return found
    try:
        found["config"] = layer.get_config()
    except NotImplementedError:
        pass
    return found


def _describe_variable(message: Any, variable: Any) -> None:
    message.dtype = variable.dtype.base_dtype.as_datatype_enum
    message.shape.CopyFrom(variable.shape.as_proto())
    message.trainable = bool(variable.trainable)
    message.name = variable.op.name


def _describe(message: Any, identifier: str, metadata: dict[str, Any] | None = None) -> None:
    message.identifier = identifier
    message.version.producer = message.version.min_consumer = 1
    if metadata is not None:
        message.metadata = json.dumps(metadata, default=json_value)
