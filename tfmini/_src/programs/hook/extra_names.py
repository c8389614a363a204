"""Names below `tensorflow` that extend or replace names of 1.15.5: old names, old argument orders.

    ADDITIONS["nn"] = {"rnn": lambda: old_rnn}

A function without arguments creates the object on first access; if it returns NOTHING, the addition has no effect.
`install(strict=True)` omits all additions.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from tfmini._src.programs.hook.child_processes import STRICT_VARIABLE

NO_ADDITION = object()

# By module path below `tensorflow`, "" for itself; a path that 1.15.5 lacks becomes a new module. `install` lets
# `old_names` fill it.
ADDITIONS: dict[str, dict[str, Callable[[], Any]]] = {}


def is_strict() -> bool:
    """Whether only the names of 1.15.5 are available."""
    return os.environ.get(STRICT_VARIABLE) == "1"


def extras(path: str) -> dict[str, Callable[[], Any]]:
    """Returns the additions to one module."""
    return {} if is_strict() else ADDITIONS.get(path, {})


def is_added_module(path: str) -> bool:
    """Whether additions create this module, or one below it."""
    return not is_strict() and any(
        f"{added_name}.".startswith(f"{path}.") for added_name in ADDITIONS
    )
