"""Sensitivity at a given specificity, and specificity at a given sensitivity."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.models.keras.metrics.precision_recall import ThresholdCounterMetric
from tfmini._src.ops import ops


class _SensitivitySpecificityBase(ThresholdCounterMetric):
    """Base class of metrics that compute one rate at the threshold where the other is nearest to `value`."""

    _counter_names = ("true_positives", "true_negatives", "false_positives", "false_negatives")
    _constraint: str
    true_positives: Any
    true_negatives: Any
    false_positives: Any
    false_negatives: Any

    def __init__(self, value: float, num_thresholds: int, name: Any, dtype: Any):
        if value < 0 or value > 1:
            raise ValueError(f"`{self._constraint}` must be in the range [0, 1].")
        super().__init__(name=name, dtype=dtype)
        if num_thresholds <= 0:
            raise ValueError("`num_thresholds` must be > 0.")
        self.value = value
        self.num_thresholds = num_thresholds
        setattr(self, self._constraint, value)
        inner = [(n + 1) * 1.0 / (num_thresholds - 1) for n in range(num_thresholds - 2)]
        thresholds = [0.5] if num_thresholds == 1 else [0.0, *inner, 1.0]
        vars(self)["thresholds"] = thresholds
        self._make_counters()
        self.thresholds = thresholds  # follows the counters in object-based checkpoints

    def _rate_at(self, actual: tuple[Any, Any], expected: tuple[Any, Any]) -> Any:
        """Returns the rate of `expected` at the threshold where the rate of `actual` is nearest to `value`."""
        shares = ops.div_no_nan(actual[0], actual[0] + actual[1])
        index = ops.argmin(ops.abs(shares - self.value), axis=0)
        index = ops.cast(index, dtypes.int32)
        right, wrong = expected
        return ops.div_no_nan(right[index], right[index] + wrong[index])

    def get_config(self) -> dict[str, Any]:
        """Returns the constructor arguments, as a dict."""
        arguments = {"num_thresholds": self.num_thresholds, self._constraint: self.value}
        return {**super().get_config(), **arguments}


class SensitivityAtSpecificity(_SensitivitySpecificityBase):
    """Sensitivity (true positive rate) at the threshold where the specificity is nearest to `specificity`.

    Args:
      specificity: the target true negative rate.
      num_thresholds: number of thresholds.
      name, dtype: as in `tf.keras.metrics.Metric`.

    Raises:
      ValueError: for a specificity outside of [0, 1], or no thresholds.
    """

    _constraint = "specificity"

    def __init__(
        self,
        specificity: float,
        num_thresholds: int = 200,
        name: str | None = None,
        dtype: DTypeLike | None = None,
    ):
        super().__init__(specificity, num_thresholds, name, dtype)

    def result(self) -> Any:
        """Returns the sensitivity over all examples so far."""
        return self._rate_at(
            (self.true_negatives, self.false_positives), (self.true_positives, self.false_negatives)
        )


class SpecificityAtSensitivity(_SensitivitySpecificityBase):
    """Specificity (true negative rate) at the threshold where the sensitivity is nearest to `sensitivity`.

    Args:
      sensitivity: the target true positive rate.
      num_thresholds: number of thresholds.
      name, dtype: as in `tf.keras.metrics.Metric`.

    Raises:
      ValueError: for a sensitivity outside of [0, 1], or no thresholds.
    """

    _constraint = "sensitivity"

    def __init__(
        self,
        sensitivity: float,
        num_thresholds: int = 200,
        name: str | None = None,
        dtype: DTypeLike | None = None,
    ):
        super().__init__(sensitivity, num_thresholds, name, dtype)

    def result(self) -> Any:
        """Returns the specificity over all examples so far."""
        return self._rate_at(
            (self.true_positives, self.false_negatives), (self.true_negatives, self.false_positives)
        )
