"""A view of a graph's nodes by the source lines that created them, as a call tree."""

from __future__ import annotations

import os
import re
import sys
from typing import Any

from tfmini._src.train.profiler.nodes import (
    ROOT,
    Node,
    ViewEntry,
    from_start,
    in_order,
    is_counted,
    is_shown,
    matches_any,
)

_MAX_NAME_LENGTH = 20
# Gradient nodes are listed with the forward node's calls, with this mark.
_GRADIENT = " (gradient)"
_GRADIENT_SCOPE = re.compile(r"gradients/(.*?)_grad/")


def view_by_lines(nodes: dict[str, Node], op_log: Any, options: Any) -> ViewEntry:
    """Returns the root of the call tree, in which calls that create nodes are grouped by line."""
    if options.account_displayed_op_only:
        sys.stderr.write("Note: code view ignores account_displayed_op_only\n")
    root = _calls(nodes, op_log)
    root.children = _counted_calls(root.children, options)
    root.reset()
    for child in root.children:
        root.add(child)
    if list(options.start_name_regexes) != [".*"]:
        root.children = from_start(root.children, options)
    root.children = in_order(_displayed_calls(root.children, options, 2), options)
    return root


def _calls(nodes: dict[str, Node], op_log: Any) -> ViewEntry:
    """Returns the tree of all calls."""
    stacks = {
        entry.name: [_call_text(trace, op_log.id_to_string) for trace in entry.code_def.traces]
        for entry in op_log.log_entries
        if entry.code_def.traces
    }
    root = ViewEntry(ROOT, [], False)
    results: dict[tuple, ViewEntry] = {}
    gradients: dict[str, list[str]] = {}
    forward = []
    for name in sorted(name for name in nodes if name in stacks):
        match = _GRADIENT_SCOPE.search(name)
        if match is None:
            forward.append(name)
            _add_to_call_tree(root, results, stacks[name], nodes[name])
        else:
            gradients.setdefault(match[1], []).append(name)
    hidden_count = 0
    for forward_name, names in sorted(gradients.items()):
        if forward_name not in forward:
            hidden_count += 1
            continue
        lines = [line + _GRADIENT for line in stacks[forward_name]]
        for name in names:
            _add_to_call_tree(root, results, lines, nodes[name])
    if hidden_count:
        sys.stderr.write(f"{hidden_count} gradient nodes not accounted\n")
    return root


def _add_to_call_tree(
    root: ViewEntry, shown_by_path: dict[tuple, ViewEntry], lines: list[str], node: Node
) -> None:
    """Adds a node to the leaf of its call stack."""
    call = root
    for depth in range(len(lines)):
        path = tuple(lines[: depth + 1])
        if path not in shown_by_path:
            shown_by_path[path] = ViewEntry(lines[depth], [], False)
            call.children.append(shown_by_path[path])
        call = shown_by_path[path]
    call.nodes.append(node)


def _call_text(trace: Any, texts: Any) -> str:
    """Formats a call as `file.py:3:function`."""
    file = trace.file or texts[trace.file_id]
    function = trace.function or texts[trace.function_id]
    if len(function) >= _MAX_NAME_LENGTH:
        function = f"{function[: _MAX_NAME_LENGTH - 3]}..."
    return f"{os.path.basename(file)}:{trace.lineno}:{function}"


def _counted_calls(calls: list[ViewEntry], options: Any) -> list[ViewEntry]:
    """Returns the calls with a counted node or nested call, with their totals."""
    visible = []
    counts_all = list(options.account_type_regexes) == [".*"]
    for call in calls:
        call.nodes = [node for node in call.nodes if is_counted([node], options)]
        call.is_counted = counts_all or bool(call.nodes)
        call.children = _counted_calls(call.children, options)
        if call.is_counted or call.children:
            call.reset()
            for child in call.children:
                call.add(child)
            visible.append(call)
    return visible


def _displayed_calls(calls: list[ViewEntry], options: Any, depth: int) -> list[ViewEntry]:
    """Returns the displayed calls; the children of a hidden call move up to its parent."""
    visible = []
    for call in calls:
        if matches_any(call.name, options.trim_name_regexes) or depth > options.max_depth:
            continue
        nested_calls = _displayed_calls(call.children, options, depth + 1)
        if is_shown(call, options, depth, is_grouped_by_kind=True):
            call.children = in_order(nested_calls, options)
            visible.append(call)
        else:
            visible += nested_calls
    return visible
