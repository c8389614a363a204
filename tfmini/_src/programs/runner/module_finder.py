"""Finder of a program's own modules and libraries of its era; compiles them with old calls rewritten."""

from __future__ import annotations

import importlib.machinery
import marshal
import os
import sys
from collections.abc import Iterator, Sequence
from types import CodeType, ModuleType
from typing import Any

from tfmini._src.programs.hook.child_processes import UNMAINTAINED_PACKAGES, is_installed
from tfmini._src.programs.hook.extra_names import is_strict
from tfmini._src.programs.runner import byte_code, pytest_files
from tfmini._src.programs.runner.call_shims import (
    compile_source,
    may_have_old_calls,
    rewrite_calls,
    supply,
)
from tfmini._src.programs.runner.python2 import language_version


class _Loader(importlib.machinery.SourceFileLoader):
    """Compiles a module of the program; plain Python does not reuse the rewritten bytecode."""

    def get_code(self, fullname: str) -> CodeType | None:
        data = self.get_data(self.path)
        cache_path, key = (
            byte_code.byte_code_path(self.path),
            byte_code.file_header(data, self.path),
        )
        code = byte_code.read(cache_path, key)
        if code is None:
            code = compile_source(data, self.path)
            if not sys.dont_write_bytecode:
                self.set_data(cache_path, key + marshal.dumps(code))
        return code

    def exec_module(self, module: ModuleType) -> None:
        code = self.get_code(module.__name__)
        if code is None:
            raise ImportError(f"cannot load module {module.__name__!r}", name=module.__name__)
        language_version.set_builtins(code, vars(module))
        exec(code, vars(module))


class _ProgramFinder(importlib.machinery.PathFinder):
    """Finds modules below the program's directories and those it adds to `sys.path`, and libraries of that era."""

    def __init__(self, directories: Sequence[str]) -> None:
        self._directories = tuple(
            os.path.join(os.path.realpath(directory), "") for directory in directories
        )
        self._initial_paths = frozenset(sys.path)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ProgramFinder) and self._directories == other._directories

    __hash__ = None  # type: ignore[assignment]

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> Any:  # type: ignore[override]
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is None or type(spec.loader) is not importlib.machinery.SourceFileLoader:
            return None
        if fullname == pytest_files.REWRITE_MODULE:
            spec.loader = pytest_files.Loader(spec.loader.path, rewrite_calls)
            return spec
        if fullname.partition(".")[0] not in UNMAINTAINED_PACKAGES:
            real_path = os.path.realpath(spec.loader.path)
            if is_installed(real_path) or not real_path.startswith(
                (*self._directories, *self._added_directories())
            ):
                return None
        data = spec.loader.get_data(spec.loader.path)
        if not may_have_old_calls(data) and not language_version.is_python2_source(data):
            return None  # left to Python's own loader
        spec.loader = _Loader(fullname, spec.loader.path)
        return spec

    def _added_directories(self) -> Iterator[str]:
        """Yields the directories that the program has added to `sys.path`, for example by `sys.path.append("..")`."""
        for entry in sys.path:
            directory = os.path.realpath(entry)
            if entry not in self._initial_paths and os.path.dirname(directory) != directory:
                yield os.path.join(directory, "")


def rewrite_modules(directories: Sequence[str]) -> None:
    """Rewrites modules in the program's directories, and libraries of its era, like the program itself."""
    if not is_strict():
        supply()  # pytest's cached code calls it without being compiled
        if rewrites := sys.modules.get(pytest_files.REWRITE_MODULE):
            pytest_files.patch_assertion_rewriting(rewrites, rewrite_calls)
        program_finder = _ProgramFinder(directories)
        if program_finder not in sys.meta_path:
            index = [getattr(f, "__name__", "") for f in sys.meta_path].index("PathFinder")
            sys.meta_path.insert(index, program_finder)
