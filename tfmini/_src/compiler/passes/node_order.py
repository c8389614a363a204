"""The order of a program's nodes once loops have become nodes, which may break cycles through them."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Mapping

from tfmini._src.base.errors import InvalidArgumentError
from tfmini._src.compiler.passes.deferred_inputs import remove_ordering_inputs
from tfmini._src.compiler.program.program import Node


def in_order(
    nodes: list[Node],
    maker: Mapping[int, Node],
    order: Mapping[int, float],
    representative: Callable[[Node], Node],
) -> list[Node]:
    """The nodes in order, each behind its sources; control edges lead to the loops that nodes have moved into.

    maker: by slot, its producer; order: by node, its preferred position; representative: what a node became.
    """
    inside = {id(node) for node in nodes}
    consumers: dict[int, list[Node]] = {}
    waiting: dict[int, int] = {}
    for node in nodes:
        node.controls = tuple(representative(c) for c in node.controls)
        makers = (maker[s] for s in node.inputs if s in maker)
        sources = {id(s) for s in (*makers, *node.controls)} & inside - {id(node)}
        waiting[id(node)] = len(sources)
        for source in sources:
            consumers.setdefault(source, []).append(node)
    ready = [(order[id(n)], n) for n in nodes if not waiting[id(n)]]
    heapq.heapify(ready)
    result = []
    while ready or (ready := _freed(nodes, waiting, consumers, maker, order)):
        _, node = heapq.heappop(ready)
        result.append(node)
        for consumer in consumers.get(id(node), ()):
            waiting[id(consumer)] -= 1
            if not waiting[id(consumer)]:
                heapq.heappush(ready, (order[id(consumer)], consumer))
    if len(result) < len(nodes):
        stuck = next(node for node in nodes if waiting[id(node)])
        message = f"Graph is invalid, contains a cycle at {stuck.origin.name}"
        raise InvalidArgumentError(None, stuck.origin, message)
    return result


def _freed(
    nodes: list[Node],
    waiting: dict[int, int],
    consumers: dict[int, list[Node]],
    maker: Mapping[int, Node],
    order: Mapping[int, float],
) -> list[tuple[float, Node]]:
    """The nodes of a cycle that do not need to wait."""
    stuck = {id(node): node for node in nodes if waiting[id(node)]}
    for loop in stuck.values():
        if loop.kind != "while":
            continue
        makers = {s: maker[s] for s in loop.inputs if s in maker}
        for source in makers.values():
            # The initial value of a counter.
            if id(source) in stuck and source.opdef.name == "Const":
                waiting[id(source)], source.controls = 0, ()
                return [(order[id(source)], source)]
        late = {slot for slot, source in makers.items() if id(source) in stuck}
        for slot in remove_ordering_inputs(loop, late):
            source = makers[slot]
            if not any(s in loop.inputs for s in source.outputs) and source not in loop.controls:
                consumers[id(source)].remove(loop)
                waiting[id(loop)] -= 1
        if not waiting[id(loop)]:
            return [(order[id(loop)], loop)]
    return []
