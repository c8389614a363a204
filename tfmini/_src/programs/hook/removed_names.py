"""Restores names removed from Python's libraries for the programs that use them (`base.names.removed_names`).

An imported module gets a `__getattr__` that resolves its old names; it is consulted after the module's own, so existing
names are never replaced and nothing is loaded unless requested. A finder at the end of the path creates modules that
were removed entirely.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import sys
import warnings
from collections.abc import Callable
from types import ModuleType
from typing import Any

from tfmini._src.base.names.removed_names import (
    LAZY_SUBMODULES,
    METHODS,
    MODULES,
    NAMES,
    PROPERTIES,
    REGISTRIES,
)
from tfmini._src.programs.hook import legacy_protobuf
from tfmini._src.programs.hook.warn_once import warn_once

_SUPPLIED_MARK = "__tfmini_supplied__"
_REMOVED_MODULES = ("cgi", "distutils", "imghdr", "imp", "pipes")

_CLASS_NAMES = {name.rpartition(".")[0] for name in (*METHODS, *PROPERTIES)}

# Modules in the table, and their parent packages.
_TABLE_MODULES = {
    ".".join(parts[:end])
    for parts in (
        name.split(".") for name in (*NAMES, *MODULES, *LAZY_SUBMODULES, *_CLASS_NAMES, *REGISTRIES)
    )
    for end in range(1, len(parts) + 1)
}


class _NameInstaller(importlib.abc.MetaPathFinder):
    """Adds removed names to the table's modules when they are loaded."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name not in _TABLE_MODULES:
            return None
        for finder in sys.meta_path:
            find = getattr(finder, "find_spec", None)
            if find is None or isinstance(finder, (_NameInstaller, _ModuleFinder)):
                continue
            spec = find(name, path, target)
            if spec is not None:
                _wrap_loader(spec.loader)
                return spec
        return None


def _wrap_loader(loader: Any) -> None:
    """Makes a module's loader add the module's removed names."""
    if isinstance(loader, type) or not hasattr(loader, "exec_module"):
        return
    execute = loader.exec_module

    def exec_module(module: ModuleType) -> None:
        execute(module)
        supply(module)

    loader.exec_module = exec_module


class _ModuleFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Creates removed modules that no other finder finds."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        library = name.partition(".")[0]
        # The library itself must be installed.
        is_there = name != library or name in _REMOVED_MODULES
        if name not in _TABLE_MODULES or not is_there:
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def exec_module(self, module: ModuleType) -> None:
        supply(module)


def supply(module: ModuleType) -> None:
    """Adds a module's removed names to it: once, and again for names that a reload has overwritten."""
    full = module.__name__
    if not hasattr(vars(module).get("__getattr__"), _SUPPLIED_MARK):
        _supply_names(module)
    for name, methods in METHODS.items():
        module_name, _, class_name = name.rpartition(".")
        if module_name == full:
            _supply_methods(name, getattr(module, class_name), methods)
    for name, properties in PROPERTIES.items():
        module_name, _, class_name = name.rpartition(".")
        if module_name == full:
            for old, new in properties.items():
                _supply_property(name, getattr(module, class_name), old, new)
    if full in REGISTRIES and _SUPPLIED_MARK not in vars(module):
        _resolve(REGISTRIES[full])()
    setattr(module, _SUPPLIED_MARK, True)


def _supply_names(module: ModuleType) -> None:
    """Adds a `__getattr__` for removed names to a module; it consults the module's own first."""
    full = module.__name__
    original_getattr = vars(module).get("__getattr__")
    names = NAMES.get(full, {})
    loaded = LAZY_SUBMODULES.get(full, ())

    def __getattr__(name: str) -> Any:
        if name in loaded:
            return importlib.import_module(f"{full}.{name}")
        if name not in names and full not in MODULES:
            if original_getattr is not None:
                return original_getattr(name)
            raise AttributeError(
                f"module {full!r} has no attribute {name!r}", name=name, obj=module
            )
        if original_getattr is not None:
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # scikit-learn warns about removed names
                    return original_getattr(name)
            except (AttributeError, ImportError):  # scikit-learn's error for a removed name
                pass
        value = _replacement(full, name)
        setattr(module, name, value)
        return value

    if not hasattr(module, "__path__") and any(
        name.startswith(f"{full}.") for name in _TABLE_MODULES
    ):
        module.__path__ = []  # formerly a package
    setattr(__getattr__, _SUPPLIED_MARK, True)
    setattr(module, "__getattr__", __getattr__)  # noqa: B010


def _replacement(module: str, name: str) -> Any:
    """Returns the current replacement of a removed name."""
    if name not in NAMES.get(module, {}):
        if name.startswith("__"):
            raise AttributeError(f"module {module!r} has no attribute {name!r}", name=name)
        new = MODULES[module]
        replacement = getattr(importlib.import_module(new), name)
        warn_once(module, f"{module} was removed; {new} replaces it.")
        return replacement
    new = NAMES[module][name]
    replacement = _resolve(new)
    module_name, _, attribute = new.rpartition(".")
    by = (
        f"tfmini's {attribute}"
        if module_name.startswith("tfmini.")
        else new.removeprefix("builtins.")
    )
    warn_once(f"{module}.{name}", f"{module}.{name} was removed; {by} replaces it.")
    return replacement


def _resolve(full: str) -> Any:
    """Returns the object with the given full name."""
    module_name, _, attribute = full.rpartition(".")
    return getattr(importlib.import_module(module_name), attribute)


def install() -> None:
    """Adds removed names to all modules already loaded or loaded later."""
    if any(isinstance(finder, _NameInstaller) for finder in sys.meta_path):
        return
    legacy_protobuf.install()
    sys.meta_path.insert(0, _NameInstaller())
    sys.meta_path.append(_ModuleFinder())
    for name in _TABLE_MODULES:
        if name in sys.modules:
            supply(sys.modules[name])


def _supply_methods(full: str, owner: type, methods: dict[str, str]) -> None:
    """Adds removed methods to a class, as aliases of current ones."""
    for old, new in methods.items():
        if not hasattr(owner, old):
            setattr(owner, old, _deprecated_method(f"{full}.{old}", new))


def _supply_property(full: str, owner: type, old: str, new: str) -> None:
    """Adds a removed property to a class: a slice of everything, a function's or method's result, or a renamed one."""
    if hasattr(owner, old):
        return
    is_own = new.startswith("tfmini.")
    replacement = f"tfmini's {new.rpartition('.')[2]}" if is_own else new

    def getter(self: Any) -> Any:
        warn_once(f"{full}.{old}", f"{full}.{old} was removed; {replacement} replaces it.")
        if is_own:
            return _resolve(new)(self)
        if new.endswith("()"):
            return getattr(self, new[:-2])()
        return self[()] if new == "[()]" else getattr(self, new)

    setattr(owner, old, _RemovedProperty(getter))


class _RemovedProperty:
    """A property of objects without an attribute of its name: older networkx releases assign `node` to each graph."""

    def __init__(self, getter: Callable[[Any], Any]) -> None:
        self._getter = getter

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else self._getter(instance)


def _deprecated_method(old: str, new: str) -> Any:
    is_own = new.startswith("tfmini.")
    replacement = f"tfmini's {new.rpartition('.')[2]}" if is_own else new

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        warn_once(old, f"{old} was removed; {replacement} replaces it.")
        if is_own:
            return _resolve(new)(self, *args, **kwargs)
        return getattr(self, new)(*args, **kwargs)

    method.__name__ = old.rpartition(".")[2]
    return method
