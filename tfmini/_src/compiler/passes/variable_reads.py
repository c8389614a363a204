"""variable_reads: inserts the reads of reference variables.

In TensorFlow a reference and all tensors that only forward it (`w/read`, a reshaped variable, a value that enters a
loop or leaves a condition: `graph/op_traits/forwarding.py`) share the variable's memory, so nodes that run after an
update see it. A slot that may hold such a value refers to variables. If none of them is written between the producer
and the consumers of the slot, the value is read once; else the slot holds a reference (the variable's cell, a view of
it, or, after a Merge, a value of the plan's own), and each consumer reads it at its own step. Assigning a different
number of elements allocates new memory: where that may happen, sharers of the old memory keep the old value.

Nodes are in their final order here, loops as one node each; after this stage only a "read" converts references to
values.
"""

from __future__ import annotations

from collections.abc import Sequence

from tfmini._src.compiler.analysis import memory_forwarding
from tfmini._src.compiler.analysis.access_order import Access, order_accesses
from tfmini._src.compiler.analysis.def_use import Uses
from tfmini._src.compiler.passes.equal_nodes import merge_equal_nodes
from tfmini._src.compiler.program.graph_order import reference_flags
from tfmini._src.compiler.program.program import MayHoldArray, Node, PossibleSharing, Program, Slot

# Ops that take a reference without writing to it.
_WRITE_NOTHING = frozenset(
    {
        *("RefIdentity", "RefSwitch", "RefMerge", "RefSelect"),
        *("IsVariableInitialized", "DestroyTemporaryVariable"),
    }
)

# The container and name of a variable.
_Key = tuple[str, str]
_NO_KEYS: frozenset[_Key] = frozenset()


def variable_reads(program: Program, in_parts: bool) -> Program:
    """Inserts reads of reference variables; returns the program."""
    references = _References(program)
    if references.variables_of_slot:
        accesses = references.accesses()
        if accesses and not (in_parts or any(map(_may_wait_for_step, program.nodes))):
            program.nodes = order_accesses(program, accesses)
        references.find_references()
        if references.late_slots and merge_equal_nodes(program):
            references = _References(program)
            references.find_references()
        _Reader(references, in_parts).rewrite(program, [False] * len(program.fetches))
    return program


def _may_wait_for_step(node: Node) -> bool:
    """Whether a node may wait for another node of the step without an edge: for an element in a queue, or a tensor from
    another task. Ordering accesses across it could make the step wait for itself.
    """
    if node.sends or node.receives:
        return True
    return node.may_wait and not node.opdef.name.startswith("IteratorGetNext")


