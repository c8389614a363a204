"""`tf.graph_util`: GraphDefs cut down to what is needed, with values in place of variables.

All of it works on messages and adds nothing to a graph, but `import_graph_def`.
"""

from tfmini.graph.graphdef.graphdef import import_graph_def
from tfmini.graph_util.freezing import convert_variables_to_constants
from tfmini.graph_util.pruning import extract_sub_graph, remove_training_nodes
from tfmini.graph_util.questions import must_run_on_cpu, tensor_shape_from_node_def_name
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "convert_variables_to_constants",
    "extract_sub_graph",
    "import_graph_def",
    "must_run_on_cpu",
    "remove_training_nodes",
    "tensor_shape_from_node_def_name",
]

_namespace(globals())
