"""Area under a curve that is computed from confusion counts at thresholds."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.models.keras.metrics.precision_recall import ThresholdCounterMetric
from tfmini._src.nn.layers.backend.config import epsilon
from tfmini._src.ops import ops

_CURVES = ("ROC", "PR")
_METHODS = ("interpolation", "majoring", "minoring")


class AUC(ThresholdCounterMetric):
    """Area under a curve, over all examples so far.

    Args:
      num_thresholds: number of points on the curve.
      curve: "ROC": recall over false positive rate; "PR": precision over recall.
      summation_method: "interpolation": trapezoids (for "PR", interpolated counts); "minoring", "majoring": the smaller
        or larger of two adjacent points.
      name, dtype: as in `tf.keras.metrics.Metric`.
      thresholds: list of thresholds in (0, 1), instead of equal steps.

    Raises:
      ValueError: for another curve or method, or fewer than two thresholds.
    """

    _counter_names = ("true_positives", "true_negatives", "false_positives", "false_negatives")
    true_positives: Any
    true_negatives: Any
    false_positives: Any
    false_negatives: Any

    def __init__(
        self,
        num_thresholds: int = 200,
        curve: str = "ROC",
        summation_method: str = "interpolation",
        name: str | None = None,
        dtype: DTypeLike | None = None,
        thresholds: Any = None,
    ):
        if thresholds is not None:
            inner = sorted(thresholds)
        elif num_thresholds <= 1:
            raise ValueError("`num_thresholds` must be > 1.")
        else:
            inner = [(n + 1) * 1.0 / (num_thresholds - 1) for n in range(num_thresholds - 2)]
        if curve not in (*_CURVES, "roc", "pr"):
            raise ValueError(f'Invalid AUC curve value "{curve}".')
        if summation_method not in (*_METHODS, *(method.title() for method in _METHODS)):
            raise ValueError(f'Invalid AUC summation method value "{summation_method}".')
        self.num_thresholds = len(inner) + 2
        self.thresholds = [0.0 - epsilon(), *inner, 1.0 + epsilon()]
        super().__init__(name=name, dtype=dtype)
        self.curve = curve.upper()
        self.summation_method = summation_method.lower()
        self._make_counters()

    def interpolate_pr_auc(self) -> Any:
        """Returns the area under precision over recall, with linear interpolation of counts between points."""
        last = self.num_thresholds - 1
        right = self.true_positives
        change = right[:last] - right[1:]
        total = right + self.false_positives
        changes = total[:last] - total[1:]
        slope = ops.div_no_nan(change, ops.maximum(changes, 0), name="prec_slope")
        start = right[1:] - ops.multiply(slope, total[1:])
        ratio = ops.where(
            ops.logical_and(total[:last] > 0, total[1:] > 0),
            ops.div_no_nan(total[:last], ops.maximum(total[1:], 0), name="recall_relative_ratio"),
            ops.ones_like(total[1:]),
        )
        parts = ops.div_no_nan(
            slope * (change + start * ops.log(ratio)),
            ops.maximum(right[1:] + self.false_negatives[1:], 0),
            name="pr_auc_increment",
        )
        return ops.reduce_sum(parts, name="interpolate_pr_auc")

    def result(self) -> Any:
        """Returns the area over all examples so far."""
        if (self.curve, self.summation_method) == ("PR", "interpolation"):
            return self.interpolate_pr_auc()
        right = self.true_positives
        recall = ops.div_no_nan(right, right + self.false_negatives)
        if self.curve == "ROC":
            wrong = self.false_positives
            x, y = ops.div_no_nan(wrong, wrong + self.true_negatives), recall
        else:
            x, y = recall, ops.div_no_nan(right, right + self.false_positives)
        last = self.num_thresholds - 1
        if self.summation_method == "interpolation":
            heights = (y[:last] + y[1:]) / 2.0
        elif self.summation_method == "minoring":
            heights = ops.minimum(y[:last], y[1:])
        else:
            heights = ops.maximum(y[:last], y[1:])
        return ops.reduce_sum(ops.multiply(x[:last] - x[1:], heights), name=self.name)

    def get_config(self) -> dict[str, Any]:
        """Returns the constructor arguments, as a dict."""
        names = ("num_thresholds", "curve", "summation_method")
        arguments = {name: getattr(self, name) for name in names}
        return {**super().get_config(), **arguments, "thresholds": self.thresholds[1:-1]}
