"""`tf.contrib.graph_editor`: operations and tensors of a graph, found by walks and filters."""

from tfmini.contrib.graph_editor.selecting import (
    filter_ops,
    filter_ops_from_regex,
    filter_ts,
    filter_ts_from_regex,
    get_backward_walk_ops,
    get_forward_walk_ops,
    make_list_of_op,
)
from tfmini.graph.op_selection import (
    get_consuming_ops,
    get_generating_ops,
    get_tensors,
    make_list_of_t,
)
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "filter_ops",
    "filter_ops_from_regex",
    "filter_ts",
    "filter_ts_from_regex",
    "get_backward_walk_ops",
    "get_consuming_ops",
    "get_forward_walk_ops",
    "get_generating_ops",
    "get_tensors",
    "make_list_of_op",
    "make_list_of_t",
]

_namespace(globals())
