"""Resampling of batch rows, which repeats each row zero or more times at an average rate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.lists.tensor_array import TensorArray
from tfmini._src.variables.assign_moving_average import assign_moving_average
from tfmini._src.variables.get_variable import get_local_variable
from tfmini._src.variables.variable_scope import variable_scope


def _repeat_indices(counts: Any) -> Tensor:
    """Returns the indices of the rows, each repeated by its count."""
    with name_scope(None, "repeat_range", [counts]) as scope:
        counts = convert_to_tensor(counts, name="counts")
        size = ops.shape(counts)[0]
        array = TensorArray(dtype=dtypes.int32, size=size, infer_shape=False)

        def write(array: Any, i: Any) -> tuple:
            value = ops.fill(counts[i : i + 1], i)
            return array.write(i, value), i + 1

        array, writes = ops.while_loop(lambda _, i: i < size, write, loop_vars=[array, 0])
        return ops.cond(
            writes > 0,
            array.concat,
            lambda: ops.zeros(shape=[0], dtype=dtypes.int32),
            name=scope,
        )


def resample_at_rate(
    inputs: Sequence[TensorLike],
    rates: TensorLike,
    scope: str | None = None,
    seed: int | None = None,
    back_prop: bool = False,
) -> list[Any]:
    """Repeats each row of tensors by a count drawn from a Poisson distribution.

    Args:
      inputs: a list of Tensors with equal row counts.
      rates: float vector, mean repetition count of each row.
      scope: operation name prefix.
      seed: random seed.
      back_prop: whether gradients flow through the row selection.

    Returns:
      A list of Tensors with the selected rows.
    """
    with name_scope(scope, default_name="resample_at_rate", values=[*inputs, rates]):
        rates = convert_to_tensor(rates, name="rates")
        counts = ops.cast(ops.random_poisson(rates, (), rates.dtype, seed=seed), dtypes.int32)
        rows = _repeat_indices(counts)
        if not back_prop:
            rows = ops.stop_gradient(rows)
        return [ops.gather(x, rows) for x in inputs]


def weighted_resample(
    inputs: Any,
    weights: Any,
    overall_rate: Any,
    scope: str | None = None,
    mean_decay: float = 0.999,
    seed: int | None = None,
) -> tuple[Any, ...]:
    """Repeats rows of tensors in proportion to their weights.

    Args:
      inputs: a list of Tensors with equal row counts.
      weights: float vector, one weight per row.
      overall_rate: mean repetition count of a row with mean weight.
      scope: operation name prefix.
      mean_decay: decay of the moving average of the mean weight, a local variable.
      seed: random seed.

    Returns:
      A tuple of a list of Tensors with the selected rows, and their rates.
    """
    with name_scope(scope, "weighted_resample", inputs) as opened:
        with variable_scope(scope, "estimate_mean", inputs):
            mean = get_local_variable(
                "estimated_mean", initializer=ops.cast(0, weights.dtype), dtype=weights.dtype
            )
            now = ops.reduce_mean(weights)
            mean = assign_moving_average(mean, now, mean_decay)
        rates = weights * overall_rate / mean
        resampled = resample_at_rate([rates, *inputs], rates, scope=opened, seed=seed)
        return resampled[1:], resampled[0]
