"""Error hints, which name the likely cause of a step's error."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tfmini._src.base.error_hints import add_hint
from tfmini._src.base.errors import FailedPreconditionError, OpError
from tfmini._src.graph.operation import Operation

_NO_VALUE_MESSAGE = re.compile(
    r"uninitialized value (\S+)|Error while reading resource variable (\S+) from"
)


def hint_at_cause(error: OpError, operations: Mapping[str, Operation]) -> None:
    """Adds a hint to a step's error if its cause is known; `operations` maps names to the graph's operations."""
    match = _NO_VALUE_MESSAGE.search(error.message)
    if match and isinstance(error, FailedPreconditionError):
        name = match[1] or match[2]
        op = operations.get(name)
        location = op and op.user_location()
        where = f", created at {location.filename}:{location.lineno}," if location else ""
        add_hint(
            error,
            f"variable '{name}'{where} has no value in this session. After all variables are "
            "created, run tf.global_variables_initializer() or restore a checkpoint; a Saver "
            "restores only the variables that were created before it.",
        )
