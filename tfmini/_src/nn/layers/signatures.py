"""Classes that differ from their base in default arguments or visible signature."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, TypeVar

_Class = TypeVar("_Class", bound=type)


def defaults(**values: Any) -> Callable[[_Class], _Class]:
    """A class decorator that replaces defaults of the base's `__init__`, and gives the base's docstring."""

    def change(cls: Any) -> Any:
        whole = _whole_signature(cls.__init__)
        parameters = [
            parameter.replace(default=values.get(name, parameter.default))
            for name, parameter in whole.parameters.items()
        ]
        whole = whole.replace(parameters=parameters)
        cls.__doc__ = inspect.getdoc(cls)
        return _with_signature(cls, whole, whole, values)

    return change


def without(*names: str) -> Callable[[_Class], _Class]:
    """A class decorator that accepts these arguments as keywords but hides them from the signature."""

    def change(cls: Any) -> Any:
        whole = _whole_signature(cls.__init__)
        shown = [p for name, p in whole.parameters.items() if name not in names]
        return _with_signature(cls, whole, whole.replace(parameters=shown), {})

    return change


def _with_signature(
    cls: Any, whole: inspect.Signature, shown: inspect.Signature, values: dict[str, Any]
) -> Any:
    inherited = cls.__init__
    _, *parameters = (p for p in shown.parameters.values() if p.kind is not p.VAR_KEYWORD)
    order = [parameter.name for parameter in parameters]
    least = 1 + sum(parameter.default is parameter.empty for parameter in parameters)

    @functools.wraps(inherited)
    def initialize(self: Any, *args: Any, **kwargs: Any) -> None:
        if len(args) > len(order):
            raise TypeError(
                f"__init__() takes from {least} to {len(order) + 1} positional arguments but "
                f"{len(args) + 1} were given"
            )
        by_name = dict(zip(order, args))
        for name in by_name:
            if name in kwargs:
                raise TypeError(f"__init__() got multiple values for argument '{name}'")
        by_default = {k: v for k, v in values.items() if k not in by_name and k not in kwargs}
        inherited(self, **by_default, **by_name, **kwargs)

    initialize.__signature__ = shown  # type: ignore[attr-defined]
    initialize.whole_signature = whole  # type: ignore[attr-defined]
    cls.__init__ = initialize
    return cls


def _whole_signature(function: Any) -> inspect.Signature:
    return getattr(function, "whole_signature", None) or inspect.signature(function)
