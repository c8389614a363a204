"""Colocation groups of nodes to import: the names in attr `_class` after "loc:@"."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tfmini._src.base import proto
from tfmini._src.graph.attributes import to_str
from tfmini._src.graph.operation import COLOCATION_PREFIX, Operation


def groups_of_node(node: proto.NodeDef) -> list[str]:
    """Returns the names of the nodes that a NodeDef is colocated with."""
    if "_class" not in node.attr:
        return []
    return _node_names([to_str(group) for group in node.attr["_class"].list.s])


def other_groups(op: Operation) -> list[str]:
    """Returns the names of the nodes that an operation is colocated with, excluding itself."""
    return [name for name in _node_names(_listed_groups(op)) if name != op.name]


def rename_groups(op: Operation, imported: Mapping[str, Operation]) -> None:
    """Renames an operation's groups to the names of the imported nodes."""
    groups = _listed_groups(op)
    if groups:
        renamed = tuple(
            COLOCATION_PREFIX + imported[group.removeprefix(COLOCATION_PREFIX)].name
            if group.startswith(COLOCATION_PREFIX)
            else group
            for group in groups
        )
        op.attrs = {**op.attrs, "_class": renamed}


def _listed_groups(op: Operation) -> tuple[str, ...]:
    """Returns the value of attr `_class`; non-list values are ignored, as in TensorFlow."""
    groups = op.attrs.get("_class", ())
    if not isinstance(groups, tuple):
        return ()
    for group in groups:
        if not isinstance(group, str):
            raise TypeError(f"Expected binary or unicode string, got {group!r}")
    return groups


def _node_names(groups: Iterable[str]) -> list[str]:
    return [
        group.removeprefix(COLOCATION_PREFIX)
        for group in groups
        if group.startswith(COLOCATION_PREFIX)
    ]
