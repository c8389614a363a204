"""prune: from the graph, what the fetches need, cut at the feeds, in an order in which it can run.

Nodes run in the order in which they were made, unless an edge says otherwise: a fixed choice where TensorFlow leaves
it open, and one that reads a variable before what updates it later in the program.

A reference variable's value is read by each consumer at its own step, and by fetches at the end: in TensorFlow an
Identity of a variable (`w/read`) shares the variable's memory, so that what runs after an update sees it.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from typing import Any

from tfmini.errors import InvalidArgumentError
from tfmini.runtime.program import Node, Program, Slot

# Ops that hand a variable's memory on: what reads their result reads the variable.
_PASS_CELLS = frozenset({"Identity", "Switch", "RefSwitch", "RefEnter"})
_MERGES = frozenset({"Merge", "RefMerge"})
_LOOPS_BACK = frozenset({"NextIteration", "RefNextIteration"})


def prune(fetches: Sequence[Any], feeds: Sequence[Any], targets: Sequence[Any]) -> Program:
    """The program that computes tensors `fetches` and runs operations `targets`, given tensors `feeds`."""
    slot_of: dict[Any, int] = {}
    slots: list[Slot] = []
    for tensor in feeds:
        slot_of[tensor] = len(slots)
        slots.append(Slot(tensor.dtype.base_dtype, tensor._dims))
    needed = reachable(fetches, feeds, targets)
    nodes: list[Node] = []
    node_of: dict[Any, Node] = {}
    for op in in_order(needed, slot_of):
        inputs = []
        references = reference_flags(op)
        passes_cells = op.type in _PASS_CELLS
        for position, tensor in enumerate(op.inputs):
            slot = slot_of.get(tensor)
            if slot is None and loops_back(op, tensor):
                slot = slot_of[tensor] = _new_slot(slots, tensor)
            if slot is None:
                raise InvalidArgumentError(
                    None, op, f"Graph is invalid, contains a cycle at {op.name}"
                )
            is_cell = slots[slot].dtype._is_ref_dtype
            if is_cell and not references[position] and not passes_cells:
                slot = _add_read(nodes, slots, slot, op, tensor)
            elif references[position] and not is_cell:
                raise _fed_reference(op, position, feeds)
            inputs.append(slot)
        controls = tuple(node_of[c] for c in op._control_inputs if c in node_of)
        if op.type == "Identity" and slots[inputs[0]].dtype._is_ref_dtype:
            if controls:  # reads when these are done
                inputs[0] = _add_read(nodes, slots, inputs[0], op, op.inputs[0])
            elif op.outputs[0] not in slot_of:
                slot_of[op.outputs[0]] = inputs[0]
                node_of[op] = Node("read", op, (inputs[0],), (_new_slot(slots, op.outputs[0]),))
                nodes.append(node_of[op])
                continue
        is_cell = passes_cells and slots[inputs[0]].dtype._is_ref_dtype
        outputs = []
        for tensor in op.outputs:
            known = slot_of.get(tensor) if op.type in _LOOPS_BACK else None
            outputs.append(_new_slot(slots, tensor, is_cell) if known is None else known)
            slot_of.setdefault(tensor, outputs[-1])  # a fed one keeps its value
        node_of[op] = Node("op", op, tuple(inputs), tuple(outputs), controls)
        nodes.append(node_of[op])
    results = []
    for tensor in fetches:
        slot = slot_of[tensor]
        if slots[slot].dtype._is_ref_dtype:
            slot = _add_read(nodes, slots, slot, tensor.op, tensor)
            nodes[-1].controls = (node_of[tensor.op],)
        results.append(slot)
    return Program(
        nodes,
        slots,
        tuple(range(len(feeds))),
        tuple(results),
        [node_of[op] for op in targets],
        fed=tuple(tensor.op for tensor in feeds),
    )


def reference_flags(op: Any) -> list[bool]:
    """For each input of a node, whether it takes a reference."""
    flags: list[bool] = []
    for arg in op.opdef.inputs:
        count = 1
        if arg.number_attr:
            count = op.attrs[arg.number_attr]
        elif arg.type_list_attr:
            count = len(op.attrs[arg.type_list_attr])
        flags += [arg.is_ref] * count
    return flags


def _fed_reference(op: Any, position: int, feeds: Sequence[Any]) -> InvalidArgumentError:
    """The error of an op that changes a variable which is fed."""
    tensor = op.inputs[position]
    number = sorted(t.name for t in feeds).index(tensor.name)
    kind = tensor.dtype.base_dtype.proto_name
    return InvalidArgumentError(
        None,
        None,
        f"Input {position} of node {op.name} was passed {kind} from "
        f"_arg_{tensor.op.name}_{tensor.value_index}_{number}:0 incompatible with expected {kind}_ref.",
    )


def _new_slot(slots: list[Slot], tensor: Any, is_cell: bool = False) -> int:
    dtype = tensor.dtype._as_ref if is_cell else tensor.dtype
    slots.append(Slot(dtype, tensor._dims))
    return len(slots) - 1


def _add_read(nodes: list[Node], slots: list[Slot], slot: int, op: Any, tensor: Any) -> int:
    """A read of a variable's cell, at the step of its consumer as TensorFlow's reference edges do."""
    slots.append(Slot(tensor.dtype.base_dtype, tensor._dims))
    origin = tensor.op if tensor.op.type == "Identity" else op  # whom TensorFlow names if it fails
    nodes.append(Node("read", origin, (slot,), (len(slots) - 1,)))
    return len(slots) - 1


def reachable(fetches: Sequence[Any], feeds: Sequence[Any], targets: Sequence[Any]) -> set:
    """The operations that the fetches need."""
    fed = set(feeds)
    # Waiting for a placeholder that is fed is waiting for nothing.
    given = {t.op for t in feeds if t.op.type in ("Placeholder", "PlaceholderV2")}
    needed: set = set()
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
        for control in (*op._control_inputs, *op._brings):
            if control not in needed and control not in given:
                pending.append(control)
    return needed


def loops_back(op: Any, tensor: Any) -> bool:
    """Whether `tensor` is what `op` takes in all iterations of a loop but the first."""
    return tensor.op.type in _LOOPS_BACK and op.type in _MERGES


def sources_of(op: Any, fed: Any) -> list:
    """The operations that `op` waits for: not the end of a loop, where it is the start."""
    tensors = [t.op for t in op.inputs if t not in fed and not loops_back(op, t)]
    return [*tensors, *op._control_inputs]


def in_order(needed: set, fed: Any) -> list:
    """`needed` in the order of making, rearranged only where an edge points back."""
    ordered = sorted(needed, key=lambda op: op._id)
    if all(
        source._id < op._id for op in ordered for source in sources_of(op, fed) if source in needed
    ):
        return ordered
    waiting: dict[Any, int] = {}
    consumers: dict[Any, list] = {}
    for op in ordered:
        sources = needed.intersection(sources_of(op, fed))
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
