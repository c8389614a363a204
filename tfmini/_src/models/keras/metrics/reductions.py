"""`tf.keras.metrics.Mean` and `Sum`: weighted reductions of values over batches."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.nn.layers.metric import Metric
from tfmini._src.nn.layers.ragged_values import flat_values
from tfmini._src.nn.layers.squeeze_or_expand_dimensions import squeeze_or_expand_dimensions
from tfmini._src.ops import ops
from tfmini._src.ops.math.broadcast_weights import broadcast_weights
from tfmini._src.variables.init_scope import init_scope
from tfmini._src.variables.initializers import Zeros


class Reduce(Metric):
    """Base class of `Sum` and `Mean`.

    Args:
      reduction: "sum", "sum_over_batch_size" or "weighted_mean".
      name, dtype: as in `Metric`.
    """

    def __init__(self, reduction: str, name: str, dtype: DTypeLike | None = None):
        super().__init__(name=name, dtype=dtype)
        self.reduction = reduction
        with init_scope():
            self.total = self.add_weight("total", initializer=Zeros)
            if reduction in ("sum_over_batch_size", "weighted_mean"):
                self.count = self.add_weight("count", initializer=Zeros)

    def update_state(self, values: TensorLike, sample_weight: TensorLike | None = None) -> Any:
        """Adds values, optionally weighted; weights broadcast to the values.

        Args:
          values: a tensor of any shape.
          sample_weight: a broadcastable tensor, or None.
        """
        (values,), sample_weight = flat_values([values], sample_weight)
        values = ops.cast(values, self.dtype)
        if sample_weight is not None:
            values, sample_weight = self._weight(values, ops.cast(sample_weight, self.dtype))
        step_sum = ops.reduce_sum(values)
        with control_dependencies([step_sum]):
            total = self.total.assign_add(step_sum)
        if self.reduction == "sum":
            return total
        if self.reduction == "sum_over_batch_size" or sample_weight is None:
            size = ops.cast(ops.size(values), self.dtype)
        else:
            size = ops.reduce_sum(sample_weight)
        with control_dependencies([total]):
            return self.count.assign_add(size)

    def _weight(self, values: Any, weights: Any) -> tuple:
        values, _, weights = squeeze_or_expand_dimensions(values, sample_weight=weights)
        try:
            weights = broadcast_weights(weights, values)
        except ValueError:
            axes = list(range(weights.shape.ndims, values.shape.ndims))
            reduce = ops.reduce_sum if self.reduction == "sum" else ops.reduce_mean
            values = reduce(values, axis=axes)
        return ops.multiply(values, weights), weights

    def result(self) -> Any:
        """Returns the sum or mean; 0 before the first update."""
        if self.reduction == "sum":
            return ops.identity(self.total)
        return ops.div_no_nan(self.total, self.count)


class Sum(Reduce):
    """Sum of all values so far.

    Args:
      name, dtype: as in `Metric`.
    """

    def __init__(self, name: str = "sum", dtype: DTypeLike | None = None):
        super().__init__("sum", name, dtype)


class Mean(Reduce):
    """Mean of all values so far, optionally weighted.

    Args:
      name, dtype: as in `Metric`.

    Example: `mean = tf.keras.metrics.Mean(); total = mean(values)`.
    """

    def __init__(self, name: Any = "mean", dtype: DTypeLike | None = None):
        super().__init__("weighted_mean", name, dtype)
