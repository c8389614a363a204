"""The op that initializes all lookup tables: a group of the ops in the collection TABLE_INITIALIZERS."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.graph.collections import get_collection
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.ops import ops


def tables_initializer(name: str = "init_all_tables") -> Any:
    """Returns an operation that initializes all tables of the graph, or a no-op if there are none.

    Example: `session.run([tf.global_variables_initializer(), tf.tables_initializer()])`.
    """
    initializers = get_collection(GraphKeys.TABLE_INITIALIZERS)
    if initializers:
        return ops.group(*initializers, name=name)
    return ops.no_op(name=name)


@deprecated(None, "Use `tf.tables_initializer` instead.")
def initialize_all_tables(name: str = "init_all_tables") -> Any:
    """Old name of `tf.tables_initializer`."""
    return tables_initializer(name)
