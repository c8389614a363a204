"""`tensorflow.python.ops.control_flow_util`: where in the control flow a node stands."""

from __future__ import annotations

from typing import Any

from tfmini.graph.loop_inputs import output_context as GetOutputContext

__all__ = [
    "EnableControlFlowV2",
    "GetContainingCondContext",
    "GetContainingWhileContext",
    "GetContainingXLAContext",
    "GetOutputContext",
    "GetWhileContext",
    "GraphOrParentsInXlaContext",
    "InXlaContext",
    "IsContainingContext",
    "IsInCond",
    "IsInWhileLoop",
    "IsInXLAContext",
    "IsLoopEnter",
    "IsLoopExit",
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
    """Whether a node brings a value into a loop."""
    return op.type in ("Enter", "RefEnter")


def IsLoopExit(op: Any) -> bool:
    """Whether a node brings a value out of a loop."""
    return op.type in ("Exit", "RefExit")


def IsInCond(op: Any) -> bool:
    """Whether a node is in a branch of a condition."""
    return GetContainingCondContext(op._get_control_flow_context()) is not None


def IsInWhileLoop(op: Any) -> bool:
    """Whether a node is in a loop."""
    return GetContainingWhileContext(op._get_control_flow_context()) is not None


def GetWhileContext(op: Any) -> Any:
    """The loop around a node, None if there is none."""
    return GetContainingWhileContext(op._get_control_flow_context())


def GetContainingWhileContext(ctxt: Any, stop_ctxt: Any = None) -> Any:
    """The innermost loop around a context, itself included; None if there is none, or it is not within `stop_ctxt`."""
    while ctxt is not None and not ctxt.IsWhileContext():
        if ctxt is stop_ctxt:
            return None
        ctxt = ctxt.outer_context
    return ctxt


def GetContainingCondContext(ctxt: Any) -> Any:
    """The innermost condition around a context, itself included; None if there is none."""
    while ctxt is not None and not ctxt.IsCondContext():
        ctxt = ctxt.outer_context
    return ctxt


def IsContainingContext(ctxt: Any, maybe_containing_ctxt: Any) -> bool:
    """Whether a context is the other one or within it."""
    while ctxt is not maybe_containing_ctxt:
        if ctxt is None:
            return False
        ctxt = ctxt.outer_context
    return True


def GetContainingXLAContext(ctxt: Any) -> None:
    """None: tfmini has no XLA."""


def IsInXLAContext(op: Any) -> bool:
    """False: tfmini has no XLA."""
    return False


def InXlaContext(graph: Any) -> bool:
    """False: tfmini has no XLA."""
    return False


def GraphOrParentsInXlaContext(graph: Any) -> bool:
    """False: tfmini has no XLA."""
    return False


def EnableControlFlowV2(graph: Any) -> bool:
    """False: conditions and loops are Switch, Merge, Enter and Exit nodes."""
    return False
