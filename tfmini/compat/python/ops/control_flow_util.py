"""`tensorflow.python.ops.control_flow_util`: the position of a node in the control flow."""

from __future__ import annotations

from typing import Any

from tfmini._src.graph.loop_inputs import output_context as GetOutputContext

__all__ = [
    "EnableControlFlowV2",
    "GetContainingCondContext",
    "GetContainingWhileContext",
    "GetContainingXLAContext",
    "GetOutputContext",
    "GetWhileContext",
    "GraphOrParentsInXlaContext",
    "InXlaContext",
    "IsCondMerge",
    "IsCondSwitch",
    "IsContainingContext",
    "IsInCond",
    "IsInWhileLoop",
    "IsInXLAContext",
    "IsLoopConstantEnter",
    "IsLoopEnter",
    "IsLoopExit",
    "IsLoopMerge",
    "IsLoopSwitch",
    "IsMerge",
    "IsSwitch",
]


def IsSwitch(op: Any) -> bool:
    """Whether a node is a Switch."""
    return op.type in ("Switch", "RefSwitch")


def IsMerge(op: Any) -> bool:
    """Whether a node is a Merge."""
    return op.type in ("Merge", "RefMerge")


def IsLoopEnter(op: Any) -> bool:
    """Whether a node passes a value into a loop."""
    return op.type in ("Enter", "RefEnter")


def IsLoopExit(op: Any) -> bool:
    """Whether a node passes a value out of a loop."""
    return op.type in ("Exit", "RefExit")


def IsLoopConstantEnter(op: Any) -> bool:
    """Whether a node passes a loop-invariant value into a loop."""
    return IsLoopEnter(op) and op.get_attr("is_constant")


def IsLoopSwitch(op: Any) -> bool:
    """Whether a node is the Switch of a loop."""
    if not IsSwitch(op):
        return False
    context = op._get_control_flow_context()
    return context is not None and context.IsWhileContext() and not IsCondSwitch(op)


def IsLoopMerge(op: Any) -> bool:
    """Whether a node is the Merge of a loop."""
    if not IsMerge(op):
        return False
    context = op._get_control_flow_context()
    return context is not None and context.IsWhileContext() and not IsCondMerge(op)


def IsCondSwitch(op: Any) -> bool:
    """Whether a node is the Switch of a conditional, whose consumers are in one of its branches."""
    if not IsSwitch(op) or not op.outputs:
        return False
    users = [user for tensor in op.outputs for user in tensor.consumers()]
    contexts = [_context_around(user) for user in users]
    return all(c is not None and c.IsCondContext() for c in contexts)


def _context_around(op: Any) -> Any:
    """Returns the context of a node; for an Enter, the context around its loop."""
    context = op._get_control_flow_context()
    if IsLoopEnter(op):
        context = context.outer_context
    return context


def IsCondMerge(op: Any) -> bool:
    """Whether a node is the Merge of a conditional, whose inputs come from its branches."""
    if not IsMerge(op) or not op.inputs:
        return False
    contexts = [GetOutputContext(tensor.op) for tensor in op.inputs]
    return all(c is not None and c.IsCondContext() for c in contexts)


def IsInCond(op: Any) -> bool:
    """Whether a node is in a branch of a conditional."""
    return GetContainingCondContext(op._get_control_flow_context()) is not None


def IsInWhileLoop(op: Any) -> bool:
    """Whether a node is in a loop."""
    return GetContainingWhileContext(op._get_control_flow_context()) is not None


def GetWhileContext(op: Any) -> Any:
    """Returns the loop around a node, or None."""
    return GetContainingWhileContext(op._get_control_flow_context())


def GetContainingWhileContext(ctxt: Any, stop_ctxt: Any = None) -> Any:
    """Returns the innermost loop around a context, including itself; None outside of loops within `stop_ctxt`."""
    while ctxt is not None and not ctxt.IsWhileContext():
        if ctxt is stop_ctxt:
            return None
        ctxt = ctxt.outer_context
    return ctxt


def GetContainingCondContext(ctxt: Any) -> Any:
    """Returns the innermost conditional around a context, including itself; None outside of conditionals."""
    while ctxt is not None and not ctxt.IsCondContext():
        ctxt = ctxt.outer_context
    return ctxt


def IsContainingContext(ctxt: Any, maybe_containing_ctxt: Any) -> bool:
    """Whether `maybe_containing_ctxt` is `ctxt` or contains it."""
    while ctxt is not maybe_containing_ctxt:
        if ctxt is None:
            return False
        ctxt = ctxt.outer_context
    return True


def GetContainingXLAContext(ctxt: Any) -> None:
    """Returns None, since tfmini does not support XLA."""


def IsInXLAContext(op: Any) -> bool:
    """Always False, since tfmini does not support XLA."""
    return False


def InXlaContext(graph: Any) -> bool:
    """Always False, since tfmini does not support XLA."""
    return False


def GraphOrParentsInXlaContext(graph: Any) -> bool:
    """Always False, since tfmini does not support XLA."""
    return False


def EnableControlFlowV2(graph: Any) -> bool:
    """Always False, since conditionals and loops are Switch, Merge, Enter and Exit nodes."""
    return False
