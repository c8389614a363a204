"""Names read and written by a statement or expression, including attributes and items of names.

A name is a string: "x", or "self.x" and "x[0]" for composites.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Activity:
    """The names that a piece of code reads, writes and deletes.

    Attributes:
      reads, writes, deletes: the names.
      composites: for each composite in `writes`, the names it is reached through.
    """

    reads: set[str] = field(default_factory=set)
    writes: set[str] = field(default_factory=set)
    deletes: set[str] = field(default_factory=set)
    composites: dict[str, frozenset[str]] = field(default_factory=dict)

    def add(self, other: Activity) -> None:
        """Merges the activity of another piece."""
        self.reads |= other.reads
        self.writes |= other.writes
        self.deletes |= other.deletes
        self.composites.update(other.composites)


def activity(nodes: ast.AST | Iterable[ast.AST]) -> Activity:
    """Returns the activity of nodes and the blocks in them; nested functions only read names and define their own."""
    visitor = _Visitor()
    for node in [nodes] if isinstance(nodes, ast.AST) else nodes:
        visitor.visit(node)
    return visitor.activity


def symbol(node: ast.AST) -> tuple[str, frozenset[str]] | None:
    """Returns the name of an expression's target, and the names it is reached through; None if it has no name."""
    if isinstance(node, ast.Name):
        return node.id, frozenset()
    if isinstance(node, ast.Attribute):
        parent = symbol(node.value)
        return parent and (f"{parent[0]}.{node.attr}", _root_names(parent))
    if isinstance(node, ast.Subscript):
        parent = symbol(node.value)
        if isinstance(node.slice, ast.Constant):
            return parent and (f"{parent[0]}[{node.slice.value!r}]", _root_names(parent))
        index = symbol(node.slice)
        if parent is not None and index is not None:
            return f"{parent[0]}[{index[0]}]", _root_names(parent) | _root_names(index)
    return None


def _root_names(symbol: tuple[str, frozenset[str]]) -> frozenset[str]:
    return symbol[1] or frozenset([symbol[0]])


class _Visitor(ast.NodeVisitor):
    def __init__(self) -> None:
        self.activity = Activity()
        self._hidden: list[set[str]] = []  # lambda parameters, comprehension targets

    def _is_hidden(self, name: str, roots: frozenset[str] = frozenset()) -> bool:
        return any(name in names or roots & names for names in self._hidden)

    def visit_Name(self, node: ast.Name) -> None:
        self._use(node.id, frozenset(), node.ctx)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        self.generic_visit(node)
        self._use_composite(node, node.ctx)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        self.generic_visit(node)
        self._use_composite(node, node.ctx)

    def _use_composite(self, node: ast.expr, ctx: Any) -> None:
        reached = symbol(node)
        if reached is not None:
            self._use(*reached, ctx)

    def _use(self, name: str, roots: frozenset[str], ctx: Any) -> None:
        if self._is_hidden(name, roots):
            return
        if isinstance(ctx, ast.Load):
            self.activity.reads.add(name)
        elif isinstance(ctx, ast.Store):
            self.activity.writes.add(name)
            if roots:
                self.activity.composites[name] = roots
        else:
            self.activity.reads.add(name)
            self.activity.deletes.add(name)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.generic_visit(node)
        reached = symbol(node.target)
        if reached is not None and not self._is_hidden(*reached):
            self.activity.reads.add(reached[0])

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self.visit(node.value)
        self.activity.writes.add(node.target.id)

    def _visit_comprehension(self, node: Any) -> None:
        targets = [generator.target for generator in node.generators]
        names = {n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)}
        self._hidden.append(names)
        self.generic_visit(node)
        self._hidden.pop()

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _visit_comprehension

    def visit_Lambda(self, node: ast.Lambda) -> None:
        for default in [*node.args.defaults, *node.args.kw_defaults]:
            if default is not None:
                self.visit(default)
        self._hidden.append({n.arg for n in ast.walk(node.args) if isinstance(n, ast.arg)})
        self.visit(node.body)
        self._hidden.pop()

    def visit_FunctionDef(self, node: Any) -> None:
        for part in [*node.decorator_list, *node.args.defaults, *node.args.kw_defaults]:
            if part is not None:
                self.visit(part)
        body = activity(node.body)
        local_names = {n.arg for n in ast.walk(node.args) if isinstance(n, ast.arg)}
        shared = {name for n in ast.walk(node) if isinstance(n, ast.Nonlocal) for name in n.names}
        local_names |= {name for name in body.writes if name not in body.composites} - shared
        reads = {n for n in body.reads if n.replace("[", ".").partition(".")[0] not in local_names}
        self.activity.reads |= reads
        self.activity.writes.add(node.name)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        body = activity([*node.decorator_list, *node.bases, *node.keywords, *node.body])
        self.activity.reads |= body.reads
        self.activity.writes.add(node.name)

    def _visit_import(self, node: Any) -> None:
        self.activity.writes |= {a.asname or a.name.partition(".")[0] for a in node.names}

    visit_Import = visit_ImportFrom = _visit_import
