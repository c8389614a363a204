"""Read-only properties, a line each: an attribute of an object, shown to users."""

from __future__ import annotations

from operator import attrgetter
from typing import Any


class _ReadOnly:
    """Gives way to a property as soon as the class is there and it knows its name."""

    def __init__(self, doc: str, attribute: str | None) -> None:
        self._doc, self._attribute = doc, attribute

    def __set_name__(self, owner: type, name: str) -> None:
        made = property(attrgetter(self._attribute or f"_{name}"), doc=self._doc)
        made.__set_name__(owner, name)  # type: ignore[attr-defined]  # since Python 3.10
        setattr(owner, name, made)


def read_only(doc: str, attribute: str | None = None) -> Any:
    """A property with this docstring that returns an attribute, by default that of its name after an underscore.

    Example: after `rate: Tensor = read_only("The scales.")` in a class, `gamma.rate` is `gamma._rate`.
    """
    return _ReadOnly(doc, attribute)
