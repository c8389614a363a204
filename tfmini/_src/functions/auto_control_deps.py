"""The order of effects in a function's body: control edges that keep that of the program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor

# Ops with state that may run in any order, and need not run.
_FREE = frozenset(
    (
        *("CollectiveGather", "CollectiveReduce", "CollectiveBcastSend", "CollectiveBcastRecv"),
        *("NcclAllReduce", "RandomUniform", "RandomUniformInt", "RandomStandardNormal"),
        *("ParameterizedTruncatedNormal", "TruncatedNormal", "RandomShuffle", "Multinomial"),
        *("RandomGamma", "RandomGammaGrad", "RandomPoisson", "RandomPoissonV2"),
    )
)


def ordered_effects(graph: Graph, first: int, results: Sequence[Tensor]) -> list[Operation]:
    """Adds control edges between the operations of a body from number `first` on, and to its results.

    Returns:
      What must run.
    """
    must_run: dict[Operation, None] = {}
    last: dict[Any, Operation] = {}  # by resource: what used it last; None: what has an effect else
    for op in graph._ops[first:]:
        context = op._control_flow_context
        if _is_in_loop(context):
            continue
        has_effect = op.opdef.is_function or (op._is_stateful and op.type not in _FREE)
        if has_effect:
            must_run[op] = None
        if op.type == "Switch" and op.inputs[0].dtype is dtypes.resource:
            continue
        if op.type == "Merge":
            for other in must_run:
                _wait_for(op, other)
                for tensor in other.inputs:
                    if tensor in last:
                        last[tensor] = op
            must_run = {op: None}
            continue
        used = [t for t in dict.fromkeys(op.inputs) if t.dtype is dtypes.resource]
        for tensor in used:
            before = last.get(tensor)
            if before is not None and before._control_flow_context is context:
                _wait_for(op, before)
            last[tensor] = op
        if has_effect and not used and context is None:
            if None in last:
                _wait_for(op, last[None])
            last[None] = op
    for tensor in results:
        for op in must_run:
            if op._control_flow_context is tensor.op._control_flow_context:
                _wait_for(tensor.op, op)
    return list(must_run)


def _wait_for(op: Operation, other: Operation) -> None:
    if other is not op and other not in op._control_inputs:
        op._add_control_input(other)


def _is_in_loop(context: Any) -> bool:
    while context is not None:
        if context.IsWhileContext():
            return True
        context = context.outer_context
    return False
