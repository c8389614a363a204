"""Fake quantization between two bounds, which track the values during training."""

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
    """Settings of fake quantization.

    `moving`: whether the bounds are moving averages, or the latest ones. `narrow`: whether the lowest step is left
    out, so that there are as many below 0 as above. `start`: the bounds before the first step.
    """

    moving: bool
    bits: int = 8
    narrow: bool = False
    symmetric: bool = False
    start: tuple[float, float] = (-6.0, 6.0)


def rounded(inputs: Tensor, how: Range, training: bool, collection: str, name: str) -> Tensor:
    """Fake-quantized inputs; in training their bounds track the values."""
    with variable_scope(None, default_name=name, values=[inputs]) as scope:
        scope.set_partitioner(None)
        least: Any
        most: Any
        least, most = (
            get_variable(
                end,
                shape=[],
                initializer=Constant(value),
                collections=[collection, GraphKeys.GLOBAL_VARIABLES],
                trainable=False,
                aggregation=VariableAggregation.MEAN,
            )
            for end, value in zip(("min", "max"), how.start)
        )
        if training:
            least, most = _followed(least, most, inputs, how)
        return ops.fake_quant_with_min_max_vars(
            inputs, least, most, num_bits=how.bits, narrow_range=how.narrow
        )


def _followed(least: Any, most: Any, inputs: Tensor, how: Range) -> tuple[Tensor, Tensor]:
    """The bounds, updated from a batch."""
    lowest = ops.reduce_min(inputs, name="BatchMin")
    highest = ops.reduce_max(inputs, name="BatchMax")
    if how.symmetric:
        ratio = -1 if how.narrow else -((1 << how.bits) - 2) / (1 << how.bits)
        low, high = ops.minimum(lowest, highest / ratio), ops.maximum(highest, lowest * ratio)
    else:
        low, high = ops.minimum(lowest, 0.0), ops.maximum(highest, 0.0)
    if how.moving:
        return (
            assign_moving_average(least, low, _DECAY, name="AssignMinEma"),
            assign_moving_average(most, high, _DECAY, name="AssignMaxEma"),
        )
    return (
        ops.assign(least, low, name="AssignMinLast"),
        ops.assign(most, high, name="AssignMaxLast"),
    )
