"""Compute order of the nodes of a GraphDef, and their image sizes."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from tfmini._src.base import proto
from tfmini._src.contrib.receptive_field.parse_layer_parameters import Axis, layer_axes
from tfmini._src.graph.tensor import TensorLike


class NodeInfo(NamedTuple):
    """A node: its order, its NodeDef, and the (height, width) of its first input and its output."""

    order: Any
    node: Any
    input_size: Any
    output_size: Any


def get_compute_order(
    graph_def: proto.GraphDef, input_node_name: str = "", input_node_size: TensorLike | None = None
) -> tuple[dict[str, NodeInfo], dict[str, Any]]:
    """Returns the compute order of the nodes.

    Args:
      graph_def: a GraphDef without loops.
      input_node_name: name of the first node; "" for all nodes without inputs.
      input_node_size: (height, width) of the first node's output; None if unknown.

    Returns:
      Two dicts by node name: of named tuples `order` (number of nodes on the longest path), `node` (the NodeDef),
      `input_size` and `output_size` ([height, width], or None); and of NodeDefs.
    """
    nodes = {node.name: node for node in graph_def.node}
    infos: dict[str, NodeInfo] = {}
    for node in graph_def.node:
        _visit(node.name, nodes, infos, input_node_name, input_node_size)
    return infos, nodes


def _visit(
    name: str,
    nodes: dict[str, Any],
    infos: dict[str, NodeInfo],
    input_name: str,
    input_size: Any,
) -> None:
    """Adds a node after its inputs, using a stack because graphs may be deep."""
    waiting = [name]
    while waiting:
        current = waiting[-1]
        if current in infos:
            waiting.pop()
            continue
        if current == input_name:
            infos[current] = NodeInfo(0, nodes[current], None, input_size)
            continue
        inputs = [
            input_name.split(":")[0] for input_name in nodes[current].input if input_name[0] != "^"
        ]
        missing = [source for source in inputs if source not in infos]
        if missing:
            waiting += reversed(missing)
        else:
            infos[current] = _info(nodes[current], [infos[source] for source in inputs], nodes)


def _info(node: Any, inputs: list[NodeInfo], nodes: dict[str, Any]) -> NodeInfo:
    order = max((info.order + 1 for info in inputs), default=0)
    size = inputs[0].output_size if inputs else None
    if size is None:
        return NodeInfo(order, node, None, None)
    x, y = layer_axes(node, nodes, size, force=True)
    # As in TensorFlow, the height is paired with the parameters along x.
    return NodeInfo(order, node, size, [_after(size[0], x), _after(size[1], y)])


def _after(size: int | None, axis: Axis) -> int | None:
    """Returns the size of an axis after a node."""
    if None in (size, axis.kernel, axis.stride, axis.total_padding):
        return None
    assert size is not None
    return math.ceil((size + axis.total_padding - axis.kernel + 1) / axis.stride)
