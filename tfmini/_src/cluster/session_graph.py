"""A session's graph on a server, extended by GraphDefs whose nodes keep their names."""

from __future__ import annotations

import re
from collections import ChainMap
from typing import Any

from tfmini._src.base.errors import AlreadyExistsError, InvalidArgumentError
from tfmini._src.cluster import send_recv  # noqa: F401  registers ops used in task graphs
from tfmini._src.cluster.allowed_ops import check_graph
from tfmini._src.cluster.limits import check_nodes
from tfmini._src.graph.function_library import from_library
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.graphdef.graph_importer import CONTROL, Importer, check_versions
from tfmini._src.graph.graphdef.node_defaults import complete_node


class _ExistingOutputs(dict[Any, Any]):
    """Outputs of a graph's existing nodes, as inputs of an import."""

    def __init__(self, graph: Graph):
        super().__init__()
        self._nodes = graph._nodes_by_name

    def __contains__(self, source: Any) -> bool:
        return source.name in self._nodes

    def __getitem__(self, source: Any) -> Any:
        op = self._nodes[source.name]
        if source.output == CONTROL:
            return _ControlSource(op)
        if source.output >= len(op.outputs):
            raise ValueError(
                f"Connecting to invalid output {source.output} of source node {op.name} which has "
                f"{len(op.outputs)} outputs."
            )
        return op.outputs[source.output]


class _ControlSource:
    """Source of a control input."""

    def __init__(self, op: Any):
        self.op = op


class _Index(dict[str, int]):
    """Indices of new nodes, and names of existing nodes."""

    def __init__(self, graph: Graph):
        super().__init__()
        self._nodes = graph._nodes_by_name

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or name in self._nodes


class _Extension(Importer):
    """An import whose nodes keep their names and may read tensors of the graph."""

    valid_name = re.compile("[A-Za-z0-9._][A-Za-z0-9_.\\-/]*")

    def __init__(self, graph: Graph, graph_def: Any):
        super().__init__(graph, graph_def, "", {})
        self.mapped = _ExistingOutputs(graph)
        self.index = _Index(graph)
        self.imported = ChainMap({}, graph._nodes_by_name)  # type: ignore[assignment]

    def _new_name(self, name: str) -> str:
        return name


def extend(graph: Graph, graph_def: Any) -> None:
    """Adds a GraphDef's nodes to a graph under their own names.

    Raises:
      InvalidArgumentError: if the GraphDef is inconsistent or does not fit the graph.
      AlreadyExistsError: if a node of the same name exists.
      NotFoundError: for an unknown op.
      PermissionDeniedError, ResourceExhaustedError: for a forbidden op, or too many nodes.
    """
    check_nodes(graph_def, len(graph._ops))
    check_graph(graph_def)
    for node in graph_def.node:
        if node.name in graph._nodes_by_name:
            raise AlreadyExistsError(
                None,
                None,
                f"Cannot add node '{node.name}': the graph already has a node with that name",
            )
        complete_node(node)
    importer = _Extension(graph, graph_def)
    try:
        check_versions(graph_def.versions)
        with graph._lock:
            importer.make_nodes(from_library(graph_def.library))
            importer.add_to_graph(())
    except (ValueError, TypeError, KeyError) as error:
        raise InvalidArgumentError(
            None, None, f"{error.args[0] if error.args else error}"
        ) from None
    for op in importer.order:
        op.__dict__.pop("_replaced_inputs", None)
