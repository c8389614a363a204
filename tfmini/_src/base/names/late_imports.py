"""Lazy imports of modules that every program would pay for and few use.

Libraries: `from tfmini._src.base.names.late_imports import json`, then `json.loads(text)` as ever. Modules of tfmini: a
package whose `__init__` says `__getattr__ = late_modules(__name__)` gives a stand-in for what is not loaded yet. There
`from tfmini._src.compiler.passes import fuse_gpu` at the top of a file loads nothing, `fuse_gpu.fuse_gpu(program)` in a
function does; `from tfmini._src.compiler.passes.fuse_gpu import fuse_gpu` loads it at once, as ever.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from functools import partial
from importlib.machinery import PathFinder
from typing import Any


class LateModule:
    """A stand-in for the module that `load` imports and returns."""

    __slots__ = ("__name__", "_load", "_loaded")

    def __init__(self, load: Callable[[], Any], name: str = ""):
        object.__setattr__(self, "__name__", name or load.__name__)
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


def late_modules(package: str) -> Callable[[str], LateModule]:
    """The `__getattr__` of a package whose modules are loaded when something in them is asked for."""

    def __getattr__(name: str) -> LateModule:
        module, of = f"{package}.{name}", sys.modules[package]
        if name.startswith("__") or PathFinder.find_spec(module, of.__path__) is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        stand_in = LateModule(partial(importlib.import_module, module), module)
        setattr(of, name, stand_in)  # until the module itself is loaded
        return stand_in

    return __getattr__


@LateModule
def base64() -> Any:
    import base64  # noqa: PLC0415

    return base64


@LateModule
def difflib() -> Any:
    import difflib  # noqa: PLC0415

    return difflib


@LateModule
def futures() -> Any:
    from concurrent import futures  # noqa: PLC0415

    return futures


@LateModule
def json() -> Any:
    import json  # noqa: PLC0415

    return json


@LateModule
def ml_dtypes() -> Any:
    import ml_dtypes  # noqa: PLC0415

    return ml_dtypes


@LateModule
def pathlib() -> Any:
    import pathlib  # noqa: PLC0415

    return pathlib


@LateModule
def pprint() -> Any:
    import pprint  # noqa: PLC0415

    return pprint


@LateModule
def random() -> Any:
    import random  # noqa: PLC0415

    return random


@LateModule
def tempfile() -> Any:
    import tempfile  # noqa: PLC0415

    return tempfile


@LateModule
def uuid() -> Any:
    import uuid  # noqa: PLC0415

    return uuid
