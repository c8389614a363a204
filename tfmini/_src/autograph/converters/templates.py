"""Building blocks of syntax trees: names, operator calls, and statements with another's location."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import Any

RUNTIME = "ag__"  # the name of `tfmini._src.autograph.operators` in converted code


def load(name: str) -> ast.Name:
    """Returns a name in load context."""
    return ast.Name(name, ast.Load())


def parse_name(name: str, ctx: ast.expr_context) -> ast.expr:
    """Returns a name or composite: "self.x"."""
    node = ast.parse(name, mode="eval").body
    node.ctx = ctx  # type: ignore[attr-defined]
    return node


def thunk(value: ast.expr) -> ast.Lambda:
    """Returns the expression `lambda: value`."""
    no_arguments = ast.arguments([], [], None, [], [], None, [])
    return ast.Lambda(no_arguments, value)


def call(operator: str, *args: ast.expr, **keywords: ast.expr) -> ast.Call:
    """Returns an operator call."""
    function = ast.Attribute(load(RUNTIME), operator, ast.Load())
    return ast.Call(function, list(args), [ast.keyword(k, v) for k, v in keywords.items()])


def assign(name: str, value: ast.expr) -> ast.Assign:
    """Returns the statement `name = value`."""
    return ast.Assign([ast.Name(name, ast.Store())], value)


def unless_statement(flag: str, body: list[ast.stmt]) -> ast.If:
    """Returns the statement `if not flag: body`."""
    return ast.If(call("not_", load(flag)), body, [])


def define(name: str, arguments: ast.arguments, body: list[ast.stmt]) -> ast.FunctionDef:
    """Returns the definition `def name(arguments):` with a body."""
    # type_params is required from Python 3.12 on
    fields: dict[str, Any] = {"decorator_list": [], "returns": None, "type_params": []}
    return ast.FunctionDef(name=name, args=arguments, body=body, **fields)


def texts(names: Iterable[str]) -> ast.expr:
    """Returns a tuple of names as string constants."""
    return ast.Tuple([ast.Constant(name) for name in names], ast.Load())


def relocate(nodes: Any, template: ast.AST) -> Any:
    """Copies the source location of `template` to nodes without one."""
    for node in nodes if isinstance(nodes, Sequence) else [nodes]:
        _copy_locations(node, template)
    return nodes


def _copy_locations(node: ast.AST, template: Any) -> None:
    if "lineno" in node._attributes and not hasattr(node, "lineno"):
        ast.copy_location(node, template)
        node.end_lineno, node.end_col_offset = template.lineno, template.col_offset  # type: ignore[attr-defined]
    for child in ast.iter_child_nodes(node):
        _copy_locations(child, template)


class Names:
    """Generator of names not used by the function."""

    def __init__(self, tree: ast.AST, reserved: Iterable[str]) -> None:
        self._taken = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
        self._taken |= set(reserved)

    def new(self, root: str) -> str:
        """Returns a new name that starts with `root`."""
        name, suffix = root, 0
        while name in self._taken:
            suffix += 1
            name = f"{root}_{suffix}"
        self._taken.add(name)
        return name
