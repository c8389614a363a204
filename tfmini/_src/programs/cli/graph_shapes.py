"""Infers missing static shapes of a GraphDef by importing it."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import proto
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.graphdef.import_graph_def import import_graph_def
from tfmini._src.graph.opdef import registry
from tfmini._src.graph.traversal import reachable_from

Dims = list[int | None] | None


def inferred_shapes(graph_def: Any) -> dict[str, Dims]:
    """Returns the shapes of first outputs by node name; none for nodes that depend on an unknown op.

    Empty if the graph is damaged and cannot be imported.
    """
    known_part = _known_part(graph_def)
    graph = Graph()
    try:
        with graph.as_default():
            import_graph_def(known_part, name="")
    except Exception:
        return {}
    dims_of: dict[str, Dims] = {}
    for op in graph.get_operations():
        if op.outputs and op.outputs[0]._dims is not None:
            dims_of[op.name] = list(op.outputs[0]._dims)
    return dims_of


def _known_part(graph_def: Any) -> Any:
    """Returns the importable nodes, without references to the others."""
    functions = {function.signature.name for function in graph_def.library.function}
    readers: dict[str, list[str]] = {}
    for node in graph_def.node:
        for name in _input_nodes(node):
            readers.setdefault(name, []).append(node.name)
    node_names = {node.name for node in graph_def.node}
    waiting = [n.name for n in graph_def.node if n.op not in registry and n.op not in functions]
    waiting += [name for source in set(readers) - node_names for name in readers[source]]
    lost_names = reachable_from(waiting, lambda name: readers.get(name, ()))
    part = proto.GraphDef(library=graph_def.library, versions=graph_def.versions)
    for node in graph_def.node:
        if node.name not in lost_names:
            copy = part.node.add()
            copy.CopyFrom(node)
            copy.device = ""
            copy.attr.pop("_class", None)
            inputs = [text for text in copy.input if not text.startswith("^")]
            del copy.input[:]
            copy.input.extend(inputs)
    return part


def _input_nodes(node: Any) -> list[str]:
    return [text.partition(":")[0] for text in node.input if not text.startswith("^")]
