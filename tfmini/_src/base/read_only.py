"""One-line read-only properties that expose an object's attribute."""

from __future__ import annotations

from operator import attrgetter
from typing import Any


class _ReadOnly:
    """Replaces itself with a property once the class assigns its name."""

    def __init__(self, doc: str | None, attribute: str | None) -> None:
        self._doc, self._attribute = doc, attribute

    def __set_name__(self, owner: type, name: str) -> None:
        result = property(attrgetter(self._attribute or f"_{name}"))
        result.__doc__ = self._doc or _inherited_doc(owner, name)
        result.__set_name__(owner, name)  # type: ignore[attr-defined]  # since Python 3.10
        setattr(owner, name, result)


def _inherited_doc(owner: type, name: str) -> str | None:
    """Returns the docstring of the property of this name in the base classes."""
    inherited_attrs = (vars(base).get(name) for base in owner.__mro__[1:])
    return next((p.__doc__ for p in inherited_attrs if isinstance(p, property) and p.__doc__), None)


def read_only(doc: str | None = None, attribute: str | None = None) -> Any:
    """Returns a property that returns an attribute, by default its own name with a leading underscore.

    Without `doc`, the property has the base class's docstring.

    Example: after `rate: Tensor = read_only("The scales.")` in a class, `gamma.rate` is `gamma._rate`.
    """
    return _ReadOnly(doc, attribute)
