"""`ReduceOp`: the reduction of the replicas' values."""

from __future__ import annotations

import enum
from typing import Any

from tfmini._src.variables.copy_modes import VariableAggregation


class ReduceOp(enum.Enum):
    """Reduction of the replicas' values to one: `SUM` adds them, `MEAN` averages them.

    Example: `strategy.reduce(tf.distribute.ReduceOp.MEAN, loss, axis=None)`.
    """

    SUM = "SUM"
    MEAN = "MEAN"

    @staticmethod
    def from_variable_aggregation(aggregation: VariableAggregation) -> ReduceOp:
        """Returns the reduction equivalent to a `tf.VariableAggregation`.

        Raises:
          ValueError: for an aggregation other than SUM and MEAN.
        """
        if aggregation == VariableAggregation.SUM:
            return ReduceOp.SUM
        if aggregation == VariableAggregation.MEAN:
            return ReduceOp.MEAN
        raise ValueError(
            f"Could not convert from `tf.VariableAggregation` {aggregation} to`tf.distribute.ReduceOp` type"
        )


def to_reduce_op(value: Any) -> Any:
    """Converts a ReduceOp or its name ("sum") to a ReduceOp."""
    return ReduceOp(value.upper()) if isinstance(value, str) else value
