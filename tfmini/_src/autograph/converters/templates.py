"""Building blocks of syntax trees: names, operator calls, and statements at the place of another."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import Any

RUNTIME = "ag__"  # what converted code knows `tfmini._src.autograph.operators` by


def load(name: str) -> ast.Name:
    """A name that is read."""
    return ast.Name(name, ast.Load())


def parsed(name: str, ctx: ast.expr_context) -> ast.expr:
    """A name, or an expression reached through one: "self.x"."""
    node = ast.parse(name, mode="eval").body
    node.ctx = ctx  # type: ignore[attr-defined]
    return node


def thunk(value: ast.expr) -> ast.Lambda:
    """`lambda: value`."""
    nothing = ast.arguments([], [], None, [], [], None, [])
    return ast.Lambda(nothing, value)


def call(operator: str, *args: ast.expr, **keywords: ast.expr) -> ast.Call:
    """A call of an operator."""
    function = ast.Attribute(load(RUNTIME), operator, ast.Load())
    return ast.Call(function, list(args), [ast.keyword(k, v) for k, v in keywords.items()])


def assign(name: str, value: ast.expr) -> ast.Assign:
    """`name = value`."""
    return ast.Assign([ast.Name(name, ast.Store())], value)


def when_not(flag: str, body: list[ast.stmt]) -> ast.If:
    """`if not flag: body`."""
    return ast.If(call("not_", load(flag)), body, [])


def define(name: str, arguments: ast.arguments, body: list[ast.stmt]) -> ast.FunctionDef:
    """`def name(arguments):` and a body."""
    # type_params is a field from Python 3.12 on, where it must be there.
    fields: dict[str, Any] = {"decorator_list": [], "returns": None, "type_params": []}
    return ast.FunctionDef(name=name, args=arguments, body=body, **fields)


def texts(names: Iterable[str]) -> ast.expr:
    """A tuple of names as strings."""
    return ast.Tuple([ast.Constant(name) for name in names], ast.Load())


def placed(nodes: Any, like: ast.AST) -> Any:
    """Gives nodes without a source location that of `like`."""
    for node in nodes if isinstance(nodes, Sequence) else [nodes]:
        _place(node, like)
    return nodes


def _place(node: ast.AST, like: Any) -> None:
    if "lineno" in node._attributes and not hasattr(node, "lineno"):
        ast.copy_location(node, like)
        node.end_lineno, node.end_col_offset = like.lineno, like.col_offset  # type: ignore[attr-defined]
    for child in ast.iter_child_nodes(node):
        _place(child, like)


class Names:
    """Names that the function does not use yet."""

    def __init__(self, tree: ast.AST, others: Iterable[str]) -> None:
        self._taken = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
        self._taken |= set(others)

    def new(self, root: str) -> str:
        """A name that begins with `root`."""
        name, number = root, 0
        while name in self._taken:
            number += 1
            name = f"{root}_{number}"
        self._taken.add(name)
        return name
