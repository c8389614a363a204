"""Clones of models with new layers and weights."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base.nest.structure import flatten, map_structure, pack_sequence_as
from tfmini._src.nn.layers.custom_objects import custom_object_scope
from tfmini._src.nn.layers.keras.input_layer import Input, InputLayer
from tfmini._src.nn.layers.tensorflow_op_layer import AddMetric
from tfmini._src.ops import ops


def copy_layer(layer: Any) -> Any:
    """Creates a layer from the configuration of another layer."""
    return type(layer).from_config(layer.get_config())


class _Copies:
    """The copies of a model's layers and tensors."""

    def __init__(self, clone_function: Callable):
        self.clone_function = clone_function
        self.layers: dict[Any, Any] = {}
        self.tensors: dict[int, Any] = {}
        self.nodes: list = []

    def replay_calls(self, nodes_by_depth: dict[int, list]) -> None:
        """Replays the layers' calls on their copies."""
        for depth in sorted(nodes_by_depth, reverse=True):
            for node in nodes_by_depth[depth]:
                layer = node.outbound_layer
                if layer not in self.layers:
                    self.layers[layer] = self.clone_function(layer)
                elif isinstance(self.layers[layer], InputLayer):
                    continue
                if all(id(x) in self.tensors for x in flatten(node.input_tensors)):
                    self._call(self.layers[layer], node)

    def _call(self, layer: Any, node: Any) -> None:
        inputs = map_structure(lambda x: self.tensors[id(x)], node.input_tensors)
        outputs = layer(inputs, **(node.arguments or {}))
        history = flatten(outputs)[0]._keras_history
        self.nodes.append(layer._inbound_nodes[history.node_index])
        self.record_copies(node.output_tensors, outputs)

    def record_copies(self, tensors: Any, copies: Any) -> None:
        """Records which tensors are the copies of tensors."""
        self.tensors.update({id(x): y for x, y in zip(flatten(tensors), flatten(copies))})

    def insert_added(self, copied: Any, added_layers: list, metrics_names: list[str]) -> None:
        """Adds copies of the model's added losses and metrics; the order of metrics is preserved."""
        metrics = [layer for layer in added_layers if isinstance(layer, AddMetric)]
        metrics.sort(key=lambda layer: metrics_names.index(layer.metric_name))
        plain = [layer for layer in added_layers if not isinstance(layer, AddMetric)]
        if added_layers:
            copied._insert_layers(plain + metrics, self.nodes)


def clone_functional(cls: type, model: Any, input_tensors: Any, clone_function: Callable) -> Any:
    """Clones a functional model as an instance of the same class."""
    if not model._is_graph_network:
        raise ValueError(
            "Expected `model` argument to be a functional `Model` instance, but got a subclass model instead."
        )
    copies = _Copies(clone_function)
    inputs = []
    values = [None] * len(model._input_layers) if input_tensors is None else flatten(input_tensors)
    for layer, tensor in zip(model._input_layers, values):
        if tensor is None:
            tensor = Input(**layer.get_config())
        elif not hasattr(tensor, "_keras_history"):
            tensor = Input(tensor=tensor, name="input_wrapper_for_" + layer.name)
        else:
            inputs.append(tensor)
            continue
        copies.layers[layer] = tensor._keras_history.layer
        inputs.append(tensor)
    copies.record_copies(model.inputs, inputs)
    if not callable(clone_function):
        raise ValueError("Expected `layer_fn` argument to be a callable.")
    copies.replay_calls(model._nodes_by_depth)
    for x in model.outputs:
        assert id(x) in copies.tensors, f"Could not compute output {x}"
    outputs = [copies.tensors[id(x)] for x in model.outputs]
    result = cls(
        pack_sequence_as(model._nested_inputs, inputs),
        pack_sequence_as(model._nested_outputs, outputs),
        name=model.name,
    )
    added_layers = [layer for layer in copies.layers.values() if layer not in result.layers]
    copies.insert_added(result, added_layers, model.metrics_names)
    return result


def clone_sequential(cls: type, model: Any, input_tensors: Any, clone_function: Callable) -> Any:
    """Clones a Sequential model as an instance of the same class."""
    if not callable(clone_function):
        raise ValueError("Expected `layer_fn` argument to be a callable.")
    copies = _Copies(clone_function)
    for layer in model._layers:
        if isinstance(layer, InputLayer):
            if input_tensors is None:
                copies.layers[layer] = copy_layer(layer)
        else:
            copies.layers[layer] = clone_function(layer)
    added_layers = []
    if model._is_graph_network:
        depths = [depth for depth in sorted(model._nodes_by_depth, reverse=True) if depth < 0]
        nodes = {depth: model._nodes_by_depth[depth] for depth in depths}
        added_layers = [
            copies.layers[node.outbound_layer] for row in nodes.values() for node in row
        ]
    layers = [layer for layer in copies.layers.values() if layer not in added_layers]
    if input_tensors is not None:
        layers.insert(0, _input_layer(input_tensors))
    result = cls(layers=layers, name=model.name)
    if added_layers:
        for depth, row in result._nodes_by_depth.items():
            for node, original_node in zip(row, model._nodes_by_depth[depth]):
                copies.record_copies(original_node.output_tensors, node.output_tensors)
        copies.replay_calls(nodes)
        copies.insert_added(result, added_layers, model.metrics_names)
    return result


def _input_layer(input_tensors: Any) -> Any:
    values = list(input_tensors) if isinstance(input_tensors, (list, tuple)) else [input_tensors]
    if len(values) != 1:
        raise ValueError(
            "To clone a `Sequential` model, we expect  at most one tensor as part of `input_tensors`."
        )
    (x,) = values
    if not hasattr(x, "_keras_history"):
        x = Input(tensor=x, name="input_wrapper_for_" + str(x.name))
    layer = x._keras_history.layer
    if not isinstance(layer, InputLayer):
        raise ValueError(
            "Cannot clone a `Sequential` model on top of a tensor that comes from a Keras layer other than an "
            "`InputLayer`. Use the functional API instead."
        )
    return layer


def copy_model(model: Any, input_tensors: Any = None, custom_objects: Any = None) -> Any:
    """Clones a functional or Sequential model in the default graph."""
    with custom_object_scope(custom_objects or {}):
        result = model._clone(input_tensors, copy_layer)
        if not result.inputs and model.inputs:
            shape = model.inputs[0].shape.as_list()
            result._set_inputs(ops.placeholder(model.inputs[0].dtype, [None, *shape[1:]]))
    return result
