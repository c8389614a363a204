"""access_order: the order of reads and writes of reference variables that no edge orders.

TensorFlow leaves this order open, but its executor starts a node once its inputs exist, so a read much nearer to the
start of the step comes before the write: a summary of weights or of the global step shows them before their update.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from tfmini._src.base.records import dataclass
from tfmini._src.compiler.program.program import Node


@dataclass(frozen=True)
class Access:
    """A node that reads or writes a variable."""

    node: Node
    writes: bool


def near_reads_first(nodes: Sequence[Node], variables: Iterable[Sequence[Access]]) -> list[Node]:
    """Returns `nodes` with each read before unordered writes that are much farther from the start of the step.

    variables: accesses of each variable. Other nodes keep their order, as do accesses at distances that differ by one.
    """
    distances = _distances(nodes)
    places = {id(node): place for place, node in enumerate(nodes)}
    earlier: dict[int, list[Node]] = {}
    is_sorted = True
    for accesses in variables:
        for read, write in _reads_and_writes(accesses):
            if distances[id(read)] + 1 < distances[id(write)]:
                earlier.setdefault(id(write), []).append(read)
                is_sorted = is_sorted and places[id(read)] < places[id(write)]
    return list(nodes) if is_sorted else _sorted(nodes, earlier)


def _reads_and_writes(accesses: Sequence[Access]) -> Iterator[tuple[Node, Node]]:
    for read in accesses:
        if not read.writes:
            yield from ((read.node, write.node) for write in accesses if write.writes)


def _distances(nodes: Sequence[Node]) -> dict[int, int]:
    """By node id: the length of the longest path from the start of the step."""
    made: dict[int, int] = {}  # by slot
    found: dict[int, int] = {}
    for node in nodes:
        distance = 1 + max(
            (
                *(made.get(slot, 0) for slot in (*node.inputs, *node.predicates)),
                *(found[id(control)] for control in node.controls),
            ),
            default=-1,
        )
        found[id(node)] = distance
        made.update(dict.fromkeys(node.outputs, distance))
    return found


def _sorted(nodes: Sequence[Node], earlier: dict[int, list[Node]]) -> list[Node]:
    """Moves nodes, with what they depend on, before nodes that must not precede them."""
    producer = {slot: node for node in nodes for slot in node.outputs}
    result: list[Node] = []
    placed: set[int] = set()
    for start in nodes:
        pending = [start]
        while pending:
            node = pending[-1]
            slots = (*node.inputs, *node.predicates)
            sources = (producer[slot] for slot in slots if slot in producer)
            missing = [
                source
                for source in (*sources, *node.controls, *earlier.get(id(node), ()))
                if id(source) not in placed
            ]
            if missing:
                pending += reversed(missing)
                continue
            pending.pop()
            if id(node) not in placed:
                placed.add(id(node))
                result.append(node)
    return result
