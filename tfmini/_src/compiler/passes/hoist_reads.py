"""hoist_reads: moves reads of resource variables, and constant parts of loop invariants, out of loops.

Keras's recurrent layers read their weights in each iteration and take the columns of each gate. A loop that writes no
variable reads the same values in all iterations: read once, they are loop invariants, which `pack_matmuls` packs.
"""

from __future__ import annotations

from dataclasses import replace

from tfmini._src.base import dtypes
from tfmini._src.compiler.program.program import Node, Program

_READ = "ReadVariableOp"
_PARTS = frozenset({"Split", "StridedSlice", "Slice"})
# Ops on resources that write no variable.
_WRITE_NOTHING = frozenset({_READ, "VariableShape", "VarIsInitializedOp", "ResourceGather"})
# Kinds of nodes that write nothing; the nodes of a loop are checked too.
_KINDS = frozenset({"const", "read", "view", "while"})


def hoist_reads(program: Program) -> Program:
    """Moves such nodes before the loops of the program; returns the program."""
    nodes: list[Node] = []
    for node in program.nodes:
        if node.kind == "while" and _reads_variable(node.loop.program):
            if not node.may_wait and not any(map(_may_write, node.loop.program.all_nodes())):
                nodes += _Hoist(node, program).run()
        nodes.append(node)
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


class _Hoist:
    """The nodes moved out of one loop.

    outside: by slot of the loop's program, the slot of its value before the loop.
    """

    def __init__(self, around: Node, program: Program):
        self.around = around
        self.program = program
        first, feeds = around.loop.variables, around.loop.program.feeds
        self.outside = dict(zip(feeds[first:], around.inputs[first:]))

    def run(self) -> list[Node]:
        """Moves the nodes; returns their copies, to insert before the loop."""
        loop, program = self.around.loop, self.program
        body = loop.program
        enters = dict(zip(body.feeds, loop.enters))
        constants = {n.outputs[0]: n for n in body.nodes if _is_constant(n)}
        targets = {id(node) for node in body.targets}
        always = ((body.fetches[0], True),)
        reads: dict[int, tuple[int, ...]] = {}  # by handle
        moved_nodes: list[Node] = []
        entered: dict[int, Node] = {}
        moved: set[int] = set()
        for node in body.nodes:
            if node.guard not in ((), always) or id(node) in targets:
                continue
            if any(before.kind != "op" or before.opdef.has_effects for before in node.controls):
                continue
            if not program.on_host(node) or not self._is_invariant(node, constants):
                continue
            sources = [slot for slot in node.inputs if slot in self.outside]
            known = reads.get(node.inputs[0]) if node.opdef.name == _READ else None
            if known is None:
                copies = self._copies(node, constants)
                moved_nodes += copies
                known = copies[-1].outputs
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
        return moved_nodes

    def _is_invariant(self, node: Node, constants: dict[int, Node]) -> bool:
        """Whether a node reads a variable, or takes a part of known size from an invariant."""
        if node.kind != "op":
            return False
        if node.opdef.name == _READ:
            return node.inputs[0] in self.outside
        if node.opdef.name not in _PARTS or not any(slot in self.outside for slot in node.inputs):
            return False
        if not all(slot in self.outside or slot in constants for slot in node.inputs):
            return False
        dims = [self.program.slots[slot].dims for slot in node.outputs]
        return all(d is not None and None not in d for d in dims)

    def _copies(self, node: Node, constants: dict[int, Node]) -> list[Node]:
        """Copies of the node and its constants for the program around the loop; the constants come first."""
        copies = []
        inputs = []
        for slot in node.inputs:
            if slot not in self.outside:
                copies.append(_copy(constants[slot], (), (self._new_slot(slot),)))
                inputs.append(copies[-1].outputs[0])
            else:
                inputs.append(self.outside[slot])
        copies.append(_copy(node, tuple(inputs), tuple(map(self._new_slot, node.outputs))))
        for each in copies:
            each.guard, each.device = self.around.guard, node.device
        return copies

    def _new_slot(self, like: int) -> int:
        slot = self.program.slots[like]
        return self.program.new_slot(slot.dtype, slot.dims)
