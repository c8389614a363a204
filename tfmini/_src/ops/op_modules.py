"""Lazy declaration of ops and functions of `ops`; `op_modules.txt` maps them to files of `ops` and `functions`.

`ci/generate op_modules` generates the table from the sources.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Iterator

from tfmini._src.base.names.load_module import load_module
from tfmini._src.graph.op_registry import late_functions, registry

_PACKAGE = __name__.removesuffix(".ops.op_modules")
_NEWER = f"{_PACKAGE}.ops.newer_ops."


def declare_later() -> None:
    """Registers ops and functions of `ops` for declaration on first use."""
    for (ops, functions), load in _files():
        registry.declare_later(ops.split(), load)
        late_functions.update(dict.fromkeys(functions.split(), load))
        if load.args[0].startswith(_NEWER):
            registry.newer |= {*ops.split()}


def _files() -> Iterator[tuple[list[str], functools.partial[None]]]:
    """Returns the ops and functions of each file in the table, and the importer of the file."""
    with open(os.path.splitext(__file__)[0] + ".txt", encoding="ascii") as table:
        for line in table:
            if not line.startswith("#"):
                file, *names = line.split("|")
                yield names, functools.partial(_load, f"{_PACKAGE}.{file.strip()}")


def _load(module: str) -> None:
    load_module(module)


def import_all() -> None:
    """Imports every file in the table, for callers that iterate over all ops."""
    for _, load in _files():
        load()
