"""LISTS: lists, `append`, `pop`, and item reads and assignments as operators on tensor lists."""

from __future__ import annotations

import ast
from typing import Any

from tfmini._src.autograph.analysis.activity import symbol
from tfmini._src.autograph.converters.templates import Names, call, load, parse_name, relocate


class Lists(ast.NodeTransformer):
    """Rewrites list operations in statements.

    Args:
      names: source of unused names.
    """

    def __init__(self, names: Names) -> None:
        self._names = names
        self._pop_statements: list[list[ast.stmt]] = []

    def visit(self, node: ast.AST) -> Any:
        """Rewrites a simple statement, possibly to several."""
        if not isinstance(node, ast.stmt) or hasattr(node, "body"):
            return super().visit(node)
        self._pop_statements.append([])
        result = super().visit(node)
        pops = self._pop_statements.pop()
        return [*pops, *(result if isinstance(result, list) else [result])] if pops else result

    def visit_List(self, node: ast.List) -> ast.AST:
        """Converts `[...]` to `ag__.new_list([...])`."""
        self.generic_visit(node)
        return relocate(call("new_list", node), node) if isinstance(node.ctx, ast.Load) else node

    def visit_Expr(self, node: ast.Expr) -> Any:
        """Converts `x.append(y)` to `x = ag__.list_append(x, y)`."""
        self.generic_visit(node)
        append = node.value
        if isinstance(append, ast.Call) and isinstance(append.func, ast.Attribute):
            reached = symbol(append.func.value)
            if append.func.attr == "append" and len(append.args) == 1 and reached is not None:
                value = call("list_append", append.func.value, append.args[0])
                return relocate(ast.Assign([parse_name(reached[0], ast.Store())], value), node)
        return node

    def visit_Call(self, node: ast.Call) -> Any:
        """Converts `x.pop()` to a name; `x, name = ag__.list_pop(x, None)` precedes the statement."""
        self.generic_visit(node)
        function = node.func
        if (
            not isinstance(function, ast.Attribute)
            or function.attr != "pop"
            or not self._pop_statements
        ):
            return node
        reached = symbol(function.value)
        if reached is None or len(node.args) > 1 or node.keywords:
            return node
        name = self._names.new(f"{reached[0].rpartition('.')[2].partition('[')[0]}_pop")
        index = node.args[0] if node.args else ast.Constant(None)
        targets = [parse_name(reached[0], ast.Store()), ast.Name(name, ast.Store())]
        value = call("list_pop", function.value, index)
        stored = ast.Assign([ast.Tuple(targets, ast.Store())], value)
        self._pop_statements[-1].append(relocate(stored, node))
        return relocate(load(name), node)

    def visit_Assign(self, node: ast.Assign) -> Any:
        """Converts `x[i] = y` to `x = ag__.set_item(x, i, y)`."""
        self.generic_visit(node)
        target = node.targets[0]
        if len(node.targets) > 1 or not isinstance(target, ast.Subscript):
            return node
        reached = symbol(target.value)
        if reached is None or isinstance(target.slice, ast.Slice | ast.Tuple):
            return node
        value = call("set_item", parse_name(reached[0], ast.Load()), target.slice, node.value)
        return relocate(ast.Assign([parse_name(reached[0], ast.Store())], value), node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """Converts `x[i]` to `ag__.get_item(x, i)`."""
        self.generic_visit(node)
        if not isinstance(node.ctx, ast.Load) or isinstance(node.slice, ast.Slice | ast.Tuple):
            return node
        return relocate(call("get_item", node.value, node.slice), node)
