"""The public functions composed of ops, by their short names: `ops.reduce_sum(x)`.

A file is loaded when one of its functions is requested. `ops.pyi`, generated from the sources by
`ci/generate op_modules`, shows editors and type checkers where each function is defined.
"""

from __future__ import annotations

from typing import Any

from tfmini._src.graph import public_functions


def __getattr__(name: str) -> Any:
    function = globals()[name] = getattr(public_functions.ops, name)
    return function
