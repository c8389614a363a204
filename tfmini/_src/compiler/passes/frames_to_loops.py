"""frames_to_loops: replaces the nodes of a frame with one node whose payload is the program of an iteration.

Values enter a frame from the enclosing frame; a Merge of an entering value and a back edge is a loop variable.
The Switch on LoopCond's predicate separates back edges from exits: within the iteration's program it is an ordinary
condition (`if_convert.py`).

`while_loop` and its gradients produce only such frames, and TensorFlow rejects frames with several loops or
nodes that read across frames: these raise its errors. A frame without back edges runs once.
"""

from __future__ import annotations

import functools
import heapq

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DType
from tfmini._src.base.errors import InternalError, InvalidArgumentError, invalid
from tfmini._src.compiler.analysis.branch_literals import branch_literals
from tfmini._src.compiler.analysis.def_use import Uses
from tfmini._src.compiler.passes.deferred_inputs import remove_ordering_inputs
from tfmini._src.compiler.passes.frames import (
    ENTERS,
    EXITS,
    Frame,
    different_frames_error,
    node_text,
)
from tfmini._src.compiler.passes.if_convert import roots
from tfmini._src.compiler.program.graph_order import LOOPS_BACK
from tfmini._src.compiler.program.program import Literal, Loop, Node, Program
from tfmini._src.graph.literals import make_literal
from tfmini._src.graph.opdef import registry


def _is_condition(node: Node) -> bool:
    return node.kind == "op" and node.opdef.name == "LoopCond"


def frames_to_loops(program: Program) -> Program:
    """Replaces each loop with a "while" node; returns the program."""
    return _Loops(program).result()


