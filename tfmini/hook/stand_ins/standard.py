"""What Python's own library has dropped: `inspect.getargspec`, `imp.load_source`, pieces of distutils."""

from __future__ import annotations

import functools
import importlib.machinery
import importlib.util
import inspect
import os
import re
import shutil
import sys
from types import ModuleType
from typing import Any, NamedTuple


class ArgSpec(NamedTuple):
    """Names of arguments, of `*` and `**`, and the defaults of the last arguments."""

    args: list[str]
    varargs: str | None
    keywords: str | None
    defaults: tuple | None


def getargspec(func: Any) -> ArgSpec:
    """What `inspect.getfullargspec` tells, for functions without keyword-only arguments and annotations.

    Raises:
      ValueError: the function has some.
    """
    found = inspect.getfullargspec(func)
    if found.kwonlyargs or found.annotations:
        raise ValueError(
            "Function has keyword-only parameters or annotations, use inspect.signature() API which can support them"
        )
    return ArgSpec(found.args, found.varargs, found.varkw, found.defaults)


def load_source(name: str, pathname: str, file: Any = None) -> ModuleType:
    """Loads the file as a module of that name, into the module of that name if there is one."""
    loader = importlib.machinery.SourceFileLoader(name, pathname)
    spec = importlib.util.spec_from_file_location(name, pathname, loader=loader)
    assert spec
    module = sys.modules.setdefault(name, importlib.util.module_from_spec(spec))
    loader.exec_module(module)
    return sys.modules[name]


def strtobool(val: str) -> int:
    """1 for y, yes, t, true, on and 1; 0 for n, no, f, false, off and 0; else ValueError."""
    if val.lower() in ("y", "yes", "t", "true", "on", "1"):
        return 1
    if val.lower() in ("n", "no", "f", "false", "off", "0"):
        return 0
    raise ValueError(f"invalid truth value {val.lower()!r}")


def mkpath(name: str, mode: int = 0o777, verbose: int = 1, dry_run: int = 0) -> list[str]:
    """Makes the folder and those above it; returns those that were not there."""
    made: list[str] = []
    while name and not os.path.isdir(name):
        made.insert(0, name)
        name = os.path.dirname(name)
    for folder in made if not dry_run else ():
        os.makedirs(folder, mode, exist_ok=True)
    return made


def copy_tree(src: str, dst: str) -> list[str]:
    """Copies what is in a folder into another, which may be there; returns the files written."""
    written: list[str] = []

    def copy(source: str, target: str) -> str:
        written.append(target)
        return shutil.copy2(source, target)

    shutil.copytree(src, dst, copy_function=copy, dirs_exist_ok=True)
    return written


@functools.total_ordering
class LooseVersion:
    """A version that is compared part by part, numbers as numbers."""

    def __init__(self, vstring: str | None = None) -> None:
        self.vstring = vstring or ""
        self.version = [
            int(part) if part.isdigit() else part
            for part in re.findall(r"\d+|[a-z]+|[^.\da-z]+", self.vstring)
        ]

    def _parts(self, other: Any) -> Any:
        return other.version if isinstance(other, LooseVersion) else LooseVersion(other).version

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (str, LooseVersion)):
            return NotImplemented
        return self.version == self._parts(other)

    def __lt__(self, other: str | LooseVersion) -> bool:
        return self.version < self._parts(other)

    def __hash__(self) -> int:
        return hash(tuple(self.version))

    def __str__(self) -> str:
        return self.vstring

    def __repr__(self) -> str:
        return f"LooseVersion ('{self.vstring}')"
