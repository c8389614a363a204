"""Liveness of names at the start and end of each `if`, `while` and `for`.

Since `break` and `continue` have been lowered, liveness propagates backwards through the tree's blocks.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tfmini._src.autograph.analysis.activity import Activity, activity


@dataclass
class Block:
    """The activity and liveness of an `if`, `while` or `for`.

    Attributes:
      done: activity of its body and its else, including a `for`'s target.
      live_in, live_out: names that may be read from its start on, and after it.
    """

    done: Activity
    live_in: frozenset[str] = frozenset()
    live_out: frozenset[str] = frozenset()


def blocks(function: ast.FunctionDef) -> dict[ast.stmt, Block]:
    """Returns the blocks of a function, nested functions excluded."""
    analysis = _Analysis()
    analysis.before(function.body, frozenset(shared_names(function)))
    return analysis.blocks


def shared_names(function: ast.FunctionDef) -> dict[str, type[ast.Global] | type[ast.Nonlocal]]:
    """Returns the names that a function declares `nonlocal` or `global`, with the keyword."""
    declarations: dict[str, type[ast.Global] | type[ast.Nonlocal]] = {}
    for node in statements_in(function.body):
        if isinstance(node, ast.Global | ast.Nonlocal):
            declarations.update(dict.fromkeys(node.names, type(node)))
    return declarations


def statements_in(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """Yields all statements of a function's body, nested functions and classes excluded."""
    for statement in body:
        yield statement
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        for inner in nested_blocks(statement):
            yield from statements_in(inner)


def nested_blocks(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    """Yields the statement lists directly below a statement."""
    for name in ("body", "orelse", "finalbody"):
        inner = getattr(statement, name, None)
        if inner:
            yield inner
    for part in [*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())]:
        yield part.body


class _Analysis:
    def __init__(self) -> None:
        self.blocks: dict[ast.stmt, Block] = {}

    def before(
        self,
        body: Sequence[ast.stmt],
        live_after: frozenset[str],
        always_live: frozenset[str] = frozenset(),
    ) -> frozenset[str]:
        """Returns the names live before some statements, given the names live after them and `always_live`."""
        live = live_after | always_live
        for statement in reversed(body):
            method = getattr(self, f"_{type(statement).__name__.lower()}", None)
            if method is not None:
                live = method(statement, live, always_live) | always_live
            else:
                live = self._live_before(activity(statement), live) | always_live
        return live

    def _live_before(self, node_activity: Activity, live: frozenset[str]) -> frozenset[str]:
        return frozenset(
            node_activity.reads | (live - node_activity.writes - node_activity.deletes)
        )

    def _return(self, node: ast.Return, live: frozenset, always_live: frozenset) -> frozenset[str]:
        return frozenset(activity(node).reads)

    def _raise(self, node: ast.Raise, live: frozenset, always_live: frozenset) -> frozenset[str]:
        return frozenset(activity(node).reads)

    def _if(self, node: ast.If, live: frozenset, always_live: frozenset) -> frozenset[str]:
        block = self._block(node, activity([*node.body, *node.orelse]), live)
        branches = self.before(node.body, live, always_live) | self.before(
            node.orelse, live, always_live
        )
        block.live_in |= self._live_before(activity(node.test), branches)
        return block.live_in

    def _while(self, node: ast.While, live: frozenset, always_live: frozenset) -> frozenset[str]:
        loop_activity = activity([node.test, *node.body])
        live = self.before(node.orelse, live, always_live)
        block = self._block(node, loop_activity, live)
        test = activity(node.test)
        live_before = self._live_before(test, live)
        while True:
            wider_live = live_before | self._live_before(
                test, self.before(node.body, live_before, always_live)
            )
            if wider_live == live_before:
                break
            live_before = wider_live
        block.live_in |= live_before
        return live_before

    def _for(self, node: ast.For, live: frozenset, always_live: frozenset) -> frozenset[str]:
        target = activity(node.target)
        loop_activity = activity([node.target, *node.body])
        live = self.before(node.orelse, live, always_live)
        block = self._block(node, loop_activity, live)
        live_before = live
        while True:
            body_live = self._live_before(target, self.before(node.body, live_before, always_live))
            if live_before | body_live == live_before:
                break
            live_before |= body_live
        live_before = self._live_before(activity(node.iter), live_before)
        block.live_in |= live_before
        return live_before

    def _block(self, node: ast.stmt, statement_activity: Activity, live: frozenset[str]) -> Block:
        block = self.blocks.setdefault(node, Block(statement_activity))
        block.live_out |= live  # repeated per enclosing loop
        return block

    def _with(self, node: ast.With, live: frozenset, always_live: frozenset) -> frozenset[str]:
        live = self.before(node.body, live, always_live)
        return self._live_before(activity(node.items), live)

    def _try(self, node: ast.Try, live: frozenset, always_live: frozenset) -> frozenset[str]:
        live = self.before(node.finalbody, live, always_live)
        caught_names: frozenset[str] = frozenset()
        for handler in node.handlers:
            caught_names |= self.before(handler.body, live, always_live)
            if handler.type is not None:
                caught_names |= activity(handler.type).reads
        orelse = self.before(node.orelse, live, always_live)
        return self.before(node.body, orelse, always_live | caught_names | live)

    _trystar = _try

    def _match(self, node: ast.Match, live: frozenset, always_live: frozenset) -> frozenset[str]:
        names = live
        for case in node.cases:
            names |= self.before(case.body, live, always_live)
            if case.guard is not None:
                names |= activity(case.guard).reads
        return names | activity(node.subject).reads
