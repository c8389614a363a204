"""Two views of a graph's nodes, by name scope and by op type."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base import proto
from tfmini._src.train.profiler.nodes import (
    ROOT,
    Node,
    ViewEntry,
    from_start,
    graph_node,
    in_order,
    is_counted,
    is_shown,
    matches_any,
)


def view_by_scopes(nodes: dict[str, Node], options: Any) -> ViewEntry:
    """Returns the tree of name scopes; a node may also be a scope."""
    root = ViewEntry(ROOT, [], False)
    result = {"": root}
    for name in sorted(nodes):
        parent, path = root, ""
        for part in name.split("/"):
            path = f"{path}/{part}" if path else part
            if path not in result:
                scope_nodes = [nodes[path]] if path in nodes else []
                result[path] = ViewEntry(path, scope_nodes, False)
                parent.children.append(result[path])
            parent = result[path]
    root.children = _counted_scopes(root.children, options)
    root.reset()
    root.definitions = 0
    for child in root.children:
        root.add(child)
    root.children = from_start(root.children, options)
    (tree,) = _displayed_scopes([root], options, 1)
    return tree


def _counted_scopes(scopes: list[ViewEntry], options: Any) -> list[ViewEntry]:
    """Returns the scopes that are counted or contain counted entries, with their totals."""
    visible = []
    for scope in scopes:
        scope.is_counted = is_counted(scope.nodes, options)
        scope.children = _counted_scopes(scope.children, options)
        if scope.is_counted or scope.children:
            scope.reset()
            for child in scope.children:
                scope.add(child)
            visible.append(scope)
    return visible


def _displayed_scopes(scopes: list[ViewEntry], options: Any, depth: int) -> list[ViewEntry]:
    visible = []
    for scope in scopes:
        child_entries: list[ViewEntry] = []
        if not matches_any(scope.name, options.trim_name_regexes) and depth <= options.max_depth:
            child_entries = _displayed_scopes(scope.children, options, depth + 1)
        if not is_shown(scope, options, depth):
            visible += child_entries
            continue
        if options.account_displayed_op_only:
            scope.reset()
            for child in child_entries:
                scope.add(child)
        scope.children = in_order(child_entries, options)
        visible.append(scope)
    return visible


def graph_message(root: ViewEntry) -> Any:
    """Returns a GraphNodeProto for the root and its descendants."""
    return _tree_message(root, proto.GraphNodeProto(), _fill_single)


def _tree_message(
    root: ViewEntry, root_message: Any, fill: Callable[[Any, ViewEntry], None]
) -> Any:
    stack = [(root, root_message)]
    while stack:
        entry, message = stack.pop()
        fill(message, entry)
        stack += [(child, message.children.add()) for child in entry.children]
    return root_message


def _fill_single(message: Any, entry: ViewEntry) -> None:
    for name, value in graph_node(entry).items():
        setattr(message, name, value)
    for node in entry.nodes:
        describe(message, node)


def describe(message: Any, node: Node) -> None:
    """Writes the devices and inputs of a node to its message."""
    if node.device:
        message.devices.append(node.device)
    for index, dims in enumerate(node.input_shapes):
        shape = message.input_shapes[index]
        shape.unknown_rank = dims is None
        for size in dims or ():
            shape.dim.add(size=size)


def view_by_kinds(nodes: dict[str, Node], options: Any) -> tuple[ViewEntry, list[ViewEntry]]:
    """Returns the root, and the op types in order; totals include all subsequent types."""
    op_types: dict[str, ViewEntry] = {}
    for name in sorted(nodes):
        node = nodes[name]
        if is_counted([node], options):
            op_types.setdefault(node.op, ViewEntry(node.op, [], True)).nodes.append(node)
    type_counts = [op_types[name] for name in sorted(op_types)]
    for op_type in type_counts:
        op_type.reset()
    type_counts = in_order(type_counts, options)
    root = ViewEntry(ROOT, [], False)
    _accumulate(root, type_counts)
    visible, has_started = [], False
    for depth, op_type in enumerate(type_counts):
        has_started = has_started or matches_any(op_type.name, options.start_name_regexes)
        if has_started and matches_any(op_type.name, options.trim_name_regexes):
            break
        if has_started and is_shown(op_type, options, depth, is_grouped_by_kind=True):
            visible.append(op_type)
    if options.account_displayed_op_only:
        _accumulate(root, visible)
    return root, visible


def _accumulate(root: ViewEntry, op_types: list[ViewEntry]) -> None:
    previous_op = None
    for op_type in reversed(op_types):
        op_type.reset()
        if previous_op is not None:
            op_type.add(previous_op)
        previous_op = op_type
    root.reset()
    root.definitions = 0
    if previous_op is not None:
        root.add(previous_op)


def kinds_message(root: ViewEntry, op_types: list[ViewEntry]) -> Any:
    """Returns a MultiGraphNodeProto, in which each op type is the child of its predecessor."""
    root_message = proto.MultiGraphNodeProto()
    message = root_message
    for op_type in [root, *op_types]:
        if op_type is not root:
            message = message.children.add()
        _write_entry(message, op_type)
    return root_message


def calls_message(root: ViewEntry) -> Any:
    """Returns a MultiGraphNodeProto for a call tree."""
    return _tree_message(root, proto.MultiGraphNodeProto(), _write_entry)


def _write_entry(message: Any, entry: ViewEntry) -> None:
    """Writes a group of nodes to its message."""
    names = {field.name for field in message.DESCRIPTOR.fields}
    for name, value in graph_node(entry).items():
        if name in names:
            setattr(message, name, value)
    for node in entry.nodes:
        single = ViewEntry(node.name, [node], True)
        single.reset()
        describe(message.graph_nodes.add(**graph_node(single)), node)
