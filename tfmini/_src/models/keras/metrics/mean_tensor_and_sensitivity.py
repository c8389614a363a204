"""`MeanTensor`, an elementwise mean; sensitivity at a specificity, and vice versa."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import TensorShape
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.models.keras.metrics.precision_recall import Counting
from tfmini._src.nn.layers.backend.session import get_session
from tfmini._src.nn.layers.backend.variable_and_placeholder import batch_set_value
from tfmini._src.nn.layers.metric import Metric
from tfmini._src.nn.layers.squeeze_or_expand_dimensions import squeeze_or_expand_dimensions
from tfmini._src.ops import ops
from tfmini._src.variables.init_scope import init_scope


class MeanTensor(Metric):
    """Elementwise mean of tensors of the same shape.

    Args:
      name, dtype: as in `tf.keras.metrics.Metric`.

    Example:
      mean = tf.keras.metrics.MeanTensor()
      update = mean.update_state([0.0, 1.0])  # run it with each batch
      mean.result()  # [2]
    """

    total: Any = read_only("The variable of the weighted sum; None before the first update.")
    count: Any = read_only("The variable of the sum of weights; None before the first update.")

    def __init__(self, name: str = "mean_tensor", dtype: DTypeLike | None = None):
        super().__init__(name=name, dtype=dtype)
        self._shape: Any = None
        self._total: Any = None
        self._count: Any = None

    def _make(self, shape: Any) -> None:
        self._shape = TensorShape(shape)
        self._total = self.add_weight("total", shape=shape, initializer="zeros")
        self._count = self.add_weight("count", shape=shape, initializer="zeros")
        with init_scope():
            get_session()  # initializes both to zeros

    def update_state(self, values: Any, sample_weight: Any = None) -> Any:
        """Adds a tensor.

        Args:
          values: a tensor of the same shape each time.
          sample_weight: broadcastable weights, or None.

        Raises:
          ValueError: for another shape.
        """
        values = ops.cast(values, self.dtype)
        if self._shape is None:
            self._make(values.shape)
        elif values.shape != self._shape:
            raise ValueError(
                "MeanTensor input values must always have the same shape. Expected shape (set during the first call): "
                f"{self._shape}. Got: {values.shape}"
            )
        number = ops.ones_like(values)
        if sample_weight is not None:
            sample_weight = ops.cast(sample_weight, self.dtype)
            values, _, sample_weight = squeeze_or_expand_dimensions(
                values, None, sample_weight=sample_weight
            )
            try:
                sample_weight = ops.broadcast_weights(sample_weight, values)
            except ValueError:
                axes = range(sample_weight.shape.ndims, values.shape.ndims)
                values = ops.reduce_mean(values, axis=list(axes))
            number = ops.multiply(number, sample_weight)
            values = ops.multiply(values, sample_weight)
        with control_dependencies([self._total.assign_add(values)]):
            return self._count.assign_add(number)

    def result(self) -> Any:
        """The mean.

        Raises:
          ValueError: before the first update.
        """
        if self._shape is None:
            raise ValueError(
                "MeanTensor does not have any result yet. Please call the MeanTensor instance or use "
                "`.update_state(value)` before retrieving the result."
            )
        return ops.div_no_nan(self._total, self._count)

    def reset_states(self) -> None:
        """Resets the sums to zeros."""
        if self._shape is not None:
            zeros = np.zeros(self._shape.as_list())
            batch_set_value([(variable, zeros) for variable in self.variables])


class _OneAtTheOther(Counting):
    """Base of both metrics: at the threshold where one rate is nearest to `value`, the other is the result."""

    _kinds = ("true_positives", "true_negatives", "false_positives", "false_negatives")
    _given: str
    true_positives: Any
    true_negatives: Any
    false_positives: Any
    false_negatives: Any

    def __init__(self, value: float, num_thresholds: int, name: Any, dtype: Any):
        if value < 0 or value > 1:
            raise ValueError(f"`{self._given}` must be in the range [0, 1].")
        super().__init__(name=name, dtype=dtype)
        if num_thresholds <= 0:
            raise ValueError("`num_thresholds` must be > 0.")
        self.value = value
        self.num_thresholds = num_thresholds
        setattr(self, self._given, value)
        inner = [(n + 1) * 1.0 / (num_thresholds - 1) for n in range(num_thresholds - 2)]
        thresholds = [0.5] if num_thresholds == 1 else [0.0, *inner, 1.0]
        vars(self)["thresholds"] = thresholds
        self._make_counters()
        self.thresholds = thresholds  # which follow the counters in object-based checkpoints

    def _at(self, given: tuple[Any, Any], wanted: tuple[Any, Any]) -> Any:
        """The rate of `wanted` at the threshold where the rate of `given` is nearest to `value`."""
        shares = ops.div_no_nan(given[0], given[0] + given[1])
        index = ops.argmin(ops.abs(shares - self.value), axis=0)
        index = ops.cast(index, dtypes.int32)
        right, wrong = wanted
        return ops.div_no_nan(right[index], right[index] + wrong[index])

    def get_config(self) -> dict[str, Any]:
        """Constructor arguments, as a dict."""
        own = {"num_thresholds": self.num_thresholds, self._given: self.value}
        return {**super().get_config(), **own}


class SensitivityAtSpecificity(_OneAtTheOther):
    """Sensitivity (true positive rate) at the threshold where the specificity is nearest to `specificity`.

    Args:
      specificity: the target true negative rate.
      num_thresholds: number of thresholds.
      name, dtype: as in `tf.keras.metrics.Metric`.

    Raises:
      ValueError: for a specificity outside of [0, 1], or no thresholds.
    """

    _given = "specificity"

    def __init__(
        self,
        specificity: float,
        num_thresholds: int = 200,
        name: str | None = None,
        dtype: DTypeLike | None = None,
    ):
        super().__init__(specificity, num_thresholds, name, dtype)

    def result(self) -> Any:
        """Sensitivity over all examples so far."""
        return self._at(
            (self.true_negatives, self.false_positives), (self.true_positives, self.false_negatives)
        )


class SpecificityAtSensitivity(_OneAtTheOther):
    """Specificity (true negative rate) at the threshold where the sensitivity is nearest to `sensitivity`.

    Args:
      sensitivity: the target true positive rate.
      num_thresholds: number of thresholds.
      name, dtype: as in `tf.keras.metrics.Metric`.

    Raises:
      ValueError: for a sensitivity outside of [0, 1], or no thresholds.
    """

    _given = "sensitivity"

    def __init__(
        self,
        sensitivity: float,
        num_thresholds: int = 200,
        name: str | None = None,
        dtype: DTypeLike | None = None,
    ):
        super().__init__(sensitivity, num_thresholds, name, dtype)

    def result(self) -> Any:
        """Specificity over all examples so far."""
        return self._at(
            (self.true_positives, self.false_negatives), (self.true_negatives, self.false_positives)
        )
