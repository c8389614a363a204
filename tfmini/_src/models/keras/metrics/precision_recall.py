"""Confusion counts at thresholds, and the metrics derived from them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.nn.layers.backend.tensor_values import batch_set_value
from tfmini._src.nn.layers.metric import Metric
from tfmini._src.nn.layers.ragged_values import cast, flat_values
from tfmini._src.nn.layers.squeeze_or_expand_dimensions import squeeze_or_expand_dimensions
from tfmini._src.ops import ops

NO_THRESHOLD = -1e10  # below all predictions
KINDS = ("true_positives", "false_negatives", "false_positives", "true_negatives")


def threshold_list(thresholds: Any, default_threshold: float) -> list:
    """Returns the thresholds as a list, by default `default_threshold`."""
    if thresholds is None:
        return [default_threshold]
    values = [*thresholds] if isinstance(thresholds, list) else [thresholds]
    wrong = [value for value in values if value is None or value < 0 or value > 1]
    if wrong:
        raise ValueError(f"Threshold values must be in [0, 1]. Invalid values: {wrong}")
    return values


def _keep_top_k(y_pred: Any, k: int) -> Any:
    """Sets all predictions of each row except the `k` largest to a value below every threshold."""
    positions = ops.top_k(y_pred, k, sorted=False)[1]
    total = ops.reduce_sum(ops.one_hot(positions, y_pred.shape[-1], axis=-1), axis=-2)
    return y_pred * total + NO_THRESHOLD * (1 - total)


def update_counters(
    counters: dict[str, Any],
    y_true: Any,
    y_pred: Any,
    thresholds: list,
    top_k: int | None = None,
    class_id: int | None = None,
    sample_weight: Any = None,
) -> Any:
    """Returns the op that adds predictions to confusion counters.

    Args:
      counters: variables [thresholds], by kind among `KINDS`.
      y_true: targets, 0 or 1.
      y_pred: predictions in [0, 1], of the same shape.
      thresholds: thresholds above which predictions are positive.
      top_k: number of largest predictions to consider per row; None for all.
      class_id: the column to consider; None for all.
      sample_weight: broadcastable weights of predictions; None for 1.
    """
    y_true = cast(y_true, dtype=dtypes.float32)
    y_pred = cast(y_pred, dtype=dtypes.float32)
    (y_pred, y_true), _ = flat_values([y_pred, y_true], sample_weight)
    y_pred.shape.assert_is_compatible_with(y_true.shape)
    checks = [
        ops.assert_greater_equal(
            y_pred, ops.cast(0.0, dtype=y_pred.dtype), message="predictions must be >= 0"
        ),
        ops.assert_less_equal(
            y_pred, ops.cast(1.0, dtype=y_pred.dtype), message="predictions must be <= 1"
        ),
    ]
    with control_dependencies(checks):
        if sample_weight is None:
            y_pred, y_true = squeeze_or_expand_dimensions(y_pred, y_true)
        else:
            y_pred, y_true, sample_weight = squeeze_or_expand_dimensions(
                y_pred, y_true, sample_weight=sample_weight
            )
    if top_k is not None:
        y_pred = _keep_top_k(y_pred, top_k)
    if class_id is not None:
        y_true, y_pred = y_true[..., class_id], y_pred[..., class_id]
    threshold_count, count = len(thresholds), ops.size(y_pred)
    row = ops.reshape(y_pred, [1, -1])
    targets = ops.reshape(ops.cast(y_true, dtype=dtypes.bool), [1, -1])
    limits = ops.tile(ops.expand_dims(ops.constant(thresholds), 1), ops.stack([1, count]))
    positive = ops.greater(ops.tile(row, [threshold_count, 1]), limits)
    expected = ops.tile(targets, [threshold_count, 1])
    weights = None
    if sample_weight is not None:
        weights = ops.broadcast_weights(ops.cast(sample_weight, dtype=dtypes.float32), y_pred)
        weights = ops.tile(ops.reshape(weights, [1, -1]), [threshold_count, 1])
    pairs = {"true_positives": (expected, positive)}
    if "false_negatives" in counters or "true_negatives" in counters:
        negative = ops.logical_not(positive)
        pairs["false_negatives"] = (expected, negative)
    if "false_positives" in counters or "true_negatives" in counters:
        unwanted = ops.logical_not(expected)
        pairs["false_positives"] = (unwanted, positive)
        if "true_negatives" in counters:
            pairs["true_negatives"] = (unwanted, negative)
    updates = []
    for count_name, both in pairs.items():
        if count_name in counters:
            hits = ops.cast(ops.logical_and(*both), dtype=dtypes.float32)
            hits = hits if weights is None else hits * weights
            updates.append(counters[count_name].assign_add(ops.reduce_sum(hits, 1)))
    return ops.group(updates)


class ThresholdCounterMetric(Metric):
    """Base class of metrics with counters: a vector per name in `_counter_names`, with an element per threshold."""

    _counter_names: tuple[str, ...]
    thresholds: list

    def _make_counters(self) -> None:
        for count_name in self._counter_names:
            setattr(self, count_name, self._counter(count_name))

    def _counter(self, name: str) -> Any:
        return self.add_weight(name, shape=(len(self.thresholds),), initializer="zeros")

    def _counters(self) -> dict[str, Any]:
        return {count_name: getattr(self, count_name) for count_name in self._counter_names}

    def update_state(
        self, y_true: TensorLike, y_pred: TensorLike, sample_weight: TensorLike | None = None
    ) -> Any:
        """Adds predictions.

        Args:
          y_true: targets, 0 or 1.
          y_pred: predictions in [0, 1], of the same shape.
          sample_weight: weights, or None.
        """
        return update_counters(
            self._counters(),
            y_true,
            y_pred,
            self.thresholds,
            top_k=vars(self).get("top_k"),
            class_id=vars(self).get("class_id"),
            sample_weight=sample_weight,
        )

    def reset_states(self) -> None:
        """Resets the counters to zeros."""
        batch_set_value([(v, np.zeros((len(self.thresholds),))) for v in self.variables])


class _Count(ThresholdCounterMetric):
    """Count of one kind of outcome, over all examples so far.

    Args:
      thresholds: threshold above which predictions are positive, by default 0.5, or a list for several counts.
      name, dtype: as in `tf.keras.metrics.Metric`.

    Raises:
      ValueError: for a threshold outside of [0, 1].
    """

    def __init__(
        self,
        thresholds: float | Sequence[float] | None = None,
        name: str | None = None,
        dtype: DTypeLike | None = None,
    ):
        super().__init__(name=name, dtype=dtype)
        self.init_thresholds = thresholds
        self.thresholds = threshold_list(thresholds, 0.5)
        self.accumulator = self._counter("accumulator")

    def _counters(self) -> dict[str, Any]:
        return {self._counter_names[0]: self.accumulator}

    def result(self) -> Any:
        """Returns the count, or the counts at several thresholds."""
        single = len(self.thresholds) == 1
        return ops.convert_to_tensor(self.accumulator[0] if single else self.accumulator)

    def get_config(self) -> dict[str, Any]:
        """Returns the constructor arguments, as a dict."""
        return {**super().get_config(), "thresholds": self.init_thresholds}


class TruePositives(_Count):
    __doc__ = f"True positives: positive predictions with target 1.\n{_Count.__doc__}"
    _counter_names = ("true_positives",)


class TrueNegatives(_Count):
    __doc__ = f"True negatives: negative predictions with target 0.\n{_Count.__doc__}"
    _counter_names = ("true_negatives",)


class FalsePositives(_Count):
    __doc__ = f"False positives: positive predictions with target 0.\n{_Count.__doc__}"
    _counter_names = ("false_positives",)


class FalseNegatives(_Count):
    __doc__ = f"False negatives: negative predictions with target 1.\n{_Count.__doc__}"
    _counter_names = ("false_negatives",)


class _Ratio(ThresholdCounterMetric):
    """Ratio of true positives to a count, over all examples so far.

    Args:
      thresholds: threshold above which predictions are positive, by default 0.5, or a list for several ratios.
      top_k: number of largest predictions to consider per row, without a threshold by default; None for all.
      class_id: the class to consider; None for all.
      name, dtype: as in `tf.keras.metrics.Metric`.

    Raises:
      ValueError: for a threshold outside of [0, 1].
    """

    def __init__(
        self,
        thresholds: float | Sequence[float] | None = None,
        top_k: int | None = None,
        class_id: int | None = None,
        name: str | None = None,
        dtype: DTypeLike | None = None,
    ):
        super().__init__(name=name, dtype=dtype)
        self.init_thresholds = thresholds
        self.top_k = top_k
        self.class_id = class_id
        self.thresholds = threshold_list(thresholds, 0.5 if top_k is None else NO_THRESHOLD)
        self._make_counters()

    def result(self) -> Any:
        """Returns the ratio, or the ratios at several thresholds."""
        right, wrong = self._counters().values()
        ratio = ops.div_no_nan(right, right + wrong)
        return ratio[0] if len(self.thresholds) == 1 else ratio

    def get_config(self) -> dict[str, Any]:
        """Returns the constructor arguments, as a dict."""
        arguments = {
            "thresholds": self.init_thresholds,
            "top_k": self.top_k,
            "class_id": self.class_id,
        }
        return {**super().get_config(), **arguments}


class Precision(_Ratio):
    __doc__ = f"Precision: fraction of correct positive predictions.\n{_Ratio.__doc__}"
    _counter_names = ("true_positives", "false_positives")


class Recall(_Ratio):
    __doc__ = f"Recall: fraction of positive targets predicted as positive.\n{_Ratio.__doc__}"
    _counter_names = ("true_positives", "false_negatives")
