"""Traversal of a network: the calls between inputs and outputs, their depths, and the order of layers."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, NamedTuple

from tfmini._src.base.nest.structure import flatten
from tfmini._src.nn.layers.nodes import Node
from tfmini._src.nn.layers.operation_history import make_history


class Connections(NamedTuple):
    """The calls between inputs and outputs.

    Attributes:
      keys: keys of the calls.
      by_depth: calls by depth; outputs have depth 0.
      layers: layers, deepest first, and in traversal order within a depth.
    """

    keys: set[str]
    by_depth: dict[int, list[Node]]
    layers: list


def call_key(layer_name: str, node_index: int) -> str:
    """Returns the key of a call."""
    return f"{layer_name}_ib-{node_index}"


def connections(inputs: list, outputs: list) -> Connections:
    """Returns the calls between tensors.

    Raises:
      ValueError: for outputs disconnected from the inputs, duplicate layer names, or cycles.
    """
    walk = _CallTraversal()
    for x in outputs:
        walk.visit(x, *x._keras_history[:2])
    node_depths: dict[Node, int] = {}
    layer_depths: dict[Any, int] = {}
    for node in reversed(walk.finished_order):
        depth = max(node_depths.setdefault(node, 0), layer_depths.get(node.outbound_layer, 0))
        layer_depths[node.outbound_layer] = node_depths[node] = depth
        for predecessor in node.dependencies():
            node_depths[predecessor] = max(depth + 1, node_depths.get(predecessor, 0))
    for x in inputs:
        layer = x._keras_history.layer
        if layer not in layer_depths:
            layer_depths[layer] = 0
            walk.visit_order[layer] = -1
            node_depths[layer.inbound_nodes[0]] = 0
            walk.keys.add(call_key(layer.name, 0))
    nodes_by_depth: dict[int, list[Node]] = defaultdict(list)
    for node, depth in node_depths.items():
        nodes_by_depth[depth].append(node)
    layers = sorted(layer_depths, key=lambda layer: (-layer_depths[layer], walk.visit_order[layer]))
    _check_connected(inputs, nodes_by_depth)
    _check_names([layer.name for layer in layers])
    return Connections(walk.keys, nodes_by_depth, layers)


class _CallTraversal:
    """Traversal of calls from outputs to inputs."""

    def __init__(self) -> None:
        self.keys: set[str] = set()
        self.visit_order: dict[Any, int] = {}
        self.finished_order: list[Node] = []
        self._finished: set[Node] = set()
        self._nodes_in_progress: set[Node] = set()

    def visit(self, tensor: Any, layer: Any, node_index: int) -> None:
        """Visits the call that produces a tensor, after the calls it depends on."""
        waiting: list = [(tensor, layer, node_index, None)]
        while waiting:
            tensor, layer, node_index, remaining = waiting.pop()
            node = layer.inbound_nodes[node_index]
            if remaining is None:
                if node in self._nodes_in_progress:
                    raise ValueError(
                        f'The tensor {tensor} at layer "{layer.name}" is part of a cycle.'
                    )
                if node in self._finished:
                    continue
                self.keys.add(call_key(layer.name, node_index))
                self.visit_order.setdefault(layer, len(self.visit_order))
                self._nodes_in_progress.add(node)
                remaining = iter(node.iterate_inbound(include_arguments=True))
            next_item = next(remaining, None)
            if next_item is None:
                self._finished.add(node)
                self._nodes_in_progress.remove(node)
                self.finished_order.append(node)
                continue
            waiting.append((tensor, layer, node_index, remaining))
            inbound_layer, index, _, result = next_item
            waiting.append((result, inbound_layer, index, None))


def _check_connected(inputs: list, nodes_by_depth: dict[int, list[Node]]) -> None:
    computable = {id(x) for x in inputs}
    complete: list[str] = []
    for depth in sorted(nodes_by_depth, reverse=True):
        for node in nodes_by_depth[depth]:
            layer = node.outbound_layer
            for x in flatten(node.input_tensors):
                if id(x) not in computable:
                    raise ValueError(
                        f"Graph disconnected: cannot obtain value for tensor {x} at layer "
                        f'"{layer.name}". The following previous layers were accessed without issue: {complete}'
                    )
            computable.update(id(x) for x in flatten(node.output_tensors))
            complete.append(layer.name)


def _check_names(names: list[str]) -> None:
    for name in names:
        if names.count(name) != 1:
            raise ValueError(
                f'The name "{name}" is used {names.count(name)} times in the model. All layer names '
                "should be unique."
            )


def operation_connections(inputs: list, outputs: list) -> tuple[list[Node], list]:
    """Returns the calls and layers between tensors, with operations wrapped in layers."""
    make_history(outputs)
    network = connections(inputs, outputs)
    return [node for nodes in network.by_depth.values() for node in nodes], network.layers


def source_inputs(tensor: Any, layer: Any = None, node_index: int | None = None) -> list:
    """Returns the model inputs that a tensor depends on."""
    if not hasattr(tensor, "_keras_history"):
        return [tensor]
    if layer is None or node_index:
        layer, node_index, _ = tensor._keras_history
    if not layer.inbound_nodes:
        return [tensor]
    node = layer.inbound_nodes[node_index or 0]
    if not node.inbound_layers:
        return flatten(node.input_tensors)
    sources: list = []
    for inbound_layer, index, _, x in node.iterate_inbound():
        for source in source_inputs(x, inbound_layer, index):
            if not any(source is other for other in sources):
                sources.append(source)
    return sources
