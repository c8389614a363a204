"""Functional models as plain data: their layers, and the producers of each call's inputs."""

from __future__ import annotations

import copy
import json
from typing import Any

import numpy as np

from tfmini._src.base import logs
from tfmini._src.base.nest.containers import is_sequence
from tfmini._src.base.nest.structure import flatten, map_structure, pack_sequence_as
from tfmini._src.graph.tensor import Tensor
from tfmini._src.models.keras.engine.map_graph_network import call_key
from tfmini._src.nn.layers.backend.tensor_values import get_value
from tfmini._src.nn.layers.serialization.layer_registry import deserialize_layer


class _TensorOrigin:
    """Origin of a tensor, a leaf of a structure: [layer name, node index, tensor index, optional kwargs]."""

    def __init__(self, row: list):
        self.row = row


def _skips_first_call(layer: Any) -> bool:
    """Whether a layer is a functional model, whose first call is the one that constructs it."""
    return getattr(layer, "_is_graph_network", False)


def _origins_as_lists(structure: Any) -> Any:
    """Converts the tensor origins in a structure to lists."""
    if isinstance(structure, _TensorOrigin):
        return structure.row
    if isinstance(structure, dict):
        return {key: _origins_as_lists(value) for key, value in structure.items()}
    if isinstance(structure, (list, tuple)):
        return [_origins_as_lists(value) for value in structure]
    return structure


def _is_origin(value: Any) -> bool:
    if not isinstance(value, list) or len(value) not in (3, 4) or not isinstance(value[0], str):
        return False
    return isinstance(value[1], int) and isinstance(value[2], int)


def _to_tensor_origins(structure: Any) -> Any:
    """Converts lists in a structure to tensor origins."""
    if _is_origin(structure):
        return _TensorOrigin(structure)
    if isinstance(structure, dict):
        return {key: _to_tensor_origins(value) for key, value in structure.items()}
    if isinstance(structure, (list, tuple)):
        return [_to_tensor_origins(value) for value in structure]
    return structure


def network_config(model: Any) -> dict[str, Any]:
    """Returns the configuration: the layers, their calls, and the model's inputs and outputs."""
    call_indices: dict[str, int] = {}
    for layer in model.layers:
        count = 1 if _skips_first_call(layer) else 0
        for index in range(len(layer._inbound_nodes)):
            key = call_key(layer.name, index)
            if key in model._network_nodes:
                call_indices[key] = count
                count += 1
    layers = []
    for layer in model.layers:
        nodes = [
            _calls_inputs(layer, node, call_indices)
            for index, node in enumerate(layer._inbound_nodes)
            if call_key(layer.name, index) in model._network_nodes and node.inbound_layers
        ]
        layers.append(
            {
                "name": layer.name,
                "class_name": type(layer).__name__,
                "config": layer.get_config(),
                "inbound_nodes": nodes,
            }
        )

    def tensor_coordinates(coordinates: list, structure: Any) -> Any:
        origins: Any = [
            _TensorOrigin([layer.name, call_indices[call_key(layer.name, node)], tensor])
            for layer, node, tensor in coordinates
            if call_key(layer.name, node) in model._network_nodes
        ]
        origins = pack_sequence_as(structure, origins)
        return _origins_as_lists(origins if is_sequence(origins) else [origins])

    config = {
        "name": model.name,
        "layers": layers,
        "input_layers": tensor_coordinates(model._input_coordinates, model._nested_inputs),
        "output_layers": tensor_coordinates(model._output_coordinates, model._nested_outputs),
    }
    return copy.deepcopy(config)


def _calls_inputs(layer: Any, node: Any, call_indices: dict[str, int]) -> Any:
    kwargs: dict = {}
    if node.arguments:
        kwargs = map_structure(_serialize_argument, node.arguments)
        try:
            json.dumps(kwargs)
        except TypeError:
            logs.warning(
                f"Layer {layer.name} was passed non-serializable keyword arguments: {node.arguments}. They will "
                "not be included in the serialized model (and thus will be missing at deserialization time)."
            )
            kwargs = {}
    rows = [
        _TensorOrigin(
            [
                inbound_layer.name,
                call_indices.get(call_key(inbound_layer.name, index), 0),
                tensor,
                kwargs,
            ]
        )
        for inbound_layer, index, tensor, _ in node.iterate_inbound()
    ]
    calls = pack_sequence_as(node.input_tensors, rows)
    return _origins_as_lists(calls if is_sequence(calls) else [calls])


def _serialize_argument(value: Any) -> Any:
    if hasattr(value, "_keras_history"):
        layer, node, tensor = value._keras_history
        return [layer.name, node, tensor]
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, Tensor):
        return get_value(value).tolist()
    return value


class _Builder:
    """Builds layers from their configurations, and replays their calls."""

    def __init__(self, config: dict, custom_objects: Any):
        self.layers: dict[str, Any] = {}
        self._waiting: list[tuple[Any, Any]] = []
        for row in config["layers"]:
            layer = self.layers[row["name"]] = deserialize_layer(row, custom_objects)
            self._waiting += [(layer, call) for call in row["inbound_nodes"]]
        while self._waiting:
            waiting_count = len(self._waiting)
            calls, self._waiting = self._waiting, []
            stuck: set = set()
            for layer, call in calls:
                if layer in stuck or not self._call(layer, _to_tensor_origins(call)):
                    stuck.add(layer)
                    self._waiting.append((layer, call))
            if len(self._waiting) == waiting_count:
                raise ValueError("Improperly formatted model config.")

    def tensor(self, origin: _TensorOrigin) -> Any:
        """Returns the tensor of an origin; None if its call has not been replayed yet."""
        name, node, tensor_index = origin.row[:3]
        nodes = self.layers[name]._inbound_nodes
        return flatten(nodes[node].output_tensors)[tensor_index] if node < len(nodes) else None

    def tensors(self, structure: Any) -> Any:
        """Replaces the origins in a structure by their tensors."""
        return map_structure(
            lambda x: self.tensor(x) if isinstance(x, _TensorOrigin) else x, structure
        )

    def _call(self, layer: Any, call: Any) -> bool:
        inputs = self.tensors(call)
        flat = flatten(inputs)
        if any(x is None for x in flat):
            return False
        kwargs: dict = {}
        for origin in flatten(call):
            if len(origin.row) == 4:
                kwargs = _to_tensor_origins(origin.row[3])
        tensors = self.tensors(kwargs)
        if any(
            x is None and isinstance(y, _TensorOrigin)
            for x, y in zip(flatten(tensors), flatten(kwargs))
        ):
            return False
        if not isinstance(inputs, dict) and len(flat) == 1:
            inputs = flat[0]
        layer(inputs, **tensors)
        return True


def model_from(cls: Any, config: dict, custom_objects: Any = None) -> Any:
    """Creates a model from a configuration."""
    builder = _Builder(config, custom_objects)
    inputs, outputs = (
        builder.tensors(_to_tensor_origins(config[key]))
        for key in ("input_layers", "output_layers")
    )
    model = cls(inputs=inputs, outputs=outputs, name=config.get("name"))
    unconnected = [x for x in builder.layers.values() if not any(x is y for y in model.layers)]
    if unconnected:
        nodes = [
            node
            for layer in builder.layers.values()
            for node in layer.inbound_nodes[1 if _skips_first_call(layer) else 0 :]
        ]
        model._insert_layers(unconnected, nodes)
    return model
