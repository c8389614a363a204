"""Fake quantization between two bounds, which follow the values during training."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.variables.assign_moving_average import assign_moving_average
from tfmini._src.variables.copy_modes import VariableAggregation
from tfmini._src.variables.get_variable import get_variable
from tfmini._src.variables.initializers import Constant
from tfmini._src.variables.variable_scope import variable_scope

_DECAY = 0.999  # decay per step of the activation range


@dataclass(frozen=True)
class Range:
    """Settings of fake quantization: bounds and levels.

    `moving`: whether bounds are moving averages instead of the latest ones. `narrow`: whether to omit the lowest
    quantization level, for equal numbers below and above 0. `start`: initial bounds.
    """

    moving: bool
    bits: int = 8
    narrow: bool = False
    symmetric: bool = False
    start: tuple[float, float] = (-6.0, 6.0)


def fake_quantize(
    inputs: Tensor, settings: Range, training: bool, collection: str, name: str
) -> Tensor:
    """Fake-quantizes inputs, with bounds that follow the values in training."""
    with variable_scope(None, default_name=name, values=[inputs]) as scope:
        scope.set_partitioner(None)
        lower: Any
        upper: Any
        lower, upper = (
            get_variable(
                end,
                shape=[],
                initializer=Constant(value),
                collections=[collection, GraphKeys.GLOBAL_VARIABLES],
                trainable=False,
                aggregation=VariableAggregation.MEAN,
            )
            for end, value in zip(("min", "max"), settings.start)
        )
        if training:
            lower, upper = _update_bounds(lower, upper, inputs, settings)
        return ops.fake_quant_with_min_max_vars(
            inputs, lower, upper, num_bits=settings.bits, narrow_range=settings.narrow
        )


def _update_bounds(
    lower: Any, upper: Any, inputs: Tensor, settings: Range
) -> tuple[Tensor, Tensor]:
    """Returns the bounds updated from a batch."""
    lowest = ops.reduce_min(inputs, name="BatchMin")
    highest = ops.reduce_max(inputs, name="BatchMax")
    if settings.symmetric:
        ratio = -1 if settings.narrow else -((1 << settings.bits) - 2) / (1 << settings.bits)
        low, high = ops.minimum(lowest, highest / ratio), ops.maximum(highest, lowest * ratio)
    else:
        low, high = ops.minimum(lowest, 0.0), ops.maximum(highest, 0.0)
    if settings.moving:
        return (
            assign_moving_average(lower, low, _DECAY, name="AssignMinEma"),
            assign_moving_average(upper, high, _DECAY, name="AssignMaxEma"),
        )
    return (
        ops.assign(lower, low, name="AssignMinLast"),
        ops.assign(upper, high, name="AssignMaxLast"),
    )
