"""loop_shapes: infers loop-invariant shapes, in loops and their gradients.

A loop variable keeps its initial shape in every iteration if the body maps this shape to itself. A gradient pops the
values its loop pushed on a stack or wrote to a TensorArray: elements have the shapes of the stored arrays.
The symbols of the enclosing program prove that operands in the body have equal shapes, so `drop_noop_reshapes` removes
more nodes there, and shapes that a loop pushes for its gradient often become unused: `drop_unread_stacks` drops them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tfmini._src.base.records import dataclass
from tfmini._src.compiler.analysis.def_use import Uses
from tfmini._src.compiler.analysis.symbolic_shapes import Symbols
from tfmini._src.compiler.passes.simplify import remove_dead_nodes
from tfmini._src.compiler.program.program import Dims, KnownShapes, Loop, Node, Program, without

_MAX_ROUNDS = 4  # maximum iterations to a fixed point of the loop variables' shapes

_WRITES = frozenset({"TensorArrayWriteV3", "TensorArrayScatterV3"})
_READ_ONLY_OPS = frozenset(
    f"TensorArray{name}V3" for name in ("Read", "Gather", "Grad", "Size", "Close", "Concat")
)


def loop_shapes(program: Program) -> Program:
    """Returns the program with shapes inferred in loops that sum broadcast operands."""
    if any(_has_broadcast_gradients(node) for node in program.nodes):
        _Walk(program).run()
    return program


def _has_broadcast_gradients(node: Node) -> bool:
    return node.kind == "while" and any(
        n.kind == "op" and n.opdef.name == "BroadcastGradientArgs" for n in node.loop.program.nodes
    )


@dataclass(frozen=True)
class _Content:
    """Facts about each value on a stack or in a TensorArray: its shape, and its elements if it is a vector of sizes."""

    dims: Dims | None
    vector: Dims | None = None


class _Walk:
    """Visits a program's nodes in order, including its loops."""

    def __init__(self, program: Program):
        self.program = program
        self.symbols = Symbols(program)
        self.holders = _sole_writers(program)
        self.contents: dict[int, _Content] = {}

    def run(self) -> None:
        for node in self.program.nodes:
            if node.kind != "while":
                self._note_written(node, self.symbols, lambda slot: slot, lambda dims: dims)
                self.symbols.add(node)
            elif not any(n.kind == "while" for n in node.loop.program.nodes):
                self._infer_loop(node)

    def _infer_loop(self, node: Node) -> None:
        """Determines the known shapes in a loop; its results have the shapes of the values that leave it."""
        loop = node.loop
        body = loop.program
        body_slots = {*body.feeds, *(slot for n in body.nodes for slot in n.outputs)}

        def outer(dims: Dims | None) -> Dims | None:
            """Returns the loop-invariant sizes; None for others."""
            if dims is None:
                return None
            return tuple(None if isinstance(d, tuple) and d[0] in body_slots else d for d in dims)

        shapes = self._input_shapes(node)
        for _ in range(_MAX_ROUNDS):
            body.known_shapes = shapes
            symbols = Symbols(body)
            for inner in body.nodes:
                symbols.add(inner)
            next_slots = body.fetches[1 : 1 + loop.variables]
            settled = True
            for feed, fetch in zip(body.feeds, next_slots):
                previous = shapes.dims.pop(feed, None)
                common = _invariant_dims(previous, symbols.dims(fetch), feed)
                if common is not None:
                    shapes.dims[feed] = common
                settled &= common == previous
            if settled:
                break
        else:
            body.known_shapes = None
            return
        outer_slots = dict(zip(body.feeds, node.inputs))
        for inner in body.nodes:
            self._note_written(inner, symbols, outer_slots.get, outer)
        for result, slot in zip(node.outputs, body.fetches[1 + loop.variables :]):
            self.symbols.assume(result, outer(symbols.dims(slot)))

    def _input_shapes(self, node: Node) -> KnownShapes:
        """Returns the known shapes of a loop's inputs, and of its reads from stacks and TensorArrays."""
        body = node.loop.program
        shapes = KnownShapes({}, {})
        for index, (feed, slot) in enumerate(zip(body.feeds, node.inputs)):
            dims = self.symbols.dims(slot)
            if dims is not None:
                shapes.dims[feed] = dims
            vector = self.symbols.vector(slot)
            if index >= node.loop.variables and vector is not None:
                shapes.vectors[feed] = vector
        outer_slots = dict(zip(body.feeds, node.inputs))
        for inner in body.nodes:
            if inner.kind == "op" and inner.opdef.name in ("StackPopV2", "TensorArrayReadV3"):
                content = self.contents.get(outer_slots.get(inner.inputs[0], -1))
                slot = inner.outputs[0]
                if content is not None and content.dims is not None:
                    shapes.dims[slot] = _name_unknown_dims(content.dims, slot)
                if content is not None and content.vector is not None:
                    shapes.vectors[slot] = _name_unknown_dims(content.vector, slot, "size")
        return shapes

    def _note_written(
        self,
        node: Node,
        symbols: Symbols,
        outer_slots: Callable[[int], int | None],
        outer: Callable[[Dims | None], Dims | None],
    ) -> None:
        """Records the value that a node pushes on a stack or writes to a TensorArray, if it is the only writer."""
        if node.kind != "op" or not node.inputs:
            return
        holder = outer_slots(node.inputs[0])
        if holder is None or self.holders.get(holder) is not node:
            return
        value = node.inputs[1 if node.opdef.name == "StackPushV2" else 2]
        dims = symbols.dims(value)
        if node.opdef.name == "TensorArrayScatterV3":
            self.contents[holder] = _Content(outer(dims[1:] if dims else None))
        else:
            self.contents[holder] = _Content(outer(dims), outer(symbols.vector(value)))


