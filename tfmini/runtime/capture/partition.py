"""partition: which nodes of a plan run one after the other on one GPU and can be captured together.

Captured, a segment repeats what its nodes launched for the same shapes. So a node belongs to one if all that it does
follows from device memory and from values on the host that are the same for the same shapes: constants, shapes, and
what is computed from those. Nodes that only bring values to the host, or use them there, are deferred until the
segment ends, so that a fetched loss does not cut a step in two; nodes with side effects keep their order.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from tfmini import dtypes
from tfmini.runtime.capture.liveness import add_liveness
from tfmini.runtime.capture.segments import (
    Layout,
    Segment,
    Uncapturable,
    is_known,
    is_read,
    key_of,
    writes,
)
from tfmini.runtime.program.program import CHOICES, Node, Program

# So many launches pay for the copies of a segment's inputs.
_FEWEST = 4

RANDOM = frozenset({"RandomUniform", "RandomUniformInt", "RandomStandardNormal", "TruncatedNormal"})
# Ops with state that lies in variables and random streams alone; compiled where there is a GPU.
_KNOWN_STATE = (
    "ReadVariableOp|Assign(Add|Sub)?VariableOp|Resource(Sparse)?Apply.*|ResourceScatter.*|ResourceGather(Nd)?"
    "|ResourceStridedSliceAssign|" + "|".join(RANDOM)
)

_BY_KIND = {
    "while": Uncapturable.LOOP,
    "alive": Uncapturable.CHOICE,
    "send": Uncapturable.RESULT,
    "receive": Uncapturable.RESULT,
    "collective": Uncapturable.SEVERAL,
}


def partition(program: Program, uncapturable: Iterable[tuple[str, str]], last_uses: Any) -> Layout:
    """The program with its segments.

    Args:
      program: what the stages have made.
      uncapturable: the (kind, op) of nodes that cannot be captured.
      last_uses: gives for a program the last node that uses the memory of a slot.
    """
    partitioner = _Partitioner(program, frozenset(uncapturable))
    ordered = replace(program, nodes=partitioner.ordered())
    if not partitioner.found:
        return Layout(program, uncaptured=partitioner.uncaptured)
    layout = Layout(ordered, cells=partitioner.cells, uncaptured=partitioner.uncaptured)
    layout.copied = _copied(ordered, partitioner.cells, last_uses(ordered))
    add_liveness(layout, partitioner.found)
    return layout


class _Partitioner:
    def __init__(self, program: Program, uncapturable: frozenset[tuple[str, str]]):
        self.program = program
        self.uncapturable = uncapturable
        self.shape_derived: set[int] = set()
        self.cells = _cells(program)
        self.nodes: list[Node] = []
        self.current: list[Node] = []
        self.device = ""
        self.deferred: list[Node] = []
        self.deferred_slots: set[int] = set()  # the slots that they give, and the nodes by identity
        self.deferred_nodes: set[int] = set()
        self.found: list[Segment] = []
        self.uncaptured: dict[Node, Uncapturable] = {}
        self.first: list[Node] = []
        self.at_first = set(program.feeds)  # the slots that are there by then
        self.written: set[Any] = set()  # variables, so far
        self.sent = {
            node.inputs[0] for node in program.nodes if node.kind == "copy" and not node.guard
        }

    def ordered(self) -> list[Node]:
        """The nodes in an order with long segments, which are in `found` afterwards."""
        for node in self.program.nodes:
            device = self._device_or_none(node)
            self.written.update(key_of(self.cells.get(s)) for s in writes(node, self.program))
            if is_known(node) or self._goes_first(node, device):
                self.first.append(node)
                self.at_first.update(node.outputs)
            elif device is not None and not self._needs_deferred(node):
                fits = device in ("", self.device) or not self.device
                if not fits or (self.current and self.current[0].guard != node.guard):
                    self._flush()
                self.current.append(node)
                self.device = self.device or device
            elif device is None and self._may_be_deferred(node):
                self.deferred.append(node)
                self.deferred_slots.update(node.outputs)
                self.deferred_nodes.add(id(node))
            else:
                self._flush()
                if device is None:
                    self.nodes.append(node)
                else:
                    self.current.append(node)
                    self.device = device
        self._flush()
        for segment in self.found:
            segment.start += len(self.first)
            segment.end += len(self.first)
        return [*self.first, *self.nodes]

    def _goes_first(self, node: Node, device: str | None) -> bool:
        """Whether it is the copy of a variable to another memory, or the read for it, before any change: made at once,
        copies cut no segment, and wait for no other one. Nor does the shape of what lies on another GPU.
        """
        if node.guard or node.controls or not self.at_first.issuperset(node.inputs):
            return False
        if node.kind == "copy":
            return True
        if node.kind == "op" and node.opdef.of_shapes:
            return bool(device and self.device) and device != self.device
        if not is_read(node) or node.outputs[0] not in self.sent:
            return False
        return not self.written.intersection((key_of(self.cells.get(node.inputs[0])), None))

    def _flush(self) -> None:
        """Ends the segment, and runs what was deferred."""
        self._end_segment()
        self.nodes += self.deferred
        self.deferred = []
        self.deferred_slots = set()
        self.deferred_nodes = set()

    def _end_segment(self) -> None:
        nodes, device = self.current, self.device
        self.current, self.device = [], ""
        launches = [n for n, node in enumerate(nodes) if self._launches(node)]
        if len(launches) >= _FEWEST:
            offset = len(self.nodes)
            self.found.append(Segment(offset + launches[0], offset + launches[-1] + 1, device))
        else:
            self.uncaptured.update((nodes[n], Uncapturable.FEW) for n in launches)
        self.nodes += nodes

    def _launches(self, node: Node) -> bool:
        if node.kind == "fused":
            return bool(self.program.memory.get(node.outputs[0]))
        if node.kind == "updates":
            return True
        return node.kind == "op" and not node.opdef.view and self._on_device(node)

    def _on_device(self, node: Node) -> bool:
        """Whether the node works on a GPU's memory, not only next to it."""
        if node.opdef.makes_variable or node.opdef.of_shapes:
            return False
        slots = (*node.inputs, *node.outputs)
        return any(s in self.program.memory or self._is_cell(s) for s in slots)

    def _is_cell(self, slot: int) -> bool:
        dtype = self.program.slots[slot].dtype
        return dtype._is_ref_dtype or dtype is dtypes.resource

    def _device_or_none(self, node: Node) -> str | None:
        """As `_device`; for a node that cannot be captured None, with a note of the reason."""
        found = self._device(node)
        if isinstance(found, str):
            return found
        self.uncaptured[node] = found
        return None

    def _device(self, node: Node) -> str | Uncapturable:
        """The GPU of a segment that the node may be in, "" if any will do; else why it cannot be captured."""
        memory = self.program.memory
        if node.kind == "const":
            self.shape_derived.update(node.outputs)
            return ""
        if node.opdef.makes_variable and node.kind == "op":
            return "" if node.outputs[0] in self.cells else Uncapturable.CELL
        if (node.kind, node.opdef.name) in self.uncapturable:
            return Uncapturable.FAILED
        if node.alternatives:
            return Uncapturable.CHOICE
        if node.kind == "copy":
            is_known = not node.copied_from and node.inputs[0] in self.shape_derived
            return node.device if is_known else Uncapturable.COPY
        if node.kind not in ("op", "read", "fused", "updates"):
            return _BY_KIND.get(node.kind, Uncapturable.HOST)
        if node.kind == "op" and node.opdef.stateful:
            if re.fullmatch(_KNOWN_STATE, node.opdef.name) is None:
                return Uncapturable.STATE
        reason = self._refused_operand(node)
        if reason is not None:
            return reason
        given = {memory.get(s, "") for s in node.outputs if not self._is_cell(s)}
        if "" in given and node.inputs:
            if not self._is_shape_derived(node):
                return Uncapturable.RESULT
            self.shape_derived.update(s for s in node.outputs if s not in memory)
        elif "" in given:
            return Uncapturable.RESULT
        if node.kind == "read":
            return memory[node.outputs[0]]
        if not self._on_device(node):
            # The shape of an array: a segment gets what it reads in its own memory.
            held = next((memory[s] for s in node.inputs if s in memory), "")
            return held if given else Uncapturable.HOST
        return node.device if node.device in self.program.gpus else Uncapturable.HOST

    def _refused_operand(self, node: Node) -> Uncapturable | None:
        """Why a segment cannot read an operand of the node; None if it can read them all."""
        memory = self.program.memory
        for slot in node.inputs:
            if self._is_cell(slot):
                if slot not in self.cells:
                    return Uncapturable.CELL
                if self.cells[slot].device not in self.program.gpus:
                    return Uncapturable.HOST
            elif slot in memory:
                if node.device != memory[slot] and node.kind != "read":
                    return Uncapturable.HOST
            elif slot not in self.shape_derived:
                return Uncapturable.OPERAND
        return None

    def _is_shape_derived(self, node: Node) -> bool:
        """Whether its outputs on the host are the same for the same shapes."""
        if node.kind != "op" or node.opdef.stateful:
            return False
        if node.opdef.of_shapes:
            return True
        return not any(s in self.program.memory or self._is_cell(s) for s in node.inputs)

    def _needs_deferred(self, node: Node) -> bool:
        """Whether it needs what was deferred."""
        if not self.deferred:
            return False
        slots = (*node.inputs, *(p for p, _ in node.guard))
        return not self.deferred_slots.isdisjoint(slots) or any(
            id(c) in self.deferred_nodes for c in node.controls
        )

    def _may_be_deferred(self, node: Node) -> bool:
        """Whether it may run later than what has effects: it has none, and only reads what stays as it is."""
        if node.guard or node.alternatives or any(self._is_cell(s) for s in node.outputs):
            return False
        if node.kind in ("send", "receive"):
            return True
        if node.kind == "copy":
            return not node.copied_from
        if node.kind not in ("op", "fused") or node.device in self.program.gpus:
            return False
        return not node.opdef.has_effects and not any(self._is_cell(s) for s in node.inputs)


