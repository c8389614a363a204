"""`tf.contrib.util`: constants as protos, the ops of a GraphDef, and the values of tensors that the graph decides."""

from tfmini.graph.static_values import get_static_value as constant_value
from tfmini.graph.tensor_proto import MakeNdarray as make_ndarray
from tfmini.graph.tensor_proto import make_tensor_proto
from tfmini.meta_graphs.used_ops import ops_used_by_graph_def, stripped_op_list_for_graph
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "constant_value",
    "make_ndarray",
    "make_tensor_proto",
    "ops_used_by_graph_def",
    "stripped_op_list_for_graph",
]

_namespace(globals())
