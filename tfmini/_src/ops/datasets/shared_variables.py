"""Datasets that share memory with reference variables.

In TensorFlow a dataset made of a reference variable's value, or with a function that captures one, holds the
variable's memory: its later elements follow later assignments, until one allocates memory of another size.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base.errors import FailedPreconditionError
from tfmini._src.graph.tensor import Tensor

_FORWARDS = frozenset({"Identity", "RefIdentity"})
_VARIABLES = frozenset({"VariableV2", "Variable"})


class SharedVariable:
    """The value of a reference variable, read when it is used."""

    def __init__(self, cell: Any, value: Any):
        self._cell = cell
        self._value = value

    def read(self) -> Any:
        try:
            value = self._cell.read()
        except FailedPreconditionError:  # of a session that was reset
            return self._value
        if value.size == self._value.size:
            self._value = value.reshape(self._value.shape)
        return self._value


def shared(ctx: Any, values: Sequence[Any]) -> tuple[Any, ...]:
    """The inputs `values` of a node, with a SharedVariable in place of each value of a reference variable."""
    cells: dict[int, Any] = {}
    for tensor in ctx.op.inputs:
        variable = _variable(tensor)
        if variable is not None:
            cell = ctx.resources.variable(variable)
            cells[id(cell.array)] = cell
    if not cells:
        return tuple(values)
    # A fed or copied value is not the variable's array.
    return tuple([SharedVariable(cells[id(v)], v) if id(v) in cells else v for v in values])


def _variable(tensor: Tensor) -> Any:
    op = tensor.op
    while op.type in _FORWARDS:
        op = op.inputs[0].op
    return op if op.type in _VARIABLES else None


def is_shared(values: Sequence[Any]) -> bool:
    """Whether one of the values may change."""
    return any(value.__class__ is SharedVariable for value in values)


def present(values: Sequence[Any]) -> tuple[Any, ...]:
    """The values, those of variables as they are now."""
    return tuple([v.read() if v.__class__ is SharedVariable else v for v in values])