class _References:
    """The variables to which each slot of a program refers, and the slots that must hold references.

    variables_of_slot: variables of each slot that may hold a reference; devices: their devices.
    late_slots: slots consumed after a write to their variables, and slots that they share memory with.
    """

    def __init__(self, program: Program):
        self.program = program
        self.slots = program.slots
        self.variables_of_slot: dict[int, frozenset[_Key]] = {}
        self.devices: dict[_Key, str] = {}
        self.late_slots: set[int] = set()
        self.sources: dict[int, list[int]] = {}  # by slot: the slots that supply its value
        # Variables that share memory depending on run-time values.
        self.possibly_shared: set[int] = set()
        # By slot: the slots forwarded by the same op.
        self._forwarded_together: dict[int, tuple[int, ...]] = {}
        self._writes: dict[int, frozenset[_Key]] = {}  # by node
        self._producers = Uses(list(program.all_nodes())).producer
        self._follow(program)

    def device(self, slot: int) -> str:
        """Returns the device of the variables that a late slot refers to."""
        return self.devices[next(iter(self.variables_of_slot[slot]))]

    def writes(self, node: Node) -> frozenset[_Key]:
        """Returns the variables that the node may write."""
        return self._writes.get(id(node), _NO_KEYS)

    def _follow(self, program: Program) -> None:
        for node in program.nodes:
            if node.kind == "while":
                self._follow_loop(node)
            elif not node.inputs:
                self._follow_variable(node)
            elif self.variables_of_slot and self.reads_reference(node):
                self._follow_op(node)

    def accesses(self) -> list[list[Access]]:
        """Returns the nodes that access each variable that is both read and written, except for its initializer.

        TensorFlow may run an initializer after a read, which then fails; here its position does not change.
        """
        accesses: dict[_Key, list[Access]] = {}
        for node in self.program.nodes:
            written = self.writes(node)
            is_forwarded = any(
                s in self.variables_of_slot and s not in self.possibly_shared for s in node.outputs
            )
            if not self.reads_reference(node) or (is_forwarded and not written):
                continue
            for key in self._references_of(list(node.inputs)):
                if not (key in written and self._initializes(node)):
                    accesses.setdefault(key, []).append(Access(node, key in written))
        return [
            group for group in accesses.values() if len(group) > 1 and any(a.writes for a in group)
        ]

    def _initializes(self, node: Node) -> bool:
        """Whether the node is the initializer of a variable."""
        variable = self._producers.get(node.inputs[0])
        return variable is not None and node.origin.name == f"{variable.origin.name}/Assign"

    def reads_reference(self, node: Node) -> bool:
        """Whether a node's inputs include a potential reference."""
        return not self.variables_of_slot.keys().isdisjoint(node.inputs)

    def _follow_variable(self, node: Node) -> None:
        args = node.opdef.outputs
        if args and args[0].is_ref:
            slot = node.outputs[0]
            key = (
                node.attrs.get("container", ""),
                node.attrs.get("shared_name") or node.origin.name,
            )
            self.variables_of_slot[slot] = frozenset((key,))
            self.devices[key] = node.device

    def _follow_op(self, node: Node) -> None:
        for slot, sources in zip(node.outputs, self._shared_slots(node)):
            if sources:
                self._set(slot, sources)
                self._forwarded_together[slot] = node.outputs
        references = [s for s, takes in zip(node.inputs, reference_flags(node)) if takes]
        for slot in node.outputs:
            if self.slots[slot].dtype._is_ref_dtype:
                self._set(slot, references)
        if references and node.opdef.name not in _WRITE_NOTHING:
            self._writes[id(node)] = self._references_of(references)

    def _shared_slots(self, node: Node) -> list[list[int]]:
        """Returns, for each output, the slots whose memory it shares or may share."""
        if node.opdef.forwarding is None:
            return []
        shares = memory_forwarding.shares_memory(node, self.slots, self._producers)
        if shares is None:
            self.possibly_shared.update(node.outputs)
        return [] if shares is False else memory_forwarding.sources(node)

    def _follow_loop(self, node: Node) -> None:
        loop, body = node.loop, node.loop.program
        fetch_by_feed = dict(zip(body.feeds, body.fetches[1 : 1 + loop.variables]))
        previous: list[frozenset[_Key]] | None = None
        current = [self.variables_of_slot.get(slot, _NO_KEYS) for slot in fetch_by_feed.values()]
        # Loop variables may refer to variables forwarded by the previous iteration.
        while current != previous:
            previous = current
            for slot, start in zip(body.feeds, node.inputs):
                self._set(slot, [start, fetch_by_feed[slot]] if slot in fetch_by_feed else [start])
            self._follow(body)
            current = [
                self.variables_of_slot.get(slot, _NO_KEYS) for slot in fetch_by_feed.values()
            ]
        for slot, source in zip(node.outputs, body.fetches[1 + loop.variables :]):
            self._set(slot, [source])
        self._writes[id(node)] = _NO_KEYS.union(*(self.writes(n) for n in body.nodes))

    def _set(self, slot: int, sources: list[int]) -> None:
        references = self._references_of(sources)
        if references:
            self.variables_of_slot[slot] = references
            self.sources[slot] = sources

    def _references_of(self, slots: list[int]) -> frozenset[_Key]:
        return _NO_KEYS.union(*(self.variables_of_slot.get(s, _NO_KEYS) for s in slots))

    def find_references(self) -> None:
        """Finds the slots that must hold references."""
        if any(self._writes.values()):
            self._find_references(self.program, _NO_KEYS)

    def _find_references(self, program: Program, repeated: frozenset[_Key]) -> None:
        """Finds references in a program and its loops.

        `repeated` are the variables written by the program's iterations if it is a loop body.
        """
        producers: dict[int, int] = {}  # by slot
        written: dict[_Key, int] = {}  # number of the last writing node
        for slot in program.feeds:
            if self.variables_of_slot.get(slot, _NO_KEYS) & repeated:
                self._mark_reference(slot)
        for index, node in enumerate(program.nodes):
            if self.reads_reference(node):
                self._mark_late_inputs(node.inputs, producers, written)
                producers.update(dict.fromkeys(node.outputs, index))
            changed_slots = self._written_variables(node)
            if node.kind == "while":
                self._find_references(node.loop.program, changed_slots)
            written.update(dict.fromkeys(changed_slots, index))
        self._mark_late_inputs(program.fetches, producers, written)

    def _written_variables(self, node: Node) -> frozenset[_Key]:
        """Returns the variables that the node may write in shared memory."""
        if id(node) not in self._writes:
            return _NO_KEYS
        if node.kind == "while":
            return _NO_KEYS.union(*(self._written_variables(n) for n in node.loop.program.nodes))
        return _NO_KEYS if self._makes_memory(node) else self._writes[id(node)]

    def _makes_memory(self, node: Node) -> bool:
        """Whether a write assigns values of any shape to a variable of unknown shape."""
        is_free = node.opdef.name == "Assign" and not node.attrs.get("validate_shape", True)
        return is_free and self.slots[node.inputs[0]].dims is None

    def _mark_late_inputs(
        self, slots: tuple[int, ...], producers: dict[int, int], written: dict[_Key, int]
    ) -> None:
        for slot in slots:
            start = producers.get(slot, -1)
            if any(written.get(key, -1) > start for key in self.variables_of_slot.get(slot, ())):
                self._mark_reference(slot)

    def _mark_reference(self, slot: int) -> None:
        """Marks a slot and its source slots, if all referenced variables are on one device."""
        if len({self.devices[key] for key in self.variables_of_slot[slot]}) > 1:
            return
        pending = [slot]
        while pending:
            slot = pending.pop()
            if slot not in self.late_slots and self.variables_of_slot.get(slot):
                self.late_slots.add(slot)
                pending += (*self.sources.get(slot, ()), *self._forwarded_together.get(slot, ()))


