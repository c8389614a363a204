"""Imports in Python 2 programs: its standard modules, and implicit relative imports."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any

from tfmini._src.base.names.load_module import load_module
from tfmini._src.programs.runner.python2 import library


def import_(name: str) -> ModuleType:
    """The module bound by `import NAME`: `os` for `os.path`."""
    root = name.partition(".")[0]
    if name not in library.MODULES:
        load_module(name)
    return library.load(root)


def import_from(module: str, name: str) -> Any:
    """`from module import name`."""
    try:
        return getattr(library.load(module), name)
    except AttributeError:
        raise ImportError(f"cannot import name {name}", name=module) from None


def import_star(module: str, namespace: dict[str, Any]) -> None:
    """`from module import *`."""
    found = library.load(module)
    for name in library.names_by_star(module):
        namespace[name] = getattr(found, name)


def sibling(name: str, namespace: dict[str, Any]) -> ModuleType:
    """The module bound by `import NAME`, if NAME is in the importing module's package."""
    package = namespace.get("__package__") or namespace["__name__"].rpartition(".")[0]
    load_module(f"{package}.{name}")
    return load_module(f"{package}.{name.partition('.')[0]}")


def reload(module: ModuleType) -> ModuleType:
    """`reload`."""
    return module if isinstance(module, library.Module) else importlib.reload(module)
