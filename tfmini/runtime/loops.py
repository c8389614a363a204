"""loops: the nodes of a frame become one node that holds the program of an iteration.

What enters a frame comes from the frame around it; a Merge of what enters and of what goes round is a loop variable.
The Switch on the predicate of LoopCond parts what goes round from what leaves: in the program of an iteration it is
a condition like any other (`structure.py`).
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field

from tfmini.errors import InvalidArgumentError
from tfmini.runtime.program import Loop, Node, Program

_ENTERS = frozenset({"Enter", "RefEnter"})
_EXITS = frozenset({"Exit", "RefExit"})
_MERGES = frozenset({"Merge", "RefMerge"})
_LOOPS_BACK = frozenset({"NextIteration", "RefNextIteration"})


@dataclass(eq=False)
class _Frame:
    """The nodes of a loop, those of loops in it as one each; outermost, the program's own."""

    outer: _Frame | None = None
    nodes: list[Node] = field(default_factory=list)
    enters: list[Node] = field(default_factory=list)
    exits: list[Node] = field(default_factory=list)
    backs: dict[int, Node] = field(default_factory=dict)  # by output slot
    inner: dict[str, _Frame] = field(default_factory=dict)

    @property
    def depth(self) -> int:
        return 0 if self.outer is None else 1 + self.outer.depth


def loops(program: Program) -> Program:
    """Returns the program with a node of kind "while" for each loop."""
    if not any(node.kind == "op" and node.opdef.name in _ENTERS for node in program.nodes):
        return program
    return _Loops(program).result()


class _Loops:
    def __init__(self, program: Program):
        self.program = program
        self.top = _Frame()
        self.frame_of: dict[int, _Frame] = {}  # by slot
        self.frame_of_node: dict[int, _Frame] = {}  # where what waits for a node is
        self.maker = {slot: node for node in program.nodes for slot in node.outputs}
        self.place = {id(node): number for number, node in enumerate(program.nodes)}
        self.stands_for: dict[int, Node] = {}  # for nodes that are gone: what to wait for instead

    def result(self) -> Program:
        for node in self.program.nodes:
            self._sort(node)
        self._close(self.top)
        self.program.nodes = self._in_order(self.top.nodes)
        self.program.targets = [self._standing(node) for node in self.program.targets]
        return self.program

    def _sort(self, node: Node) -> None:
        """Finds the frame of a node."""
        name = node.opdef.name if node.kind == "op" else ""
        frames = [self.frame_of.get(s, self.top) for s in node.inputs if s in self.frame_of]
        if not node.inputs:
            frames = [self.frame_of_node.get(id(c), self.top) for c in node.controls]
        frame = max(frames, key=lambda f: f.depth, default=self.top)
        after = frame
        if name in _ENTERS:
            after = frame.inner.setdefault(node.attrs["frame_name"], _Frame(frame))
            after.enters.append(node)
        elif name in _EXITS:
            if frame.outer is None:
                message = f"Node '{node.origin.name}' leaves a loop that nothing enters"
                raise InvalidArgumentError(None, node.origin, message)
            frame.exits.append(node)
            after = frame.outer
        elif name in _LOOPS_BACK:
            frame.backs[node.outputs[0]] = node
        else:
            frame.nodes.append(node)
        self.frame_of_node[id(node)] = after
        for slot in node.outputs:
            self.frame_of[slot] = after

    def _close(self, frame: _Frame) -> None:
        """Puts a node for each loop directly inside into the frame."""
        for inner in frame.inner.values():
            self._close(inner)
            node = self._loop(inner)
            frame.nodes.append(node)

    def _loop(self, frame: _Frame) -> Node:
        entered = {node.outputs[0]: node for node in frame.enters}
        conditions = [n for n in frame.nodes if n.kind == "op" and n.opdef.name == "LoopCond"]
        if len(conditions) != 1:
            origin = (conditions or frame.enters)[0].origin
            message = (
                f"The loop of '{origin.name}' has {len(conditions)} LoopCond nodes; one is needed"
            )
            raise InvalidArgumentError(None, origin, message)
        condition = conditions[0]
        variables: list[int] = []
        starts: list[Node] = []
        following: list[int] = []
        body: list[Node] = []
        for node in frame.nodes:
            back = self._back_edge(node, frame)
            if back is None:
                body.append(node)
                continue
            variables.append(node.outputs[0])
            starts.append(entered.pop(next(s for s in node.inputs if s in entered)))
            following.append(frame.backs[back].inputs[0])
        invariants = []
        constants = []
        for slot, node in entered.items():
            source = self.maker.get(node.inputs[0])
            if source is not None and source.kind == "op" and source.opdef.name == "Const":
                constants.append(Node("op", source.origin, (), (slot,)))
                constants[-1].device = source.device
            else:
                invariants.append(node)
        loop = Node(
            "while",
            condition.origin,
            tuple(node.inputs[0] for node in (*starts, *invariants)),
            tuple(node.outputs[0] for node in frame.exits),
            tuple(c for node in frame.enters for c in node.controls),
            Loop(
                Program([*constants, *self._in_order(body)], self.program.slots, (), ()),
                len(variables),
                (*starts, *invariants),
                tuple(frame.exits),
            ),
        )
        loop.device = condition.device
        program = loop.value.program
        program.feeds = (*variables, *(node.outputs[0] for node in invariants))
        program.fed = tuple(node.origin for node in loop.value.enters)
        leaving = (node.inputs[0] for node in frame.exits)
        program.fetches = (condition.outputs[0], *following, *leaving)
        gone = [*frame.enters, *frame.exits]
        self.place[id(loop)] = min(self.place[id(node)] for node in (*gone, *frame.nodes))
        for node in gone:
            self.stands_for[id(node)] = loop
        self.maker.update(dict.fromkeys(loop.outputs, loop))
        return loop

    def _back_edge(self, node: Node, frame: _Frame) -> int | None:
        """For the Merge of a loop variable: the slot of what goes round."""
        if node.kind != "op" or node.opdef.name not in _MERGES:
            return None
        return next((slot for slot in node.inputs if slot in frame.backs), None)

    def _standing(self, node: Node) -> Node:
        while id(node) in self.stands_for:
            node = self.stands_for[id(node)]
        return node

    def _in_order(self, nodes: list[Node]) -> list[Node]:
        """As they were, but for what a loop moves with it."""
        inside = {id(node) for node in nodes}
        consumers: dict[int, list[Node]] = {}
        waiting: dict[int, int] = {}
        for node in nodes:
            node.controls = tuple(self._standing(c) for c in node.controls)
            made = (self.maker[s] for s in node.inputs if s in self.maker)
            sources = {id(s) for s in (*made, *node.controls)} & inside - {id(node)}
            waiting[id(node)] = len(sources)
            for source in sources:
                consumers.setdefault(source, []).append(node)
        ready = [(self.place[id(n)], n) for n in nodes if not waiting[id(n)]]
        heapq.heapify(ready)
        result = []
        while ready:
            _, node = heapq.heappop(ready)
            result.append(node)
            for consumer in consumers.get(id(node), ()):
                waiting[id(consumer)] -= 1
                if not waiting[id(consumer)]:
                    heapq.heappush(ready, (self.place[id(consumer)], consumer))
        if len(result) < len(nodes):
            stuck = next(node for node in nodes if waiting[id(node)])
            message = f"Graph is invalid, contains a cycle at {stuck.origin.name}"
            raise InvalidArgumentError(None, stuck.origin, message)
        return result
