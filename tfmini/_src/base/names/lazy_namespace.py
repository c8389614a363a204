"""Lazily loaded modules: complete `vars(module)` and `module.__dict__`, and access to the names already loaded."""

from __future__ import annotations

from types import ModuleType
from typing import Any

_names: Any = vars(ModuleType)["__dict__"]


def names_loaded_so_far(module: Any) -> dict[str, Any]:
    """Returns the already loaded names of a module, without loading the others as `vars` would."""
    names: dict[str, Any] = _names.__get__(module)
    return names


class LazyNamespace(ModuleType):
    """A module whose `__dict__` loads and contains all its names."""

    @property
    def __dict__(self) -> dict[str, Any]:  # type: ignore[override]
        names = names_loaded_so_far(self)
        for name in self._lazy_names():
            if name not in names:
                getattr(self, name)
        return names

    def __dir__(self) -> list[str]:
        """Returns all names, without loading them."""
        listed: list[str] = names_loaded_so_far(self)["__dir__"]()
        return listed

    def _lazy_names(self) -> list[str]:
        """Returns the names to be loaded."""
        return [name for name in dir(self) if not name.startswith("__")]
