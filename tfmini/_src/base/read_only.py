"""Read-only properties, a line each: the attribute `_x` of an object, shown as `x`."""

from __future__ import annotations

from operator import attrgetter
from typing import Any


class _ReadOnly:
    """Gives way to a property as soon as the class is there and it knows its name."""

    def __init__(self, doc: str) -> None:
        self._doc = doc

    def __set_name__(self, owner: type, name: str) -> None:
        made = property(attrgetter(f"_{name}"), doc=self._doc)
        made.__set_name__(owner, name)  # type: ignore[attr-defined]  # since Python 3.10
        setattr(owner, name, made)


def read_only(doc: str) -> Any:
    """A property with this docstring that returns the attribute of its name after an underscore.

    Example: after `rate: Tensor = read_only("The scales.")` in a class, `gamma.rate` is `gamma._rate`.
    """
    return _ReadOnly(doc)
