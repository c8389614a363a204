"""Def-use maps of a program's nodes: who produces a slot, who reads it, who is waited for."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from tfmini._src.compiler.program.program import Node


class Uses:
    """The maps of some nodes as they are when each is first asked for.

    producer: by slot, the node that gives it; what is fed has none.
    readers: by slot, the nodes that have it as an operand, one that has it twice twice; no guards, no fetches.
    awaited: the ids of nodes for which others wait by control edges.
    """

    def __init__(self, nodes: Sequence[Node]):
        self._nodes = nodes

    @cached_property
    def producer(self) -> dict[int, Node]:
        return {slot: node for node in self._nodes for slot in node.outputs}

    @cached_property
    def readers(self) -> dict[int, list[Node]]:
        found: dict[int, list[Node]] = {}
        for node in self._nodes:
            for slot in node.inputs:
                found.setdefault(slot, []).append(node)
        return found

    @cached_property
    def awaited(self) -> set[int]:
        return {id(before) for node in self._nodes for before in node.controls}

    def only_reader(self, slot: int) -> Node | None:
        """The node that reads a slot, if there is one such operand and no other."""
        readers = self.readers.get(slot, ())
        return readers[0] if len(readers) == 1 else None
