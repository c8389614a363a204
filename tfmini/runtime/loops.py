"""loops: the nodes of a frame become one node that holds the program of an iteration.

What enters a frame comes from the frame around it; a Merge of what enters and of what goes round is a loop variable.
The Switch on the predicate of LoopCond parts what goes round from what leaves: in the program of an iteration it is
a condition like any other (`structure.py`).

`while_loop` and its gradients make no other frames, and TensorFlow runs none that hold several loops or whose nodes
read across frames: these are refused in its words. A frame in which nothing goes round runs once.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field

from tfmini.errors import InternalError, InvalidArgumentError
from tfmini.runtime.failures import defined_at
from tfmini.runtime.program import Loop, Node, Program

_ENTERS = frozenset({"Enter", "RefEnter"})
_EXITS = frozenset({"Exit", "RefExit"})
_MERGES = frozenset({"Merge", "RefMerge"})
_LOOPS_BACK = frozenset({"NextIteration", "RefNextIteration"})


def _is_condition(node: Node) -> bool:
    return node.kind == "op" and node.opdef.name == "LoopCond"


def _mentioned(node: Node | None) -> str:
    """A node as TensorFlow speaks of it in the middle of a message; None is what is fed."""
    return (
        f"node {node.origin.name}{defined_at(node.origin)} " if node is not None else "node _arg "
    )


@dataclass(eq=False)
class _Frame:
    """The nodes of a loop, those of loops in it as one each; outermost, the program's own."""

    outer: _Frame | None = None
    nodes: list[Node] = field(default_factory=list)
    enters: list[Node] = field(default_factory=list)
    exits: list[Node] = field(default_factory=list)
    backs: dict[int, Node] = field(default_factory=dict)  # by output slot
    inner: dict[str, _Frame] = field(default_factory=dict)

    name: str = ""

    @property
    def depth(self) -> int:
        return 0 if self.outer is None else 1 + self.outer.depth

    @property
    def repeats(self) -> bool:
        """Whether it is a loop: nodes without a condition that go round no more run once, as if there were no frame."""
        return bool(self.backs) or any(_is_condition(node) for node in self.nodes)


def loops(program: Program) -> Program:
    """Returns the program with a node of kind "while" for each loop."""
    if not any(node.kind == "op" and node.opdef.name in _ENTERS for node in program.nodes):
        return program
    return _Loops(program).result()


class _Loops:
    def __init__(self, program: Program):
        self.program = program
        self.top = _Frame()
        self.frame_of: dict[int, _Frame] = dict.fromkeys(program.feeds, self.top)  # by slot
        self.frame_of_node: dict[int, _Frame] = {}  # where what waits for a node is
        self.maker = {slot: node for node in program.nodes for slot in node.outputs}
        self.place = {id(node): number for number, node in enumerate(program.nodes)}
        self.stands_for: dict[int, Node] = {}  # for nodes that are gone: what to wait for instead

    def result(self) -> Program:
        for node in self.program.nodes:
            self._sort(node)
        self._check_fetches()
        self._close(self.top)
        self.program.nodes = self._in_order(self.top.nodes)
        self.program.targets = [self._standing(node) for node in self.program.targets]
        return self.program

    def _sort(self, node: Node) -> None:
        """Finds the frame of a node."""
        name = node.opdef.name if node.kind == "op" else ""
        frame = self._frame(node)
        after = frame
        if name in _ENTERS:
            called = node.attrs["frame_name"]
            after = frame.inner.setdefault(called, _Frame(frame, name=called))
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

    def _frame(self, node: Node) -> _Frame:
        """The frame in which all that a node waits for is."""
        known_slots = (s for s in node.inputs if s in self.frame_of)  # what goes round is not yet
        sources = [(self.maker.get(s), self.frame_of[s]) for s in known_slots]
        sources += [(c, self.frame_of_node.get(id(c), self.top)) for c in node.controls]
        sources.sort(key=lambda source: source[1].depth)
        for maker, frame in sources:
            first, known = sources[0]
            if frame is not known:
                message = f"{_mentioned(node)} has inputs from different frames."
                for source, where in ((maker, frame), (first, known)):
                    message += f" The input {_mentioned(source)} is in frame '{where.name}'."
                raise InvalidArgumentError(None, None, message)
        return sources[0][1] if sources else self.top

    def _check_fetches(self) -> None:
        for number, slot in enumerate(self.program.fetches):
            frame = self.frame_of.get(slot, self.top)
            while frame is not self.top:
                if frame.repeats:
                    name = self.maker[slot].origin.name
                    message = (
                        f"Retval[{number}] has already been set.\n"
                        f"'{name}' is in a loop: it has a value in each iteration. Fetch what leaves the loop."
                    )
                    raise InternalError(None, None, message)
                frame = frame.outer or self.top

    def _close(self, frame: _Frame) -> None:
        """Puts a node for each loop directly inside into the frame."""
        for inner in frame.inner.values():
            condition = self._condition(inner) if inner.repeats else None
            self._close(inner)
            if condition is not None:
                frame.nodes.append(self._loop(inner, condition))
            else:
                frame.nodes += (*inner.enters, *inner.nodes, *inner.exits)

    def _loop(self, frame: _Frame, condition: Node) -> Node:
        entered = {node.outputs[0]: node for node in frame.enters}
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

    @staticmethod
    def _condition(frame: _Frame) -> Node:
        """The node that says whether a loop goes round once more."""
        conditions = [node for node in frame.nodes if _is_condition(node)]
        if not conditions:
            message = f'Loop "{frame.name}" goes round without a LoopCond node'
            raise InvalidArgumentError(None, frame.enters[0].origin, message)
        if len(conditions) > 1:
            message = (
                f'Invalid loop structure: Loop "{frame.name}" has more than one LoopCond node: '
                f"{_mentioned(conditions[1])} and {_mentioned(conditions[0])}. This is an internal bug, please file "
                "a bug report with instructions on how to reproduce the error."
            )
            raise InvalidArgumentError(None, None, message)
        return conditions[0]

    def _back_edge(self, node: Node, frame: _Frame) -> int | None:
        """For the Merge of a loop variable: the slot of what goes round."""
        if node.kind != "op" or node.opdef.name not in _MERGES:
            return None
        backs = [slot for slot in node.inputs if slot in frame.backs]
        if len(backs) > 1:
            message = f"Multiple NextIteration inputs to merge node {_mentioned(node)}"
            raise InvalidArgumentError(None, None, message)
        return backs[0] if backs else None

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
