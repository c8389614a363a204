"""sink_accumulation: replaces a sum of per-iteration products in a loop with one product after the loop.

`s += A' B` in each iteration is `s + [A1; A2; ...]' [B1; B2; ...]` in the end. The gradient of a matrix shared
by all iterations is such a sum: one large product replaces many thin ones and their additions (see
`concat_matmuls.py`). A bias gradient is likewise the sum of the rows of `[B1; B2; ...]`. Iterations that add
concatenated, summed or padded products, as for gradients of matrix slices, are handled by applying the same operations
to their sums.

Optimizers let the gradients in a loop wait for each other (`tuple/group_deps`, `tuple/control_dependency`): waiters for
a product moved out of the loop wait for the producers of its factors instead.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.read_only import read_only
from tfmini._src.base.records import dataclass
from tfmini._src.compiler.analysis.def_use import Uses
from tfmini._src.compiler.program.program import Loop, Node, Program, without

_ADDITIONS = frozenset({"Add", "AddV2"})
# Ops that are linear in some inputs, given as a slice of positions. Other linear ops are handled separately.
_LINEAR = {
    "AddN": (0, None),
    "ConcatV2": (0, -1),
    "Identity": (0, None),
    "StridedSliceGrad": (4, None),
}

Factor = tuple[int, str]  # a slot, and the device that reads it


def sink_accumulation(program: Program) -> Program:
    """Moves sums of per-iteration products out of the program's loops; returns the program."""
    nodes = []
    for node in program.nodes:
        nodes.append(node)
        if node.kind == "while" and not node.may_wait:
            nodes += _sink_sums(node, program)
    program.nodes = nodes
    return program


def _sink_sums(node: Node, program: Program) -> list[Node]:
    """Returns the nodes after a loop that compute the sums removed from it."""
    loop = _Loop(node, program)
    totals = {index: loop.match_accumulation(index) for index in range(node.loop.variables)}
    sums = {index: total for index, total in totals.items() if total is not None}
    return loop.take_out(sums) if sums else []


@dataclass(frozen=True)
class _Term:
    """A product, a sum of matrix rows, or a node that is a linear function of other terms."""

    node: Node
    parts: tuple[_Term, ...] = ()

    @property
    def leaves(self) -> tuple[Node, ...]:
        """The products and row sums in the term."""
        return tuple(leaf for part in self.parts for leaf in part.leaves) or (self.node,)

    @property
    def nodes(self) -> tuple[Node, ...]:
        """All nodes of the term."""
        return (*(node for part in self.parts for node in part.nodes), self.node)


@dataclass(frozen=True)
class _Sum:
    """The nodes of an accumulation in a loop: the incoming value, the addition, the added term."""

    path: tuple[Node, ...]  # a Switch, and the nodes that forward its result
    total: Node
    term: _Term

    @property
    def leaving(self) -> int:
        """The slot whose value leaves the loop."""
        return self.path[0].outputs[0]

    @property
    def factors(self) -> tuple[Factor, ...]:
        """The slots of the term's matrices, and their positions."""
        return tuple(factor for leaf in self.term.leaves for factor in _factors(leaf))


def _factors(leaf: Node) -> tuple[Factor, ...]:
    return tuple((slot, leaf.device) for slot in leaf.inputs)