class _Loops:
    def __init__(self, program: Program):
        self.program = program
        self.top = Frame()
        self.frame_of: dict[int, Frame] = dict.fromkeys(program.feeds, self.top)  # by slot
        self.frame_of_node: dict[int, Frame] = {}  # by id, for control inputs
        self.producer = Uses(program.nodes).producer
        self.order: dict[int, float] = {id(node): n for n, node in enumerate(program.nodes)}
        self.replacements: dict[int, Node] = {}  # by removed node: its replacement
        # Results of inner loops that can be dead after the loop has run.
        self.may_be_dead: set[int] = set()
        self.flagged: set[int] = set()  # values that are replaced by zero if they are dead

    def result(self) -> Program:
        for node in self.program.nodes:
            self._assign_frame(node)
        self._check_fetches()
        self._check_merges()
        self._add_inner_loops(self.top)
        self.program.nodes = self._ordered_nodes(self.top.nodes)
        self.program.targets = [self._representative(node) for node in self.program.targets]
        return self.program

    def _assign_frame(self, node: Node) -> None:
        """Finds the frame of a node."""
        name = node.opdef.name if node.kind == "op" else ""
        frame = self._innermost_frame(node)
        after = frame
        if name in ENTERS:
            frame_name = node.attrs["frame_name"]
            after = frame.inner.setdefault(frame_name, Frame(frame, name=frame_name))
            after.enters.append(node)
        elif name in EXITS:
            if frame.outer is None:
                message = f"Node '{node.origin.name}' leaves a loop that nothing enters"
                raise InvalidArgumentError(None, node.origin, message)
            frame.exits.append(node)
            after = frame.outer
        elif name in LOOPS_BACK:
            frame.back_edges[node.outputs[0]] = node
        else:
            frame.nodes.append(node)
        self.frame_of_node[id(node)] = after
        for slot in node.outputs:
            self.frame_of[slot] = after

    def _innermost_frame(self, node: Node) -> Frame:
        """Returns the innermost frame of a node's inputs and control inputs."""
        known_slots = (s for s in node.inputs if s in self.frame_of)  # back edges are ready later
        sources = [(self.producer.get(s), self.frame_of[s]) for s in known_slots]
        sources += [(c, self.frame_of_node.get(id(c), self.top)) for c in node.controls]
        sources.sort(key=lambda source: source[1].depth)
        for producer, frame in sources:
            first, first_frame = sources[0]
            if frame is not first_frame:
                raise different_frames_error(node, (producer, frame), (first, first_frame))
        return sources[0][1] if sources else self.top

    def _check_merges(self) -> None:
        """Rejects a Merge whose back edge comes from another frame, which `_frame` would reach before its source."""
        for node in self.program.nodes:
            if node.kind != "op" or not node.opdef.is_merge:
                continue
            frame = self.frame_of[node.outputs[0]]
            for slot in node.inputs:
                other = self.frame_of.get(slot, frame)
                if other is not frame:
                    enter_slot = next(s for s in node.inputs if self.frame_of.get(s) is frame)
                    sources = self.producer.get(slot), self.producer.get(enter_slot)
                    raise different_frames_error(node, (sources[0], other), (sources[1], frame))

    def _check_fetches(self) -> None:
        for index, slot in enumerate(self.program.fetches):
            frame = self.frame_of.get(slot, self.top)
            while frame is not self.top:
                if frame.is_loop:
                    name = self.producer[slot].origin.name
                    raise InternalError(
                        None,
                        None,
                        f"Retval[{index}] has already been set.\n'{name}' is inside a loop "
                        "and has a value per iteration. Fetch an output of the loop.",
                    )
                frame = frame.outer or self.top

    def _add_inner_loops(self, frame: Frame) -> None:
        """Adds to the frame a node for each loop directly inside."""
        for inner in frame.inner.values():
            condition = self._loop_condition(inner) if inner.is_loop else None
            self._add_inner_loops(inner)
            if condition is not None:
                frame.nodes.append(self._build_loop(inner, *condition))
            else:
                frame.nodes += (*inner.enters, *inner.nodes, *inner.exits)

    def _build_loop(self, frame: Frame, condition: Node, predicate: int) -> Node:
        enter_by_slot = {node.outputs[0]: node for node in frame.enters}
        alive_literals = self._loop_literals(frame)
        dead = self._may_be_dead(frame, alive_literals, predicate)
        variables: list[int] = []
        starts: list[Node] = []
        next_slots: list[int] = []
        body: list[Node] = []
        flags: list[tuple[int, Node, int]] = []  # (slot in the loop, start, next value)
        for node in frame.nodes:
            back_edge = self._back_edge(node, frame)
            if back_edge is None:
                body.append(node)
                continue
            slot, next_slot = node.outputs[0], frame.back_edges[back_edge].inputs[0]
            start = enter_by_slot.pop(next(s for s in node.inputs if s in enter_by_slot))
            if slot in dead:
                inner, is_dead = self._add_revived_feed(body, node, slot)
                next_slot, dead_flag = self._dead_flag(body, node, next_slot)
                flags.append((is_dead, self._initial_dead_flag(frame, start), dead_flag))
                slot = inner
            variables.append(slot)
            starts.append(start)
            next_slots.append(next_slot)
        for inner, start, next_slot in flags:
            variables.append(inner)
            starts.append(start)
            next_slots.append(next_slot)
        if predicate in dead:
            predicate, _ = self._dead_flag(body, condition, predicate)
        results, leaving, exits = self._loop_results(frame, dead, body)
        entering_slots: list[tuple[int, int, Node]] = []  # the invariants' slots outside and inside
        constants = []
        for slot, node in enter_by_slot.items():
            if self._is_constant(node.inputs[0]):
                source = self.producer[node.inputs[0]]
                constants.append(Node("op", source.origin, (), (slot,)))
                constants[-1].device = source.device
            elif self._literals[0].get(
                node.inputs[0], frozenset()
            ) <= alive_literals or self._is_handle(slot):
                entering_slots.append((node.inputs[0], slot, node))
            else:
                entering_slots += self._maybe_dead(frame, node, body)
        invariants = [node for _, _, node in entering_slots]
        program = Program(
            [*constants, *self._ordered_nodes(body)],
            self.program.slots,
            (*variables, *(inner for _, inner, _ in entering_slots)),
            (predicate, *next_slots, *leaving),
            fed=tuple(node.origin for node in (*starts, *invariants)),
            devices=self.program.devices,
        )
        loop = Node(
            "while",
            condition.origin,
            (
                *(node.inputs[0] for node in starts),
                *(outside_slot for outside_slot, _, _ in entering_slots),
            ),
            tuple(results),
            tuple(c for node in frame.enters for c in node.controls),
            Loop(program, len(variables), (*starts, *invariants), tuple(exits), (), frame.name),
        )
        loop.device = condition.device
        removed = [*frame.enters, *frame.exits, *frame.back_edges.values()]
        self.order[id(loop)] = min(self.order[id(node)] for node in (*removed, *frame.nodes))
        for node in removed:
            self.replacements.setdefault(id(node), loop)
        self.producer.update(dict.fromkeys(loop.outputs, loop))
        return loop

    @functools.cached_property
    def _literals(self) -> tuple[dict[int, frozenset[Literal]], dict[int, frozenset[Literal]]]:
        return branch_literals(self.program, self._roots)

    @functools.cached_property
    def _roots(self) -> dict[int, int]:
        return roots(self.program)

    def _loop_literals(self, frame: Frame) -> frozenset[Literal]:
        """Returns the branches that are taken whenever the loop runs: the branches on which its variables depend."""
        literals_by_slot, literals_by_node = self._literals
        literals = frozenset() if frame.outer is None else self._loop_literals(frame.outer)
        merges = [node for node in frame.nodes if self._back_edge(node, frame) is not None]
        merged = {slot for node in merges for slot in node.inputs}
        for node in frame.enters:
            if node.outputs[0] in merged:
                literals |= literals_by_slot.get(node.inputs[0], frozenset())
            literals |= frozenset().union(
                *(literals_by_node.get(id(c), frozenset()) for c in node.controls)
            )
        return literals

    def _is_handle(self, slot: int) -> bool:
        dtype = self.program.slots[slot].dtype
        return dtype in (dtypes.resource, dtypes.variant) or dtype._is_ref_dtype

    def _maybe_dead(
        self, frame: Frame, enter: Node, body: list[Node]
    ) -> list[tuple[int, int, Node]]:
        """Returns the loop inputs for an invariant from an outer branch; if it is dead, only its readers are skipped.

        The loop receives the value, or a zero, and whether it is dead; a Switch on this flag feeds the readers.
        """
        assert frame.outer is not None
        value, dead_flag = self._dead_flag(frame.outer.nodes, enter, enter.inputs[0])
        inner, is_dead = self._add_revived_feed(body, enter, enter.outputs[0])
        return [(value, inner, enter), (dead_flag, is_dead, enter)]

    def _may_be_dead(
        self, frame: Frame, alive_literals: frozenset[Literal], predicate: int
    ) -> set[int]:
        """Returns the values of a loop that may be dead while it runs, because of an outer branch or an inner loop."""
        literals_by_slot = self._literals[0]
        root = self._roots.get(predicate, predicate)
        literals = {(root, True), (root, False), *alive_literals}
        for node in frame.enters:
            if self._is_constant(node.inputs[0]) or self._is_handle(node.inputs[0]):
                literals |= literals_by_slot.get(node.inputs[0], frozenset())

        def depends(slot: int) -> bool:
            return not literals_by_slot.get(slot, frozenset()) <= literals

        dead_slots = {slot for n in frame.nodes for slot in n.outputs if slot in self.may_be_dead}
        for node in frame.enters:
            if depends(node.inputs[0]):
                dead_slots.update(node.outputs)
        for slot, back_edge in frame.back_edges.items():
            if depends(back_edge.inputs[0]):
                dead_slots.add(slot)
        idle: set[int] = set()  # ids of the nodes that do not run in that case
        previous_count = -1 if dead_slots else 0
        while previous_count < len(dead_slots) + len(idle):
            previous_count = len(dead_slots) + len(idle)
            for back_edge in frame.back_edges.values():
                if back_edge.inputs[0] in dead_slots:
                    dead_slots.update(back_edge.outputs)
            for node in frame.nodes:
                controls = () if node.opdef.name == "ControlTrigger" else node.controls
                if not dead_slots.isdisjoint(node.inputs) or any(id(c) in idle for c in controls):
                    idle.add(id(node))
                    dead_slots.update(slot for slot in node.outputs if slot not in self.flagged)
        return {slot for slot in dead_slots if not self._is_handle(slot)}

    def _is_constant(self, slot: int) -> bool:
        source = self.producer.get(slot)
        return source is not None and source.kind == "op" and source.opdef.name == "Const"

    def _initial_dead_flag(self, frame: Frame, start: Node) -> Node:
        """Returns the initial value of the flag that marks a loop variable as dead."""
        assert frame.outer is not None
        false_literal = make_literal(np.False_, dtypes.bool)
        outputs: list[tuple[DType, tuple[int, ...] | None]] = [(dtypes.bool, ())]
        slots = self._add_node(
            frame.outer.nodes, start, "Const", (), outputs, dtype=dtypes.bool, value=false_literal
        )
        inner = (self.program.new_slot(dtypes.bool, ()),)
        return self._new_node("Enter", start, slots, inner, T=dtypes.bool)

    def _loop_results(
        self, frame: Frame, dead_slots: set[int], body: list[Node]
    ) -> tuple[list[int], list[int], list[Node]]:
        """Returns a loop's results, their slots inside it and their Exit nodes; results that may be dead have flags."""
        results, leaving, exits = [], [], []
        for node in frame.exits:
            inside_slot, outside_slot = node.inputs[0], node.outputs[0]
            if inside_slot in dead_slots:
                assert frame.outer is not None
                inside_slot, dead_flag = self._dead_flag(body, node, inside_slot)
                outside_slot, is_dead = self._add_revived_feed(
                    frame.outer.nodes, node, outside_slot
                )
                self.may_be_dead.update(node.outputs)
                self.replacements[id(node)] = frame.outer.nodes[-1]
                results.append(is_dead)
                leaving.append(dead_flag)
                exits.append(self._new_node("Exit", node, (dead_flag,), (is_dead,), T=dtypes.bool))
            results.append(outside_slot)
            leaving.append(inside_slot)
            exits.append(node)
        return results, leaving, exits

    def _add_revived_feed(self, body: list[Node], node: Node, reader: int) -> tuple[int, int]:
        """Returns the feed that revives a possibly dead value in the body, and the flag that marks `reader` as dead."""
        dtype = self.program.slots[reader].dtype
        inner, is_dead = self.program.new_slot(dtype, None), self.program.new_slot(dtypes.bool, ())
        unused = self.program.new_slot(dtype, None)
        body.append(self._new_node("Switch", node, (inner, is_dead), (reader, unused), T=dtype))
        return inner, is_dead

    def _dead_flag(self, nodes: list[Node], node: Node, slot: int) -> tuple[int, int]:
        """Returns the slots of a value, zero if it is dead, and of the flag that marks it as dead."""
        dtype = self.program.slots[slot].dtype
        zero = make_literal(b"" if dtype is dtypes.string else np.zeros((), dtype.numpy), dtype)
        (absent,) = self._add_node(nodes, node, "Const", (), [(dtype, ())], dtype=dtype, value=zero)
        merge_outputs: list[tuple[DType, tuple[int, ...] | None]] = [
            (dtype, None),
            (dtypes.int32, ()),
        ]
        inputs = (slot, absent)
        value, value_index = self._add_node(
            nodes, node, "Merge", inputs, merge_outputs, T=dtype, N=2
        )
        first = make_literal(0)
        constant_output: list[tuple[DType, tuple[int, ...] | None]] = [(dtypes.int32, ())]
        (zeroth,) = self._add_node(
            nodes, node, "Const", (), constant_output, dtype=dtypes.int32, value=first
        )
        flag: list[tuple[DType, tuple[int, ...] | None]] = [(dtypes.bool, ())]
        (dead_flag,) = self._add_node(
            nodes, node, "Less", (zeroth, value_index), flag, T=dtypes.int32
        )
        self.flagged.update((value, value_index))
        return value, dead_flag

    def _add_node(
        self,
        nodes: list[Node],
        origin: Node,
        name: str,
        inputs: tuple[int, ...],
        outputs: list[tuple[DType, tuple[int, ...] | None]],
        **attrs: object,
    ) -> tuple[int, ...]:
        """Adds a node; returns its output slots."""
        slots = tuple(self.program.new_slot(*output) for output in outputs)
        nodes.append(self._new_node(name, origin, inputs, slots, **attrs))
        return slots

    def _new_node(
        self,
        name: str,
        enter: Node,
        inputs: tuple[int, ...],
        outputs: tuple[int, ...],
        **attrs: object,
    ) -> Node:
        node = Node("op", enter.origin, inputs, outputs)
        node.opdef, node.attrs, node.device = registry[name], attrs, enter.device
        self.order[id(node)] = self.order[id(enter)] + len(self.order) / 2**40  # just after `enter`
        self.producer.update(dict.fromkeys(outputs, node))
        return node

    def _loop_condition(self, frame: Frame) -> tuple[Node, int]:
        """Returns the LoopCond node of a loop, and the slot of its predicate.

        In a loop distributed over several tasks, one task has the condition; loop variables on the others pass a Switch
        on the received predicate.
        """
        conditions = [node for node in frame.nodes if _is_condition(node)]
        if not conditions:
            for back_edge in frame.back_edges.values():
                producer = self.producer.get(back_edge.inputs[0])
                if producer is not None and producer.opdef.name == "Switch":
                    return producer, producer.inputs[1]
            message = f'Loop "{frame.name}" has a back edge but no LoopCond node'
            raise InvalidArgumentError(None, frame.enters[0].origin, message)
        if len(conditions) > 1:
            message = (
                f'Invalid loop structure: Loop "{frame.name}" has more than one LoopCond node: '
                f"{node_text(conditions[1])} and {node_text(conditions[0])}. This is an internal bug, please file "
                "a bug report with instructions on how to reproduce the error."
            )
            invalid(message)
        return conditions[0], conditions[0].outputs[0]

    def _back_edge(self, node: Node, frame: Frame) -> int | None:
        """Returns the slot of the back edge into the Merge of a loop variable."""
        if node.kind != "op" or not node.opdef.is_merge:
            return None
        back_slots = [slot for slot in node.inputs if slot in frame.back_edges]
        if len(back_slots) > 1:
            invalid(f"Multiple NextIteration inputs to merge node {node_text(node)}")
        return back_slots[0] if back_slots else None

    def _representative(self, node: Node) -> Node:
        while id(node) in self.replacements:
            node = self.replacements[id(node)]
        return node

    def _ordered_nodes(self, nodes: list[Node]) -> list[Node]:
        """Returns the nodes in order, with nodes that move into a loop removed."""
        node_ids = {id(node) for node in nodes}
        consumers: dict[int, list[Node]] = {}
        waiting: dict[int, int] = {}
        for node in nodes:
            node.controls = tuple(self._representative(c) for c in node.controls)
            producers = (self.producer[s] for s in node.inputs if s in self.producer)
            sources = ({id(s) for s in (*producers, *node.controls)} & node_ids) - {id(node)}
            waiting[id(node)] = len(sources)
            for source in sources:
                consumers.setdefault(source, []).append(node)
        ready = [(self.order[id(n)], n) for n in nodes if not waiting[id(n)]]
        heapq.heapify(ready)
        result = []
        while ready or (ready := self._runnable_nodes(nodes, waiting, consumers)):
            _, node = heapq.heappop(ready)
            result.append(node)
            for consumer in consumers.get(id(node), ()):
                waiting[id(consumer)] -= 1
                if not waiting[id(consumer)]:
                    heapq.heappush(ready, (self.order[id(consumer)], consumer))
        if len(result) < len(nodes):
            stuck = next(node for node in nodes if waiting[id(node)])
            message = f"Graph is invalid, contains a cycle at {stuck.origin.name}"
            raise InvalidArgumentError(None, stuck.origin, message)
        return result

    def _runnable_nodes(
        self, nodes: list[Node], waiting: dict[int, int], consumers: dict[int, list[Node]]
    ) -> list[tuple[float, Node]]:
        """Returns the nodes of a cycle that do not need to wait."""
        stuck = {id(node): node for node in nodes if waiting[id(node)]}
        for loop in stuck.values():
            if loop.kind != "while":
                continue
            producers = {s: self.producer[s] for s in loop.inputs if s in self.producer}
            for producer in producers.values():
                # The initial value of a counter.
                if id(producer) in stuck and producer.opdef.name == "Const":
                    waiting[id(producer)], producer.controls = 0, ()
                    return [(self.order[id(producer)], producer)]
            late_slots = {slot for slot, producer in producers.items() if id(producer) in stuck}
            for slot in remove_ordering_inputs(loop, late_slots):
                producer = producers[slot]
                if (
                    not any(s in loop.inputs for s in producer.outputs)
                    and producer not in loop.controls
                ):
                    consumers[id(producer)].remove(loop)
                    waiting[id(loop)] -= 1
            if not waiting[id(loop)]:
                return [(self.order[id(loop)], loop)]
        return []
