"""Operator algebra, dispatched on classes: adjoints, inverses, Cholesky factors, products and solutions."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

from tfmini._src.graph.scopes import name_scope

_RULES: dict[tuple, Callable] = {}


def rule(operation: str, *classes: type) -> Callable[[Callable], Callable]:
    """Decorator that registers the rule of an operation for operators of these classes."""

    def register(function: Callable) -> Callable:
        _RULES[operation, classes] = function
        return function

    return register


def apply_rule(operation: str, *operators: Any) -> Any:
    """Applies an operation to operators, using the rule of their nearest base classes."""
    bases = [list(enumerate(type(operator).__mro__)) for operator in operators]
    candidates = []
    for choice in product(*bases):
        key = (operation, tuple(cls for _, cls in choice))
        if key in _RULES:
            candidates.append((sum(distance for distance, _ in choice), _RULES[key]))
    function = min(candidates, key=lambda pair: pair[0])[1]
    with name_scope(None, operation):
        return function(*operators)
