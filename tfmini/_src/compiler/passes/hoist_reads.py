"""hoist_reads: moves reads of resource variables, and constant parts of loop invariants, out of loops.

Keras's recurrent layers read their weights in each iteration and take the columns of each gate. A loop that writes no
variable reads the same values in all iterations: read once, they are loop invariants, which `pack_matmuls` packs.

A loop without iterations must not read what its body reads, since the variable may be uninitialized. Unless the
condition is known to hold for the initial values, a copy of it before the loop selects, by Switch and Merge, whether
the reads and the loop run, or the initial values are the results.
"""

from __future__ import annotations

from dataclasses import replace

from tfmini._src.base import dtypes
from tfmini._src.compiler.analysis.def_use import Uses
from tfmini._src.compiler.passes.simplify import simplify
from tfmini._src.compiler.program.program import Node, Program
from tfmini._src.graph.opdef import registry

_READ = "ReadVariableOp"
_PARTS = frozenset({"Split", "StridedSlice", "Slice"})
# Ops on resources that write no variable.
_WRITE_NOTHING = frozenset({_READ, "VariableShape", "VarIsInitializedOp", "ResourceGather"})
_SWITCHES = frozenset({"Switch", "RefSwitch"})
_OF_SHAPES = frozenset({"Shape", "Size", "Rank"})
# Kinds of nodes that write nothing; the nodes of a loop are checked too.
_KINDS = frozenset({"const", "read", "view", "while"})


def hoist_reads(program: Program) -> Program:
    """Moves such nodes before the loops of the program; returns the program."""
    nodes: list[Node] = []
    after: dict[int, Node] = {}  # by loop: the node that follows it
    for node in program.nodes:
        if node.kind == "while" and _reads_variable(node.loop.program):
            if not node.may_wait and not any(map(_may_write, node.loop.program.all_nodes())):
                hoist = _Hoist(node, program, nodes)
                nodes += [*hoist.run(), node, *hoist.merges]
                after.update((id(node), merge) for merge in hoist.merges)
                continue
        nodes.append(node)
    for node in nodes if after else ():
        node.controls = tuple(after.get(id(before), before) for before in node.controls)
    program.targets = [after.get(id(node), node) for node in program.targets]
    program.nodes = nodes
    return program


def _reads_variable(body: Program) -> bool:
    return any(node.kind == "op" and node.opdef.name == _READ for node in body.nodes)


def _may_write(node: Node) -> bool:
    """Whether a node may write a variable, or run other code that may."""
    if node.kind != "op":
        return node.kind not in _KINDS
    if node.has_own_state or node.opdef.name in _WRITE_NOTHING:
        return False
    opdef = node.opdef
    if opdef.calls_python or opdef.runs_plan or opdef.is_function or opdef.has_references:
        return True
    return any(arg.dtype is dtypes.resource for arg in opdef.inputs)


def _is_constant(node: Node) -> bool:
    return node.kind == "const" or (node.kind == "op" and node.opdef.name == "Const")


def _copy(node: Node, inputs: tuple[int, ...], outputs: tuple[int, ...]) -> Node:
    copy = Node(node.kind, node.origin, inputs, outputs, payload=node.payload)
    copy.opdef, copy.attrs = node.opdef, node.attrs
    return copy


def _node(
    name: str, at: Node, inputs: tuple[int, ...], outputs: tuple[int, ...], **attrs: object
) -> Node:
    """A node at the place of another."""
    node = Node("op", at.origin, inputs, outputs)
    node.opdef, node.attrs, node.device = registry[name], attrs, at.device
    return node


def _conditional(body: Program) -> set[int]:
    """The ids of the nodes that run only where the loop's condition, or another one, holds."""
    slots: set[int] = set()
    nodes: set[int] = set()
    for node in body.nodes:
        name = node.opdef.name if node.kind == "op" else ""
        if (
            name in _SWITCHES
            or not slots.isdisjoint(node.inputs)
            or any(id(before) in nodes for before in node.controls)
        ):
            nodes.add(id(node))
            slots.update(node.outputs)
    return nodes


