"""Names removed from Python and its libraries, from the table that the runner uses."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from tfmini._src.base.names import python2 as old_python
from tfmini._src.base.names.removed_names import MODULES, NAMES
from tfmini._src.programs.check import python2
from tfmini._src.programs.check.findings import Problem

_KNOWN_LIBRARIES = frozenset(
    ".".join(parts[:end])
    for parts in (name.split(".") for name in (*NAMES, *MODULES, *old_python.MEMBERS))
    for end in range(1, len(parts) + 1)
)


@dataclass(frozen=True)
class Library:
    """A module from which names were removed, or one of its parents."""

    name: str


def library(module: str) -> Library | None:
    """Returns the module of that name, if names were removed from it or its submodules."""
    return Library(module) if module in _KNOWN_LIBRARIES else None


def removed_module(module: str) -> Problem | None:
    """Returns the problem to report for a module that was removed entirely; None for other modules."""
    if module not in MODULES:
        return None
    return Problem("removed name", module, f"use {MODULES[module]}; {_SUPPLIED_ADVICE}")


def member(module: str, name: str) -> Library | Problem | None:
    """Returns the replacement or problem of `name` in a module; None if the name exists, according to the table."""
    new = NAMES.get(module, {}).get(name)
    if new is None:
        return python2.member(module, name) or library(f"{module}.{name}")
    if name in vars(sys.modules.get(module, object)):  # present in the installed version
        return None
    stand_in = "" if new.startswith("tfmini.") else f"use {new.removeprefix('builtins.')}; "
    return Problem("removed name", f"{module}.{name}", stand_in + _SUPPLIED_ADVICE)


_SUPPLIED_ADVICE = "removed from current versions; tfmini run supplies it"
