"""sink_accumulation: a sum that grows by a product in each iteration of a loop becomes one product after the loop.

`s += A' B` in each iteration is `s + [A1; A2; ...]' [B1; B2; ...]` in the end. The gradient of a matrix that all
iterations share is such a sum: one large product in place of many thin ones and of their additions (see
`concat_matmuls.py`).
So is that of a bias: the sum of the rows of `[B1; B2; ...]`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tfmini import dtypes
from tfmini.records import dataclass
from tfmini.runtime.analysis.uses import Uses
from tfmini.runtime.program.program import Loop, Node, Program

_ADDITIONS = frozenset({"Add", "AddV2"})


def sink_accumulation(program: Program) -> Program:
    """Returns the program with such sums taken out of its loops."""
    nodes = []
    for node in program.nodes:
        nodes.append(node)
        if node.kind == "while":
            nodes += _taken_out(node, program)
    program.nodes = nodes
    return program


def _taken_out(node: Node, program: Program) -> list[Node]:
    """The nodes that stand after a loop for the sums that it need not make any more."""
    loop = _Loop(node, program)
    found = {number: loop.sum_of_terms(number) for number in range(node.loop.variables)}
    sums = {number: made for number, made in found.items() if made is not None}
    return loop.take_out(sums) if sums else []


@dataclass(frozen=True)
class _Sum:
    """The nodes of a loop that make a sum: what brings it, the addition, the term that is added."""

    brings: tuple[Node, ...]  # a Switch, and what passes its result on
    total: Node
    term: Node  # a product, or the sum of a matrix's rows

    @property
    def leaving(self) -> int:
        """The slot that leaves the loop."""
        return self.brings[0].outputs[0]

    @property
    def factors(self) -> tuple[tuple[int, str], ...]:
        """The slots of the term's matrices, and where it reads them."""
        return tuple((slot, self.term.device) for slot in self.term.inputs)


class _Loop:
    """A node of kind "while", and who reads what in it."""

    def __init__(self, node: Node, program: Program):
        self.node = node
        self.program = program
        self.uses = Uses(self.loop.program.nodes)

    @property
    def loop(self) -> Loop:
        return self.node.loop

    @property
    def variables(self) -> int:
        return self.loop.variables

    def sum_of_terms(self, number: int) -> _Sum | None:
        """The nodes that make a loop variable, if its only use is the addition of such a term."""
        body = self.loop.program
        switch = self._only_reader(body.feeds[number])
        if (
            switch is None
            or switch.opdef.name != "Switch"
            or switch.outputs[0] in self.uses.readers
        ):
            return None
        brings = [switch]
        total = self._only_reader(switch.outputs[1])
        while total is not None and total.opdef.name == "Identity":
            brings.append(total)
            total = self._only_reader(total.outputs[0])
        following = body.fetches[1 + number]
        if total is None or total.opdef.name not in _ADDITIONS or total.outputs[0] != following:
            return None
        if following in self.uses.readers or body.fetches.count(following) > 1:
            return None
        if any(id(n) in self.uses.awaited or n.controls for n in (*brings, total)):
            return None
        before = brings[-1].outputs[-1]
        term = self.uses.producer.get(sum(total.inputs) - before)
        if term is None or not self._suits(term, total, body.feeds[number]):
            return None
        return _Sum(tuple(brings), total, term)

    def _only_reader(self, slot: int) -> Node | None:
        reader = self.uses.only_reader(slot)
        return reader if reader is not None and reader.kind == "op" else None

    def _suits(self, node: Node, total: Node, variable: int) -> bool:
        """Whether it sums over rows, is read by the addition alone and has its shape."""
        if node.kind != "op" or node.device != total.device or id(node) in self.uses.awaited:
            return False
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
            return False  # a reference may refer to something else in the end
        result = node.outputs[0]
        dims = slots[result].dims
        if dims is None or None in dims or dims != slots[variable].dims:
            return False
        return self.uses.readers[result] == [total] and result not in self.loop.program.fetches

    def take_out(self, sums: dict[int, _Sum]) -> list[Node]:
        """Lets the loop give the factors of the terms instead of their sums; the nodes that make these of them."""
        node, loop, body = self.node, self.loop, self.loop.program
        starts = {made.leaving: node.inputs[number] for number, made in sums.items()}
        fetched = body.fetches[1 + loop.variables :]
        leaving = {position for position, slot in enumerate(fetched) if slot in starts}
        results: dict[int, list[int]] = {slot: [] for slot in starts}
        for position in sorted(leaving):
            results[fetched[position]].append(node.outputs[position])
        wanted = [made for made in sums.values() if results[made.leaving]]
        factors = list(dict.fromkeys(factor for made in wanted for factor in made.factors))
        lists = {f: self.program.new_slot(self.program.slots[f[0]].dtype, None) for f in factors}
        gone = {1 + number for number in sums} | {
            1 + loop.variables + position for position in leaving
        }
        body.fetches = (*_without(body.fetches, gone), *(slot for slot, _ in factors))
        body.feeds = _without(body.feeds, set(sums))
        body.fed = _without(body.fed, set(sums))
        dropped = {id(n) for made in sums.values() for n in (*made.brings, made.total, made.term)}
        body.nodes = [n for n in body.nodes if id(n) not in dropped]
        node.inputs = _without(node.inputs, set(sums))
        node.outputs = (*_without(node.outputs, leaving), *lists.values())
        node.payload = replace(
            loop,
            variables=loop.variables - len(sums),
            enters=_without(loop.enters, set(sums)),
            exits=_without(loop.exits, leaving),
            collected=(*loop.collected, *(device for _, device in factors)),
        )
        after: list[Node] = []
        joined: dict[tuple[int, str], int] = {}
        for made in sorted(wanted, key=lambda m: -len(m.factors)):  # products first
            after += self._sum(made, starts[made.leaving], results[made.leaving], lists, joined)
        return after

    def _sum(
        self,
        made: _Sum,
        start: int,
        results: list[int],
        lists: dict[tuple[int, str], int],
        joined: dict[tuple[int, str], int],
    ) -> list[Node]:
        """The term of all that the iterations gave, added to what the sum started with.

        joined: for factors that are joined already, the slot; added to.
        """
        known = self.program.slots[made.term.outputs[0]]
        dims: Any = known.dims
        nodes = []
        if len(made.factors) > 1 or made.factors[0] not in joined:
            targets = tuple(self.program.new_slot(known.dtype, (None, width)) for width in dims)
            sources = tuple(lists[factor] for factor in made.factors)
            nodes.append(Node("joined", made.term.origin, sources, targets))
            joined.update(zip(made.factors, targets))
        matrices = tuple(joined[factor] for factor in made.factors)
        term = self.program.new_slot(known.dtype, dims)
        nodes.append(Node("op", made.term.origin, matrices, (term,)))
        nodes += [Node("op", made.total.origin, (start, term), (slot,)) for slot in results]
        for node in nodes:
            node.device = made.term.device
        return nodes


def _without(values: tuple, positions: set[int]) -> tuple:
    return tuple(value for position, value in enumerate(values) if position not in positions)
