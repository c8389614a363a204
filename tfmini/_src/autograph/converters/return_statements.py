"""Lowers `return` inside a function to a flag and a value; the rest runs while the flag is not set.

If one branch of an `if` returns, the statements after the `if` first move into the other branch, so that both branches
set a value.
"""

from __future__ import annotations

import ast
from typing import Any

from tfmini._src.autograph.analysis.liveness import statements_in
from tfmini._src.autograph.converters.templates import (
    Names,
    assign,
    call,
    load,
    relocate,
    thunk,
    unless_statement,
)


def lower_returns(function: ast.FunctionDef, names: Names) -> None:
    """Lowers a function's own `return`s, unless its only `return` is its last statement."""
    returns = [node for node in statements_in(function.body) if isinstance(node, ast.Return)]
    if not returns or (len(returns) == 1 and returns[0] is function.body[-1]):
        return
    function.body, _ = _nest_after_returns(function.body)
    flag, value = names.new("do_return"), names.new("retval_")
    body = _ReturnLowering(flag, value).block(function.body)
    initializations = [
        assign(flag, ast.Constant(False)),
        assign(value, call("UndefinedReturnValue")),
    ]
    trailing = [ast.Expr(load(flag)), ast.Return(call("retval", load(value)))]
    function.body = [*relocate(initializations, function), *body, *relocate(trailing, returns[-1])]


def _nest_after_returns(body: list[ast.stmt]) -> tuple[list[ast.stmt], bool]:
    """Moves statements after a returning `if` to its other branch; returns the block, and whether it always returns."""
    results: list[ast.stmt] = []
    goal, returns = results, False
    for node in body:
        goal.append(node)
        if isinstance(node, ast.Return):
            returns = True
        elif isinstance(node, ast.If):
            node.body, first = _nest_after_returns(node.body)
            node.orelse, second = _nest_after_returns(node.orelse)
            returns = returns or (first and second)
            if first:
                goal = node.orelse
            elif second:
                goal = node.body
        elif isinstance(node, ast.With):
            node.body, body_returns = _nest_after_returns(node.body)
            returns = returns or body_returns
        elif isinstance(node, ast.While | ast.For | ast.Try):
            for name in ("body", "orelse", "finalbody"):
                if getattr(node, name, None):
                    setattr(node, name, _nest_after_returns(getattr(node, name))[0])
            for handler in getattr(node, "handlers", ()):
                handler.body, _ = _nest_after_returns(handler.body)
    return results, returns


class _State:
    def __init__(self) -> None:
        self.is_used = False
        self.guards_next = False


class _ReturnLowering:
    def __init__(self, flag: str, value: str) -> None:
        self._flag = flag
        self._value = value
        self._stack: list[_State] = []

    def block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        state = _State()
        self._stack.append(state)
        results: list[ast.stmt] = []
        goal, guards = results, False
        for statement in body:
            new = self._statement(statement)
            if state.is_used:
                wraps, guards = guards, state.guards_next
                state.guards_next = False
                if wraps:
                    guard = relocate(unless_statement(self._flag, new), statement)
                    goal.append(guard)
                    goal = guard.body
                    continue
            goal += new
        self._stack.pop()
        return results

    def _statement(self, node: Any) -> list[ast.stmt]:
        if isinstance(node, ast.Return):
            for state in self._stack:
                state.is_used = state.guards_next = True
            value = node.value or ast.Constant(None)
            return relocate(
                [assign(self._flag, ast.Constant(True)), assign(self._value, value)], node
            )
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            return [node]
        if getattr(node, "body", None):
            node.body = self.block(node.body)
        if isinstance(node, ast.While | ast.For) and self._stack[-1].is_used:
            self._end_loop(node)
        for name in ("orelse", "finalbody"):
            if getattr(node, name, None):
                setattr(node, name, self.block(getattr(node, name)))
        for part in [*getattr(node, "handlers", ()), *getattr(node, "cases", ())]:
            part.body = self.block(part.body)
        return [node]

    def _end_loop(self, node: Any) -> None:
        """Ends a loop once the function has returned."""
        continues = call("not_", load(self._flag))
        if isinstance(node, ast.While):
            node.test = relocate(call("and_", thunk(continues), thunk(node.test)), node)
            return
        extra = getattr(node, "extra_test", None)
        if extra is not None:
            continues = call("and_", thunk(continues), thunk(extra))
        node.extra_test = relocate(continues, node)
