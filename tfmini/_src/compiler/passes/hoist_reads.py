"""hoist_reads: moves reads of resource variables, and constant parts of loop invariants, out of loops.

Keras's recurrent layers read their weights in each iteration and take the columns of each gate. A loop that writes no
variable reads the same values in all iterations: read once, they are loop invariants, which `pack_matmuls` packs.

A loop without iterations must not fail because of a variable that its body would read, as that variable may be
uninitialized. Unless the condition is known to hold for the initial values, the reads get a copy of the condition and
fail only if it holds.
"""

from __future__ import annotations

from dataclasses import replace

from tfmini._src.base import dtypes
from tfmini._src.compiler.analysis.def_use import Uses
from tfmini._src.compiler.passes.simplify import simplify
from tfmini._src.compiler.program.program import Node, Program
from tfmini._src.graph.opdef import registry

_READ_OP = "ReadVariableOp"
_SLICING_OPS = frozenset({"Split", "StridedSlice", "Slice"})
# Ops on resources that write no variable.
_WRITE_NOTHING = frozenset({_READ_OP, "VariableShape", "VarIsInitializedOp", "ResourceGather"})
_SWITCHES = frozenset({"Switch", "RefSwitch"})
_SHAPE_OPS = frozenset({"Shape", "Size", "Rank"})
# Kinds of nodes that write nothing; the nodes of a loop are checked too.
_READ_ONLY_KINDS = frozenset({"const", "read", "view", "while"})


def hoist_reads(program: Program) -> Program:
    """Moves variable reads and slices of loop invariants out of the program's loops; returns the program."""
    nodes: list[Node] = []
    for node in program.nodes:
        if node.kind == "while" and _reads_variable(node.loop.program):
            if not node.may_wait and not any(map(_may_write, node.loop.program.all_nodes())):
                nodes += _Hoist(node, program, nodes).run()
        nodes.append(node)
    program.nodes = nodes
    return program


def _reads_variable(body: Program) -> bool:
    return any(node.kind == "op" and node.opdef.name == _READ_OP for node in body.nodes)


def _may_write(node: Node) -> bool:
    """Whether a node may write a variable, or run other code that may."""
    if node.kind != "op":
        return node.kind not in _READ_ONLY_KINDS
    if node.has_own_state or node.opdef.name in _WRITE_NOTHING:
        return False
    opdef = node.opdef
    if opdef.calls_python or opdef.runs_plan or opdef.is_function or opdef.has_references:
        return True
    return any(arg.dtype is dtypes.resource for arg in opdef.inputs)


def _is_constant(node: Node) -> bool:
    return node.kind == "const" or (node.kind == "op" and node.opdef.name == "Const")


def _node_copy(node: Node, inputs: tuple[int, ...], outputs: tuple[int, ...]) -> Node:
    copy = Node(node.kind, node.origin, inputs, outputs, payload=node.payload)
    copy.opdef, copy.attrs = node.opdef, node.attrs
    return copy


def _conditional_nodes(body: Program) -> set[int]:
    """Returns the ids of the nodes that run only if the loop's condition, or another one, holds."""
    slots: set[int] = set()
    nodes: set[int] = set()
    for node in body.nodes:
        name = node.opdef.name if node.kind == "op" else ""
        if (
            name in _SWITCHES
            or not slots.isdisjoint(node.inputs)
            or any(id(control) in nodes for control in node.controls)
        ):
            nodes.add(id(node))
            slots.update(node.outputs)
    return nodes


