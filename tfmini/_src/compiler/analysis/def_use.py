"""Def-use maps of a program: slot producers, slot readers and control dependencies."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from tfmini._src.compiler.program.program import Node


class Uses:
    """Lazily computed def-use maps of a list of nodes.

    producer: slot to producing node; feeds have none.
    readers: slot to reading nodes, once per operand; guards and fetches are excluded.
    awaited_ids: ids of nodes that are the source of a control edge.
    """

    def __init__(self, nodes: Sequence[Node]):
        self._nodes = nodes

    @cached_property
    def producer(self) -> dict[int, Node]:
        return {slot: node for node in self._nodes for slot in node.outputs}

    @cached_property
    def readers(self) -> dict[int, list[Node]]:
        readers: dict[int, list[Node]] = {}
        for node in self._nodes:
            for slot in node.inputs:
                readers.setdefault(slot, []).append(node)
        return readers

    @cached_property
    def awaited_ids(self) -> set[int]:
        return {id(control) for node in self._nodes for control in node.controls}

    def only_reader(self, slot: int) -> Node | None:
        """Returns the slot's reader if exactly one operand reads it, else None."""
        readers = self.readers.get(slot, ())
        return readers[0] if len(readers) == 1 else None
