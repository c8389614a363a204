"""Datasets that share memory with reference variables.

In TensorFlow, a dataset that contains the value of a reference variable, or has a function that captures one, shares
the memory of the variable: later elements reflect later assignments, until one allocates memory of another size.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from tfmini._src.base.errors import FailedPreconditionError
from tfmini._src.graph.tensor import Tensor

_FORWARDS = frozenset({"Identity", "RefIdentity"})
_VARIABLES = frozenset({"VariableV2", "Variable"})


class SharedVariable:
    """The value of a reference variable, read on each use."""

    def __init__(self, cell: Any, value: Any):
        self._cell = cell
        self._value = value
        self._shape = cell.array.shape

    def read(self) -> Any:
        try:
            value = self._cell.read()
        except FailedPreconditionError:  # the session was reset
            return self._value
        if value.size == math.prod(self._shape):
            self._value = value.reshape(self._shape) if self._shape else value.reshape(())[()]
        return self._value


def share_values(ctx: Any, attr: str, values: Sequence[Any]) -> tuple[Any, ...]:
    """Replaces values of variables among the inputs, components or captures (`attr`) of a node with SharedVariables."""
    start, shared_values = 0, list(values)
    for arg in ctx.op.opdef.inputs:
        count = arg.count(ctx.op.attrs)
        if arg.name in ("components", "other_arguments") or arg.name.startswith(
            f"{attr}_other_arg"
        ):
            tensors = ctx.op.inputs[start : start + count]
            if len(tensors) == len(shared_values):
                shared_values = [_share(ctx, t, v) for t, v in zip(tensors, shared_values)]
            break
        start += count
    return tuple(shared_values)


def _share(ctx: Any, tensor: Tensor, value: Any) -> Any:
    variable = _variable(tensor)
    if variable is None:
        return value
    cell = ctx.resources.variable(variable)
    # A fed value, or one copied from another device, is not the variable's; scalars arrive as elements.
    if value is cell.array or (
        cell.array.__class__ is np.ndarray
        and not cell.array.ndim
        and value.__class__ is not np.ndarray
        and value == cell.array[()]
    ):
        return SharedVariable(cell, value)
    return value


def _variable(tensor: Tensor) -> Any:
    op = tensor.op
    while op.type in _FORWARDS:
        op = op.inputs[0].op
    return op if op.type in _VARIABLES else None


def is_shared(values: Sequence[Any]) -> bool:
    """Whether a value shares memory with a variable."""
    return any(value.__class__ is SharedVariable for value in values)


def current_values(values: Sequence[Any]) -> tuple[Any, ...]:
    """Replaces SharedVariables with their current values."""
    return tuple([v.read() if v.__class__ is SharedVariable else v for v in values])
