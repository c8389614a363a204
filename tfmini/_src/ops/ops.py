"""The public functions composed of ops, as attributes: `ops.reduce_sum(x)`.

A file is loaded when one of its functions is requested. `ops.pyi`, which
`ci/generate op_modules` generates from the sources, tells editors and type checkers where functions are defined.
"""

from __future__ import annotations

from typing import Any

from tfmini._src.graph import public_functions


def __getattr__(name: str) -> Any:
    function = globals()[name] = getattr(public_functions.ops, name)
    return function
