"""Source of Python 2 functions for AutoGraph."""

from __future__ import annotations

import ast
import functools
from typing import Any

from tfmini._src.graph import autograph_status
from tfmini._src.programs.runner.python2 import operations, syntax

_rewritten: dict[bytes, syntax.Rewritten] = {}


def install(names: dict[str, Any]) -> None:
    """Makes AutoGraph read functions with these `__builtins__` as Python 2."""

    def rewritten_lines(function: Any, lines: list[str]) -> list[str]:
        if function.__globals__.get("__builtins__") is not names:
            return lines
        return _rewrite_lines("".join(lines))

    autograph_status.line_sources.append(rewritten_lines)
    autograph_status.rewriters.insert(0, _rewrite_function_operations)


@functools.lru_cache(maxsize=16)
def _rewrite_lines(text: str) -> list[str]:
    rewritten = syntax.rewrite(text)
    _rewritten[rewritten.text.encode()] = rewritten
    return rewritten.text.splitlines(keepends=True)


def _rewrite_function_operations(tree: ast.Module, source: bytes) -> ast.Module:
    """Rewrites the tree of one function if its file is Python 2."""
    rewritten = _rewritten.get(source)
    if rewritten is None:
        return tree
    redirected = operations.Operations(_future_imports(rewritten.text), rewritten.patterns, None)
    return ast.fix_missing_locations(redirected.visit(tree))


@functools.lru_cache(maxsize=16)
def _future_imports(text: str) -> set[str]:
    return syntax.future_imports(ast.parse(text))
