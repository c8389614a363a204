"""Lazy imports of modules that every program would pay for and few use.

Libraries: `from tfmini._src.base.names.lazy_imports import json`, then `json.loads(text)` as usual. tfmini's modules: a
package with `__getattr__ = lazy_modules(__name__)` in its `__init__` returns a proxy for modules not yet loaded. Then
`from tfmini._src.compiler.passes import fuse_cpu` at the top of a file loads nothing; `fuse_cpu.fuse_cpu(program)` in a
function does. `from tfmini._src.compiler.passes.fuse_cpu import fuse_cpu` loads it immediately, as usual.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from importlib.machinery import PathFinder
from typing import Any

from tfmini._src.base.names.load_module import load_module


class LazyModule:
    """A proxy for the module that `load` imports and returns."""

    __slots__ = ("__name__", "_load", "_loaded")

    def __init__(self, load: Callable[[], Any], name: str):
        object.__setattr__(self, "__name__", name)
        object.__setattr__(self, "_load", load)
        object.__setattr__(self, "_loaded", None)

    def _module(self) -> Any:
        if self._loaded is None:
            object.__setattr__(self, "_loaded", self._load())
        return self._loaded

    def __getattr__(self, attribute: str) -> Any:
        return getattr(self._loaded or self._module(), attribute)

    def __setattr__(self, attribute: str, value: Any) -> None:
        setattr(self._module(), attribute, value)

    def __delattr__(self, attribute: str) -> None:
        delattr(self._module(), attribute)


def lazy_modules(package: str) -> Callable[[str], LazyModule]:
    """Returns the `__getattr__` of a package whose modules are loaded on first attribute access."""

    def __getattr__(name: str) -> LazyModule:
        module, parent = f"{package}.{name}", sys.modules[package]
        if name.startswith("__") or PathFinder.find_spec(module, parent.__path__) is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        stand_in = _library(module)
        setattr(parent, name, stand_in)  # until the module is loaded
        return stand_in

    return __getattr__


def _library(name: str) -> LazyModule:
    return LazyModule(partial(load_module, name), name)


base64 = _library("base64")
difflib = _library("difflib")
futures = _library("concurrent.futures")
json = _library("json")
ml_dtypes = _library("ml_dtypes")
pathlib = _library("pathlib")
pprint = _library("pprint")
random = _library("random")
tempfile = _library("tempfile")
uuid = _library("uuid")
