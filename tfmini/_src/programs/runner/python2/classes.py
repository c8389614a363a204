"""Adds special methods under their current names to classes; restores instances of classic classes from pickles."""

from __future__ import annotations

import _compat_pickle
import operator
from collections.abc import Callable
from typing import Any, SupportsIndex
from weakref import WeakSet

_RENAMED_METHODS = {
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
_ROOTS: WeakSet[type] = WeakSet()  # the classes without bases


def add_current_names(cls: type) -> type:
    """Adds the current names of special methods to a class; returns it."""
    attributes = vars(cls)
    for old, new in _RENAMED_METHODS.items():
        if old in attributes and new not in attributes and callable(attributes[old]):
            setattr(cls, new, attributes[old])
    if "__cmp__" in attributes:
        for name, compare in _ORDER.items():
            if name not in attributes:
                setattr(cls, name, _compare_by_cmp(compare))
    if "__eq__" in attributes and attributes.get("__hash__", 0) is None:
        del cls.__hash__  # Python 2 inherits the base class's
        if cls.__hash__ is None:
            setattr(cls, "__hash__", object.__hash__)  # noqa: B010
    if "__getslice__" in attributes and "__getitem__" not in attributes:
        setattr(cls, "__getitem__", _item_or_slice)  # noqa: B010
    if "__unicode__" in attributes and "__str__" not in attributes and "__repr__" not in attributes:
        setattr(cls, "__str__", attributes["__unicode__"])  # noqa: B010
    return cls


def classic(cls: type[Any]) -> type[Any]:
    """Same as `add_current_names`, for a class without bases; Python 2 can load its pickled instances."""
    _ROOTS.add(cls)

    def __reduce_ex__(self: Any, protocol: SupportsIndex) -> Any:
        if not _is_classic(type(self)):
            return super(cls, self).__reduce_ex__(protocol)
        if hasattr(self, "__getinitargs__"):
            return type(self), tuple(self.__getinitargs__()), self.__getstate__()
        return instance, (type(self), {}), self.__getstate__()

    setattr(cls, "__reduce_ex__", __reduce_ex__)  # noqa: B010
    return add_current_names(cls)


def _is_classic(cls: type) -> bool:
    return all(object not in base.__bases__ or base in _ROOTS for base in cls.__mro__[:-1])


def instance(cls: type[Any], state: dict[str, Any]) -> Any:
    """Creates an instance without calling `__init__`, as Python 2's `types.InstanceType` does."""
    obj: Any = object.__new__(cls)
    obj.__dict__.update(state)
    return obj


# In pickles of protocols 0 to 2.
_compat_pickle.NAME_MAPPING["types", "InstanceType"] = __name__, "instance"
_compat_pickle.REVERSE_NAME_MAPPING[__name__, "instance"] = "types", "InstanceType"


def _compare_by_cmp(compare: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    return lambda self, other: compare(self.__cmp__(other), 0)


def _item_or_slice(self: Any, index: Any) -> Any:
    return self.__getslice__(index.start or 0, index.stop)
