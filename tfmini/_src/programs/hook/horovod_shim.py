"""`import horovod.tensorflow` and `.keras` without an installed Horovod: tfmini's own implementation."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
from types import ModuleType
from typing import Any

from tfmini._src.programs.hook.extra_names import is_strict

_HOROVOD = "tfmini._src.distribute.horovod"
_KERAS = "tfmini._src.models.keras.horovod"
_MODULES = {
    "horovod": _HOROVOD,
    "horovod.common": _HOROVOD,
    "horovod.common.elastic": f"{_HOROVOD}.elastic",
    "horovod.common.exceptions": f"{_HOROVOD}.failures",
    "horovod.keras": f"{_KERAS}.keras",
    "horovod.keras.callbacks": f"{_KERAS}.callbacks",
    "horovod.keras.elastic": f"{_KERAS}.elastic",
    "horovod.tensorflow": f"{_HOROVOD}.tensorflow",
    "horovod.tensorflow.compression": f"{_HOROVOD}.compression",
    "horovod.tensorflow.elastic": f"{_HOROVOD}.elastic",
    "horovod.tensorflow.keras": f"{_KERAS}.keras",
    "horovod.tensorflow.keras.callbacks": f"{_KERAS}.callbacks",
    "horovod.tensorflow.keras.elastic": f"{_KERAS}.elastic",
}
_VERSION = "0.21.3"  # modules with the same interface


class HorovodFinder(importlib.abc.MetaPathFinder):
    """Finds `horovod` and its submodules; last on the path, so that an installed Horovod takes precedence."""

    def find_spec(
        self, name: str, path: Any = None, target: Any = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name not in _MODULES or is_strict():
            return None
        return importlib.machinery.ModuleSpec(name, _Loader(), is_package=True)


class _StandIn(ModuleType):
    """A `horovod` module with the names of tfmini's."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        return getattr(importlib.import_module(_MODULES[self.__name__]), name)


class _Loader(importlib.abc.Loader):
    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        return _StandIn(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        if module.__name__ == "horovod":
            module.__version__ = _VERSION  # type: ignore[attr-defined]
        else:
            importlib.import_module(_MODULES[module.__name__])
