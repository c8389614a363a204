"""Rewrites calls, `and`, `or`, `not`, `a if b else c` and optionally `==` and `!=` as operator calls."""

from __future__ import annotations

import ast
from typing import Any

from tfmini._src.autograph.converters.templates import RUNTIME, call, load, relocate, thunk
from tfmini._src.autograph.options import ConversionOptions, Feature

# These inspect their caller's frame.
_FRAME_FUNCTIONS = frozenset(("breakpoint", "dir", "eval", "exec", "globals", "locals", "vars"))
_DEBUGGERS = frozenset(("pdb", "ipdb"))


class Expressions(ast.NodeTransformer):
    """Rewrites the expressions of a function."""

    def __init__(self, options: ConversionOptions) -> None:
        self._compares = options.uses(Feature.EQUALITY_OPERATORS)
        self._selves: list[str | None] = []

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """Visits the body and defaults, but not decorators and annotations."""
        if self._selves:
            node.args = self.visit(node.args)
        arguments = [*node.args.posonlyargs, *node.args.args]
        first = arguments[0].arg if arguments else None
        is_block = bool(self._selves) and node.name.startswith(RUNTIME)
        self._selves.append(self._selves[-1] if is_block else first)
        node.body = [item for part in node.body for item in _as_list(self.visit(part))]
        self._selves.pop()
        return node

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        """Leaves the function unchanged."""
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        """Leaves the class unchanged; its methods are converted when called."""
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        """Skips its annotation."""
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        """Skips its annotation."""
        if node.value is not None:
            node.value = self.visit(node.value)
        return node

    def visit_With(self, node: ast.With) -> ast.AST:
        """Visits the body only; the context expression is called directly."""
        node.body = [item for part in node.body for item in _as_list(self.visit(part))]
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Converts `f(x)` to `ag__.callee(f)(x)`."""
        function = node.func
        name = function.id if isinstance(function, ast.Name) else ""
        if name == "super" and not node.args and self._selves and self._selves[-1]:
            node.args = relocate([load("__class__"), load(self._selves[-1])], node)
            return node
        self.generic_visit(node)
        if name in _FRAME_FUNCTIONS or name == "super" or _is_debugger(function):
            return node
        if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
            if function.value.id == RUNTIME:
                return node
        node.func = relocate(call("callee", node.func), node)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        """Converts `a and b` to `ag__.and_(lambda: a, lambda: b)`."""
        self.generic_visit(node)
        if _assigns(node):
            return node
        operator = "and_" if isinstance(node.op, ast.And) else "or_"
        *leading, result = node.values
        for value in reversed(leading):
            result = call(operator, thunk(value), thunk(result))
        return relocate(result, node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        """Converts `not a` to `ag__.not_(a)`."""
        self.generic_visit(node)
        return relocate(call("not_", node.operand), node) if isinstance(node.op, ast.Not) else node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        """Converts `a if b else c` to `ag__.if_exp(b, lambda: a, lambda: c)`."""
        self.generic_visit(node)
        if _assigns(node.body) or _assigns(node.orelse):
            return node
        return relocate(call("if_exp", node.test, thunk(node.body), thunk(node.orelse)), node)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """Converts, with EQUALITY_OPERATORS, `a == b` to `ag__.eq(a, b)` and `a < b < c` to `a < b and b < c`."""
        self.generic_visit(node)
        if not self._compares or _assigns(node):
            return node
        left, result = node.left, None
        for operator, right in zip(node.ops, node.comparators):
            names = {ast.Eq: "eq", ast.NotEq: "not_eq"}
            if type(operator) in names:
                pair: ast.expr = call(names[type(operator)], left, right)
            else:
                pair = ast.Compare(left, [operator], [right])
            result = pair if result is None else call("and_", thunk(result), thunk(pair))
            left = right
        return relocate(result, node)


def _as_list(nodes: Any) -> list:
    return nodes if isinstance(nodes, list) else [nodes]


def _assigns(node: ast.AST) -> bool:
    """Whether moving the node into a function would hide its assignments."""
    return any(isinstance(inner, ast.NamedExpr) for inner in ast.walk(node))


def _is_debugger(function: ast.expr) -> bool:
    if not isinstance(function, ast.Attribute) or function.attr != "set_trace":
        return False
    return isinstance(function.value, ast.Name) and function.value.id in _DEBUGGERS
