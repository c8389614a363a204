"""The public functions that compose ops, by their short name: `ops.reduce_sum(x)`.

A file of ops is loaded when a function of it is requested. `ops.pyi`, which `ci/generate op_modules` makes of the
sources, shows editors and type checkers where each comes from.
"""

from __future__ import annotations

from typing import Any

from tfmini._src.graph import public_functions


def __getattr__(name: str) -> Any:
    function = globals()[name] = getattr(public_functions.ops, name)
    return function
