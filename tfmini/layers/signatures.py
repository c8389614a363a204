"""Classes that differ from their base in defaults, and say so."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any


def defaults(**values: Any) -> Callable[[type], type]:
    """A decorator of a class whose `__init__` shows these defaults, which mean what the base's own do."""

    def show(cls: Any) -> type:
        inherited = cls.__init__

        @functools.wraps(inherited)
        def initialize(self: Any, *args: Any, **kwargs: Any) -> None:
            inherited(self, *args, **kwargs)

        signature = inspect.signature(inherited)
        parameters = [
            parameter.replace(default=values.get(name, parameter.default))
            for name, parameter in signature.parameters.items()
        ]
        initialize.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        cls.__init__ = initialize
        return cls

    return show
