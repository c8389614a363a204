"""Graph queries before pruning: reachable operations, reference inputs, execution order."""

from __future__ import annotations

import heapq
from collections.abc import Container, Sequence
from typing import TYPE_CHECKING

from tfmini._src.base.errors import InvalidArgumentError

if TYPE_CHECKING:
    from tfmini._src.compiler.program.program import Node
    from tfmini._src.graph.operation import Operation
    from tfmini._src.graph.tensor import Tensor

LOOPS_BACK = frozenset({"NextIteration", "RefNextIteration"})


def reference_flags(op: Operation | Node) -> list[bool]:
    """Returns, for each input of a node or operation, whether it is a reference input."""
    flags: list[bool] = []
    for arg in op.opdef.inputs:
        flags += [arg.is_ref] * arg.count(op.attrs)
    return flags


def reachable(
    fetches: Sequence[Tensor], feeds: Sequence[Tensor], targets: Sequence[Operation]
) -> set[Operation]:
    """Returns the operations that fetches and targets depend on, cut at the feeds."""
    fed = set(feeds)
    # A control edge from a fed placeholder has no effect.
    fed_placeholders = {t.op for t in feeds if t.op.type in ("Placeholder", "PlaceholderV2")}
    needed: set[Operation] = set()
    pending = [t.op for t in fetches if t not in fed]
    pending += targets
    while pending:
        op = pending.pop()
        if op in needed:
            continue
        needed.add(op)
        for tensor in op.inputs:
            if tensor not in fed and tensor.op not in needed:
                pending.append(tensor.op)
        for control in (*op._control_inputs, *op._added_effects):
            if control not in needed and control not in fed_placeholders:
                pending.append(control)
    return needed


def loops_back(op: Operation, tensor: Tensor) -> bool:
    """Whether `tensor` is the back edge of a loop into `op`."""
    return tensor.op.type in LOOPS_BACK and op.opdef.is_merge


def input_operations(op: Operation, fed: Container[Tensor]) -> list[Operation]:
    """Returns the operations that `op` depends on, without loop back edges."""
    tensors = [t.op for t in op.inputs if t not in fed and not loops_back(op, t)]
    return [*tensors, *op._control_inputs]


def in_order(needed: set[Operation], fed: Container[Tensor]) -> list[Operation]:
    """Sorts `needed` by creation order, rearranged only where an edge points backward."""
    ordered = sorted(needed, key=lambda op: op._id)
    if all(
        source._id < op._id
        for op in ordered
        for source in input_operations(op, fed)
        if source in needed
    ):
        return ordered
    waiting: dict[Operation, int] = {}
    consumers: dict[Operation, list[Operation]] = {}
    for op in ordered:
        sources = needed.intersection(input_operations(op, fed))
        waiting[op] = len(sources)
        for source in sources:
            consumers.setdefault(source, []).append(op)
    ready = [(op._id, op) for op in ordered if not waiting[op]]
    heapq.heapify(ready)
    result = []
    while ready:
        _, op = heapq.heappop(ready)
        result.append(op)
        for consumer in consumers.get(op, ()):
            waiting[consumer] -= 1
            if not waiting[consumer]:
                heapq.heappush(ready, (consumer._id, consumer))
    if len(result) < len(ordered):
        stuck = next(op for op in ordered if waiting[op])
        raise InvalidArgumentError(
            None,
            stuck,
            f"Graph is invalid, contains a cycle with {len(ordered) - len(result)} nodes",
        )
    return result
