"""`tensorflow.python.util.lazy_loader`: modules imported on first use."""

from __future__ import annotations

import importlib
import types
from typing import Any

from tfmini._src.base import logs

__all__ = ["LazyLoader"]


class LazyLoader(types.ModuleType):
    """A module imported at the first access to one of its attributes.

    Args:
      local_name: its name in the parent module.
      parent_module_globals: the parent's globals, in which the loaded module replaces this one.
      name: its full name.
      warning: logged when it is loaded.
    """

    def __init__(
        self, local_name: str, parent_module_globals: dict, name: str, warning: str | None = None
    ) -> None:
        super().__init__(name)
        self._local_name = local_name
        self._parent_module_globals = parent_module_globals
        self._warning = warning

    def _load(self) -> types.ModuleType:
        module = importlib.import_module(self.__name__)
        self._parent_module_globals[self._local_name] = module
        if self._warning:
            logs.warning(self._warning)
            self._warning = None
        self.__dict__.update(module.__dict__)
        return module

    def __getattr__(self, item: str) -> Any:
        return getattr(self._load(), item)

    def __dir__(self) -> list[str]:
        return dir(self._load())
