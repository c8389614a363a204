"""Replaces part of a GraphDef with a single node."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tfmini._src.base import proto
from tfmini._src.graph.traversal import reachable_from
from tfmini._src.saved_model.graph_util.extract_sub_graph import node_name


def fuse_op(
    graph_def: proto.GraphDef,
    input_nodes: Sequence[str],
    output_nodes: Sequence[str],
    output_dtypes: Sequence[Any],
    output_quantized: bool,
    op_name: str,
    op_type: str,
) -> Any:
    """Replaces the nodes between inputs and outputs of a GraphDef with a single node of another type.

    Args:
      graph_def: a GraphDef.
      input_nodes: names of the nodes before the fused part, which become the new node's inputs.
      output_nodes: names of the nodes after the fused part, each with one input, which read the new node's outputs.
      output_dtypes: attribute of the new node: enums of its output dtypes, such as `tf.float32.as_datatype_enum`.
      output_quantized: attribute of the new node: whether its outputs are quantized.
      op_name: name of the new node.
      op_type: op type of the new node.

    Returns:
      A new GraphDef: the inputs with their dependencies, the new node, the outputs, and their consumers.

    Raises:
      TypeError: if `graph_def` is not a GraphDef, a list of names is a string, or the fused part reads nodes other
        than the inputs.
      AssertionError: if a node is missing.
    """
    if not isinstance(graph_def, proto.GraphDef):
        raise TypeError("graph_def must be a graph_pb2.GraphDef proto.")
    for argument, value in (("input_nodes", input_nodes), ("output_nodes", output_nodes)):
        if isinstance(value, str):
            raise TypeError(f"{argument} must be a list.")
    nodes = {node_name(node.name): node for node in graph_def.node}
    for name in (*input_nodes, *output_nodes):
        assert name in nodes, f"{name} is not in graph"
    input_ancestors, needed = _ancestors(nodes, input_nodes), _ancestors(nodes, output_nodes)
    for name in nodes:
        if name in needed and name not in input_ancestors and name not in output_nodes:
            for other in _ancestors(nodes, [name], input_nodes):
                if other in input_ancestors and other not in input_nodes:
                    raise TypeError(f"Node {name} uses input {other} not in input_nodes.")
    fused = proto.GraphDef(library=graph_def.library, versions=graph_def.versions)
    fused.node.extend(node for name, node in nodes.items() if name in input_ancestors)
    new = fused.node.add(name=op_name, op=op_type, input=input_nodes)
    new.attr["_output_types"].list.type.extend(output_dtypes)
    new.attr["_output_quantized"].b = output_quantized
    for index, name in enumerate(output_nodes):
        assert len(nodes[name].input) == 1, f"{name} has not one input"
        node = copy.deepcopy(nodes[name])
        node.input[:] = [f"{op_name}:{index}" if index else op_name]
        fused.node.append(node)
    fused.node.extend(
        n for name, n in nodes.items() if name not in needed and name not in input_ancestors
    )
    return fused


def _ancestors(
    nodes: Mapping[str, Any], names: Iterable[str], stops: Sequence[str] = ()
) -> dict[str, None]:
    """Returns nodes and their dependencies, except the dependencies of nodes in `stops`."""

    def inputs(name: str) -> list[str]:
        return [] if name in stops else [node_name(text) for text in nodes[name].input]

    return reachable_from(names, inputs)