def _name_unknown_dims(dims: Dims, slot: int, *suffix: str) -> Dims:
    """Returns the sizes, with a slot's symbols in place of unknown ones."""
    return tuple((slot, axis, *suffix) if d is None else d for axis, d in enumerate(dims))


def _invariant_dims(previous: Dims | None, now: Dims | None, slot: int) -> Dims | None:
    """Returns the invariant part of a loop variable's shape; None if its rank may change."""
    if previous is None or now is None or len(now) != len(previous):
        return None
    return tuple(b if b == n else (slot, axis) for axis, (b, n) in enumerate(zip(previous, now)))


@dataclass(frozen=True)
class _Users:
    """Readers of a handle in a program and its loops; `escapes` if there may be more, as in nested loops."""

    nodes: list[Node]
    escapes: bool


class _LoopReaders:
    """Readers of a loop's inputs in its body."""

    def __init__(self, node: Node):
        body = node.loop.program
        self._readers = Uses(body.nodes).readers
        self._escaping = {*body.feeds[: node.loop.variables], *body.fetches}
        self._feeds: dict[int, list[int]] = {}  # by input slot
        for feed, slot in zip(body.feeds, node.inputs):
            self._feeds.setdefault(slot, []).append(feed)

    def users(self, slot: int) -> _Users:
        feeds = self._feeds.get(slot, ())
        nodes = list(dict.fromkeys(n for feed in feeds for n in self._readers.get(feed, ())))
        is_nested = any(node.kind == "while" for node in nodes)
        return _Users(nodes, is_nested or not self._escaping.isdisjoint(feeds))


def _handle_users(program: Program, *ops: str) -> dict[int, _Users]:
    """Returns the handles of stacks and TensorArrays created by a program, with their readers."""
    handles = [n.outputs[0] for n in program.nodes if n.kind == "op" and n.opdef.name in ops]
    if not handles:
        return {}
    fetches = set(program.fetches)
    readers = Uses(program.nodes).readers
    loops = {id(n): _LoopReaders(n) for n in program.nodes if n.kind == "while"}
    users_by_handle = {}
    for handle in handles:
        nodes: list[Node] = []
        escapes = handle in fetches
        for node in dict.fromkeys(readers.get(handle, ())):
            users = loops[id(node)].users(handle) if node.kind == "while" else None
            nodes += users.nodes if users else [node]
            escapes |= users is not None and users.escapes
        users_by_handle[handle] = _Users(nodes, escapes)
    return users_by_handle


def _sole_writers(program: Program) -> dict[int, Node]:
    """Maps each stack or TensorArray handle to the only node that writes to it."""
    writers = {}
    for slot, users in _handle_users(program, "StackV2", "TensorArrayV3").items():
        if users.escapes or any(n.kind != "op" for n in users.nodes):
            continue
        names = [n.opdef.name for n in users.nodes]
        pushes = [n for n in users.nodes if n.opdef.name == "StackPushV2"]
        writes = [n for n in users.nodes if n.opdef.name in _WRITES]
        if sorted(names) == ["StackPopV2", "StackPushV2"]:
            writers[slot] = pushes[0]
        elif len(writes) == 1 and _READ_ONLY_OPS.issuperset(set(names) - _WRITES):
            writers[slot] = writes[0]
    return writers


def drop_unread_stacks(program: Program) -> Program:
    """Removes stacks that are never read; returns the program."""
    handles = _handle_users(program, "StackV2")
    if not handles:
        return program
    read: set[int] = set()
    for body in (program, *(n.loop.program for n in program.nodes if n.kind == "while")):
        read.update(Uses(body.nodes).readers)
        read.update(body.fetches)
        read.update(body.fetch_predicates)
        read.update(predicate for n in body.nodes for predicate in n.predicates)
    unread: set[int] = set()
    removed: set[int] = set()
    for handle, users in handles.items():
        if users.escapes or not all(
            n.kind == "op" and n.opdef.name in ("StackPushV2", "StackPopV2") for n in users.nodes
        ):
            continue
        if not any(slot in read for n in users.nodes for slot in n.outputs):
            unread.add(handle)
            removed.update(id(n) for n in users.nodes)
    if unread:
        _remove_stacks(program, unread, removed)
    return program


def _remove_stacks(program: Program, handles: set[int], removed: set[int]) -> None:
    """Removes stacks and the nodes, by their ids, that use them."""
    for node in program.nodes:
        if node.kind == "while":
            body = node.loop.program
            body.nodes = [n for n in body.nodes if id(n) not in removed]
            _forget_feeds(node, {index for index, s in enumerate(node.inputs) if s in handles})
            body.nodes = remove_dead_nodes(body.nodes, body, {})
    program.nodes = [
        n for n in program.nodes if id(n) not in removed and not handles.intersection(n.outputs)
    ]


def _forget_feeds(node: Node, indices: set[int]) -> None:
    """Removes feeds that are loop invariants from a loop."""
    loop: Loop = node.loop
    loop.program.feeds = without(loop.program.feeds, indices)
    loop.program.fed = without(loop.program.fed, indices)
    node.inputs = without(node.inputs, indices)
    node.payload = replace(loop, enters=without(loop.enters, indices))
