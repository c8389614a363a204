"""The nodes of a loop in an iteration's body."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor

# Stateful ops that return the same in each iteration.
_EFFECT_FREE_OPS = frozenset(["VariableV2", "VarHandleOp", "ReadVariableOp", "Placeholder"])


def has_state(op: Operation) -> bool:
    """Whether an op is stateful, not counting reads; for an Exit, whether any op in its loop is."""
    if op.type == "Exit":
        return any(map(has_state, exit_loop(op).body))
    return op.opdef.stateful and op.type not in _EFFECT_FREE_OPS


@dataclass(frozen=True)
class LoopNodes:
    """A loop of Switch and Merge nodes.

    Attributes:
      condition: its LoopCond.
      switches: the Switch of each loop variable.
      invariants: the Enters of its captured tensors.
      body: the ops of its condition and its body, including nested loops.
    """

    condition: Operation
    switches: list[Operation]
    invariants: list[Operation]
    body: set[Operation]

    @property
    def merges(self) -> list[Operation]:
        """The Merge of each loop variable."""
        return [switch.inputs[0].op for switch in self.switches]

    @property
    def enters(self) -> list[Operation]:
        """The Enters of the loop variables, then the Enters of the captured tensors."""
        return [*(merge.inputs[0].op for merge in self.merges), *self.invariants]

    @property
    def inputs(self) -> list[Tensor]:
        """The tensors that enter the loop."""
        return [enter.inputs[0] for enter in self.enters]

    @property
    def controls(self) -> list[Operation]:
        """The ops that run before any tensor enters the loop."""
        return [op for enter in self.enters for op in enter.control_inputs]


def exit_loop(leaving: Operation) -> LoopNodes:
    """Returns the loop of an Exit."""
    condition = leaving.inputs[0].op.inputs[1].op
    switches = [
        op
        for op in dict.fromkeys(condition.outputs[0].consumers())
        if op.type == "Switch" and op.inputs[0].op.type == "Merge"
    ]
    merges = [switch.inputs[0].op for switch in switches]
    body: set[Operation] = set()
    invariants = _collect_ancestors(
        [condition, *(m.inputs[1].op for m in merges)], [*switches, *merges], body
    )
    body.difference_update([condition, *(m.inputs[1].op for m in merges)])
    return LoopNodes(condition, switches, invariants, body)


def _collect_ancestors(
    waiting: list[Operation], exits: Sequence[Operation], body: set[Operation]
) -> list[Operation]:
    """Adds the ancestors of ops to `body`, up to other ops and Enters; returns the Enters of their frame."""
    frame = exits[-1].inputs[0].op.attrs["frame_name"]
    enters: dict[Operation, None] = {}
    while waiting:
        op = waiting.pop()
        if op.type == "Enter" and op.attrs["frame_name"] == frame:
            enters[op] = None
        elif op not in body and op not in exits:
            body.add(op)
            waiting += [*(tensor.op for tensor in op.inputs), *op.control_inputs]
    return list(enters)