def _cells(program: Program) -> dict[int, Node]:
    """For slots that hold a variable's cell, the variable's node."""
    cells: dict[int, Node] = {}
    for node in program.nodes:
        if node.kind == "updates":
            for member in node.members:
                if member.outputs and member.inputs[0] in cells:
                    cells[member.outputs[0]] = cells[member.inputs[0]]
        if node.kind != "op":
            continue
        if node.opdef.makes_variable:
            cells[node.outputs[0]] = node
            continue
        if node.opdef.name in CHOICES:
            continue
        known = [cells.get(s) for s in node.inputs if program.slots[s].dtype._is_ref_dtype]
        if known and known[0] is not None:
            for slot in node.outputs:
                if program.slots[slot].dtype._is_ref_dtype:
                    cells[slot] = known[0]
    return cells


def _copied(program: Program, cells: dict[int, Node], last_use: dict[int, int]) -> frozenset[int]:
    """The reads on GPUs whose value is wanted after a node that may change the variable."""
    written: dict[Any, list[int]] = {}
    for step, node in enumerate(program.nodes):
        for slot in writes(node, program):
            written.setdefault(key_of(cells.get(slot)), []).append(step)
    found = set()
    any_of_them = sorted(step for steps in written.values() for step in steps)
    unknown = written.get(None, [])
    for step, node in enumerate(program.nodes):
        if not is_read(node) or node.outputs[0] not in program.memory:
            continue
        key = key_of(cells.get(node.inputs[0]))
        steps = any_of_them if key is None else [*written.get(key, []), *unknown]
        if any(step < s <= last_use.get(node.outputs[0], step) for s in steps):
            found.add(step)
    return frozenset(found)
