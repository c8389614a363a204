"""Bytecode of rewritten modules, cached in `__pycache__` under a name that Python itself never reads."""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import marshal
import os
import sys
from types import CodeType
from typing import Any

from tfmini._src.programs.runner import (
    call_shims,
    method_shims,
    numpy_integer_shims,
    numpy_scalar_shims,
    pandas_shims,
    single_element_shims,
)
from tfmini._src.programs.runner.python2 import evidence, language_version, syntax

_REWRITING_MODULES = (
    *(
        call_shims,
        method_shims,
        numpy_integer_shims,
        numpy_scalar_shims,
        pandas_shims,
        single_element_shims,
    ),
    *(language_version, evidence, syntax),
)
# Loaded with the first Python 2 source.
_PYTHON2_MODULES = (
    *("conversion.py", "exceptions.py", "methods.py", "operations.py"),
    *(
        f"library/{name}.py"
        for name in (
            *("__init__", "byte_modules", "old_modules", "pickles", "processes"),
            *("random_numbers", "changed_modules", "string_functions", "urls"),
        )
    ),
)


def byte_code_path(path: str) -> str:
    """Returns the bytecode path of a source file."""
    return importlib.util.cache_from_source(path, optimization=f"tfmini{sys.flags.optimize}")


def file_header(source: bytes, path: str) -> bytes:
    """Returns the file's header, a digest of the source, its path, and the rewriting code."""
    program = language_version.program_era(source).encode()
    parts = b"\0".join(
        (path.encode("utf-8", "surrogateescape"), program, _rewriting_modules(), source)
    )
    return importlib.util.MAGIC_NUMBER + hashlib.blake2b(parts, digest_size=16).digest()


@functools.cache
def _rewriting_modules() -> bytes:
    read: Any = language_version.__loader__
    directory = os.path.dirname(language_version.__file__)
    paths = [
        *(module.__file__ for module in _REWRITING_MODULES),
        *(os.path.join(directory, n) for n in _PYTHON2_MODULES),
    ]
    sources = map(read.get_data, paths)
    return hashlib.blake2b(b"\0".join(sources), digest_size=16).digest()


def read(path: str, key: bytes) -> CodeType | None:
    """Returns the cached code if the file's header matches; None if it differs or the file is missing."""
    try:
        with open(path, "rb") as file:
            data = file.read()
        return marshal.loads(data[len(key) :]) if data.startswith(key) else None
    except (OSError, EOFError, TypeError, ValueError):
        return None
