"""Imports in Python 2 programs: its standard modules, and implicit relative imports."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any

from tfmini._src.base.names.load_module import is_module, load_module
from tfmini._src.programs.runner.python2 import library


def import_(name: str) -> ModuleType:
    """Returns the module bound by `import NAME`: `os` for `os.path`."""
    root = name.partition(".")[0]
    if name not in library.MODULES:
        load_module(name)
    return library.load(root)


def import_from(module: str, name: str, _namespace: dict[str, Any]) -> Any:
    """Implements `from module import name` for a standard module."""
    try:
        return getattr(library.load(module), name)
    except AttributeError:
        raise ImportError(f"cannot import name {name}", name=module) from None


def import_star(module: str, namespace: dict[str, Any]) -> None:
    """Implements `from module import *` for a standard module."""
    loaded = library.load(module)
    for name in library.star_import_names(module):
        namespace[name] = getattr(loaded, name)


def sibling(name: str, namespace: dict[str, Any]) -> ModuleType:
    """Returns the module bound by `import NAME`, if NAME.py is next to the importing file."""
    load_module(_full_name(name, namespace))
    return load_module(_full_name(name.partition(".")[0], namespace))


def sibling_from(module: str, name: str, namespace: dict[str, Any]) -> Any:
    """Implements `from module import name`, if MODULE.py is next to the importing file."""
    full = _full_name(module, namespace)
    loaded = load_module(full)
    if not hasattr(loaded, name) and hasattr(loaded, "__path__") and is_module(f"{full}.{name}"):
        load_module(f"{full}.{name}")
    try:
        return getattr(loaded, name)
    except AttributeError:
        raise ImportError(f"cannot import name {name}", name=module) from None


def sibling_star(module: str, namespace: dict[str, Any]) -> None:
    """Implements `from module import *`, if MODULE.py is next to the importing file."""
    attributes = vars(load_module(_full_name(module, namespace)))
    names = attributes.get("__all__") or [name for name in attributes if not name.startswith("_")]
    namespace.update({name: sibling_from(module, name, namespace) for name in names})


def _full_name(name: str, namespace: dict[str, Any]) -> str:
    """Returns a sibling's name, which includes a package only if the importing file was imported as part of one."""
    package = namespace.get("__package__") or namespace["__name__"].rpartition(".")[0]
    return f"{package}.{name}" if package else name


def reload(module: ModuleType) -> ModuleType:
    """Implements `reload`."""
    return module if isinstance(module, library.Module) else importlib.reload(module)
