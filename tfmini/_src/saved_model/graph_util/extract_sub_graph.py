"""Pruning of GraphDefs: removes unneeded and training-only nodes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tfmini._src.base import proto
from tfmini._src.base.error_hints import add_hint
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.names.lazy_imports import difflib
from tfmini._src.graph.operation import COLOCATION_PREFIX
from tfmini._src.graph.traversal import reachable_from


def node_name(text: str) -> str:
    """Returns the name of the node that an input refers to: "x" for "x", "x:1" and "^x"."""
    return text[1:] if text.startswith("^") else text.partition(":")[0]


@deprecated(None, "Use `tf.compat.v1.graph_util.extract_sub_graph`")
def extract_sub_graph(graph_def: proto.GraphDef, dest_nodes: Sequence[str]) -> Any:
    """Extracts the subgraph that the destination nodes depend on, including colocated nodes.

    Args:
      graph_def: a GraphDef.
      dest_nodes: a list of node names.

    Returns:
      A GraphDef of these nodes in their original order, with functions and versions.

    Raises:
      TypeError: if `graph_def` is not a GraphDef, or `dest_nodes` is a string.
      AssertionError: for an unknown node name.

    Example: `tf.graph_util.extract_sub_graph(graph.as_graph_def(), ["softmax"])`.
    """
    return sub_graph(graph_def, dest_nodes)


def sub_graph(graph_def: Any, dest_nodes: Sequence[str]) -> Any:
    """Implements `extract_sub_graph`."""
    if not isinstance(graph_def, proto.GraphDef):
        raise TypeError("graph_def must be a graph_pb2.GraphDef proto.")
    if isinstance(dest_nodes, str):
        raise TypeError("dest_nodes must be a list.")
    nodes = {node_name(node.name): node for node in graph_def.node}
    for name in dest_nodes:
        if name not in nodes:
            raise add_hint(AssertionError(f"{name} is not in graph"), _candidates(name, nodes))
    reachable = reachable_from(dest_nodes, lambda name: _dependencies(nodes[name]))
    part = proto.GraphDef(library=graph_def.library, versions=graph_def.versions)
    part.node.extend(node for name, node in nodes.items() if name in reachable)
    return part


def _candidates(name: str, nodes: Mapping[str, Any]) -> str:
    """Returns suggested node names as text: similar names, or else the last nodes without consumers."""
    read = {part for node in nodes.values() for part in _dependencies(node)}
    close = difflib.get_close_matches(name, nodes, n=3)
    end_nodes = [node for node in nodes if node not in read][-5:]
    return f"outputs that it has: {', '.join(dict.fromkeys([*close, *end_nodes]))}."


def _dependencies(node: Any) -> Iterable[str]:
    yield from (node_name(text) for text in node.input)
    if "_class" in node.attr:
        groups = (group.decode() for group in node.attr["_class"].list.s)
        yield from (
            group.removeprefix(COLOCATION_PREFIX)
            for group in groups
            if group.startswith(COLOCATION_PREFIX)
        )


@deprecated(None, "Use `tf.compat.v1.graph_util.remove_training_nodes`")
def remove_training_nodes(
    input_graph: proto.GraphDef, protected_nodes: Sequence[str] | None = None
) -> Any:
    """Removes training-only nodes from a GraphDef.

    Removes CheckNumerics nodes, and Identity nodes without control dependencies; consumers read their inputs
    instead.

    Args:
      input_graph: a GraphDef.
      protected_nodes: nodes to preserve, by name, for example fetches.

    Returns:
      A GraphDef of the remaining nodes, without functions and versions.
    """
    protected_names = set(protected_nodes or ())
    nodes = [
        node
        for node in input_graph.node
        if node.op != "CheckNumerics" or node.name in protected_names
    ]
    dropped = {node.name for node in input_graph.node} - {node.name for node in nodes}
    inputs = {
        node.name: [text for text in node.input if text.removeprefix("^") not in dropped]
        for node in nodes
    }
    retained = set(protected_names)
    for name, texts in inputs.items():
        waited_for = [text.removeprefix("^") for text in texts if "^" in text]
        if waited_for:
            retained.update(waited_for, [name])
    spliced = {
        node.name: inputs[node.name][0]
        for node in nodes
        if node.op == "Identity" and node.name not in retained
    }
    result = proto.GraphDef()
    for node in nodes:
        if node.name not in spliced:
            copy = result.node.add()
            copy.CopyFrom(node)
            copy.input[:] = [_resolve_input(text, spliced) for text in inputs[node.name]]
    return result


def _resolve_input(text: str, spliced: dict[str, str]) -> str:
    while text.removeprefix("^") in spliced:
        text = spliced[text.removeprefix("^")]
    return text