class _Hoist:
    """The nodes moved out of one loop.

    before: the nodes before the loop.
    outside: by slot of the loop's program, the slot of its value before the loop.
    condition: the slot of the condition on which the reads may fail; None if they always may.
    """

    def __init__(self, loop_node: Node, program: Program, before: list[Node]):
        self.loop_node = loop_node
        self.program = program
        self.before = before
        first, feeds = loop_node.loop.variables, loop_node.loop.program.feeds
        self.outside = dict(zip(feeds[first:], loop_node.inputs[first:]))
        self.initial = dict(zip(feeds[:first], loop_node.inputs[:first]))
        self.constants = {n.outputs[0]: n for n in loop_node.loop.program.nodes if _is_constant(n)}
        self.condition: int | None = None
        self.nodes: list[Node] = []  # the copies before the loop

    def run(self) -> list[Node]:
        """Moves the nodes; returns their copies, to insert before the loop."""
        conditional = _conditional_nodes(self.loop_node.loop.program)
        self._move_reads([n for n in self.loop_node.loop.program.nodes if id(n) not in conditional])
        conditional_nodes = [n for n in self.loop_node.loop.program.nodes if id(n) in conditional]
        if any(map(self._is_movable, conditional_nodes)):
            count = len(self.nodes)
            condition = self._initial_condition()
            if condition is None or self._is_known_true(condition):
                del self.nodes[count:]
            else:
                self.condition = condition
            if condition is not None:
                self._move_reads(conditional_nodes)
        return self.nodes

    def _move_reads(self, candidates: list[Node]) -> None:
        loop = self.loop_node.loop
        body = loop.program
        enters = dict(zip(body.feeds, loop.enters))
        reads: dict[int, tuple[int, ...]] = {}  # by handle
        entered: dict[int, Node] = {}
        moved_ids: set[int] = set()
        for node in candidates:
            if not self._is_movable(node):
                continue
            sources = [slot for slot in node.inputs if slot in self.outside]
            outer_outputs = reads.get(node.inputs[0]) if node.opdef.name == _READ_OP else None
            if outer_outputs is None:
                outer_outputs = self._copy_node(node)
            if node.opdef.name == _READ_OP:
                reads[node.inputs[0]] = outer_outputs
            for inner, outer in zip(node.outputs, outer_outputs):
                self.outside[inner] = outer
                entered[inner] = enters[inner] = enters[sources[0]]
            moved_ids.add(id(node))
        read = {slot for n in body.nodes if id(n) not in moved_ids for slot in n.inputs}
        read.update(body.fetches, body.fetch_predicates)
        body.nodes = [n for n in body.nodes if id(n) not in moved_ids]
        for node in body.nodes:
            if node.controls:
                node.controls = tuple(n for n in node.controls if id(n) not in moved_ids)
        read_slots = [slot for slot in entered if slot in read]
        self.loop_node.inputs += tuple(self.outside[slot] for slot in read_slots)
        body.feeds += tuple(read_slots)
        through = tuple(entered[slot] for slot in read_slots)
        self.loop_node.payload = replace(loop, enters=loop.enters + through)

    def _is_movable(self, node: Node) -> bool:
        if node in self.loop_node.loop.program.targets or not self.program.on_host(node):
            return False
        if any(control.kind != "op" or control.opdef.has_effects for control in node.controls):
            return False
        return self._is_invariant(node)

    def _initial_condition(self) -> int | None:
        """Copies the loop's condition for its initial values; None if it cannot be computed twice."""
        producers = Uses(self.loop_node.loop.program.nodes).producer
        copies = {**self.initial, **self.outside}

        def copy_slot(slot: int) -> int | None:
            if slot not in copies:
                node = producers.get(slot)
                if (
                    node is None
                    or node.kind not in ("op", "const")
                    or not self.program.on_host(node)
                ):
                    return None
                opdef = node.opdef
                if opdef.has_effects or opdef.takes_context or opdef.is_merge:
                    return None
                if opdef.name in _SWITCHES or any(n.opdef.has_effects for n in node.controls):
                    return None
                inputs = [copy_slot(slot) for slot in node.inputs]
                if None in inputs:
                    return None
                outputs = tuple(map(self._new_slot, node.outputs))
                name = "Identity" if opdef.name == "LoopCond" else opdef.name
                copy = _node_copy(node, tuple(slot for slot in inputs if slot is not None), outputs)
                if name == "Identity":
                    copy.opdef, copy.attrs = registry[name], {"T": dtypes.bool}
                self._append_copy(copy, node)
                copies.update(zip(node.outputs, outputs))
            return copies[slot]

        return copy_slot(self.loop_node.loop.program.fetches[0])

    def _is_known_true(self, predicate: int) -> bool:
        """Whether the condition follows from constants and static shapes."""
        producers = Uses([*self.before, *self.nodes]).producer
        needed: dict[int, Node] = {}

        def add(slot: int) -> None:
            node = producers.get(slot)
            if node is not None and id(node) not in needed and node.kind in ("op", "const"):
                for each in node.inputs if node.opdef.name not in _SHAPE_OPS else ():
                    add(each)
                needed[id(node)] = _node_copy(node, node.inputs, node.outputs)

        add(predicate)
        nodes = [n for n in needed.values() if not n.opdef.has_effects]
        condition = Program(nodes, self.program.slots, (), (predicate,))
        simplify(condition)
        constants = {n.outputs[0]: n for n in condition.nodes if n.kind == "const"}
        node = constants.get(condition.fetches[0])
        return node is not None and bool(node.constant)

    def _is_invariant(self, node: Node) -> bool:
        """Whether a node reads a variable, or extracts a part of known size from an invariant."""
        if node.kind != "op":
            return False
        if node.opdef.name == _READ_OP:
            is_known = self.condition is None or self._has_known_shape(node.outputs[0])
            return node.inputs[0] in self.outside and is_known
        if node.opdef.name not in _SLICING_OPS or not any(
            slot in self.outside for slot in node.inputs
        ):
            return False
        if not all(slot in self.outside or slot in self.constants for slot in node.inputs):
            return False
        return all(map(self._has_known_shape, node.outputs))

    def _has_known_shape(self, slot: int) -> bool:
        dims = self.program.slots[slot].dims
        return dims is not None and None not in dims

    def _copy_node(self, node: Node) -> tuple[int, ...]:
        """Copies the node and its constants; returns the outputs of the copy."""
        inputs = []
        for slot in node.inputs:
            if slot not in self.outside:
                constant = self.constants[slot]
                inputs.append(self._new_slot(slot))
                self._append_copy(_node_copy(constant, (), (inputs[-1],)), constant)
            else:
                inputs.append(self.outside[slot])
        outputs = tuple(map(self._new_slot, node.outputs))
        copy = _node_copy(node, tuple(inputs), outputs)
        if self.condition is not None and node.opdef.name == _READ_OP:
            copy.opdef = registry["_ReadVariableIf"]
            copy.inputs += (self.condition,)
            copy.attrs = {**node.attrs, "shape": self.program.slots[node.outputs[0]].dims}
        self._append_copy(copy, node)
        return outputs

    def _append_copy(self, copy: Node, node: Node) -> None:
        copy.guard, copy.device = self.loop_node.guard, node.device
        self.nodes.append(copy)

    def _new_slot(self, template_slot: int) -> int:
        slot = self.program.slots[template_slot]
        return self.program.new_slot(slot.dtype, slot.dims)
