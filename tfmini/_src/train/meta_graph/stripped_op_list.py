"""Lists the ops used by a GraphDef and by the functions it calls."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import proto
from tfmini._src.graph.traversal import reachable_from
from tfmini._src.train.meta_graph.export_meta_graph import used_op_defs


def stripped_op_list_for_graph(graph_def: proto.GraphDef) -> Any:
    """Returns the OpList of a GraphDef and its called functions, sorted by name; raises ValueError for unknown ops."""
    return proto.OpList(op=used_op_defs(graph_def))


def ops_used_by_graph_def(graph_def: proto.GraphDef) -> list[str]:
    """Returns the op types in a GraphDef and its called functions."""
    bodies = {function.signature.name: function.node_def for function in graph_def.library.function}
    types = (node.op for node in graph_def.node)
    used = reachable_from(types, lambda name: [node.op for node in bodies.get(name, ())])
    return sorted(used.keys() - bodies.keys())
