"""Hints of composite linear operators, derived from the hints of their parts."""

from __future__ import annotations

from typing import Any

from tfmini._src.ops import ops

HINTS = {
    "is_square": "square",
    "is_non_singular": "non-singular",
    "is_self_adjoint": "self-adjoint",
    "is_positive_definite": "positive-definite",
}


def known_hints(operator: Any) -> dict:
    """Returns the hints of an operator, as keyword arguments for another operator."""
    return {hint: getattr(operator, hint) for hint in HINTS}


def combine(operator: Any, hint: str, value: bool | None, message: str) -> bool | None:
    """Returns the hint of a derived operator, known or specified; raises ValueError if the two are contradictory."""
    operator_hint = getattr(operator, hint)
    if (operator_hint is False and value) or (operator_hint and value is False):
        raise ValueError(message)
    if operator_hint or value:
        return True
    return False if operator_hint is False or value is False else None


def check_one_dtype(operators: Any, expected: str = "non-empty list of") -> list:
    """Returns the operators as a list; raises an error if it is empty or their dtypes differ."""
    ops.assert_proper_iterable(operators)
    operators = list(operators)
    if not operators:
        raise ValueError(f"Expected a {expected} operators. Found: {operators}")
    if any(operator.dtype != operators[0].dtype for operator in operators):
        listing = "   ".join(str((o.name, o.dtype)) for o in operators)
        raise TypeError(f"Expected all operators to have the same dtype.  Found {listing}")
    return operators


def shared_hints(
    operators: list, properties: dict[str, str], arguments: dict, composite: str
) -> dict:
    """Returns hints that are True if True for all parts; raises ValueError if such a hint is specified as False."""
    hints = dict(arguments)
    for hint, property_name in properties.items():
        if all(getattr(operator, hint) for operator in operators):
            if arguments[hint] is False:
                raise ValueError(
                    f"The {composite} of {property_name} operators is always {property_name}."
                )
            hints[hint] = True
    return hints


def product_is_non_singular(a: Any, b: Any) -> bool | None:
    """Whether the product of two operators has an inverse, as far as known."""
    if a.is_non_singular is False or b.is_non_singular is False:
        return False
    return a.is_non_singular and b.is_non_singular


def product_is_self_adjoint(a: Any, b: Any) -> bool | None:
    """Whether a product of commuting matrices is self-adjoint."""
    pair = {a.is_self_adjoint, b.is_self_adjoint}
    if pair == {True}:
        return True
    return False if pair == {True, False} else None


def product_hints(a: Any, b: Any) -> dict:
    """Returns the hints of the product or quotient of commuting square matrices."""
    self_adjoint = product_is_self_adjoint(a, b)
    positive = self_adjoint and a.is_positive_definite and b.is_positive_definite
    return {
        "is_non_singular": product_is_non_singular(a, b),
        "is_self_adjoint": self_adjoint,
        "is_positive_definite": True if positive else None,
        "is_square": True,
    }
