"""Fusion groups: nodes that can run together at the position of the last one.

A group absorbs each node that reads from it until a node outside the group does: the whole group runs at the position
of its last node, so no earlier node may read from it. Groups closed by the same node are merged if they share an input,
such as the gates of a cell whose gradients are concatenated.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field

from tfmini._src.base.records import dataclass
from tfmini._src.compiler.program.program import Node, Program

_EFFECT_FREE_KINDS = frozenset({"read", "const", "fused"})


@dataclass(eq=False)
class Group:
    """Nodes with the same key: the same shape, dtype, device and condition."""

    key: tuple[object, ...]
    members: list[tuple[int, Node]]  # with their positions in the program
    inputs: set[int]
    outputs: set[int]
    is_open: bool = True
    merged: Group | None = field(default=None, repr=False)

    @property
    def nodes(self) -> list[Node]:
        """The members in the program's order."""
        return [node for _, node in sorted(self.members, key=lambda member: member[0])]

    def root(self) -> Group:
        """Returns the group that this one was merged into, or this group."""
        group = self
        while group.merged is not None:
            group = group.merged
        return group

    def with_(self, other: Group) -> Group:
        """Merges the two groups, the smaller one into the larger one."""
        large, small = (self, other) if len(self.members) >= len(other.members) else (other, self)
        large.members += small.members
        large.inputs -= small.outputs
        large.inputs.update(slot for slot in small.inputs if slot not in large.outputs)
        large.outputs |= small.outputs
        small.merged = large
        return large

    def inputs_with(self, other: Group) -> int:
        """Returns the number of inputs of the merged group."""
        large, small = (self, other) if len(self.members) >= len(other.members) else (other, self)
        extra = sum(s not in large.inputs and s not in large.outputs for s in small.inputs)
        return len(large.inputs) + extra - sum(slot in large.inputs for slot in small.outputs)


@dataclass(frozen=True)
class Limits:
    """The maximum numbers of inputs and members of a group."""

    inputs: int
    members: int

    def allow(self, group: Group, other: Group) -> bool:
        """Whether the merged group is within the limits."""
        return (
            len(group.members) + len(other.members) <= self.members
            and group.inputs_with(other) <= self.inputs
        )


def find_groups(
    program: Program, key_of: Callable[[Node], tuple[object, ...] | None], limits: Limits
) -> list[Group]:
    """Groups all nodes that have a key, including groups of a single node."""
    groups: list[Group] = []
    group_by_slot: dict[int, Group] = {}
    group_by_node: dict[int, Group] = {}
    for position, node in enumerate(program.nodes):
        sources = [group_by_slot[s] for s in node.inputs if s in group_by_slot]
        sources += [group_by_node[id(c)] for c in node.controls if id(c) in group_by_node]
        candidates = list(dict.fromkeys(group.root() for group in sources))
        key = key_of(node)
        own_group = None
        if key is not None:
            own_group = Group(key, [(position, node)], set(node.inputs), {*node.outputs})
            groups.append(own_group)
            group_by_slot.update(dict.fromkeys(node.outputs, own_group))
            group_by_node[id(node)] = own_group
        complete = []
        for group in candidates:
            if (
                own_group
                and group.is_open
                and group.key == own_group.key
                and limits.allow(own_group, group)
            ):
                own_group = own_group.with_(group)
            elif group.is_open:
                complete.append(group)
        _close_groups(complete, limits)
    return [group for group in groups if group.merged is None]


def _close_groups(groups: list[Group], limits: Limits) -> None:
    """Closes groups whose last node is reached, and merges those with equal keys and common inputs."""
    roots_by_key: dict[tuple[object, ...], list[Group]] = {}
    for group in groups:
        roots = roots_by_key.setdefault(group.key, [])
        merged = group
        partners = []
        for root in roots:
            if not merged.inputs.isdisjoint(root.inputs) and limits.allow(merged, root):
                merged = merged.with_(root)
                partners.append(root)
        if partners:
            roots[roots.index(partners[0])] = merged
            for root in partners[1:]:
                roots.remove(root)
        else:
            roots.append(group)
    for group in groups:
        group.root().is_open = False


def merge_sibling_groups(groups: list[Group], program: Program, limits: Limits) -> list[Group]:
    """Merges pairs of groups that read one array if the first may run as late as the last.

    Requires that no node in between reads the first group's results or has side effects.
    """
    producers = {slot: group for group in groups for slot in group.outputs}
    group_of = {id(node): group for group in groups for node in group.nodes}
    # By group id: the position of the first node that reads its results.
    needed: dict[int, int] = {}
    effect_counts: list[int] = []  # number of effects up to each position
    for position, node in enumerate(program.nodes):
        sources = [producers.get(slot) for slot in node.inputs]
        sources += [group_of.get(id(control)) for control in node.controls]
        for source in sources:
            if source is not None and source is not group_of.get(id(node)):
                needed.setdefault(id(source), position)
        changes = (
            node.opdef.has_effects if node.kind == "op" else node.kind not in _EFFECT_FREE_KINDS
        )
        effect_counts.append(
            (effect_counts[-1] if effect_counts else 0) + (changes and bool(node.inputs))
        )
    latest_groups: dict[int, Group] = {}  # by input slot
    end = len(program.nodes)
    for group in sorted(groups, key=_last_position):
        for slot in list(group.inputs):
            own_group, other = group.root(), latest_groups.get(slot, group).root()
            begin, stop = sorted((_last_position(own_group), _last_position(other)))
            if (
                own_group is not other
                and own_group.key == other.key
                and program.slots[slot].dims == own_group.key[0]
                and min(needed.get(id(group), end) for group in (own_group, other)) > stop
                and effect_counts[begin] == effect_counts[stop]
                and limits.allow(own_group, other)
            ):
                first = min(needed.get(id(group), end) for group in (own_group, other))
                needed[id(own_group.with_(other))] = first
            latest_groups[slot] = group
    return [group for group in groups if group.merged is None]


def _last_position(group: Group) -> int:
    """Returns the position of the group's last node."""
    return max(position for position, _ in group.members)
