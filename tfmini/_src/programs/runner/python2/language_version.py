"""Detects Python 2 programs: if one module is Python 2, so is every module without newer syntax."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from types import CodeType
from typing import Any

from tfmini._src.base.names.load_module import load_module
from tfmini._src.programs.hook.child_processes import is_installed
from tfmini._src.programs.hook.extra_names import is_strict
from tfmini._src.programs.runner.program_directories import import_directories
from tfmini._src.programs.runner.python2 import evidence, syntax

MARK = "__tfmini_python2__"  # the first name in a Python 2 module's code
VARIABLE = "TFMINI_ERA"  # environment variable inherited by child processes
_PYTHON2, _ONLY_PYTHON2 = "python2", "only python2"  # its values: by names of Python 2, by syntax
_PYTHON3 = "python3"  # and if a lone `print` is a no-op line in its modules

_IMPORT = re.compile(
    rb"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+([\w, \t]*)|import[ \t]+([\w., \t]+))", re.M
)
_MAX_FILES = 500  # file limit
_seen_sources: list[
    tuple[bytes, str | None]
] = []  # the program's first sources and their directories


def is_python2() -> bool:
    """Whether the program is known to be Python 2."""
    is_set = os.environ.get(VARIABLE) in (_PYTHON2, _ONLY_PYTHON2)
    return is_set and not is_strict() and syntax.is_available()


def is_only_python2() -> bool:
    """Whether the program is known not to run on Python 3."""
    return is_python2() and os.environ[VARIABLE] == _ONLY_PYTHON2


def search_evidence(source: bytes, directory: str | None) -> None:
    """Searches a program's first source file, and the neighboring modules it imports, for evidence of Python 2."""
    if is_strict() or is_only_python2() or not syntax.is_available():
        return
    _seen_sources.append((source, directory))
    programs = filter(_is_source, _imported_sources(source, directory))
    if python2_answers := [evidence.is_only_python2(program) for program in programs]:
        set_python2(any(python2_answers))


def set_python2(only: bool = True) -> None:
    """Marks the program as Python 2, in child processes too; unless `only`, it may be Python 3 with a few old names."""
    if only or not is_python2():
        os.environ[VARIABLE] = _ONLY_PYTHON2 if only else _PYTHON2


def is_python2_source(source: bytes) -> bool:
    """Whether a source file of the program is Python 2."""
    if is_strict():
        return False
    if is_python2():
        return not evidence.is_python3(source, by_syntax=is_only_python2())
    return _is_source(source) and syntax.is_available()


def _is_source(source: bytes) -> bool:
    """Whether source code is certainly Python 2.

    A lone `print` counts only if none of the program's source files is Python 3.
    """
    return evidence.is_source(source) and (evidence.is_source(source, True) or not _is_python3())


def _is_python3() -> bool:
    """Whether one of the program's source files is Python 3; child processes inherit the result."""
    version = os.environ.get(VARIABLE)
    if version is None and any(
        evidence.is_python3(source)
        for first in _seen_sources
        for source in _imported_sources(*first)
    ):
        os.environ[VARIABLE] = version = _PYTHON3
    return version == _PYTHON3


def program_era(source: bytes) -> str:
    """Returns the era in which a source file of the program is compiled: `VARIABLE`'s value, `_PYTHON3` or ""."""
    if is_python2():
        return os.environ[VARIABLE]
    return _PYTHON3 if evidence.may_print_alone(source) and _is_python3() else ""


def converter() -> Any:
    """Returns the module `conversion`, loaded with the first Python 2 source."""
    return load_module("tfmini._src.programs.runner.python2.conversion")


def set_builtins(code: CodeType, namespace: dict[str, Any]) -> None:
    """Sets the `__builtins__` of a module if its code is Python 2's."""
    if MARK in code.co_names:
        module = load_module("tfmini._src.programs.runner.python2.builtin_names")
        namespace["__builtins__"] = module.program_builtins()


def _imported_sources(source: bytes, directory: str | None) -> Iterator[bytes]:
    yield source
    if directory is None:
        return
    roots = import_directories(directory)
    seen: set[str] = set()
    waiting = [(source, directory)]
    while waiting and len(seen) < _MAX_FILES:
        data, here = waiting.pop()
        for path in _imported_paths(data, {here, *roots}):
            if path in seen:
                continue
            seen.add(path)
            try:
                with open(path, "rb") as file:
                    neighbor = file.read()
            except OSError:
                continue
            yield neighbor
            waiting.append((neighbor, os.path.dirname(path)))


def _imported_paths(source: bytes, directories: set[str]) -> Iterator[str]:
    """Yields the paths of the modules in these directories that source code may import."""
    for package, names, modules in _IMPORT.findall(source):
        if package:
            parts = [n.split()[0] for n in names.decode("ascii", "replace").split(",") if n.strip()]
            module_name = package.decode("ascii", "replace").lstrip(".")
            expected = [module_name, *(f"{module_name}.{part}".lstrip(".") for part in parts)]
        else:
            expected = [
                n.split()[0] for n in modules.decode("ascii", "replace").split(",") if n.strip()
            ]
        for name in expected:
            for directory in directories:
                module_path = os.path.join(directory, *name.split("."))
                for path in (f"{module_path}.py", os.path.join(module_path, "__init__.py")):
                    if os.path.isfile(path) and not is_installed(os.path.realpath(path)):
                        yield path
