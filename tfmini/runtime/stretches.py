"""stretches: which nodes of a plan run one after the other on one GPU and can be recorded together.

Recorded, a stretch repeats what its nodes launched for the same shapes. So a node belongs to one if all that it does
follows from device memory and from values on the host that are the same for the same shapes: constants, shapes, and
what is computed from those. Nodes that only bring values to the host, or use them there, are put off until the stretch
ends, so that a fetched loss does not cut a step in two; nodes with effects keep their order.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from tfmini import dtypes
from tfmini.runtime.program import Node, Program

# So many launches pay for the copies of a stretch's inputs.
_FEWEST = 4

CELLS = frozenset({"VariableV2", "Variable", "VarHandleOp"})
# On the host, whatever their input is, they say what is the same for the same shapes.
OF_SHAPES = frozenset({"Shape", "ShapeN", "Size", "Rank"})
RANDOM = frozenset({"RandomUniform", "RandomUniformInt", "RandomStandardNormal", "TruncatedNormal"})
# Ops with state that lies in variables and random streams alone; compiled where there is a GPU.
_KNOWN_STATE = (
    "ReadVariableOp|Assign(Add|Sub)?VariableOp|Resource(Sparse)?Apply.*|ResourceScatter.*|ResourceGather(Nd)?"
    "|ResourceStridedSliceAssign|" + "|".join(RANDOM)
)


@dataclass
class Stretch:
    """Nodes `start` to `end` (exclusive) of a program.

    inputs: the slots it reads from before, outputs: those that are read after it; neither has constants, cells that
      are known, nor reads that can be made again.
    again_inside, again_after: the numbers of nodes that read variables, to be run once more in it and after it.
    """

    start: int
    end: int
    device: str
    inputs: tuple[int, ...] = ()
    outputs: tuple[int, ...] = ()
    again_inside: tuple[int, ...] = ()
    again_after: tuple[int, ...] = ()


@dataclass
class Layout:
    """A program in an order with stretches, by their first node.

    copied: reads of variables whose values are wanted after the variable may have changed.
    cells: the node of the variable whose cell is in a slot.
    """

    program: Program
    stretches: dict[int, Stretch] = field(default_factory=dict)
    copied: frozenset[int] = frozenset()
    cells: dict[int, Node] = field(default_factory=dict)


def split(program: Program, refused: Iterable[tuple[str, str]], last_uses: Any) -> Layout:
    """The program with its stretches.

    Args:
      program: what the stages have made.
      refused: the (kind, op) of nodes that cannot be recorded.
      last_uses: gives for a program the last node that uses the memory of a slot.
    """
    splitter = _Splitter(program, frozenset(refused))
    ordered = replace(program, nodes=splitter.ordered())
    if not splitter.found:
        return Layout(program)
    layout = Layout(ordered, cells=splitter.cells)
    layout.copied = _copied(ordered, splitter.cells, last_uses(ordered))
    _connect(layout, splitter.found)
    return layout


class _Splitter:
    def __init__(self, program: Program, refused: frozenset[tuple[str, str]]):
        self.program = program
        self.refused = refused
        self.stable: set[int] = set()
        self.cells = _cells(program)
        self.nodes: list[Node] = []
        self.current: list[Node] = []
        self.device = ""
        self.waiting: list[Node] = []
        self.awaited: set[int] = set()  # the slots that they give, and the nodes by identity
        self.awaited_nodes: set[int] = set()
        self.found: list[Stretch] = []
        self.first: list[Node] = []
        self.at_first = set(program.feeds)  # the slots that are there by then
        self.written: set[Any] = set()  # variables, so far
        self.sent = {
            node.inputs[0] for node in program.nodes if node.kind == "copy" and not node.guard
        }

    def ordered(self) -> list[Node]:
        """The nodes in an order with long stretches, which are in `found` afterwards."""
        for node in self.program.nodes:
            device = self._device(node)
            self.written.update(key_of(self.cells.get(s)) for s in writes(node, self.program))
            if is_known(node) or self._goes_first(node):
                self.first.append(node)
                self.at_first.update(node.outputs)
            elif device is not None and not self._waits(node):
                fits = device in ("", self.device) or not self.device
                if not fits or (self.current and self.current[0].guard != node.guard):
                    self._flush()
                self.current.append(node)
                self.device = self.device or device
            elif device is None and self._can_wait(node):
                self.waiting.append(node)
                self.awaited.update(node.outputs)
                self.awaited_nodes.add(id(node))
            else:
                self._flush()
                if device is None:
                    self.nodes.append(node)
                else:
                    self.current.append(node)
                    self.device = device
        self._flush()
        for stretch in self.found:
            stretch.start += len(self.first)
            stretch.end += len(self.first)
        return [*self.first, *self.nodes]

    def _goes_first(self, node: Node) -> bool:
        """Whether it is the copy of a variable to another memory, or the read for it, before any change: made at once,
        copies cut no stretch, and wait for no other one.
        """
        if node.guard or node.controls or not self.at_first.issuperset(node.inputs):
            return False
        if node.kind == "copy":
            return True
        if not is_read(node) or node.outputs[0] not in self.sent:
            return False
        return not self.written.intersection((key_of(self.cells.get(node.inputs[0])), None))

    def _flush(self) -> None:
        """Ends the stretch, and runs what was put off."""
        self._end_stretch()
        self.nodes += self.waiting
        self.waiting = []
        self.awaited = set()
        self.awaited_nodes = set()

    def _end_stretch(self) -> None:
        nodes, device = self.current, self.device
        self.current, self.device = [], ""
        launches = [n for n, node in enumerate(nodes) if self._launches(node)]
        if len(launches) >= _FEWEST:
            offset = len(self.nodes)
            self.found.append(Stretch(offset + launches[0], offset + launches[-1] + 1, device))
        self.nodes += nodes

    def _launches(self, node: Node) -> bool:
        if node.kind == "fused":
            return bool(self.program.memory.get(node.outputs[0]))
        if node.kind == "updates":
            return True
        return node.kind == "op" and not node.opdef.view and self._on_device(node)

    def _on_device(self, node: Node) -> bool:
        """Whether the node works on a GPU's memory, not only next to it."""
        if node.opdef.name in CELLS or node.opdef.name in OF_SHAPES:
            return False
        slots = (*node.inputs, *node.outputs)
        return any(s in self.program.memory or self._is_cell(s) for s in slots)

    def _is_cell(self, slot: int) -> bool:
        dtype = self.program.slots[slot].dtype
        return dtype._is_ref_dtype or dtype is dtypes.resource

    def _device(self, node: Node) -> str | None:
        """The GPU of a stretch that the node may be in, "" if any will do; None if it cannot be recorded."""
        memory = self.program.memory
        if node.kind == "const":
            self.stable.update(node.outputs)
            return ""
        if node.opdef.name in CELLS and node.kind == "op":
            return "" if node.outputs[0] in self.cells else None
        if (node.kind, node.opdef.name) in self.refused or node.holds_guards:
            return None
        if node.kind == "copy":
            stable = not node.value and node.inputs[0] in self.stable
            return node.device if stable else None
        if node.kind not in ("op", "read", "fused", "updates"):
            return None
        if node.kind == "op" and node.opdef.stateful:
            if re.fullmatch(_KNOWN_STATE, node.opdef.name) is None:
                return None
        if not self._reads_what_it_may(node):
            return None
        given = {memory.get(s, "") for s in node.outputs if not self._is_cell(s)}
        if "" in given and node.inputs:
            if not self._says_the_same(node):
                return None
            self.stable.update(s for s in node.outputs if s not in memory)
        elif "" in given:
            return None
        if node.kind == "read":
            return memory.get(node.outputs[0])
        if not self._on_device(node):
            return "" if given else None
        return node.device if node.device in self.program.gpus else None

    def _reads_what_it_may(self, node: Node) -> bool:
        memory = self.program.memory
        for slot in node.inputs:
            if self._is_cell(slot):
                if slot not in self.cells or self.cells[slot].device not in self.program.gpus:
                    return False
            elif slot in memory:
                if node.device != memory[slot] and node.kind != "read":
                    return False
            elif slot not in self.stable:
                return False
        return True

    def _says_the_same(self, node: Node) -> bool:
        """Whether its outputs on the host are the same for the same shapes."""
        if node.kind != "op" or node.opdef.stateful:
            return False
        if node.opdef.name in OF_SHAPES:
            return True
        return not any(s in self.program.memory or self._is_cell(s) for s in node.inputs)

    def _waits(self, node: Node) -> bool:
        """Whether it needs what was put off."""
        if not self.waiting:
            return False
        slots = (*node.inputs, *(p for p, _ in node.guard))
        return not self.awaited.isdisjoint(slots) or any(
            id(c) in self.awaited_nodes for c in node.controls
        )

    def _can_wait(self, node: Node) -> bool:
        """Whether it may run later than what has effects: it has none, and only reads what stays as it is."""
        if node.guard or node.holds_guards or any(self._is_cell(s) for s in node.outputs):
            return False
        if node.kind in ("send", "receive"):
            return True
        if node.kind == "copy":
            return not node.value
        if node.kind not in ("op", "fused") or node.device in self.program.gpus:
            return False
        return not node.opdef.has_effects and not any(self._is_cell(s) for s in node.inputs)