class _Reader:
    """Inserts the reads into a program.

    in_parts: whether nodes may run at different times; if so, each node has its own read, as late as possible.
    cells: slots known to hold a cell, or a view of one, and never a value.
    """

    def __init__(self, references: _References, in_parts: bool):
        self.references = references
        self.in_parts = in_parts
        self.slots = references.slots
        self.producer = Uses(list(references.program.all_nodes())).producer
        self.cells = {s for s in references.variables_of_slot if self.slots[s].dtype._is_ref_dtype}
        for slot in references.late_slots - self.cells:
            self.slots[slot] = Slot(self.slots[slot].dtype._as_ref, self.slots[slot].dims)

    def rewrite(self, program: Program, refs: Sequence[bool]) -> None:
        """Inserts reads before consumers of values; `refs` tells which fetches may be references."""
        nodes: list[Node] = []
        current: dict[int, int] = {}  # by reference: the slot of its value, until the next write
        for node in program.nodes:
            if node.kind == "while":
                self._rewrite_loop(node, nodes, current)
            elif not self.references.reads_reference(node):
                nodes.append(node)
                continue
            elif any(s in self.references.late_slots and s not in self.cells for s in node.outputs):
                self._forward_reference(node, nodes, current)
            elif node.opdef.name == "Identity" and self._holds_reference(node.inputs[0]):
                node.kind, node.payload = "read", self._read_payload(node.inputs[0])
            else:
                flags = reference_flags(node)
                node.inputs = tuple(
                    slot if takes else self._value_slot(slot, node, nodes, current)
                    for slot, takes in zip(node.inputs, flags)
                )
            nodes.append(node)
            written = self.references.writes(node)
            for slot in [s for s in current if written & self.references.variables_of_slot[s]]:
                del current[slot]
        program.nodes = nodes
        program.fetches = tuple(
            slot if is_reference else self._fetched_slot(slot, program, current)
            for slot, is_reference in zip(program.fetches, refs)
        )

    def _read_payload(self, slot: int) -> MayHoldArray | None:
        """Returns the payload of a read of the slot."""
        return None if slot in self.cells else MayHoldArray()

    def _holds_reference(self, slot: int) -> bool:
        return self.slots[slot].dtype._is_ref_dtype

    def _forward_reference(self, node: Node, nodes: list[Node], current: dict[int, int]) -> None:
        """Makes an op forward a reference."""
        passed = {s for slot in node.outputs for s in self.references.sources.get(slot, ())}
        node.inputs = tuple(
            slot if slot in passed else self._value_slot(slot, node, nodes, current)
            for slot in node.inputs
        )
        late_slot = next(slot for slot in node.outputs if slot in self.references.late_slots)
        node.device = self.references.device(late_slot)
        forwarding = node.opdef.forwarding
        is_sure = self.references.possibly_shared.isdisjoint(node.outputs)
        if forwarding is not None and not forwarding.at_once:
            node.kind, node.payload = "view", None if is_sure else PossibleSharing()
        if is_sure and passed <= self.cells:
            self.cells.update(s for s in node.outputs if s in self.references.late_slots)

    def _rewrite_loop(self, node: Node, nodes: list[Node], current: dict[int, int]) -> None:
        loop, body, late_slots = node.loop, node.loop.program, self.references.late_slots
        inputs = []
        for index, (feed, slot) in enumerate(zip(body.feeds, node.inputs)):
            if not self._holds_reference(feed):
                slot = self._value_slot(slot, loop.enters[index], nodes, current)
            elif feed in late_slots:
                loop.enters[index].device = self.references.device(feed)
                if index >= loop.variables and slot in self.cells:
                    self.cells.add(feed)
            inputs.append(slot)
        node.inputs = tuple(inputs)
        self.producer.update(zip(body.feeds, loop.enters))
        refs = [self._holds_reference(s) for s in (*body.feeds[: loop.variables], *node.outputs)]
        self.rewrite(body, [False, *refs])
        for slot, source, leaves in zip(
            node.outputs, body.fetches[1 + loop.variables :], loop.exits
        ):
            if slot in late_slots:
                leaves.device = self.references.device(slot)
                if source in self.cells:
                    self.cells.add(slot)

    def _value_slot(self, slot: int, node: Node, nodes: list[Node], current: dict[int, int]) -> int:
        """Returns the slot of the value that `node` reads: at its own step, if `slot` holds a reference."""
        if not self._holds_reference(slot):
            return slot
        value = None if self.in_parts else current.get(slot)
        if value is None:
            value = current[slot] = self._add_read(slot, node, nodes)
        return value

    def _fetched_slot(self, slot: int, program: Program, current: dict[int, int]) -> int:
        """Returns the slot of a fetched value, read at the end."""
        if not self._holds_reference(slot):
            return slot
        value = self._value_slot(slot, self.producer[slot], program.nodes, current)
        if slot in program.retvals:
            program.retvals[value] = program.retvals[slot]
        return value

    def _add_read(self, slot: int, node: Node, nodes: list[Node]) -> int:
        template = self.slots[slot]
        self.slots.append(Slot(template.dtype.base_dtype, template.dims))
        producer = self.producer.get(slot)
        if producer is not None and producer.opdef.name == "Identity":
            node = producer  # the node named in TensorFlow's error
        read = Node("read", node.origin, (slot,), (len(self.slots) - 1,))
        read.device, read.payload = node.device, self._read_payload(slot)
        nodes.append(read)
        return len(self.slots) - 1
