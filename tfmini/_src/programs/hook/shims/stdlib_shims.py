"""Names removed from the standard library: `inspect.getargspec`, `imp.load_source`, parts of distutils."""

from __future__ import annotations

import errno
import functools
import html
import importlib.machinery
import importlib.util
import inspect
import os
import re
import shutil
import sys
from types import ModuleType
from typing import Any, NamedTuple

__all__ = [
    "ArgSpec",
    "LooseVersion",
    "copy_tree",
    "errno",
    "getargspec",
    "picture_type",
    "load_source",
    "mkpath",
    "strtobool",
    "unescape",
]

# Magic numbers of image files.
_PICTURES = {
    b"\x89PNG\r\n\x1a\n": "png",
    b"\xff\xd8\xff": "jpeg",
    b"GIF87a": "gif",
    b"GIF89a": "gif",
    b"II*\0": "tiff",
    b"MM\0*": "tiff",
    b"BM": "bmp",
}


class ArgSpec(NamedTuple):
    """Argument names, names of `*` and `**`, and the defaults of the last arguments."""

    args: list[str]
    varargs: str | None
    keywords: str | None
    defaults: tuple | None


def getargspec(func: Any) -> ArgSpec:
    """Same as `inspect.getfullargspec`; raises ValueError for keyword-only or annotated arguments, except tfmini's."""
    spec = inspect.getfullargspec(func)
    is_ours = (getattr(func, "__module__", None) or "").partition(".")[0] == "tfmini"
    if (spec.kwonlyargs or spec.annotations) and not is_ours:
        raise ValueError(
            "Function has keyword-only parameters or annotations, use inspect.signature() API which can support them"
        )
    return ArgSpec(spec.args, spec.varargs, spec.varkw, spec.defaults)


def load_source(name: str, pathname: str, file: Any = None) -> ModuleType:
    """Loads the file as a module of that name, or into the existing one."""
    loader = importlib.machinery.SourceFileLoader(name, pathname)
    spec = importlib.util.spec_from_file_location(name, pathname, loader=loader)
    assert spec
    module = sys.modules.setdefault(name, importlib.util.module_from_spec(spec))
    loader.exec_module(module)
    return sys.modules[name]


def strtobool(val: str) -> int:
    """Returns 1 for y, yes, t, true, on and 1, and 0 for n, no, f, false, off and 0. Otherwise raises ValueError."""
    if val.lower() in ("y", "yes", "t", "true", "on", "1"):
        return 1
    if val.lower() in ("n", "no", "f", "false", "off", "0"):
        return 0
    raise ValueError(f"invalid truth value {val.lower()!r}")


def mkpath(name: str, mode: int = 0o777, verbose: int = 1, dry_run: int = 0) -> list[str]:
    """Creates the directory and its missing parents; returns the created directories."""
    results: list[str] = []
    while name and not os.path.isdir(name):
        results.insert(0, name)
        name = os.path.dirname(name)
    for directory in results if not dry_run else ():
        os.makedirs(directory, mode, exist_ok=True)
    return results


def copy_tree(src: str, dst: str) -> list[str]:
    """Copies a directory's contents into another, which may exist; returns the files written."""
    written: list[str] = []

    def copy(source: str, target: str) -> str:
        written.append(target)
        return shutil.copy2(source, target)

    shutil.copytree(src, dst, copy_function=copy, dirs_exist_ok=True)
    return written


@functools.total_ordering
class LooseVersion:
    """A version compared component by component, numbers numerically."""

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


def picture_type(file: Any, h: bytes | None = None) -> str | None:
    """Implements `imghdr.what`: image type of a file's first bytes, or of `h`; None if it is not an image."""
    if h is None:
        if hasattr(file, "read"):
            position = file.tell()
            h = file.read(32)
            file.seek(position)
        else:
            with open(file, "rb") as opened:
                h = opened.read(32)
    if h[:4] == b"RIFF" and h[8:12] == b"WEBP":
        return "webp"
    return next(
        (image_type for start, image_type in _PICTURES.items() if h.startswith(start)), None
    )


def unescape(parser: Any, s: str) -> str:
    """Returns the text with HTML entities replaced."""
    return html.unescape(s)
