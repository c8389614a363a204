"""The import finder and its installation: `install()`."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys
from collections.abc import Iterator
from types import CodeType, ModuleType
from typing import Any

import tfmini
from tfmini._src.base import proto
from tfmini._src.programs.hook import child_processes, module_names, removed_names, renamed_names
from tfmini._src.programs.hook.extra_names import (
    ADDITIONS,
    STRICT_VARIABLE,
    is_added_module,
    is_strict,
)
from tfmini._src.programs.hook.facade import Facade
from tfmini._src.programs.hook.horovod_shim import HorovodFinder
from tfmini._src.programs.hook.keras_shim import KerasFinder
from tfmini._src.programs.hook.object_lookup import code_module, is_internal


class Finder(importlib.abc.MetaPathFinder):
    """Finds `tensorflow` and its submodules; `importlib.metadata` gets its version here."""

    def find_spec(
        self, name: str, path: Any = None, target: Any = None
    ) -> importlib.machinery.ModuleSpec | None:
        submodule = module_names.module_path(name)
        if submodule is None or not (
            module_names.is_module(submodule) or is_added_module(submodule)
        ):
            return None
        is_package = module_names.is_package(submodule) or is_added_module(submodule)
        return importlib.machinery.ModuleSpec(
            name, _Loader(), origin=_origin(submodule), is_package=is_package
        )

    def find_distributions(self, context: Any = None) -> Iterator[Any]:
        return child_processes.distributions(context)


def _origin(path: str) -> str | None:
    """Returns the source file of a module with code, whose name `python -m` passes to the tool."""
    module = tfmini if path == "" else code_module(path) if is_internal(path) else None
    return module.__file__ if module else None


class _Loader(importlib.abc.InspectLoader):
    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        return Facade(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        if module.__name__ in child_processes.TENSORFLOW_PACKAGES:
            module.__file__ = tfmini.__file__
        if module.__name__.endswith("_pb2"):
            proto.load()

    def get_source(self, fullname: str) -> str | None:
        return None

    def get_code(self, fullname: str) -> CodeType | None:
        """Returns the code of a tool run as `python -m tensorflow.python.tools.NAME`."""
        module = code_module(module_names.module_path(fullname) or "")
        spec = module and module.__spec__
        return spec.loader.get_code(spec.name) if spec else None  # type: ignore[union-attr]


def install(strict: bool | None = None) -> Finder:
    """Makes `import tensorflow` import tfmini, in this process and its children.

    Args:
      strict: omits names that TensorFlow 1.15.5 lacks, including those from before 1.0; by default the parent process's
        setting.

    Returns:
      The finder; the existing one after the first call.
    """
    if strict is not None:
        os.environ[STRICT_VARIABLE] = "1" if strict else "0"
    for finder in sys.meta_path:
        if isinstance(finder, Finder):
            return finder
    for root in child_processes.TENSORFLOW_PACKAGES:
        loaded_module = sys.modules.get(root)
        if loaded_module is not None and not isinstance(loaded_module, Facade):
            origin = getattr(loaded_module, "__file__", None) or "built in"
            raise ImportError(
                f"'{root}' is already imported ({origin}), and modules may reference its objects. "
                "Import tfmini.as_tensorflow before any module that imports tensorflow, or "
                "start the program by python -m tfmini run."
            )
    ADDITIONS.update(renamed_names.additions())
    proto.use_default_pool()
    finder = Finder()
    # by name: a child process has loaded the class from another file
    waits = [f for f in sys.meta_path if type(f).__name__ == child_processes.PendingFinder.__name__]
    other_finders = [f for f in sys.meta_path if f not in waits]
    sys.meta_path[:] = [finder, *other_finders, KerasFinder(), HorovodFinder()]
    _prepare_child_processes()
    return finder


def install_in_child() -> Finder:
    """Calls `install` and, unless strict, also restores names that NumPy and other libraries have removed."""
    if not is_strict():
        removed_names.install()
    return install()


def _prepare_child_processes() -> None:
    """Prepends the `sitecustomize` directory to PYTHONPATH, and names the environment it applies to."""
    os.environ[child_processes.PARENT_PREFIX_VARIABLE] = sys.prefix
    entries = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    other_entries = [
        entry for entry in entries if entry and entry != child_processes.SITE_DIRECTORY
    ]
    os.environ["PYTHONPATH"] = os.pathsep.join([child_processes.SITE_DIRECTORY, *other_entries])