class _Loop:
    """A "while" node, and the readers of each slot in it."""

    loop: Loop = read_only(attribute="node.loop")
    variables: int = read_only(attribute="loop.variables")

    def __init__(self, node: Node, program: Program):
        self.node = node
        self.program = program
        self.uses = Uses(self.loop.program.nodes)

    def match_accumulation(self, index: int) -> _Sum | None:
        """Returns the accumulation in a loop variable; None if the variable has any other use than adding a term."""
        body = self.loop.program
        switch = self._only_reader(body.feeds[index])
        if (
            switch is None
            or switch.opdef.name != "Switch"
            or switch.outputs[0] in self.uses.readers
        ):
            return None
        path = [switch]
        total = self._only_reader(switch.outputs[1])
        while total is not None and total.opdef.name == "Identity":
            path.append(total)
            total = self._only_reader(total.outputs[0])
        next_slot = body.fetches[1 + index]
        if total is None or total.opdef.name not in _ADDITIONS or total.outputs[0] != next_slot:
            return None
        if next_slot in self.uses.readers or body.fetches.count(next_slot) > 1:
            return None
        if any(id(n) in self.uses.awaited_ids or n.controls for n in (*path, total)):
            return None
        total_slot = path[-1].outputs[-1]
        term = self._term(sum(total.inputs) - total_slot, total)
        if term is None or not self._keeps_shape(term.node, body.feeds[index]):
            return None
        return _Sum(tuple(path), total, term)

    def _only_reader(self, slot: int) -> Node | None:
        reader = self.uses.only_reader(slot)
        return reader if reader is not None and reader.kind == "op" else None

    def _term(self, slot: int, reader: Node) -> _Term | None:
        """Returns the term that produces a slot; None for other slots, or if `reader` is not the only consumer."""
        node = self.uses.producer.get(slot)
        if node is None or node.kind != "op" or node.device != reader.device:
            return None
        if self.uses.readers[slot] != [reader] or slot in self.loop.program.fetches:
            return None
        if node.opdef.name not in _LINEAR:
            return _Term(node) if self._sums_rows(node) else None
        first, last = _LINEAR[node.opdef.name]
        variable = node.inputs[first:last]
        if not all(self._is_constant(s) for s in set(node.inputs) - set(variable)):
            return None
        parts = [self._term(s, node) for s in variable]
        if not parts or None in parts:
            return None
        return _Term(node, tuple(part for part in parts if part is not None))

    def _is_constant(self, slot: int) -> bool:
        producer = self.uses.producer.get(slot)
        return producer is not None and producer.kind == "op" and producer.opdef.name == "Const"

    def _sums_rows(self, node: Node) -> bool:
        """Whether a node sums rows into a matrix or vector of known size, so that sums of more rows can be added."""
        attrs, slots = node.attrs, self.program.slots
        if node.opdef.name == "MatMul":
            sums_rows = attrs["transpose_a"] and not attrs["transpose_b"]
        else:
            sums_rows = (
                node.opdef.name == "BiasAddGrad" and len(slots[node.inputs[0]].dims or ()) == 2
            )
        if not sums_rows or attrs["T"] not in (dtypes.float32, dtypes.float64):
            return False
        if any(slots[slot].dtype is not attrs["T"] for slot in node.inputs):
            return False  # a reference may end up with another variable
        dims = slots[node.outputs[0]].dims
        return dims is not None and None not in dims

    def _keeps_shape(self, node: Node, variable: int) -> bool:
        """Whether a node's result has the known shape of a loop variable."""
        slots = self.program.slots
        dims = slots[node.outputs[0]].dims
        return dims is not None and None not in dims and dims == slots[variable].dims

    def take_out(self, sums: dict[int, _Sum]) -> list[Node]:
        """Makes the loop return the terms' factors instead of sums; returns the nodes that compute the sums."""
        node, loop, body = self.node, self.loop, self.loop.program
        for leaf in [leaf for total in sums.values() for leaf in total.term.leaves]:
            leaf.inputs = tuple(self._copied_slot(slot) for slot in leaf.inputs)
        starts = {total.leaving: node.inputs[index] for index, total in sums.items()}
        fetched = body.fetches[1 + loop.variables :]
        leaving = {position for position, slot in enumerate(fetched) if slot in starts}
        results: dict[int, list[int]] = {slot: [] for slot in starts}
        for position in sorted(leaving):
            results[fetched[position]].append(node.outputs[position])
        used = [total for total in sums.values() if results[total.leaving]]
        factors = list(dict.fromkeys(factor for total in used for factor in total.factors))
        lists = {f: self.program.new_slot(self.program.slots[f[0]].dtype, None) for f in factors}
        removed = {1 + index for index in sums} | {
            1 + loop.variables + position for position in leaving
        }
        body.fetches = (*without(body.fetches, removed), *(slot for slot, _ in factors))
        body.feeds = without(body.feeds, set(sums))
        body.fed = without(body.fed, set(sums))
        dropped = {
            id(n) for total in sums.values() for n in (*total.path, total.total, *total.term.nodes)
        }
        body.nodes = [n for n in body.nodes if id(n) not in dropped]
        self._wait_for_makers(dropped)
        node.inputs = without(node.inputs, set(sums))
        node.outputs = (*without(node.outputs, leaving), *lists.values())
        node.payload = replace(
            loop,
            variables=loop.variables - len(sums),
            enters=without(loop.enters, set(sums)),
            exits=without(loop.exits, leaving),
            collected=(*loop.collected, *(device for _, device in factors)),
        )
        sinking = _Sinking(self.program, self.uses, lists)
        after = sinking.join([leaf for total in used for leaf in total.term.leaves])
        for total in used:
            after += sinking.sum_up(total, starts[total.leaving], results[total.leaving])
        return after

    def _copied_slot(self, slot: int) -> int:
        """Returns the slot that `slot` copies; gradients grouped by control inputs are read through an Identity."""
        producer = self.uses.producer.get(slot)
        if producer is None or producer.kind != "op" or producer.opdef.name != "Identity":
            return slot
        source = producer.inputs[0]
        dtypes_agree = self.program.slots[source].dtype is self.program.slots[slot].dtype
        return self._copied_slot(source) if dtypes_agree else slot

    def _wait_for_makers(self, dropped: set[int]) -> None:
        """Redirects control dependencies on a node moved out of the loop to its own dependencies."""

        def live_controls(node: Node) -> list[Node]:
            if id(node) not in dropped:
                return [node]
            producers = (self.uses.producer.get(slot) for slot in node.inputs)
            predecessors = (
                *node.controls,
                *(producer for producer in producers if producer is not None),
            )
            return [control for other in predecessors for control in live_controls(other)]

        for node in self.loop.program.nodes:
            if any(id(predecessors) in dropped for predecessors in node.controls):
                controls = [
                    control
                    for predecessors in node.controls
                    for control in live_controls(predecessors)
                ]
                node.controls = tuple({id(control): control for control in controls}.values())


