"""`tensorflow.python.framework.meta_graph`: meta graphs of name scopes."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import proto
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.graphdef.collection_defs import add_collection_def
from tfmini._src.train.meta_graph.export_meta_graph import (
    create_meta_graph_def,
    export_scoped_meta_graph,
)
from tfmini._src.train.meta_graph.import_scoped_meta_graph import (
    import_scoped_meta_graph_with_return_elements,
)
from tfmini._src.train.meta_graph.stripped_op_list import (
    ops_used_by_graph_def,
    stripped_op_list_for_graph,
)
from tfmini._src.train.meta_graph.write_graph import read_message

__all__ = [
    "add_collection_def",
    "copy_scoped_meta_graph",
    "create_meta_graph_def",
    "export_scoped_meta_graph",
    "import_scoped_meta_graph",
    "import_scoped_meta_graph_with_return_elements",
    "ops_used_by_graph_def",
    "read_meta_graph_file",
    "stripped_op_list_for_graph",
]


def import_scoped_meta_graph(*args: Any, **kwargs: Any) -> dict[str, Any]:
    """Adds a MetaGraphDef to a graph; returns its variables by name in the MetaGraphDef."""
    return import_scoped_meta_graph_with_return_elements(*args, **kwargs)[0]


def read_meta_graph_file(filename: str) -> Any:
    """Returns the MetaGraphDef in a binary or text file; raises OSError for other files."""
    return read_message(filename, proto.MetaGraphDef)


def copy_scoped_meta_graph(
    from_scope: str, to_scope: str, from_graph: Any = None, to_graph: Any = None
) -> dict[str, Any]:
    """Copies the nodes below a name scope to another scope, in the same or another graph.

    Args:
      from_scope: the name scope to copy.
      to_scope: the name scope of the copy.
      from_graph: the graph to copy from, by default the default graph.
      to_graph: the graph of the copy, by default the default graph.

    Returns:
      The variables of the copy, by name in the scope.

    Raises:
      ValueError: if both are the same scope of the same graph.
    """
    from_graph = from_graph or get_default_graph()
    to_graph = to_graph or get_default_graph()
    if from_graph is to_graph and from_scope == to_scope:
        raise ValueError(
            "'from_scope' and 'to_scope' need to be different when performing copy in the same graph."
        )
    message, _ = export_scoped_meta_graph(export_scope=from_scope, graph=from_graph)
    return import_scoped_meta_graph(message, graph=to_graph, import_scope=to_scope)
