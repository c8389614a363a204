"""prune: extracts the subgraph that the fetches depend on, cut at the feeds, in execution order.

Nodes run in creation order unless an edge requires otherwise, except accesses to reference variables
(`analysis/access_order.py`). TensorFlow leaves this order open; creation order is deterministic.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from typing import TYPE_CHECKING

from tfmini._src.base.errors import InvalidArgumentError
from tfmini._src.compiler.analysis import stale_shapes
from tfmini._src.compiler.program.graph_order import (
    LOOPS_BACK,
    in_order,
    loops_back,
    reachable,
    reference_flags,
)
from tfmini._src.compiler.program.program import Node, Program, Slot

if TYPE_CHECKING:
    from tfmini._src.graph.operation import Operation
    from tfmini._src.graph.tensor import Tensor


def prune(
    fetches: Sequence[Tensor], feeds: Sequence[Tensor], targets: Sequence[Operation]
) -> Program:
    """Returns the program that computes tensors `fetches` and runs operations `targets`, given tensors `feeds`."""
    slot_of: dict[Tensor, int] = {}
    slots: list[Slot] = []
    for tensor in feeds:
        slot_of[tensor] = len(slots)
        slots.append(Slot(tensor.dtype.base_dtype, tensor._dims))
    ops = in_order(reachable(fetches, feeds, targets), slot_of)
    stale = stale_shapes.stale_shapes(feeds, ops) if feeds else ()
    nodes: list[Node] = []
    node_of: dict[Operation, Node] = {}
    for op in ops:
        inputs = []
        references = None if op.opdef.takes_single_tensors else reference_flags(op)
        for position, tensor in enumerate(op.inputs):
            slot = slot_of.get(tensor)
            if slot is None and loops_back(op, tensor):
                slot = slot_of[tensor] = _new_slot(slots, tensor, stale)
            if slot is None:
                raise InvalidArgumentError(
                    None, op, f"Graph is invalid, contains a cycle at {op.name}"
                )
            if references and references[position] and not slots[slot].dtype._is_ref_dtype:
                raise _missing_reference_error(op, position, feeds)
            inputs.append(slot)
        controls = tuple(node_of[c] for c in op._control_inputs if c in node_of)
        outputs = []
        for tensor in op.outputs:
            loop_slot = slot_of.get(tensor) if op.type in LOOPS_BACK else None
            outputs.append(_new_slot(slots, tensor, stale) if loop_slot is None else loop_slot)
            slot_of.setdefault(tensor, outputs[-1])  # a fed tensor keeps its slot
        node_of[op] = Node("op", op, tuple(inputs), tuple(outputs), controls)
        nodes.append(node_of[op])
    return Program(
        nodes,
        slots,
        tuple(range(len(feeds))),
        tuple(slot_of[tensor] for tensor in fetches),
        [node_of[op] for op in targets],
        fed=tuple(tensor.op for tensor in feeds),
        retvals=dict(_retvals(fetches, slot_of)),
    )


def _retvals(fetches: Sequence[Tensor], slot_of: dict[Tensor, int]) -> Iterator[tuple[int, str]]:
    """Returns the slot of each fetched reference and the name of TensorFlow's node for the fetch."""
    if any(tensor.dtype._is_ref_dtype for tensor in fetches):
        for index, tensor in enumerate(sorted(set(fetches), key=lambda t: t.name)):
            opdef = tensor.op.opdef
            # All other ops raise their own error.
            if opdef.makes_variable or opdef.uninitialized_input:
                yield slot_of[tensor], f"_retval_{tensor.op.name}_{tensor.value_index}_{index}"


def _missing_reference_error(
    op: Operation, position: int, feeds: Sequence[Tensor]
) -> InvalidArgumentError:
    """Returns the error for an op that requires a reference but reads the value of a fed or loop variable."""
    tensor = op.inputs[position]
    dtype_name, name = tensor.dtype.base_dtype.proto_name, tensor.name
    if tensor in feeds:
        index = sorted(t.name for t in feeds).index(name)
        name = f"_arg_{tensor.op.name}_{tensor.value_index}_{index}:0"
    message = (
        f"Input {position} of node {op.name} was passed {dtype_name} from {name} "
        f"incompatible with expected {dtype_name}_ref."
    )
    return InvalidArgumentError(None, None, message)


def _new_slot(slots: list[Slot], tensor: Tensor, stale: Container[Tensor]) -> int:
    slots.append(Slot(tensor.dtype, None if tensor in stale else tensor._dims))
    return len(slots) - 1
