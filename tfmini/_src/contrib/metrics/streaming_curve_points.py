"""Points of curves at evenly spaced thresholds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from tfmini._src.base import dtypes
from tfmini._src.contrib.metrics.streaming_confusion_rates import counts_above
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.metrics.operands import fit_operands
from tfmini._src.nn.metrics.state import collect, metric_variable
from tfmini._src.ops import ops
from tfmini._src.variables.variable_scope import variable_scope

_THRESHOLD_MARGIN = 1e-7
_EPSILON = 1.0e-6
_RANGE = "predictions must be in [0, 1]"


def streaming_curve_points(
    labels: TensorLike | None = None,
    predictions: TensorLike | None = None,
    weights: TensorLike | None = None,
    num_thresholds: int = 200,
    metrics_collections: Sequence[str] | None = None,
    updates_collections: Sequence[str] | None = None,
    curve: str = "ROC",
    name: str | None = None,
) -> tuple[Tensor, Any]:
    """Computes the points of a curve over all batches so far, one per threshold.

    Args:
      labels, predictions, weights, num_thresholds: as in `tf.metrics.auc`.
      metrics_collections, updates_collections, name: as in `tf.metrics.mean`.
      curve: "ROC" for false positive rate and recall, "PR" for recall and precision.

    Returns:
      [num_thresholds, 2] float32 tensor of x and y, and the op that adds a batch.

    Raises:
      ValueError: for an unknown curve, or incompatible shapes.
    """
    with variable_scope(name, "curve_points", (labels, predictions, weights)):
        if curve not in ("ROC", "PR"):
            raise ValueError(f"curve must be either ROC or PR, {curve} unknown")
        inner = [(i + 1) * 1.0 / (num_thresholds - 1) for i in range(num_thresholds - 2)]
        limits = [0.0 - _THRESHOLD_MARGIN, *inner, 1.0 + _THRESHOLD_MARGIN]
        values, updates = counts_above(predictions, labels, limits, weights)
        positives = values["tp"]
        recall = ops.div(positives + _EPSILON, positives + values["fn"] + _EPSILON)
        if curve == "ROC":
            x, y = ops.div(values["fp"], values["fp"] + values["tn"] + _EPSILON), recall
        else:
            x, y = recall, ops.div(positives + _EPSILON, positives + values["fp"] + _EPSILON)
        points = ops.stack([x, y], axis=1)
        update = ops.group(*updates.values())
        return collect(points, update, metrics_collections, updates_collections)


class PrecisionRecallData(NamedTuple):
    """Counts, rates and thresholds, each [num_thresholds]."""

    tp: Any
    fp: Any
    tn: Any
    fn: Any
    precision: Any
    recall: Any
    thresholds: Any


def precision_recall_at_equal_thresholds(
    labels: Tensor,
    predictions: Tensor,
    weights: TensorLike | None = None,
    num_thresholds: int | None = None,
    use_locking: bool | None = None,
    name: str | None = None,
) -> tuple[PrecisionRecallData, Any]:
    """Computes counts, precision and recall at evenly spaced thresholds, in time linear in predictions + thresholds.

    Args:
      labels: a bool tensor.
      predictions: a float tensor of the same shape, in [0, 1]; values at or above a threshold are positive.
      weights: None, or a tensor of the same dtype that broadcasts to them.
      num_thresholds: number of thresholds, at least 2; by default 201.
      use_locking: whether to lock variables during updates; True by default.
      name: variable scope name.

    Returns:
      A named tuple (tp, fp, tn, fn, precision, recall, thresholds) of tensors [num_thresholds] in the predictions'
      dtype, and the operation that adds a batch.

    Raises:
      TypeError: for labels that are not bools.
      ValueError: for incompatible shapes.
      InvalidArgumentError (at run time): for predictions outside [0, 1].
    """
    count = 201 if num_thresholds is None else num_thresholds
    weights = 1.0 if weights is None else weights
    use_locking = True if use_locking is None else use_locking
    ops.assert_type(labels, dtypes.bool)
    with variable_scope(
        name, "precision_recall_at_equal_thresholds", (labels, predictions, weights)
    ):
        checks = []
        for check, limit in ((ops.assert_greater_equal, 0.0), (ops.assert_less_equal, 1.0)):
            bound = ops.cast(limit, dtype=predictions.dtype)
            checks.append(check(predictions, bound, message=_RANGE))
        with control_dependencies(checks):
            predictions, labels, weights = fit_operands(predictions, labels, weights)
        predictions.shape.assert_is_compatible_with(labels.shape)
        is_true = ops.cast(labels, dtypes.float64)
        weights = ops.cast(weights, dtypes.float64)
        true_weights, false_weights = is_true * weights, (1.0 - is_true) * weights
        predictions = ops.reshape(predictions, [-1])
        true_weights, false_weights = (
            ops.reshape(true_weights, [-1]),
            ops.reshape(false_weights, [-1]),
        )
        bins = ops.cast(ops.floor(predictions * (count - 1)), dtypes.int32)
        with name_scope("variables"):
            true_bins = metric_variable([count], dtypes.float64, name="tp_buckets")
            false_bins = metric_variable([count], dtypes.float64, name="fp_buckets")
        with name_scope("update_op"):
            updates = [
                ops.scatter_add(variable, bins, new_weights, use_locking=use_locking)
                for variable, new_weights in (
                    (true_bins, true_weights),
                    (false_bins, false_weights),
                )
            ]
        tp = ops.cumsum(true_bins, reverse=True, name="tp")
        fp = ops.cumsum(false_bins, reverse=True, name="fp")
        tn = fp[0] - fp
        fn = tp[0] - tp
        tolerance = ops.convert_to_tensor(1e-7, dtype=dtypes.float64)
        precision = tp / ops.maximum(tolerance, tp + fp)
        recall = tp / ops.maximum(tolerance, tp + fn)

        def cast_tensor(tensor: Any) -> Tensor:
            return ops.cast(tensor, predictions.dtype)

        fields = [cast_tensor(tensor) for tensor in (tp, fp, tn, fn, precision, recall)]
        fields.append(cast_tensor(ops.linspace(0.0, 1.0, count)))
        return PrecisionRecallData(*fields), ops.group(*updates)
