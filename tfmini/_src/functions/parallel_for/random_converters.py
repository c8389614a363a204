"""Converters of random ops: each iteration draws numbers of its own."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import logs
from tfmini._src.functions.parallel_for.converters import converter
from tfmini._src.ops import ops


@converter("RandomUniform", "RandomUniformInt", "RandomStandardNormal", "TruncatedNormal")
def _of_a_shape(given: Any) -> Any:
    _warn(given)
    shape = given.same(0)
    bounds = [given.same(number) for number in range(1, len(given.values))]
    return given.make(ops.concat([ops.cast(given.length, shape.dtype), shape], 0), *bounds)


@converter("RandomGamma", "RandomPoissonV2")
def _of_parameters(given: Any) -> Any:
    """Sample dimensions precede parameter dimensions: those of an iteration are moved to its front."""
    _warn(given)
    shape = given.same(0)
    if not given.is_stacked(1):
        sizes = ops.concat([ops.cast(given.length, shape.dtype), shape], 0)
        return given.make(sizes, given.same(1))
    count = shape.shape.as_list()[0]
    made = given.make(shape, given.stacked(1))[0]
    rest = range(count + 1, count + 1 + given.rank(1))
    return ops.transpose(made, [count, *range(count), *rest])


def _warn(given: Any) -> None:
    logs.warning(
        "Note that %s inside pfor op may not give same output as inside a sequential loop.",
        given.op.type,
    )
