"""A view of a graph's nodes by data flow, with each node below its first consumer.

Graphs are deeper than Python's stack, so traversals use explicit stacks.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tfmini._src.train.profiler.nodes import (
    ROOT,
    Node,
    ViewEntry,
    in_order,
    is_counted,
    is_shown,
    matches_any,
)


def view_by_inputs(nodes: dict[str, Node], options: Any) -> ViewEntry:
    """Returns the root, whose children are the nodes without consumers; the children of a node are its inputs."""
    used = {name for node in nodes.values() for name in node.inputs}
    root = ViewEntry(ROOT, [], False)
    root.children = _subtrees([name for name in sorted(nodes) if name not in used], nodes, options)
    root.reset()
    root.definitions = 0
    for child in root.children:
        root.add(child)
    if list(options.start_name_regexes) != [".*"]:
        root.children = _start_nodes(root.children, options)
    _remove_hidden(root, options)
    return root


def _subtrees(names: list[str], nodes: dict[str, Node], options: Any) -> list[ViewEntry]:
    """Returns the counted nodes with their totals; the children of an uncounted node move to its consumer."""
    roots: list[ViewEntry] = []
    seen: set[str] = set()
    stack: list[tuple[ViewEntry | None, Iterator[str], list[ViewEntry]]] = [
        (None, iter(names), roots)
    ]
    while stack:
        node, shown_children, children = stack[-1]
        name = next(shown_children, None)
        if name is None:
            stack.pop()
            if node is not None:
                _attach(node, children, stack[-1][2], options)
        elif name not in seen and name in nodes:
            seen.add(name)
            inputs = nodes[name].inputs
            stack.append((ViewEntry(name, [nodes[name]], False), iter(inputs), []))
    return roots


def _attach(
    node: ViewEntry, children: list[ViewEntry], siblings: list[ViewEntry], options: Any
) -> None:
    """Adds a node with its children to its siblings, or only the children if the node is not counted."""
    node.is_counted = is_counted(node.nodes, options)
    if not node.is_counted:
        siblings += children
        return
    node.children = children
    node.reset()
    for child in children:
        node.add(child)
    siblings.append(node)


def _start_nodes(nodes: list[ViewEntry], options: Any) -> list[ViewEntry]:
    """Returns the topmost nodes whose names match the options' start patterns."""
    starts = []
    stack = list(reversed(nodes))
    while stack:
        node = stack.pop()
        if matches_any(node.name, options.start_name_regexes):
            starts.append(node)
        else:
            stack += reversed(node.children)
    return starts


def _remove_hidden(root: ViewEntry, options: Any) -> None:
    """Removes hidden nodes; their children move up to the parent."""
    stack: list[tuple[ViewEntry, int, Iterator[ViewEntry], list[ViewEntry]]] = [
        (root, 1, iter(root.children), [])
    ]
    while True:
        node, depth, shown_children, children = stack[-1]
        child = next(shown_children, None)
        if child is not None:
            descends = (
                not matches_any(child.name, options.trim_name_regexes) and depth < options.max_depth
            )
            child_entries = child.children if descends else []
            stack.append((child, depth + 1, iter(child_entries), []))
            continue
        stack.pop()
        if is_shown(node, options, depth):
            _take_children(node, children, options)
            children = [node]
        if not stack:
            return
        stack[-1][3].extend(children)


def _take_children(node: ViewEntry, shown_children: list[ViewEntry], options: Any) -> None:
    if options.account_displayed_op_only:
        node.reset()
        if node.name == ROOT:
            node.definitions = 1
        for child in shown_children:
            node.add(child)
    node.children = in_order(shown_children, options)
