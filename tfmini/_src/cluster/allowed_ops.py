"""Ops allowed in graphs from other processes: a graph is a program.

TFMINI_SERVER_OPS=-files,-python forbids ops that read or write files and ops that call Python functions, as declared by
the traits `uses_files`, `file_attr` and `calls_python`. Feeds, fetches and variables are not affected.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from typing import Any

from tfmini._src.base.errors import PermissionDeniedError, invalid
from tfmini._src.graph.opdef import OpDef, registry

_FORBIDS = Callable[[Any, OpDef], bool]


def _reaches_files(node: Any, definition: OpDef) -> bool:
    if definition.uses_files or definition.file_attr is None:
        return definition.uses_files
    name, pattern = definition.file_attr
    value = node.attr[name].s if name in node.attr else b""
    return re.fullmatch(pattern.encode(), value, re.DOTALL) is not None


_RULES: dict[str, _FORBIDS] = {
    "-files": _reaches_files,
    "-python": lambda node, definition: definition.calls_python,
}


def forbidden_rules() -> list[tuple[str, _FORBIDS]]:
    """Returns the rules set by TFMINI_SERVER_OPS, each with its word.

    Raises:
      InvalidArgumentError: for any word but "-files" and "-python".
    """
    words = [word.strip() for word in os.environ.get("TFMINI_SERVER_OPS", "").split(",")]
    unknown = [word for word in words if word and word not in _RULES]
    if unknown:
        accepted_kinds = ", ".join(_RULES)
        invalid(f"TFMINI_SERVER_OPS accepts {accepted_kinds}, not {unknown[0]!r}")
    return [(word, _RULES[word]) for word in words if word]


def check_graph(graph_def: Any) -> None:
    """Raises PermissionDeniedError if a GraphDef or its functions contain an op that this server forbids."""
    rules = forbidden_rules()
    for node in _nodes(graph_def) if rules else ():
        definition = registry.get(node.op)  # None: no server can run it
        for word, forbids in rules:
            if definition is not None and forbids(node, definition):
                raise PermissionDeniedError(
                    None,
                    None,
                    f"{node.op} ({node.name}) is not allowed on this server (TFMINI_SERVER_OPS={word})",
                )


def _nodes(graph_def: Any) -> Iterator[Any]:
    yield from graph_def.node
    for function in graph_def.library.function:
        yield from function.node_def
