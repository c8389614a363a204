"""Methods of optimizers that keep their variables in another optimizer.

TensorFlow's wrapping optimizers derive directly from `Optimizer`, which libraries check, so they have no common base
class.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def delegate(name: str) -> Callable[..., Any]:
    """Returns the method `name`, which calls the method of the wrapped optimizer, `self._opt`."""

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        return getattr(self._opt, name)(*args, **kwargs)

    method.__name__ = name
    method.__doc__ = f"Calls `{name}` of the wrapped optimizer with these arguments."
    return method
