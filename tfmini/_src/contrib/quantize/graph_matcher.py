"""Backward pattern matching on subgraphs, starting from an operation."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from tfmini._src.graph.graph import Graph
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor


class Match:
    """Operations matched by each pattern, and the output tensor through which each was reached."""

    def __init__(self) -> None:
        self._found: dict[Any, tuple[Operation, Tensor | None]] = {}

    def add(self, pattern: Any, op: Operation, tensor: Tensor | None) -> None:
        self._found[pattern] = op, tensor

    def update(self, other: Match) -> None:
        self._found.update(other._found)

    def op(self, *patterns: Any) -> Any:
        """Returns the operation of the first pattern that matched; None if none did."""
        return next((self._found[p][0] for p in patterns if p in self._found), None)

    def tensor(self, *patterns: Any) -> Any:
        """Returns the tensor of the first pattern that matched; None if none did."""
        return next((self._found[p][1] for p in patterns if p in self._found), None)


class OpPattern:
    """Pattern of an operation of certain types whose inputs match other patterns.

    Args:
      types: types of ops joined by "|", or "*" for any.
      inputs: patterns or types, one per input; none for any inputs.
      ordered: whether patterns match inputs in order, instead of in any order.
    """

    def __init__(self, types: str, inputs: Any = (), ordered: bool = True):
        self._types = None if types == "*" else types.split("|")
        self._inputs = [OpPattern(item) if isinstance(item, str) else item for item in inputs]
        self._ordered = ordered

    def match(self, op: Operation, tensor: Tensor | None = None) -> Match | None:
        if self._types is not None and op.type not in self._types:
            return None
        result = Match()
        result.add(self, op, tensor)
        if not self._inputs:
            return result
        if len(op.inputs) != len(self._inputs):
            return None
        orders: Any = [self._inputs] if self._ordered else itertools.permutations(self._inputs)
        if any(_all_match(op, order, result) for order in orders):
            return result
        return None


def _all_match(op: Operation, patterns: Any, matched: Match) -> bool:
    """Whether all inputs match; partial matches are kept even if a later input fails."""
    for tensor, pattern in zip(op.inputs, patterns):
        part = pattern.match(tensor.op, tensor)
        if part is None:
            return False
        matched.update(part)
    return True


class OneOf:
    """Pattern that matches if one of several patterns does; the first match wins."""

    def __init__(self, *patterns: Any):
        self._patterns = patterns

    def match(self, op: Operation, tensor: Tensor | None = None) -> Match | None:
        for pattern in self._patterns:
            result = pattern.match(op, tensor)
            if result is not None:
                return result
        return None


def matches(pattern: Any, graph: Graph) -> Iterator[Match]:
    """Yields the matches of a pattern in a graph."""
    for op in graph.get_operations():
        result = pattern.match(op)
        if result is not None:
            yield result
