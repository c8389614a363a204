"""Node placement requirements, and static shapes in a GraphDef."""

from __future__ import annotations

from tfmini._src.base import dtypes, proto
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.shapes import TensorShape
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.operation import Operation

_VARIABLE_OP_TYPES = frozenset(
    "Assign AssignAdd AssignSub Queue ScatterAdd ScatterSub ScatterUpdate TruncatedNormal Variable"
    " VariableV2".split()
)
# By op: the type attr for which GPUs lack an int32 kernel.
_NON_INTEGER_OPS = {
    "Const": "dtype",
    "DynamicStitch": "T",
    "ParallelDynamicStitch": "T",
    "Cast": "SrcT",
}


@deprecated(None, "Use `tf.compat.v1.graph_util.must_run_on_cpu`")
def must_run_on_cpu(node: proto.NodeDef, pin_variables_on_cpu: bool = False) -> bool:
    """Whether a node must run on the CPU, by its op type.

    Args:
      node: an Operation or a NodeDef.
      pin_variables_on_cpu: whether to include variable nodes.

    Example: `tf.device(lambda op: "/cpu:0" if must_run_on_cpu(op) else "/gpu:0")`.
    """
    node_def = node.node_def if isinstance(node, Operation) else node
    assert isinstance(node_def, proto.NodeDef)
    if pin_variables_on_cpu and node_def.op in _VARIABLE_OP_TYPES:
        return True
    if node_def.op not in _NON_INTEGER_OPS:
        return False
    dtype = node_def.attr[_NON_INTEGER_OPS[node_def.op]].type
    return dtype == dtypes.int32 or (node_def.op == "Const" and dtype == dtypes.string)


@deprecated(None, "Use `tf.compat.v1.graph_util.tensor_shape_from_node_def_name`")
def tensor_shape_from_node_def_name(graph: Graph, input_name: str) -> TensorShape:
    """Returns the static shape of a tensor, specified by its NodeDef input name ("x" for "x:0").

    Raises:
      KeyError: for an unknown tensor.
    """
    name = input_name if ":" in input_name else input_name + ":0"
    return graph.get_tensor_by_name(name).get_shape()
