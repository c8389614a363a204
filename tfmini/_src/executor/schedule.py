"""schedule: splits a blocking step into nonblocking parts.

Blocking nodes (enqueues, dequeues, loops that contain them, Python functions that may wait for each other) separate the
parts; iterations of such loops are split likewise. Nodes that depend, directly or not, on the same blocking nodes form
one part, which runs once those have completed. A step that dequeues a batch and trains on it has two parts: the nodes
independent of the batch, and the rest. Deferrable nodes with a single reader (a variable's value, computations on it)
move to the part of that reader, which minimizes the values passed between parts. A read of a resource variable does not
move past a write; a read of a reference variable shares its memory, as in TensorFlow.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import field, replace
from types import MappingProxyType
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.records import dataclass
from tfmini._src.compiler.program.graph_order import in_order, input_operations, reference_flags
from tfmini._src.compiler.program.program import Guard, Node, Program
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor

# The waits of a schedule, by number.
Needs = frozenset[int]
_NO_NEEDS: Needs = frozenset()


@dataclass(frozen=True, eq=False)
class Part:
    """A group of nodes that run together without blocking.

    program: the part's program, whose feeds and fetches are slots of the whole program.
    needs: waits that must complete first.
    output_slots: its fetched slots, in the order of the program's fetches.
    """

    program: Program
    needs: Needs
    output_slots: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Wait:
    """A blocking node and the waits that must complete before it starts.

    body: one iteration, for a loop.
    """

    node: Node
    needs: Needs
    body: Schedule | None = None


@dataclass(eq=False)
class Schedule:
    """Parts and waits of a program, in dependency order.

    uses: by slot, the number of parts, waits and fetches that read it, excluding the part that computes it.
    """

    program: Program
    parts: list[Part] = field(default_factory=list)
    waits: list[Wait] = field(default_factory=list)
    uses: dict[int, int] = field(default_factory=dict)


def concurrent_calls(
    program: Program, needed: set[Operation], feeds: Sequence[Tensor]
) -> frozenset[Node]:
    """Returns the calls of Python functions that may block on each other or on other blocking nodes.

    Calls ordered by graph edges cannot block on each other; most programs have no such calls.
    """
    calls = {node for node in program.nodes if node.kind == "op" and node.opdef.calls_python}
    members = [node for node in program.nodes if node in calls or node.may_wait]
    if not calls or len(members) < 2:
        return frozenset()
    wait_index = {op: n for n, node in enumerate(members) for op in _blocking_ops(node)}
    op_needs = _op_needs(in_order(needed, set(feeds)), set(feeds), wait_index)
    before = [
        _NO_NEEDS.union(*(op_needs.get(op, _NO_NEEDS) for op in _blocking_ops(n))) for n in members
    ]
    return frozenset(
        node
        for n, node in enumerate(members)
        if node in calls
        and any(m != n and m not in before[n] and n not in before[m] for m in range(len(members)))
    )


def schedule(
    program: Program,
    needed: set[Operation],
    feeds: Sequence[Tensor],
    calls: frozenset[Node] = frozenset(),
) -> Schedule:
    """Splits a step's structured program, given its graph operations `needed` and its fed tensors `feeds`.

    The nodes in `calls`, from `concurrent_calls`, separate parts too.
    """
    return _Partition(program, needed, feeds, calls).schedule()


def _blocking_ops(node: Node) -> list[Operation]:
    """Returns the graph operations of a node that may block."""
    if node.kind == "while":
        body_ops = [n.origin for n in node.loop.program.all_nodes() if n.opdef.may_wait]
        return [*body_ops, *(leaves.origin for leaves in node.loop.exits)]
    return [node.origin]


class _Partition:
    """Assigns nodes to parts: their dependencies on waits, and the part that each runs in."""

    def __init__(
        self,
        program: Program,
        needed: set[Operation],
        feeds: Sequence[Tensor],
        calls: frozenset[Node],
    ):
        self.program = program
        self.waits = [node for node in program.nodes if node in calls or node.may_wait]
        self.bodies = {
            node: _Partition(node.loop.program, needed, feeds, frozenset()).schedule()
            for node in self.waits
            if node.kind == "while"
        }
        wait_index = {op: n for n, node in enumerate(self.waits) for op in _blocking_ops(node)}
        self.producer = {slot: node for node in program.nodes for slot in node.outputs}
        self.needs: dict[Node, Needs] = {}
        order, joint = in_order(needed, set(feeds)), dict[Node, Needs]()
        while True:
            self.op_needs = _op_needs(
                order, set(feeds), wait_index, {node.origin: needs for node, needs in joint.items()}
            )
            self._find_needs(joint)
            next_joint = {
                node: _NO_NEEDS.union(*map(self.needs.__getitem__, members))
                for members in _all_reduces(program)
                for node in members
            }
            if next_joint == joint:
                break
            joint = next_joint
        self._sink_nodes()

    def _find_needs(self, joint: Mapping[Node, Needs]) -> None:
        """Computes each node's dependencies: graph edges, operands, and the order of writes and reads.

        joint: the common needs of all-reduce members, which run as one.
        """
        wait_index = {node: n for n, node in enumerate(self.waits)}
        written: dict[int, Needs] = {}  # by slot of a variable
        for node in self.program.nodes:
            gates = (*node.loop.enters, *node.loop.exits) if node.kind == "while" else (node,)
            origins = [gate.origin for gate in gates]
            needs = joint.get(node, _NO_NEEDS)
            needs = needs.union(*(self.op_needs.get(op, _NO_NEEDS) for op in origins))
            # Control inputs count too: a loop needs more as one node than its graph operations do.
            producers = map(self.producer.get, _slots_read_by(node))
            for dependency in (
                *(producer for producer in producers if producer is not None),
                *node.controls,
            ):
                needs |= self.needs.get(dependency, _NO_NEEDS)
                if dependency in wait_index:
                    needs |= {wait_index[dependency]}
            if node.kind == "read":
                for slot in self._referenced_variables(node.inputs):
                    needs |= written.get(slot, _NO_NEEDS)
            for slot in self._referenced_variables(self._taken_references(node)):
                written[slot] = written.get(slot, _NO_NEEDS) | needs
            self.needs[node] = needs - {wait_index.get(node, -1)}

    def _taken_references(self, node: Node) -> list[int]:
        """Returns the slots of the references through which a node may write."""
        if node.kind == "while":
            return list(node.inputs)
        flags = reference_flags(node) if node.kind == "op" else []
        return [slot for slot, takes in zip(node.inputs, flags) if takes]

    def _referenced_variables(self, slots: Iterable[int]) -> set[int]:
        """Returns the slots of the variables to which references may refer."""
        pending, visited, variables = list(slots), set[int](), set[int]()
        while pending:
            slot = pending.pop()
            if slot in visited or not self.program.slots[slot].dtype._is_ref_dtype:
                continue
            visited.add(slot)
            producer = self.producer.get(slot)
            if producer is None or not producer.inputs:
                variables.add(slot)
            else:
                pending += producer.inputs
        return variables

    def _sink_nodes(self) -> None:
        """Moves nodes that can run later into the same part as their readers."""
        fetched = {*self.program.fetches, *self.program.fetch_predicates}
        waiting = set(self.waits)
        needed: dict[Node, set[Needs]] = {}  # by node: the needs of its waiters
        # By handle slot: the needs of the variable's writes.
        later_writes: dict[int, set[Needs]] = {}
        for node in reversed(self.program.nodes):
            node_needs = needed.pop(node, ())
            is_kept = node in waiting or fetched.intersection(node.outputs)
            if len(node_needs) == 1 and not is_kept and (_is_movable(node) or _is_reference(node)):
                (new_needs,) = node_needs
                writes = later_writes.get(node.inputs[0], ()) if _reads_resource(node) else ()
                if all(new_needs <= write_needs for write_needs in writes):
                    self.needs[node] = new_needs
            for slot in self._written_handles(node):
                later_writes.setdefault(slot, set()).add(self.needs[node])
            producers = (self.producer.get(slot) for slot in _slots_read_by(node))
            for dependency in (*producers, *node.controls):
                if dependency is not None:
                    needed.setdefault(dependency, set()).add(self.needs[node])

    def _written_handles(self, node: Node) -> list[int]:
        """Returns the slots of the handles whose resources a node may write."""
        if _is_movable(node):
            return []
        return [slot for slot in node.inputs if self.program.slots[slot].dtype is dtypes.resource]

    def schedule(self) -> Schedule:
        result = Schedule(self.program)
        result.waits = [Wait(n, self.needs[n], self.bodies.get(n)) for n in self.waits]
        waiting = set(self.waits)
        nodes_by_needs: dict[Needs, list[Node]] = {_NO_NEEDS: []}
        for node in self.program.nodes:
            if node not in waiting:
                nodes_by_needs.setdefault(self.needs[node], []).append(node)
        members = {
            needs: self._add_reference_nodes(nodes) for needs, nodes in nodes_by_needs.items()
        }
        fed = dict(zip(self.program.feeds, self.program.fed))
        # Excludes Merge inputs that are never alive: they have no producer.
        inputs = {
            needs: self._add_guards(
                [s for s in _external_slots(nodes) if s in fed or s in self.producer]
            )
            for needs, nodes in members.items()
        }
        results = {*self.program.fetches, *self.program.fetch_predicates}
        for slot in (
            *(slot for slots in inputs.values() for slot in slots),
            *(slot for wait in self.waits for slot in _external_slots([wait])),
            *results,
        ):
            result.uses[slot] = result.uses.get(slot, 0) + 1
        for needs in sorted(members, key=len):
            nodes = members[needs]
            produced = [slot for node in nodes_by_needs[needs] for slot in node.outputs]
            output_slots = tuple(slot for slot in produced if slot in result.uses)
            if needs == _NO_NEEDS:  # returns fed values too
                output_slots += tuple(
                    slot for slot in dict.fromkeys(self.program.feeds) if slot in results
                )
            if not nodes and not output_slots:
                continue
            takes = tuple(inputs[needs])
            extra = tuple(slot for slot in output_slots if slot in fed and slot not in takes)
            takes += extra
            for slot in extra:
                result.uses[slot] += 1
            producers = tuple(fed[s] if s in fed else self.producer[s].origin for s in takes)
            part = replace(
                self.program,
                nodes=nodes,
                slots=list(self.program.slots),
                feeds=takes,
                fetches=output_slots,
                targets=[node for node in self.program.targets if node in nodes],
                switches=dict(self.program.switches),
                feed_guards={s: self.producer[s].guard for s in takes if self._guard_of(s)},
                is_part=True,
                fetch_guards={},
                retvals=dict(self.program.retvals),
                memory={**self.program.memory, **self._reference_memories(takes)},
                fed=producers,
            )
            result.parts.append(Part(part, needs, output_slots))
        return result

    def _reference_memories(self, slots: Iterable[int]) -> dict[int, str]:
        """Returns the device of each variable passed between parts, by slot; omits variables in host memory.

        The node that returns a reference is on the device of the variable.
        """
        return {
            slot: self.producer[slot].device
            for slot in slots
            if self.program.slots[slot].dtype._is_ref_dtype
            and slot in self.producer
            and not self.program.on_host(self.producer[slot])
        }

    def _guard_of(self, slot: int) -> Guard:
        """Returns the condition under which a slot has a value."""
        producer = self.producer.get(slot)
        return () if producer is None else producer.guard

    def _add_guards(self, slots: list[int]) -> list[int]:
        """Adds to the slots the predicates of the conditions under which they have values."""
        return list(dict.fromkeys((*slots, *(p for s in slots for p, _ in self._guard_of(s)))))

    def _add_reference_nodes(self, nodes: Iterable[Node]) -> list[Node]:
        """Returns a part's nodes, plus other parts' nodes that only produce variables and handles, at no cost."""
        nodes = list(nodes)
        members = set(nodes)
        added_nodes: set[Node] = set()
        pending = list(nodes)
        while pending:
            for slot in _slots_read_by(pending.pop()):
                producer = self.producer.get(slot)
                if producer is not None and producer not in members and producer not in added_nodes:
                    if _is_reference(producer):
                        added_nodes.add(producer)
                        pending.append(producer)
        if not added_nodes:
            return nodes
        return [
            node
            if node in members
            else copy(node)  # a copy, because the passes of each part may change it
            for node in self.program.nodes
            if node in members or node in added_nodes
        ]


def _all_reduces(program: Program) -> Iterable[list[Node]]:
    """Groups the member nodes of each all-reduce across devices."""
    groups: dict[str, list[Node]] = {}
    for node in program.nodes:
        if node.kind == "op" and node.opdef.name == "NcclAllReduce":
            groups.setdefault(node.attrs["shared_name"], []).append(node)
    return groups.values()


def _op_needs(
    order: list[Operation],
    fed: set[Tensor],
    wait_index: dict[Operation, int],
    computed: Mapping[Operation, Needs] = MappingProxyType({}),
) -> dict[Operation, Needs]:
    """Returns the waits that must complete before each operation; `computed` caches results."""
    needs: dict[Operation, Needs] = {}
    for op in order:
        waits = computed.get(op, _NO_NEEDS)
        for source in input_operations(op, fed):
            waits |= needs.get(source, _NO_NEEDS)
            if source in wait_index:
                waits |= {wait_index[source]}
        needs[op] = waits
    return needs


def _slots_read_by(node: Node) -> tuple[int, ...]:
    return (*node.inputs, *node.predicates)


def _external_slots(nodes: list[Node]) -> list[int]:
    """Returns the slots that nodes read but do not compute, without duplicates."""
    produced = {slot for node in nodes for slot in node.outputs}
    return list(
        dict.fromkeys(s for node in nodes for s in _slots_read_by(node) if s not in produced)
    )


def _is_movable(node: Node) -> bool:
    """Whether a node can run at any time before its readers: a pure computation, possibly of a variable's value."""
    if node.kind in ("read", "const"):
        return True
    return _reads_resource(node) or (node.kind == "op" and not node.opdef.has_effects)


def _reads_resource(node: Node) -> bool:
    return node.kind == "op" and node.opdef.name == "ReadVariableOp"


def _is_reference(node: Node) -> bool:
    """Whether a node only produces a variable or a resource handle."""
    if node.kind == "const":
        return True
    return node.kind == "op" and not node.inputs and node.outputs != () and _holds_reference(node)


def _holds_reference(node: Node) -> bool:
    return all(
        tensor.dtype._is_ref_dtype or tensor.dtype is dtypes.resource
        for tensor in node.origin.outputs
    )


def guard_holds(guard: Guard, values: dict[int, Any]) -> bool:
    """Whether a guard holds for the given predicate values."""
    return all(bool(values[slot]) is branch for slot, branch in guard)
