"""Names below `tensorflow` that add to those of 1.15.5 or replace them: old names, old argument orders.

    ADDITIONS["nn"] = {"rnn": lambda: old_rnn}

A function of no arguments makes the object when a script first asks for the name; NOTHING leaves the name as it is
without the addition. `install(strict=True)` leaves all of them out.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from tfmini._src.programs.hook.child_processes import STRICT

NOTHING = object()

# By the path of the module below `tensorflow`, "" for itself; a path that 1.15.5 lacks becomes a module. `install` has
# `old_names` fill it.
ADDITIONS: dict[str, dict[str, Callable[[], Any]]] = {}


def is_strict() -> bool:
    """Whether only the names of 1.15.5 are available."""
    return os.environ.get(STRICT) == "1"


def added(path: str) -> dict[str, Callable[[], Any]]:
    """The additions to one module."""
    return {} if is_strict() else ADDITIONS.get(path, {})


def is_added_module(path: str) -> bool:
    """Whether additions create this module, or one below it."""
    return not is_strict() and any(f"{known}.".startswith(f"{path}.") for known in ADDITIONS)
