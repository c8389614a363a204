"""Sizes of functions after inlining, computed once per function without building bodies."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from tfmini._src.base.records import dataclass
from tfmini._src.graph import op_registry
from tfmini._src.graph.function_library import Function

_FORWARD_AND_BACKWARD = 3  # gradient nodes per forward node
_MAX_SIZE = 1 << 60


class Callee(NamedTuple):
    """The function that a call runs, or its gradient."""

    name: str
    is_gradient: bool = False


@dataclass(frozen=True)
class Size:
    """The number of nodes that replace a call, and whether any of them runs even if the results are unused."""

    nodes: int
    has_effects: bool


class FunctionSizes:
    """Inlined sizes of the functions of a library that may grow.

    calls: op types whose functions are inlined.
    """

    def __init__(self, functions: Mapping[str, Function], calls: Collection[str]):
        self._functions = functions
        self._calls = calls
        self._sizes: dict[Callee, Size] = {}
        self._owns: dict[Callee, tuple[int, bool, list[Callee]]] = {}

    def function_size(self, called: Callee) -> Size:
        """Returns the size of a library function; recursive calls count once."""
        stack = [(called, False)]
        pending: set[Callee] = set()
        while stack:
            item, is_counted = stack.pop()
            if item in self._sizes or (item in pending and not is_counted):
                continue
            nodes, has_effects, inner = self._own_size(item)
            if not is_counted:
                pending.add(item)
                stack.append((item, True))
                stack += [(callee, False) for callee in inner]
                continue
            for callee in inner:
                size = self._sizes.get(callee)
                if size is not None:
                    nodes += size.nodes
                    has_effects |= size.has_effects
            self._sizes[item] = Size(min(nodes, _MAX_SIZE), has_effects)
        return self._sizes[called]

    def own_size(self, called: Callee) -> int:
        """Returns a function's node count, excluding its callees."""
        return self._own_size(called)[0]

    def _own_size(self, called: Callee) -> tuple[int, bool, list[Callee]]:
        """Returns a function's node count without callees, whether any node has side effects, and the callees."""
        if called not in self._owns:
            self._owns[called] = self._count_own_nodes(called)
        return self._owns[called]

    def _count_own_nodes(self, called: Callee) -> tuple[int, bool, list[Callee]]:
        function = self._functions.get(called.name)
        if function is None:
            return 0, False, []
        if called.is_gradient and function.grad_func_name is not None:
            return 0, False, [Callee(function.grad_func_name)]
        definition = function.definition
        has_effects = bool(definition.control_ret)
        inner: list[Callee] = []
        count = len(definition.node_def)
        for node in definition.node_def:
            if node.op in self._functions:
                inner.append(Callee(node.op))
            elif node.op in self._calls:
                for value in node.attr.values():
                    for f in (value.func, *value.list.func):
                        if f.name:
                            inner.append(Callee(f.name, node.op == "SymbolicGradient"))
            else:
                opdef = op_registry.registry.get(node.op)
                has_effects |= opdef is not None and opdef.stateful
                continue
            count += len(node.input) + 2
        if called.is_gradient:
            count *= _FORWARD_AND_BACKWARD
            inner += [call._replace(is_gradient=True) for call in inner if not call.is_gradient]
        return count, has_effects, inner
