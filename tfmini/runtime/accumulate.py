"""accumulate: a sum that grows by a product in each iteration of a loop becomes one product after the loop.

`s += A' B` in each iteration is `s + [A1; A2; ...]' [B1; B2; ...]` in the end. The gradient of a matrix that all
iterations share is such a sum: one large product in place of many thin ones and of their additions (see `contract.py`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from tfmini import dtypes
from tfmini.runtime.program import Loop, Node, Program, Slot

_ADDITIONS = frozenset({"Add", "AddV2"})


def accumulate(program: Program) -> Program:
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
    added: list[Node] = []
    for number in reversed(range(loop.variables)):
        found = loop.sum_of_products(number)
        if found is not None:
            added += loop.take_out(number, found)
    return added


@dataclass(frozen=True)
class _Sum:
    """The nodes of a loop that make a sum of products: what brings it, the addition, the product."""

    brings: tuple[Node, ...]  # a Switch, and what passes its result on
    total: Node
    product: Node

    @property
    def leaving(self) -> int:
        """The slot that leaves the loop."""
        return self.brings[0].outputs[0]


class _Loop:
    """A node of kind "while", and who reads what in it."""

    def __init__(self, node: Node, program: Program):
        self.node = node
        self.program = program
        self.readers: dict[int, list[Node]] = {}
        self.maker: dict[int, Node] = {}
        self.awaited: set[int] = set()
        for inner in self.loop.program.nodes:
            for slot in inner.inputs:
                self.readers.setdefault(slot, []).append(inner)
            self.maker.update(dict.fromkeys(inner.outputs, inner))
            self.awaited.update(map(id, inner.controls))

    @property
    def loop(self) -> Loop:
        return self.node.value

    @property
    def variables(self) -> int:
        return self.loop.variables

    def sum_of_products(self, number: int) -> _Sum | None:
        """What makes a loop variable, if all that becomes of it is the addition of a product."""
        body = self.loop.program
        switch = self._only_reader(body.feeds[number])
        if switch is None or switch.opdef.name != "Switch" or switch.outputs[0] in self.readers:
            return None
        brings = [switch]
        total = self._only_reader(switch.outputs[1])
        while total is not None and total.opdef.name == "Identity":
            brings.append(total)
            total = self._only_reader(total.outputs[0])
        following = body.fetches[1 + number]
        if total is None or total.opdef.name not in _ADDITIONS or total.outputs[0] != following:
            return None
        if following in self.readers or body.fetches.count(following) > 1:
            return None
        if any(id(n) in self.awaited or n.controls for n in (*brings, total)):
            return None
        before = brings[-1].outputs[-1]
        product = self.maker.get(sum(total.inputs) - before)
        if product is None or not self._suits(product, total, body.feeds[number]):
            return None
        return _Sum(tuple(brings), total, product)

    def _only_reader(self, slot: int) -> Node | None:
        readers = self.readers.get(slot, ())
        return readers[0] if len(readers) == 1 and readers[0].kind == "op" else None

    def _suits(self, node: Node, total: Node, variable: int) -> bool:
        """Whether it is a product that sums over rows, read by the addition alone and of its shape."""
        if node.kind != "op" or node.opdef.name != "MatMul" or node.device != total.device:
            return False
        attrs, slots = node.attrs, self.program.slots
        if not attrs["transpose_a"] or attrs["transpose_b"]:
            return False
        if attrs["T"] not in (dtypes.float32, dtypes.float64) or id(node) in self.awaited:
            return False
        if any(slots[slot].dtype is not attrs["T"] for slot in node.inputs):
            return False  # a reference may refer to something else in the end
        dims = slots[node.outputs[0]].dims
        if dims is None or None in dims or dims != slots[variable].dims:
            return False
        product = node.outputs[0]
        return self.readers[product] == [total] and product not in self.loop.program.fetches

    def take_out(self, number: int, found: _Sum) -> list[Node]:
        """Lets the loop give the factors of the product instead of the sum; the nodes that make the sum of them."""
        body = self.loop.program
        start = self.node.inputs[number]
        fetched = body.fetches[1 + self.variables :]
        leaving = {place for place, slot in enumerate(fetched) if slot == found.leaving}
        results = [self.node.outputs[place] for place in leaving]
        gone = {1 + number, *(1 + self.variables + place for place in leaving)}
        body.fetches = (*_without(body.fetches, gone), *found.product.inputs)
        body.feeds = _without(body.feeds, {number})
        body.fed = _without(body.fed, {number})
        dropped = set(map(id, (*found.brings, found.total, found.product)))
        body.nodes = [n for n in body.nodes if id(n) not in dropped]
        lists = [self.program.new_slot(s.dtype, None) for s in self._factors(found)]
        self.node.inputs = _without(self.node.inputs, {number})
        self.node.outputs = (*_without(self.node.outputs, leaving), *lists)
        self.node.value = replace(
            self.loop,
            variables=self.variables - 1,
            enters=_without(self.loop.enters, {number}),
            exits=_without(self.loop.exits, leaving),
            collected=(*self.loop.collected, *[found.product.device] * len(lists)),
        )
        return self._sum(start, lists, results, found.total, found.product)

    def _factors(self, found: _Sum) -> list[Slot]:
        return [self.program.slots[slot] for slot in found.product.inputs]

    def _sum(
        self, start: int, lists: list[int], results: list[int], total: Node, product: Node
    ) -> list[Node]:
        """The product of what the iterations gave, added to what the sum started with."""
        known = self.program.slots[product.outputs[0]]
        dims: Any = known.dims
        joined = tuple(self.program.new_slot(known.dtype, (None, width)) for width in dims)
        nodes = [Node("joined", product.origin, tuple(lists), joined)]
        made = self.program.new_slot(known.dtype, dims)
        nodes.append(Node("op", product.origin, joined, (made,)))
        nodes += [Node("op", total.origin, (start, made), (slot,)) for slot in results]
        for node in nodes:
            node.device = product.device
        return nodes


def _without(values: tuple, places: set[int]) -> tuple:
    return tuple(value for place, value in enumerate(values) if place not in places)