class _Hoist:
    """The nodes moved out of one loop.

    before: the nodes before the loop.
    outside: by slot of the loop's program, the slot of its value before the loop.
    merges: nodes that select the loop's results, or initial values if no iteration runs.
    """

    def __init__(self, around: Node, program: Program, before: list[Node]):
        self.around = around
        self.program = program
        self.before = before
        first, feeds = around.loop.variables, around.loop.program.feeds
        self.outside = dict(zip(feeds[first:], around.inputs[first:]))
        self.initial = dict(zip(feeds[:first], around.inputs[:first]))
        self.constants = {n.outputs[0]: n for n in around.loop.program.nodes if _is_constant(n)}
        self.nodes: list[Node] = []  # the copies before the loop
        self.merges: list[Node] = []

    def run(self) -> list[Node]:
        """Moves the nodes; returns their copies, to insert before the loop."""
        conditional = _conditional(self.around.loop.program)
        self._move([n for n in self.around.loop.program.nodes if id(n) not in conditional])
        some = [n for n in self.around.loop.program.nodes if id(n) in conditional]
        if any(map(self._is_movable, some)):
            guarded = self._guarded()
            if guarded is not None:
                self.outside = guarded
                self._move(some)
        return self.nodes

    def _move(self, candidates: list[Node]) -> None:
        loop = self.around.loop
        body = loop.program
        enters = dict(zip(body.feeds, loop.enters))
        reads: dict[int, tuple[int, ...]] = {}  # by handle
        entered: dict[int, Node] = {}
        moved: set[int] = set()
        for node in candidates:
            if not self._is_movable(node):
                continue
            sources = [slot for slot in node.inputs if slot in self.outside]
            known = reads.get(node.inputs[0]) if node.opdef.name == _READ else None
            if known is None:
                known = self._copied(node)
            if node.opdef.name == _READ:
                reads[node.inputs[0]] = known
            for inner, outer in zip(node.outputs, known):
                self.outside[inner] = outer
                entered[inner] = enters[inner] = enters[sources[0]]
            moved.add(id(node))
        read = {slot for n in body.nodes if id(n) not in moved for slot in n.inputs}
        read.update(body.fetches, body.fetch_predicates)
        body.nodes = [n for n in body.nodes if id(n) not in moved]
        for node in body.nodes:
            if node.controls:
                node.controls = tuple(n for n in node.controls if id(n) not in moved)
        kept = [slot for slot in entered if slot in read]
        self.around.inputs += tuple(self.outside[slot] for slot in kept)
        body.feeds += tuple(kept)
        through = tuple(entered[slot] for slot in kept)
        self.around.payload = replace(loop, enters=loop.enters + through)

    def _is_movable(self, node: Node) -> bool:
        if node in self.around.loop.program.targets or not self.program.on_host(node):
            return False
        if any(before.kind != "op" or before.opdef.has_effects for before in node.controls):
            return False
        return self._is_invariant(node)

    def _guarded(self) -> dict[int, int] | None:
        """The loop invariants where an iteration runs; None if it is unknown before the loop whether one does.

        The loop then runs only in this case; a Merge per result selects the initial value in the other.
        """
        count = len(self.nodes)
        predicate = self._initial_condition()
        if predicate is None:
            del self.nodes[count:]
            return None
        if self._is_known_true(predicate):
            del self.nodes[count:]
            return self.outside
        results = self._unchanged_results()
        if results is None:
            del self.nodes[count:]
            return None
        loop, outputs = self.around.loop, []
        for node, result, initial in zip(loop.exits, self.around.outputs, results):
            slots = [self._new_slot(result) for _ in range(3)]
            dtype = self.program.slots[result].dtype.base_dtype
            self._add("Switch", node, (initial, predicate), tuple(slots[:2]), T=dtype)
            index = self.program.new_slot(dtypes.int32, ())
            merge = _node("Merge", node, (slots[0], slots[2]), (result, index), T=dtype, N=2)
            self.merges.append(merge)
            outputs.append(slots[2])
        self.around.outputs = tuple(outputs)
        guarded = {}
        for slot, outer in self.outside.items():
            pair = self._new_slot(slot), self._new_slot(slot)
            dtype = self.program.slots[slot].dtype.base_dtype
            self._add("Switch", self.around, (outer, predicate), pair, T=dtype)
            guarded[slot] = pair[1]
        return guarded

    def _unchanged_results(self) -> list[int] | None:
        """The slots of the loop's results if no iteration runs; None if other values leave it."""
        loop = self.around.loop
        if loop.collected or not loop.exits:
            return None
        body = loop.program
        made_by = Uses(body.nodes).producer
        results = []
        for slot in body.fetches[1 + loop.variables :]:
            node = made_by.get(slot)
            if node is not None and node.kind == "op" and node.opdef.name in _SWITCHES:
                slot = node.inputs[0]
            if slot not in self.initial:
                return None
            results.append(self.initial[slot])
        return results

    def _initial_condition(self) -> int | None:
        """Copies the loop's condition for its initial values; None if it cannot be computed twice."""
        made_by = Uses(self.around.loop.program.nodes).producer
        known = {**self.initial, **self.outside}

        def copied(slot: int) -> int | None:
            if slot not in known:
                node = made_by.get(slot)
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
                inputs = [copied(each) for each in node.inputs]
                if None in inputs:
                    return None
                outputs = tuple(map(self._new_slot, node.outputs))
                name = "Identity" if opdef.name == "LoopCond" else opdef.name
                copy = _copy(node, tuple(each for each in inputs if each is not None), outputs)
                if name == "Identity":
                    copy.opdef, copy.attrs = registry[name], {"T": dtypes.bool}
                self._insert(copy, node)
                known.update(zip(node.outputs, outputs))
            return known[slot]

        return copied(self.around.loop.program.fetches[0])

    def _is_known_true(self, predicate: int) -> bool:
        """Whether the condition follows from constants and static shapes."""
        made_by = Uses([*self.before, *self.nodes]).producer
        needed: dict[int, Node] = {}

        def add(slot: int) -> None:
            node = made_by.get(slot)
            if node is not None and id(node) not in needed and node.kind in ("op", "const"):
                for each in node.inputs if node.opdef.name not in _OF_SHAPES else ():
                    add(each)
                needed[id(node)] = _copy(node, node.inputs, node.outputs)

        add(predicate)
        nodes = [n for n in needed.values() if not n.opdef.has_effects]
        condition = Program(nodes, self.program.slots, (), (predicate,))
        simplify(condition)
        made = {n.outputs[0]: n for n in condition.nodes if n.kind == "const"}
        node = made.get(condition.fetches[0])
        return node is not None and bool(node.constant)

    def _is_invariant(self, node: Node) -> bool:
        """Whether a node reads a variable, or takes a part of known size from an invariant."""
        if node.kind != "op":
            return False
        if node.opdef.name == _READ:
            return node.inputs[0] in self.outside
        if node.opdef.name not in _PARTS or not any(slot in self.outside for slot in node.inputs):
            return False
        if not all(slot in self.outside or slot in self.constants for slot in node.inputs):
            return False
        dims = [self.program.slots[slot].dims for slot in node.outputs]
        return all(d is not None and None not in d for d in dims)

    def _copied(self, node: Node) -> tuple[int, ...]:
        """Copies the node and its constants; returns the outputs of the copy."""
        inputs = []
        for slot in node.inputs:
            if slot not in self.outside:
                constant = self.constants[slot]
                inputs.append(self._new_slot(slot))
                self._insert(_copy(constant, (), (inputs[-1],)), constant)
            else:
                inputs.append(self.outside[slot])
        outputs = tuple(map(self._new_slot, node.outputs))
        self._insert(_copy(node, tuple(inputs), outputs), node)
        return outputs

    def _add(
        self,
        name: str,
        at: Node,
        inputs: tuple[int, ...],
        outputs: tuple[int, ...],
        **attrs: object,
    ) -> None:
        self._insert(_node(name, at, inputs, outputs, **attrs), at)

    def _insert(self, copy: Node, node: Node) -> None:
        copy.guard, copy.device = self.around.guard, node.device
        self.nodes.append(copy)

    def _new_slot(self, like: int) -> int:
        slot = self.program.slots[like]
        return self.program.new_slot(slot.dtype, slot.dims)
