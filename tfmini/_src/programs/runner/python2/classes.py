"""Special methods of classes under their current names."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

_RENAMED = {
    "__div__": "__truediv__",
    "__idiv__": "__itruediv__",
    "__nonzero__": "__bool__",
    "__rdiv__": "__rtruediv__",
    "next": "__next__",
}
_ORDER: dict[str, Callable[[Any, Any], bool]] = {
    "__eq__": operator.eq,
    "__ge__": operator.ge,
    "__gt__": operator.gt,
    "__le__": operator.le,
    "__lt__": operator.lt,
    "__ne__": operator.ne,
}


def with_present_names(kind: type) -> type:
    """Adds the current names of special methods to a class; returns it."""
    own = vars(kind)
    for old, new in _RENAMED.items():
        if old in own and new not in own and callable(own[old]):
            setattr(kind, new, own[old])
    if "__cmp__" in own:
        for name, compare in _ORDER.items():
            if name not in own:
                setattr(kind, name, _by_cmp(compare))
    if "__eq__" in own and own.get("__hash__", 0) is None:
        del kind.__hash__  # Python 2 inherits the base class's
        if kind.__hash__ is None:
            setattr(kind, "__hash__", object.__hash__)  # noqa: B010
    if "__getslice__" in own and "__getitem__" not in own:
        setattr(kind, "__getitem__", _item_or_slice)  # noqa: B010
    if "__unicode__" in own and "__str__" not in own and "__repr__" not in own:
        setattr(kind, "__str__", own["__unicode__"])  # noqa: B010
    return kind


def _by_cmp(compare: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    return lambda self, other: compare(self.__cmp__(other), 0)


def _item_or_slice(self: Any, index: Any) -> Any:
    return self.__getslice__(index.start or 0, index.stop)
