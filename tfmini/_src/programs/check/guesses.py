"""Python 2 meanings that are guessed because Python 3 draws no such distinction."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfmini._src.programs.check.findings import Finding, Problem

_ORDER_PROBLEM = Problem(
    "guessed",
    "order of a dict",
    "now insertion order, formerly arbitrary; sort if the order matters",
)
_TEXT_PROBLEM = Problem("guessed", "bytes and text", "text is UTF-8, and len counts characters")
_PICKLE_PROBLEM = Problem("guessed", "pickle", "Python 2 strings decode as Latin-1")
_EXEC_PROBLEM = Problem("guessed", "exec in a function", "it cannot assign local variables")
_VERSION_PROBLEM = Problem("guessed", "sys.version_info", "reports Python 3")
_DIVISION_PROBLEM = Problem("guessed", "/", "unchanged by check --fix; use // for integers")

_VIEW_METHODS = ("items", "iteritems", "iterkeys", "itervalues", "keys", "values")


def guesses(tree: ast.Module, cell: int = 0) -> list[Finding]:
    """Returns the guesses in Python 2 source code, given the tree of its rewritten text."""
    return [Finding(problem, line, cell) for problem, line in _problems(tree, False)]


def divisions(tree: ast.Module) -> list[Finding]:
    """Returns the divisions that may have integer operands."""
    return [
        Finding(_DIVISION_PROBLEM, node.lineno)
        for node in ast.walk(tree)
        if isinstance(node, (ast.BinOp, ast.AugAssign)) and isinstance(node.op, ast.Div)
    ]


def _problems(node: ast.AST, is_in_function: bool) -> Iterator[tuple[Problem, int]]:
    if isinstance(node, ast.Call):
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        if isinstance(node.func, ast.Attribute):
            if name in _VIEW_METHODS and not node.args:
                yield _ORDER_PROBLEM, node.lineno
            elif name in ("decode", "encode"):
                yield _TEXT_PROBLEM, node.lineno
            elif name in ("load", "loads") and "ickle" in getattr(node.func.value, "id", ""):
                yield _PICKLE_PROBLEM, node.lineno
        elif name == "exec" and is_in_function and len(node.args) == 1:
            yield _EXEC_PROBLEM, node.lineno
    elif isinstance(node, ast.Attribute) and node.attr == "version_info":
        yield _VERSION_PROBLEM, node.lineno
    within_function = is_in_function or isinstance(node, (ast.FunctionDef, ast.Lambda))
    for child in ast.iter_child_nodes(node):
        yield from _problems(child, within_function)
