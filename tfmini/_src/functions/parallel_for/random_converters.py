"""Converters of random ops: each iteration draws separate numbers."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import logs
from tfmini._src.functions.parallel_for.converters import converter
from tfmini._src.ops import ops


@converter("RandomUniform", "RandomUniformInt", "RandomStandardNormal", "TruncatedNormal")
def _convert_shape(op: Any) -> Any:
    _warn(op)
    shape = op.invariant_input(0)
    bounds = [op.invariant_input(index) for index in range(1, len(op.values))]
    return op.copy_with(ops.concat([ops.cast(op.length, shape.dtype), shape], 0), *bounds)


@converter("RandomGamma", "RandomPoissonV2")
def _convert_parameters(op: Any) -> Any:
    """Returns the ops whose sample shape precedes the parameters' shape, with the iterations moved to the front."""
    _warn(op)
    shape = op.invariant_input(0)
    if not op.is_stacked(1):
        sizes = ops.concat([ops.cast(op.length, shape.dtype), shape], 0)
        return op.copy_with(sizes, op.invariant_input(1))
    count = shape.shape.as_list()[0]
    result = op.copy_with(shape, op.stacked_input(1))[0]
    trailing = range(count + 1, count + 1 + op.rank(1))
    return ops.transpose(result, [count, *range(count), *trailing])


def _warn(op: Any) -> None:
    logs.warning(
        "Note that %s inside pfor op may not give same output as inside a sequential loop.",
        op.op.type,
    )