def _cells(program: Program) -> dict[int, Node]:
    """For slots that hold a variable's cell, the variable's node."""
    cells: dict[int, Node] = {}
    for node in program.nodes:
        if node.kind == "updates":
            for member in node.value[0]:
                if member.outputs and member.inputs[0] in cells:
                    cells[member.outputs[0]] = cells[member.inputs[0]]
        if node.kind != "op":
            continue
        if node.opdef.name in CELLS:
            cells[node.outputs[0]] = node
            continue
        known = [cells.get(s) for s in node.inputs if program.slots[s].dtype._is_ref_dtype]
        if known and known[0] is not None:
            for slot in node.outputs:
                if program.slots[slot].dtype._is_ref_dtype:
                    cells[slot] = known[0]
    return cells


def is_known(node: Node) -> bool:
    """Whether its value is known when the plan is made: a constant, or the cell of a variable."""
    if node.kind == "op" and node.opdef.name in CELLS:
        return None not in (node.attrs["shape"] or ())
    return node.kind == "const"


def is_read(node: Node) -> bool:
    """Whether the node gives a variable's own array."""
    return node.kind == "read" or (node.kind == "op" and node.opdef.name == "ReadVariableOp")


def writes(node: Node, program: Program) -> list[int]:
    """The slots of the cells that the node may change."""
    if node.kind not in ("op", "updates") or node.opdef.borrows or node.opdef.name in CELLS:
        return []
    slots = program.slots
    return [
        s for s in node.inputs if slots[s].dtype._is_ref_dtype or slots[s].dtype is dtypes.resource
    ]


