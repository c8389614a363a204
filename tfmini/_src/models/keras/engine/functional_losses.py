"""Losses and metrics added to a functional model; the operations that compute them become layers."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.nest.structure import flatten
from tfmini._src.models.keras.engine.map_graph_network import connections_of_operations, key_of
from tfmini._src.nn.layers.backend.keras_graph import is_symbolic
from tfmini._src.nn.layers.base_layer import Layer
from tfmini._src.nn.layers.call_context import current_call
from tfmini._src.nn.layers.nodes import Node
from tfmini._src.nn.layers.tensorflow_op_layer import AddLoss, AddMetric
from tfmini._src.variables.trackable import no_automatic_dependency_tracking


class Growing(Layer):
    """A network that can be extended by layers."""

    _is_graph_network: bool
    _nodes_by_depth: dict[int, list[Node]]
    _network_nodes: set[str]
    inputs: Any

    def add_loss(self, losses: object, inputs: object = None) -> None:
        """Adds scalar losses; ops that compute them from a functional model's tensors become its layers."""
        if not self._is_graph_network or current_call().in_call:
            super().add_loss(losses, inputs=inputs)
            return
        for loss in flatten(losses):
            if is_symbolic(loss):
                self._insert_tensor(loss, AddLoss(unconditional=False))
            else:
                super().add_loss(loss, inputs=inputs)

    def _add_metric(self, value: Any, aggregation: str | None, name: str) -> None:
        if not self._is_graph_network:
            super()._add_metric(value, aggregation, name)
            return
        if not is_symbolic(value):
            raise ValueError(
                f"Expected a symbolic Tensor for the metric value, received: {value!s}"
            )
        if hasattr(value, "_metric_obj"):
            raise ValueError(
                "Using the result of calling a `Metric` object when calling `add_metric` on a Functional Model "
                "is not supported. Please pass the Tensor to monitor directly."
            )
        self._insert_tensor(value, AddMetric(aggregation, name))

    def _insert_tensor(self, tensor: Any, layer: Any) -> None:
        nodes, layers = connections_of_operations(self.inputs, [tensor])
        layer(tensor)
        self._insert_layers([*layers, layer], nodes + layer.inbound_nodes)

    @no_automatic_dependency_tracking
    def _insert_layers(self, layers: list, nodes: list[Node]) -> None:
        depths = {node: depth for depth, row in self._nodes_by_depth.items() for node in row}
        within = {*nodes, *depths}
        waiting = list(nodes)
        for _ in range(10000):
            if not waiting:
                break
            node = waiting.pop(0)
            depth = _depth_of(node, depths, within)
            if depth is None:
                waiting.append(node)
                continue
            layer = node.outbound_layer
            key = key_of(layer.name, layer.inbound_nodes.index(node))
            if key not in self._network_nodes:
                depths[node] = depth
                self._network_nodes.add(key)
                self._nodes_by_depth[depth].append(node)
        else:
            raise ValueError("Layers could not be added due to missing dependencies.")
        for layer in layers:
            if not any(layer is other for other in self._layers):
                self._layers.append(layer)


def _depth_of(node: Node, depths: dict[Node, int], within: set[Node]) -> int | None:
    """Depth of a call: one less than its shallowest producer's; None while one is unknown."""
    least = 0
    for layer, index, _, _ in node.iterate_inbound(include_arguments=True):
        before = layer.inbound_nodes[index]
        if before in depths:
            least = min(least, depths[before])
        elif before in within:
            return None
    return least - 1
