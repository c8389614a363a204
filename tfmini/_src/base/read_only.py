"""One-line read-only properties that expose an object's attribute."""

from __future__ import annotations

from operator import attrgetter
from typing import Any


class _ReadOnly:
    """Replaces itself with a property once the class assigns its name."""

    def __init__(self, doc: str, attribute: str | None) -> None:
        self._doc, self._attribute = doc, attribute

    def __set_name__(self, owner: type, name: str) -> None:
        result = property(attrgetter(self._attribute or f"_{name}"), doc=self._doc)
        result.__set_name__(owner, name)  # type: ignore[attr-defined]  # since Python 3.10
        setattr(owner, name, result)


def read_only(doc: str, attribute: str | None = None) -> Any:
    """A documented property that returns an attribute, by default its own name with a leading underscore.

    Example: after `rate: Tensor = read_only("The scales.")` in a class, `gamma.rate` is `gamma._rate`.
    """
    return _ReadOnly(doc, attribute)
