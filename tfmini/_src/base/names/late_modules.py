"""Late-loading modules: the contents of `vars(module)` and `module.__dict__`, and the names already loaded."""

from __future__ import annotations

from types import ModuleType
from typing import Any

_names: Any = vars(ModuleType)["__dict__"]


def loaded_names(module: Any) -> dict[str, Any]:
    """The names of a module that are loaded, by which `vars` of the class that follows would load the others."""
    names: dict[str, Any] = _names.__get__(module)
    return names


class LateModule(ModuleType):
    """A module whose `__dict__` has all its names; asking for it loads them."""

    @property
    def __dict__(self) -> dict[str, Any]:  # type: ignore[override]
        names = loaded_names(self)
        for name in self._late_names():
            if name not in names:
                getattr(self, name)
        return names

    def __dir__(self) -> list[str]:
        """The names, none of which this loads."""
        listed: list[str] = loaded_names(self)["__dir__"]()
        return listed

    def _late_names(self) -> list[str]:
        """The names that are to be loaded."""
        return [name for name in dir(self) if not name.startswith("__")]
