"""`dataclass` for modules that every program loads: behaves like the standard one in a fifth of its time.

The standard decorator generates, compiles and executes six functions per class; here only `__init__`, the others are
shared. Type checkers see the standard one.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any

_MISSING = dataclasses.MISSING


def _initializer(cls: type, fields: tuple, frozen: bool) -> Callable:
    """Generates a class's `__init__`, with a parameter per field, in order."""
    names: dict[str, Any] = {"_set": object.__setattr__, "_made": _MISSING}
    parameters, lines = ["self"], []
    for field in fields:
        name, value = field.name, field.name
        has_factory = field.default_factory is not _MISSING
        if has_factory:
            names[f"_make_{name}"] = field.default_factory
        elif field.default is not _MISSING:
            names[f"_default_{name}"] = field.default
        if field.init:
            default = "=_made" if has_factory else f"=_default_{name}"
            parameters.append(name + default * (has_factory or field.default is not _MISSING))
            value = f"_make_{name}() if {name} is _made else {name}" if has_factory else name
        elif has_factory:
            value = f"_make_{name}()"
        else:
            continue
        lines.append(f"_set(self, {name!r}, {value})" if frozen else f"self.{name} = {value}")
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    exec(f"def __init__({', '.join(parameters)}):\n  " + "\n  ".join(lines or ["pass"]), names)
    result = names["__init__"]
    result.__module__, result.__qualname__ = cls.__module__, f"{cls.__qualname__}.__init__"
    return result


def _values_getter(names: list[str]) -> Callable[[Any], Any]:
    return attrgetter(*names) if names else lambda record: ()


def _representation(record: Any) -> str:
    field_names = [f.name for f in dataclasses.fields(record) if f.repr]
    arguments = ", ".join(f"{name}={getattr(record, name)!r}" for name in field_names)
    return f"{type(record).__qualname__}({arguments})"


def _check_frozen(record: Any, name: str, action: str) -> None:
    record_type = type(record)
    if "__dataclass_params__" in vars(record_type) or name in record_type.__dataclass_fields__:
        raise dataclasses.FrozenInstanceError(f"cannot {action} field {name!r}")


def _set_if_not_frozen(record: Any, name: str, value: Any) -> None:
    _check_frozen(record, name, "assign to")
    object.__setattr__(record, name, value)


def _delete_if_not_frozen(record: Any, name: str) -> None:
    _check_frozen(record, name, "delete")
    object.__delattr__(record, name)


def _add_comparison(cls: type, fields: tuple, frozen: bool) -> dict[str, Any]:
    """Returns `__eq__` and `__hash__` for a class that compares records by field."""
    values = _values_getter([f.name for f in fields if f.compare])

    def equal(record: Any, other: Any) -> Any:
        if other.__class__ is not record.__class__:
            return NotImplemented
        return values(record) == values(other)

    if not frozen:
        return {"__eq__": equal, "__hash__": None}
    hashed_values = _values_getter(
        [f.name for f in fields if (f.compare if f.hash is None else f.hash)]
    )
    return {"__eq__": equal, "__hash__": lambda record: hash(hashed_values(record))}


def _record(cls: Any = None, /, *, frozen: bool = False, eq: bool = True) -> Any:
    if cls is None:
        return partial(_record, frozen=frozen, eq=eq)
    namespace = vars(cls)
    has_hash = namespace.get("__hash__") is not None
    if cls.__doc__ is None:
        cls.__doc__ = cls.__name__
    result = dataclasses.dataclass(init=False, repr=False, eq=False)(cls)
    fields = dataclasses.fields(result)
    functions: dict[str, Any] = {"__repr__": _representation}
    if eq:
        functions.update(_add_comparison(result, fields, frozen))
    if frozen:
        functions.update(__setattr__=_set_if_not_frozen, __delattr__=_delete_if_not_frozen)
    for name, function in functions.items():
        if name not in namespace or (name == "__hash__" and not has_hash):
            setattr(result, name, function)
    if "__init__" not in namespace:
        result.__init__ = _initializer(result, fields, frozen)
    return result


if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:
    dataclass = _record
