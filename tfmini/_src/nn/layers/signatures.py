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
        inherited = cls.__init__
        signature = _whole_signature(inherited)
        order = list(signature.parameters)

        @functools.wraps(inherited)
        def initialize(self: Any, *args: Any, **kwargs: Any) -> None:
            given = order[1 : len(args) + 1]
            for name, value in values.items():
                if name not in given:
                    kwargs.setdefault(name, value)
            inherited(self, *args, **kwargs)

        parameters = [
            parameter.replace(default=values.get(name, parameter.default))
            for name, parameter in signature.parameters.items()
        ]
        whole = signature.replace(parameters=parameters)
        initialize.__signature__ = initialize.whole_signature = whole  # type: ignore[attr-defined]
        cls.__init__ = initialize
        cls.__doc__ = inspect.getdoc(cls)
        return cls

    return change


def without(*names: str) -> Callable[[_Class], _Class]:
    """A class decorator that accepts these arguments as keywords but hides them from the signature."""

    def change(cls: Any) -> Any:
        inherited = cls.__init__
        signature = _whole_signature(inherited)

        @functools.wraps(inherited)
        def initialize(self: Any, *args: Any, **kwargs: Any) -> None:
            inherited(self, *args, **kwargs)

        shown = [p for name, p in signature.parameters.items() if name not in names]
        initialize.__signature__ = signature.replace(parameters=shown)  # type: ignore[attr-defined]
        initialize.whole_signature = signature  # type: ignore[attr-defined]
        cls.__init__ = initialize
        return cls

    return change


def _whole_signature(function: Any) -> inspect.Signature:
    return getattr(function, "whole_signature", None) or inspect.signature(function)
