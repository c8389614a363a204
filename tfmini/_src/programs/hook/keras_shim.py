"""`import keras` without an installed Keras: the modules of `tf.keras` under their old names.

Keras 2.2 is a separate package, which most scripts of that era import alongside TensorFlow.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
from types import ModuleType
from typing import Any

from tfmini._src.programs.hook import module_names
from tfmini._src.programs.hook.extra_names import is_strict
from tfmini._src.programs.hook.warn_once import warn_once


class KerasFinder(importlib.abc.MetaPathFinder):
    """Finds `keras` and its submodules; last on the path, so that an installed Keras takes precedence."""

    def find_spec(
        self, name: str, path: Any = None, target: Any = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name.partition(".")[0] != "keras" or is_strict() or _find_module_for(name) is None:
            return None
        return importlib.machinery.ModuleSpec(name, _Loader(), is_package=True)


def _find_module_for(name: str) -> str | None:
    """Returns the TensorFlow module behind `keras.NAME`: public, else internal (`keras.layers.core`)."""
    for path in (name, f"python.{name}"):
        if module_names.is_module(path):
            return f"tensorflow.{path}"
    return None


class _StandIn(ModuleType):
    """A `keras` module with the names of its TensorFlow counterpart."""

    def __getattr__(self, name: str) -> Any:
        resolved_module = importlib.import_module(_find_module_for(self.__name__) or "")
        if name == "__all__":
            return [public for public in dir(resolved_module) if not public.startswith("_")]
        if name == "__version__" or not name.startswith("__"):
            return getattr(resolved_module, name)
        raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")

    def __dir__(self) -> list[str]:
        return dir(importlib.import_module(_find_module_for(self.__name__) or ""))


class _Loader(importlib.abc.Loader):
    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        return _StandIn(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        warn_once("keras", "keras is not installed; using tf.keras instead.")
