"""Outputs of GraphDefs: nodes without consumers, except gradients and summaries."""

from __future__ import annotations

import re

from tfmini._src.base import proto
from tfmini._src.graph.opdef import makes_variable, registry

PLACEHOLDERS = ("Placeholder", "PlaceholderV2", "PlaceholderWithDefault")
_NO_OUTPUTS = frozenset({"NoOp", "Assert", "ControlTrigger", "SaveV2", "MergeV2Checkpoints"})
_AUXILIARY_NAME = re.compile(r"save(_\d+)?/|(.*/)?cond(_\d+)?/(switch_[tf]|pred_id)$")


def unread_nodes(graph_def: proto.GraphDef) -> list[str]:
    """Returns nodes with no consumers but gradients and summaries, except placeholders, variables and constants."""
    read = {
        name.lstrip("^").partition(":")[0]
        for node in graph_def.node
        for name in node.input
        if _is_gradient(name) or not (_is_gradient(node.name) or "Summary" in node.op)
    }
    return [node.name for node in graph_def.node if node.name not in read and _has_outputs(node)]


def nodes_without_results(graph_def: proto.GraphDef) -> set[str]:
    """Returns the nodes of variables, gradients, summaries, Savers or `tf.cond`, which are not results."""
    variables = {node.name for node in graph_def.node if makes_variable(node.op)}
    return {
        node.name
        for node in graph_def.node
        if any(word in node.op for word in ("Assign", "Apply", "Summary"))
        or (node.op in ("Identity", "ReadVariableOp") and not variables.isdisjoint(node.input[:1]))
        or _AUXILIARY_NAME.match(node.name)
        or _is_gradient(node.name)
    }


def _has_outputs(node: proto.NodeDef) -> bool:
    if node.op in (*PLACEHOLDERS, *_NO_OUTPUTS, "Const") or makes_variable(node.op):
        return False
    opdef = registry.get(node.op)
    return opdef is None or bool(opdef.outputs)


def _is_gradient(name: str) -> bool:
    """Whether a node or input name belongs to the scope of `tf.gradients`."""
    return "gradients" in name.lstrip("^").split("/")[:-1]
