"""`tf.contrib.copy_graph`: nodes and variables copied from one graph to another, each with what it needs."""

from tfmini.contrib.copy_graph.elements import (
    copy_op_to_graph,
    copy_variable_to_graph,
    get_copied_op,
)
from tfmini.names.namespaces import namespace as _namespace

__all__ = ["copy_op_to_graph", "copy_variable_to_graph", "get_copied_op"]

_namespace(globals())