class _Sinking:
    """Computation of a loop's sums after the loop, from the factors that the loop collected.

    lists: for each factor, the slot of its collected values.
    """

    def __init__(self, program: Program, uses: Uses, lists: dict[Factor, int]):
        self.program = program
        self.uses = uses
        self.lists = lists
        self.joined: dict[Factor, int] = {}  # by factor: the slot of all its rows

    def join(self, leaves: list[Node]) -> list[Node]:
        """Returns the nodes that concatenate the factors vertically, including all factors that share a product."""
        nodes = []
        waiting = dict.fromkeys(leaves)
        while waiting:
            together = [next(iter(waiting))]
            factors = dict.fromkeys(_factors(together[0]))
            while together:
                for leaf in together:
                    factors.update(dict.fromkeys(_factors(leaf)))
                    waiting.pop(leaf)
                together = [n for n in waiting if factors.keys() & set(_factors(n))]
            nodes.append(self._join_leaves(leaves, tuple(factors)))
        return nodes

    def _join_leaves(self, leaves: list[Node], factors: tuple[Factor, ...]) -> Node:
        leaf = next(n for n in leaves if factors[0] in _factors(n))
        targets = []
        for factor in factors:
            reader = next(n for n in leaves if factor in _factors(n))
            dims: Any = self.program.slots[reader.outputs[0]].dims
            width = dims[_factors(reader).index(factor)]
            slot = self.program.new_slot(leaf.attrs["T"], (None, width))
            self.joined[factor] = slot
            targets.append(slot)
        node = Node(
            "joined", leaf.origin, tuple(self.lists[factor] for factor in factors), tuple(targets)
        )
        node.device = leaf.device
        return node

    def sum_up(self, accumulation: _Sum, start: int, results: list[int]) -> list[Node]:
        """Computes the term over all iterations, added to the initial value of the sum."""
        slot, nodes = self._recompute_term(accumulation.term)
        for result in results:
            nodes.append(Node("op", accumulation.total.origin, (start, slot), (result,)))
            nodes[-1].device = accumulation.total.device
        return nodes

    def _recompute_term(self, term: _Term) -> tuple[int, list[Node]]:
        """Returns the slot of a term with the rows of all iterations, and the nodes that compute it."""
        nodes: list[Node] = []
        if term.parts:
            remade = []
            for part in term.parts:
                slot, before = self._recompute_term(part)
                remade.append(slot)
                nodes += before
            first, last = _LINEAR[term.node.opdef.name]
            variable = iter(remade)
            variable_inputs = range(len(term.node.inputs))[first:last]
            inputs = tuple(
                next(variable) if index in variable_inputs else self._add_constant(slot, nodes)
                for index, slot in enumerate(term.node.inputs)
            )
        else:
            inputs = tuple(self.joined[factor] for factor in _factors(term.node))
        template = self.program.slots[term.node.outputs[0]]
        result = self.program.new_slot(template.dtype, template.dims)
        nodes.append(Node("op", term.node.origin, inputs, (result,)))
        nodes[-1].device = term.node.device
        return result, nodes

    def _add_constant(self, slot: int, nodes: list[Node]) -> int:
        """Returns the slot of a constant in the loop; its node is added to `nodes`."""
        producer, template = self.uses.producer[slot], self.program.slots[slot]
        nodes.append(
            Node("op", producer.origin, (), (self.program.new_slot(template.dtype, template.dims),))
        )
        nodes[-1].device = producer.device
        return nodes[-1].outputs[0]
