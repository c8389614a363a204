"""`tensorflow.python.util.all_util`: hides names of a module that its docstring does not mention."""

from __future__ import annotations

import re
import sys
import types
from collections.abc import Iterable
from typing import Any

__all__ = ["make_all", "remove_undocumented", "reveal_undocumented"]

_hidden: dict[str, tuple[types.ModuleType, Any]] = {}


def make_all(
    module_name: str, doc_string_modules: Iterable[types.ModuleType] | None = None
) -> list[str]:
    """Returns the names listed as `@@name` in the docstrings of a module, or of other modules."""
    modules = doc_string_modules or [sys.modules[module_name]]
    names = {
        name
        for module in modules
        for name in re.findall(r"^@@(\w+)$", module.__doc__ or "", re.MULTILINE)
    }
    return sorted(names & set(dir(sys.modules[module_name])))


def remove_undocumented(
    module_name: str,
    allowed_exception_list: Iterable[str] | None = None,
    doc_string_modules: Iterable[types.ModuleType] | None = None,
) -> None:
    """Deletes the public names of a module, except names in the list or listed as `@@name` in its docstring."""
    module = sys.modules[module_name]
    allowed = {*make_all(module_name, doc_string_modules), *(allowed_exception_list or ())}
    for name in set(vars(module)) - allowed:
        if not name.startswith("_"):
            _hidden[f"{module_name}.{name}"] = module, getattr(module, name)
            delattr(module, name)


def reveal_undocumented(symbol_name: str, target_module: types.ModuleType | None = None) -> None:
    """Restores a name deleted by `remove_undocumented`, "module.name"; raises LookupError if it was not deleted."""
    if symbol_name not in _hidden:
        raise LookupError(f"Symbol {symbol_name} is not a hidden symbol")
    module, value = _hidden[symbol_name]
    setattr(target_module or module, symbol_name.rpartition(".")[2], value)
