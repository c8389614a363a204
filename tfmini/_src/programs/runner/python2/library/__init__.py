"""Python 2 standard modules that Python 3 removed, renamed or changed.

`MODULES` lists them; `load` creates one: Python 3's module, plus the removed names and the names with changed behavior.
Only the program's own imports see these modules.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any

from tfmini._src.base.names.load_module import load_module
from tfmini._src.programs.runner.python2.library import (
    byte_modules,
    changed_modules,
    json_documents,
    old_modules,
    ordered_lists,
    pickles,
    processes,
    random_numbers,
    shared_libraries,
    string_functions,
    urls,
)

# By module: the current modules that provide its names, the main one first; and replaced names.
MODULES: dict[str, tuple[tuple[str, ...], Mapping[str, Any]]] = {
    **byte_modules.MODULES,
    **json_documents.MODULES,
    **old_modules.MODULES,
    **ordered_lists.MODULES,
    **pickles.MODULES,
    **processes.MODULES,
    **random_numbers.MODULES,
    **shared_libraries.MODULES,
    **changed_modules.MODULES,
    **string_functions.MODULES,
    **urls.MODULES,
}

_loaded: dict[str, ModuleType] = {}


class Module(ModuleType):
    """A Python 2 module: its own names, and the names of the current modules; assignments reach the current modules."""

    def __init__(
        self, name: str, wrapped_modules: list[ModuleType], members: Mapping[str, Any]
    ) -> None:
        super().__init__(name, wrapped_modules[0].__doc__ if wrapped_modules else None)
        vars(self).update(members)
        vars(self)["_homes"] = wrapped_modules

    def __getattr__(self, name: str) -> Any:
        for package_module in vars(self)["_homes"]:
            try:
                return getattr(package_module, name)
            except AttributeError:
                pass
        raise AttributeError(f"'module' object has no attribute {name!r}")

    def __setattr__(self, name: str, value: Any) -> None:
        vars(self).pop(name, None)
        wrapped_modules = vars(self)["_homes"]
        if wrapped_modules:
            setattr(wrapped_modules[0], name, value)
        else:
            vars(self)[name] = value

    def __delattr__(self, name: str) -> None:
        delattr(vars(self)["_homes"][0], name)

    def __dir__(self) -> list[str]:
        names = [name for name in vars(self) if name != "_homes"]
        return sorted(
            {
                *names,
                *(name for package_module in vars(self)["_homes"] for name in dir(package_module)),
            }
        )


_DYNAMIC_MODULES = ("os", "sys")  # modules whose names are looked up each time


def load(name: str) -> ModuleType:
    """Returns the module of this name in `MODULES`."""
    if name not in _loaded:
        module_names, additions = MODULES[name]
        modules = [load_module(module_name) for module_name in module_names]
        if name in _DYNAMIC_MODULES or not modules:
            contents = dict(additions)
        else:
            contents = {n: v for n, v in vars(modules[0]).items() if callable(v)} | dict(additions)
        _loaded[name] = Module(name, modules, contents)
    return _loaded[name]


def star_import_names(name: str) -> list[str]:
    """Returns the names imported by `from NAME import *`."""
    module = load(name)
    listed = getattr(module, "__all__", None)
    public_names = [name for name in MODULES[name][1] if not name.startswith("_")]
    return sorted({*public_names, *(listed or (n for n in dir(module) if not n.startswith("_")))})
