"""Constant folding of GraphDefs before export."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from tfmini._src.base import proto
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.graphdef.import_graph_def import import_graph_def
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor_proto import make_tensor_proto
from tfmini._src.session.session import Session

_MAX_BYTES = 10 << 20  # maximum size of constants that are larger than their operands
# Values that constants cannot have, and nodes of loop frames.
_UNFOLDED_OPS = frozenset(
    "Switch RefSwitch Merge RefMerge Enter RefEnter Exit RefExit NextIteration RefNextIteration LoopCond NoOp"
    " Placeholder PlaceholderWithDefault ControlTrigger Assert".split()
)


def fold_constants(graph_def: proto.GraphDef, outputs: Collection[str]) -> proto.GraphDef:
    """Returns a copy of a graph in which constants replace constant subgraphs.

    Preserves node names, control inputs (so loop constants stay in their loops) and unused nodes.

    Args:
      graph_def: the graph.
      outputs: names of the output operations.
    """
    graph = Graph()
    with graph.as_default():
        import_graph_def(graph_def, name="")
    waits: dict[Operation, list[str]] = {}  # by constant, the control inputs on its path
    for op in graph._ops:
        if op.type == "Const" or _is_foldable(op, waits):
            parts = [waits[tensor.op] for tensor in op.inputs]
            control_names = [f"^{control.name}" for control in op.control_inputs]
            waits[op] = list(
                dict.fromkeys([*control_names, *(name for part in parts for name in part)])
            )
    expected = [
        op
        for op in waits
        if op.type != "Const"
        and (op.name in outputs or any(user not in waits for user in op.outputs[0].consumers()))
    ]
    values = _evaluate_constants(
        graph_def, {op.name for op in waits}, [op.outputs[0].name for op in expected]
    )
    folded = proto.GraphDef()
    folded.CopyFrom(graph_def)
    nodes = {node.name: node for node in folded.node}
    for op, value in zip(expected, values):
        if _is_small(value, op):
            _replace_by_constant(nodes[op.name], op, value, waits[op])
    return folded


def _evaluate_constants(
    graph_def: proto.GraphDef, names: set[str], outputs: list[str]
) -> list[np.ndarray]:
    """Returns the values of constant subgraphs outside loops."""
    empty_graph = proto.GraphDef(versions=graph_def.versions)
    for node in graph_def.node:
        if node.name in names:
            copied = empty_graph.node.add()
            copied.CopyFrom(node)
            copied.input[:] = [name for name in node.input if not name.startswith("^")]
            copied.attr.pop("_class", None)
    graph = Graph()
    with graph.as_default(), Session(graph=graph) as session:
        import_graph_def(empty_graph, name="")
        values: list[np.ndarray] = session.run(outputs)
        return values


def _is_foldable(op: Operation, constant: Collection[Operation]) -> bool:
    if op.type in _UNFOLDED_OPS or len(op.outputs) != 1 or not op.inputs or op.opdef.has_effects:
        return False
    if op.opdef.is_function or op.opdef.takes_functions:
        return False
    dtype = op.outputs[0].dtype
    if dtype._is_ref_dtype or dtype.name in ("resource", "variant"):
        return False
    return all(tensor.op in constant for tensor in op.inputs)


def _is_small(value: np.ndarray, op: Operation) -> bool:
    """Whether a constant may replace an op; a large constant may only if the op's inputs are as large."""
    total = sum(tensor.shape.num_elements() or 0 for tensor in op.inputs)
    return np.asarray(value).nbytes <= _MAX_BYTES or np.size(value) <= total


def _replace_by_constant(
    node: proto.NodeDef, op: Operation, value: np.ndarray, controls: list[str]
) -> None:
    dtype = op.outputs[0].dtype
    node_def = proto.NodeDef(name=node.name, op="Const", device=node.device, input=controls)
    node_def.attr["dtype"].type = dtype.as_datatype_enum
    node_def.attr["value"].tensor.CopyFrom(make_tensor_proto(value, dtype))
    node.CopyFrom(node_def)
