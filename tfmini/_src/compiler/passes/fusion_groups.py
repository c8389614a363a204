"""Groups of nodes that can run at once where the last of them stands.

A group takes in each node that reads from it, until something else does: all of it runs where its last node stood,
so nothing before may need a part of it. Groups that the same node ends become one if they have an input in common: the
gates of a cell, whose gradients are joined.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field

from tfmini._src.base.records import dataclass
from tfmini._src.compiler.program.program import Node, Program


@dataclass(eq=False)
class Group:
    """Nodes of one key: of the same shape, dtype, device and condition."""

    key: tuple[object, ...]
    members: list[tuple[int, Node]]  # with their positions in the program
    inputs: set[int]
    made: set[int]
    is_open: bool = True
    merged: Group | None = field(default=None, repr=False)

    @property
    def nodes(self) -> list[Node]:
        """The members in the program's order."""
        return [node for _, node in sorted(self.members, key=lambda member: member[0])]

    def found(self) -> Group:
        """The group that it has become part of, or itself."""
        group = self
        while group.merged is not None:
            group = group.merged
        return group

    def with_(self, other: Group) -> Group:
        """Both as one: the larger of them, which has taken in the smaller."""
        large, small = (self, other) if len(self.members) >= len(other.members) else (other, self)
        large.members += small.members
        large.inputs -= small.made
        large.inputs.update(slot for slot in small.inputs if slot not in large.made)
        large.made |= small.made
        small.merged = large
        return large

    def inputs_with(self, other: Group) -> int:
        """The number of inputs of both groups merged."""
        large, small = (self, other) if len(self.inputs) >= len(other.inputs) else (other, self)
        more = sum(s not in large.inputs and s not in large.made for s in small.inputs)
        return len(large.inputs) + more - sum(slot in large.inputs for slot in small.made)


@dataclass(frozen=True)
class Limits:
    """The most inputs and members that a group may have."""

    inputs: int
    members: int

    def allow(self, group: Group, other: Group) -> bool:
        """Whether both groups merged are within the limits."""
        return (
            len(group.members) + len(other.members) <= self.members
            and group.inputs_with(other) <= self.inputs
        )


def find_groups(
    program: Program, key_of: Callable[[Node], tuple[object, ...] | None], limits: Limits
) -> list[Group]:
    """The groups of all nodes that have a key, also those of one node."""
    groups: list[Group] = []
    by_slot: dict[int, Group] = {}
    by_node: dict[int, Group] = {}
    for position, node in enumerate(program.nodes):
        sources = [by_slot[s] for s in node.inputs if s in by_slot]
        sources += [by_node[id(c)] for c in node.controls if id(c) in by_node]
        known = list(dict.fromkeys(group.found() for group in sources))
        key = key_of(node)
        mine = None
        if key is not None:
            mine = Group(key, [(position, node)], set(node.inputs), {*node.outputs})
            groups.append(mine)
            by_slot.update(dict.fromkeys(node.outputs, mine))
            by_node[id(node)] = mine
        ended = []
        for group in known:
            if mine and group.is_open and group.key == mine.key and limits.allow(mine, group):
                mine = mine.with_(group)
            elif group.is_open:
                ended.append(group)
        _end(ended, limits)
    return [group for group in groups if group.merged is None]


def _end(groups: list[Group], limits: Limits) -> None:
    """Closes groups that one node ends; those that read the same become one."""
    for number, group in enumerate(groups):
        for other in groups[:number]:
            first, second = group.found(), other.found()
            if (
                first is not second
                and first.key == second.key
                and first.inputs & second.inputs
                and limits.allow(first, second)
            ):
                first.with_(second)
    for group in groups:
        group.found().is_open = False
