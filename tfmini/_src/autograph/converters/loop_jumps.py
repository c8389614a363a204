"""Lowers `break` and `continue` to flags: the rest of a loop's body runs while no flag is set."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from tfmini._src.autograph.converters.templates import (
    Names,
    assign,
    call,
    load,
    relocate,
    thunk,
    unless_statement,
)

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def lower_breaks(body: list[ast.stmt], names: Names) -> list[ast.stmt]:
    """Lowers each `break` to a flag and a `continue`; the loop continues while the flag is not set.

    The condition is stored on a `for` as the attribute `extra_test`.
    """
    return _Breaks(names).block(body)


def lower_continues(body: list[ast.stmt], names: Names) -> list[ast.stmt]:
    """Lowers each `continue` to a flag."""
    return _ContinueLowering(names).block(body)


class _Blocks:
    """Visits a function's statements, skipping nested functions and classes."""

    def block(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        results: list[ast.stmt] = []
        for statement in body:
            new = self.statement(statement)
            results += new if isinstance(new, list) else [new]
        return results

    def statement(self, node: Any) -> Any:
        if isinstance(node, _DEFINITIONS):
            return node
        for name in ("body", "orelse", "finalbody"):
            if getattr(node, name, None):
                setattr(node, name, self.block(getattr(node, name)))
        for part in [*getattr(node, "handlers", ()), *getattr(node, "cases", ())]:
            part.body = self.block(part.body)
        return node


class _Breaks(_Blocks):
    def __init__(self, names: Names) -> None:
        self._names = names
        self._flags: list[str] = []
        self._used: set[str] = set()

    def statement(self, node: Any) -> Any:
        if isinstance(node, ast.Break):
            self._used.add(self._flags[-1])
            return relocate([assign(self._flags[-1], ast.Constant(True)), ast.Continue()], node)
        if not isinstance(node, ast.While | ast.For):
            return super().statement(node)
        flag = self._names.new("break_")
        self._flags.append(flag)
        node.body = self.block(node.body)
        self._flags.pop()
        node.orelse = self.block(node.orelse)
        if flag not in self._used:
            return node
        if node.orelse:
            node.orelse = relocate([unless_statement(flag, node.orelse)], node)
        continues = call("not_", load(flag))
        if isinstance(node, ast.While):
            node.test = relocate(call("and_", thunk(node.test), thunk(continues)), node)
        else:
            node.extra_test = relocate(continues, node)  # type: ignore[attr-defined]
            node.body.insert(0, relocate(ast.Expr(load(flag)), node))  # read by the loop condition
        return [relocate(assign(flag, ast.Constant(False)), node), node]


class _ContinueLowering(_Blocks):
    """Guards the statements after a `continue`, in each block up to the loop's body, with `if not flag`."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._loops: list[_Loop] = []

    def block(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        results: list[ast.stmt] = []
        goal = results
        loop = self._loops[-1] if self._loops else None
        if loop is None:
            return super().block(body)
        current = False
        loop.guards.append(False)
        for statement in body:
            new = self.statement(statement)
            items = new if isinstance(new, list) else [new]
            if loop.is_used:
                wraps, current = current, loop.guards[-1]
                loop.guards[-1] = False
                if wraps:
                    guard = relocate(unless_statement(loop.flag, items), statement)
                    goal.append(guard)
                    goal = guard.body
                    continue
            goal += items
        loop.guards.pop()
        return results

    def statement(self, node: Any) -> Any:
        if isinstance(node, ast.Continue):
            loop = self._loops[-1]
            loop.is_used = True
            loop.guards[:] = [True] * len(loop.guards)
            return relocate(assign(loop.flag, ast.Constant(True)), node)
        if not isinstance(node, ast.While | ast.For):
            return super().statement(node)
        loop = _Loop(self._names.new("continue_"))
        self._loops.append(loop)
        node.body = self.block(node.body)
        self._loops.pop()
        if loop.is_used:
            node.body.insert(0, relocate(assign(loop.flag, ast.Constant(False)), node))
        node.orelse = self.block(node.orelse)
        return node


class _Loop:
    def __init__(self, flag: str) -> None:
        self.flag = flag
        self.is_used = False
        # For the blocks up to this point: whether the next statement is guarded.
        self.guards: list[bool] = []