def key_of(node: Node | None) -> tuple | None:
    """What two nodes of the same variable have in common."""
    if node is None:
        return None
    attrs = node.attrs
    return attrs.get("container", ""), attrs.get("shared_name") or node.origin.name


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


def _connect(layout: Layout, stretches: list[Stretch]) -> None:
    program = layout.program
    nodes = program.nodes
    known: set[int] = set()
    reads: dict[int, int] = {}
    inside: dict[int, int] = {}  # by slot: the number of the stretch that gives it
    for number, stretch in enumerate(stretches):
        for step in range(stretch.start, stretch.end):
            inside.update(dict.fromkeys(nodes[step].outputs, number))
    for step, node in enumerate(nodes):
        if is_known(node):
            known.update(node.outputs)
        elif is_read(node) and node.outputs[0] in program.memory and step not in layout.copied:
            reads[node.outputs[0]] = step
    number_of = {
        step: number
        for number, stretch in enumerate(stretches)
        for step in range(stretch.start, stretch.end)
    }
    taken: list[dict[int, None]] = [{} for _ in stretches]
    again: list[dict[int, None]] = [{} for _ in stretches]
    given: list[dict[int, None]] = [{} for _ in stretches]
    after: list[dict[int, None]] = [{} for _ in stretches]

    def use(slot: int, here: int | None) -> None:
        maker = inside.get(slot)
        if slot in known or (maker is not None and maker == here):
            return
        read = reads.get(slot)
        if here is not None and read is not None:
            if read not in again[here]:
                again[here][read] = None
                for source in nodes[read].inputs:
                    use(source, here)
        elif here is not None:
            taken[here][slot] = None
        if maker is not None:
            if read is None:
                given[maker][slot] = None
            elif here is None:
                after[maker][read] = None
                for source in nodes[read].inputs:
                    use(source, None)

    for step, node in enumerate(nodes):
        here = number_of.get(step)
        for slot in node.inputs:
            use(slot, here)
        for slot, _ in node.guard:
            use(slot, None)
        if node.holds_guards:
            for guard in node.value:
                for slot, _ in guard or ():
                    use(slot, None)
    for slot in program.fetches:
        use(slot, None)
    for guard in program.fetch_guards.values():
        for slot, _ in guard or ():
            use(slot, None)
    for number, stretch in enumerate(stretches):
        stretch.inputs = tuple(taken[number])
        stretch.outputs = tuple(given[number])
        stretch.again_inside = tuple(again[number])
        stretch.again_after = tuple(after[number])
        layout.stretches[stretch.start] = stretch
