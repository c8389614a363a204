"""Rewrites `if`, `while` and `for` as functions of their blocks, and a call that decides how to run them.

The functions share the enclosing function's variables (`nonlocal`), so Python's own `if` and loops behave as before.
For `tf.cond` and `tf.while_loop`, two more functions get and set the values written by a block: its state. It consists
of the variables read later, sorted, then attributes and items, then the remaining variables.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from tfmini._src.autograph.analysis.activity import activity
from tfmini._src.autograph.analysis.liveness import Block, blocks, nested_blocks, shared_names
from tfmini._src.autograph.converters.templates import (
    call,
    define,
    load,
    parse_name,
    relocate,
    texts,
    thunk,
)

_PREFIX = "ag__"


def convert_statements(function: ast.FunctionDef) -> None:
    """Rewrites the blocks of a function and its nested functions."""
    rewriter = _Statements(function)
    function.body = rewriter.block(function.body)
    if rewriter.written:
        binding = ast.Assign(
            [ast.Name(name, ast.Store()) for name in sorted(rewriter.written)], ast.Constant(None)
        )
        bound = relocate(ast.If(ast.Constant(False), [binding], []), function.body[0])
        # Declares them as the function's variables.
        function.body.insert(_insert_after_docstring(function), bound)


def _insert_after_docstring(function: ast.FunctionDef) -> int:
    position = 1 if ast.get_docstring(function, clean=False) is not None else 0
    while position < len(function.body) and isinstance(
        function.body[position], ast.Global | ast.Nonlocal
    ):
        position += 1
    return position


@dataclass
class _State:
    """State written by a block: live variables, composites reached through variables, others."""

    outputs: list[str]
    composites: list[str]
    others: list[str]

    @property
    def variables(self) -> list[str]:
        return [*self.outputs, *self.others]


class _Statements:
    def __init__(self, function: ast.FunctionDef) -> None:
        self._blocks = blocks(function)
        self._shared = shared_names(function)
        arguments = {n.arg for n in ast.walk(function.args) if isinstance(n, ast.arg)}
        self._bound = arguments | set(self._shared)
        self._assigned = set(self._bound)  # on all paths to the current statement
        self.written: set[str] = set()

    def block(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        results: list[ast.stmt] = []
        assigned_before = set(self._assigned)
        for statement in body:
            results += self._statement(statement)
            if not any(nested_blocks(statement)):
                statement_activity = activity(statement)
                self._assigned = (
                    self._assigned | statement_activity.writes
                ) - statement_activity.deletes
        self._assigned = assigned_before
        return results

    def _statement(self, node: Any) -> list[ast.stmt]:
        if isinstance(node, ast.FunctionDef):
            convert_statements(node)
            return [node]
        if isinstance(node, ast.ClassDef | ast.AsyncFunctionDef):
            return [node]
        for name in ("body", "orelse", "finalbody"):
            if getattr(node, name, None):
                setattr(node, name, self.block(getattr(node, name)))
        for part in [*getattr(node, "handlers", ()), *getattr(node, "cases", ())]:
            part.body = self.block(part.body)
        if isinstance(node, ast.If):
            return relocate(self._if(node, self._blocks[node]), node)
        if isinstance(node, ast.While):
            return relocate(self._while(node, self._blocks[node]), node)
        if isinstance(node, ast.For):
            return relocate(self._for(node, self._blocks[node]), node)
        return [node]

    def _if(self, node: ast.If, block: Block) -> list[ast.stmt]:
        block_activity = block.done
        variables = block_activity.writes - set(block_activity.composites)
        state = _State(
            sorted(variables & block.live_out),
            sorted(block_activity.composites),
            sorted(variables - block.live_out),
        )
        body = self._function("body", node.body, state)
        orelse = self._function("orelse", node.orelse, state)
        statement_call = self._call("if_stmt", state, node.test)
        return [*self._placeholders(state), body, orelse, *self._accessors(state), statement_call]

    def _while(self, node: ast.While, block: Block) -> list[ast.stmt]:
        state = self._of_loop(block)
        test = self._function(
            "test", [ast.Return(node.test)], state, declares_scope=_assigns(node.test)
        )
        body = self._function("body", node.body, state)
        stated = self._call("while_stmt", state, load(_PREFIX + "test"))
        return [
            *self._placeholders(state),
            test,
            body,
            *self._accessors(state),
            stated,
            *node.orelse,
        ]

    def _for(self, node: ast.For, block: Block) -> list[ast.stmt]:
        state = self._of_loop(block)
        extra = getattr(node, "extra_test", None)
        target = ast.Assign([node.target], load(_PREFIX + "value"))
        body = self._function("body", [target, *node.body], state, argument=_PREFIX + "value")
        results: list[ast.stmt] = [body, *self._accessors(state)]
        reified = self._placeholders(state)
        tested: ast.expr = ast.Constant(None)
        if extra is not None:
            results.insert(
                0, self._function("test", [ast.Return(extra)], state, declares_scope=False)
            )
            tested = load(_PREFIX + "test")
        statement_call = self._call("for_stmt", state, node.iter, tested)
        return [*reified, *results, statement_call, *node.orelse]

    def _of_loop(self, block: Block) -> _State:
        block_activity = block.done
        variables = block_activity.writes - set(block_activity.composites)
        relevant = variables & (block.live_in | block.live_out)
        composites = [
            name for name, roots in block_activity.composites.items() if roots <= block.live_in
        ]
        return _State(sorted(relevant), sorted(composites), sorted(variables - relevant))

    def _function(
        self,
        suffix: str,
        body: list[ast.stmt],
        state: _State,
        argument: str | None = None,
        declares_scope: bool = True,
    ) -> ast.FunctionDef:
        names = [ast.arg(argument)] if argument else []
        arguments = ast.arguments([], names, None, [], [], None, [])
        head = self._scope_declarations(state.variables) if declares_scope else []
        return define(_PREFIX + suffix, arguments, [*head, *(body or [ast.Pass()])])

    def _scope_declarations(self, names: Iterable[str]) -> list[ast.stmt]:
        """Returns the `nonlocal` and `global` statements that declare names of the enclosing function."""
        nonlocals = [name for name in names if self._shared.get(name) is not ast.Global]
        world = [name for name in names if self._shared.get(name) is ast.Global]
        self.written.update(name for name in nonlocals if name not in self._bound)
        results: list[ast.stmt] = [ast.Nonlocal(nonlocals)] if nonlocals else []
        return [*results, ast.Global(world)] if world else results

    def _placeholders(self, state: _State) -> list[ast.stmt]:
        """Returns placeholder assignments to variables that are read later and may be unset."""
        names = [name for name in state.outputs if name not in self._assigned]
        return [ast.Assign([ast.Name(name, ast.Store())], _defined_value(name)) for name in names]

    def _accessors(self, state: _State) -> list[ast.stmt]:
        """Returns the functions that get and set the state."""
        values: list[ast.expr] = [_defined_value(name) for name in state.outputs]
        values += [parse_name(name, ast.Load()) for name in state.composites]
        values += [_defined_value(name) for name in state.others]
        return_statement = ast.Return(ast.Tuple(values, ast.Load()))
        no_arguments = ast.arguments([], [], None, [], [], None, [])
        getter = define(_PREFIX + "get", no_arguments, [return_statement])
        names = [*state.outputs, *state.composites, *state.others]
        body: list[ast.stmt] = [ast.Pass()]
        if names:
            targets = ast.Tuple([parse_name(name, ast.Store()) for name in names], ast.Store())
            stored = ast.Assign([targets], load(_PREFIX + "values"))
            body = [*self._scope_declarations(state.variables), stored]
        arguments = ast.arguments([], [ast.arg(_PREFIX + "values")], None, [], [], None, [])
        return [getter, define(_PREFIX + "set", arguments, body)]

    def _call(self, operator: str, state: _State, *first: ast.expr) -> ast.stmt:
        names = ["body", *(["orelse"] if operator == "if_stmt" else []), "get", "set"]
        functions = [load(_PREFIX + name) for name in names]
        symbols = [texts(state.outputs), texts(state.composites)]
        return ast.Expr(call(operator, *first, *functions, *symbols))


def _defined_value(name: str) -> ast.expr:
    """Returns a variable's value, or a placeholder if it is unset."""
    return call("defined_value", thunk(load(name)), ast.Constant(name))


def _assigns(test: ast.expr) -> bool:
    return bool(activity(test).writes)
