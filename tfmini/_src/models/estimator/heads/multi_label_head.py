"""Multi-label classification head: independent binary predictions per class."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.names.argument_descriptions import describe_arguments
from tfmini._src.base.read_only import read_only
from tfmini._src.data.lookup_tables.index_table import index_table_from_tensor
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.models.estimator.argument_descriptions import HEAD
from tfmini._src.models.estimator.heads import checks, metrics as measures
from tfmini._src.models.estimator.heads.head import Head, LossSpec, class_outputs
from tfmini._src.nn.losses.classification_losses import sigmoid_cross_entropy
from tfmini._src.nn.losses.reduction import Reduction
from tfmini._src.nn.metrics.curve_metrics import auc
from tfmini._src.nn.metrics.running_means import mean
from tfmini._src.ops import ops


@describe_arguments(HEAD)
class MultiLabelHead(Head):
    """Head for non-exclusive classes, with one sigmoid per class.

    Args:
      n_classes: number of classes, 2 or more.
      loss_fn: a loss replacing cross entropy.
      classes_for_class_based_metrics: ids or names of classes with additional separate metrics.
    """

    logits_dimension: Any = read_only(attribute="_n_classes")

    def __init__(
        self,
        n_classes: Any,
        weight_column: Any = None,
        thresholds: Any = None,
        label_vocabulary: Any = None,
        loss_reduction: str = Reduction.SUM_OVER_BATCH_SIZE,
        loss_fn: Callable | None = None,
        classes_for_class_based_metrics: Any = None,
        name: str | None = None,
    ):
        if n_classes is None or n_classes < 2:
            raise ValueError(
                f"n_classes must be > 1 for multi-class classification. Given: {n_classes}"
            )
        self._thresholds = thresholds_in_range(thresholds)
        check_vocabulary(label_vocabulary, n_classes)
        checks.check_loss_fn(loss_fn)
        checks.check_reduction(loss_reduction)
        self._n_classes, self._weight_column = n_classes, weight_column
        self._label_vocabulary, self._loss_fn = label_vocabulary, loss_fn
        self._loss_reduction, self._name = loss_reduction, name
        self._measured_classes = class_ids(
            classes_for_class_based_metrics, n_classes, label_vocabulary
        )

    def create_loss(self, features: Any, mode: str, logits: Any, labels: Any) -> LossSpec:
        logits = ops.convert_to_tensor(logits)
        labels = checks.match_labels(self._indicators(labels), logits, self._n_classes)
        if self._loss_fn:
            loss = checks.custom_loss(self._loss_fn, labels, logits, features, 1)
        else:
            loss = sigmoid_cross_entropy(labels, logits, reduction=Reduction.NONE)
            loss = ops.reduce_mean(loss, axis=-1, keepdims=True)
        weights = checks.match_weights(features, self._weight_column, logits)
        return LossSpec(self._reduce_loss(loss, weights), loss, weights, labels)

    def _indicators(self, labels: Any) -> Any:
        """Converts sparse ids or names to multi-hot labels."""
        if labels is None:
            raise ValueError(checks.NO_LABELS)
        if not isinstance(labels, SparseTensor):
            wrong = "labels must be an integer indicator Tensor with values in [0, 1]"
            return checks.in_range(labels, 2, message=wrong)
        if labels.dtype == dtypes.string:
            table = index_table_from_tensor(tuple(self._label_vocabulary), name="class_id_lookup")
            ids = SparseTensor(labels.indices, table.lookup(labels.values), labels.dense_shape)
            return _to_int64(ops.sparse_to_indicator(ids, self._n_classes))
        wrong = f"labels must be an integer SparseTensor with values in [0, {self._n_classes})"
        integral = ops.assert_integer(labels.values, message=wrong)
        count = ops.convert_to_tensor(self._n_classes, dtype=labels.dtype)
        upper_check = ops.assert_less(labels.values, count, message=wrong)
        above = ops.assert_non_negative(labels.values, message=wrong)
        with control_dependencies([integral, upper_check, above]):
            return _to_int64(ops.sparse_to_indicator(labels, self._n_classes))

    def _predict(self, logits: Any) -> dict[str, Tensor]:
        logits = checks.validate_logits(logits, self._n_classes)
        with name_scope(None, "predictions", (logits,)):
            probabilities = ops.sigmoid(logits, name="probabilities")
            return {"logits": logits, "probabilities": probabilities}

    def _outputs(self, predictions: dict[str, Tensor]) -> dict[str, Any]:
        return class_outputs(predictions, self._n_classes, self._label_vocabulary)

    def _metrics(
        self, predictions: dict[str, Tensor], labels: Any, loss: LossSpec, regularization: Any
    ) -> dict[str, Any]:
        probabilities, weights = predictions["probabilities"], loss.weights
        labels = loss.processed_labels
        with name_scope(None, "metrics", (*loss[1:], probabilities, regularization)):
            key = measures.LOSS_MEAN
            named = {key: mean(loss.unreduced_loss, weights=weights, name=key)}
            for key, curve in (("auc", "ROC"), ("auc_precision_recall", "PR")):
                named[key] = auc(labels, probabilities, weights=weights, curve=curve, name=key)
            measured = {
                measures.metric_key(self._name, key): measure for key, measure in named.items()
            }
            measured.update(self._regularization_metric(regularization))
            measured.update(
                measures.at_thresholds(self._name, labels, probabilities, weights, self._thresholds)
            )
            for class_id in self._measured_classes:
                measured.update(self._class_probabilities(class_id, labels, probabilities, weights))
            return measured

    def _class_probabilities(
        self, class_id: int, labels: Any, probabilities: Any, weights: Any
    ) -> dict:
        probabilities, labels = values_of_class(class_id, probabilities, labels)
        vocabulary = self._label_vocabulary
        which = f"class{class_id}" if vocabulary is None else vocabulary[class_id]
        key = f"probability_mean/{which}"
        measured = {key: measures.predictions_mean(probabilities, weights, key)}
        for name, curve in (("auc", "ROC"), ("auc_precision_recall", "PR")):
            key = f"{name}/{which}"
            measured[key] = measures.auc(labels, probabilities, weights, key, curve)
        return {measures.metric_key(self._name, key): measure for key, measure in measured.items()}


def _to_int64(x: Any) -> Tensor:
    return ops.cast(x, dtypes.int64, name="ToInt64")


def values_of_class(class_id: int, probabilities: Tensor, labels: Tensor) -> list[Tensor]:
    """Returns the probabilities and labels of a class, [..., 1]."""
    rank = ops.rank(probabilities) - 1
    begin = ops.concat([ops.zeros([rank], dtype=dtypes.int32), [class_id]], axis=0)
    size = ops.concat([-1 * ops.ones([rank], dtype=dtypes.int32), [1]], axis=0)
    return [ops.slice(values, begin=begin, size=size) for values in (probabilities, labels)]


def thresholds_in_range(thresholds: Any) -> tuple:
    """Returns the thresholds as a tuple; raises ValueError for values outside (0, 1)."""
    as_tuple = tuple(thresholds or ())
    for threshold in as_tuple:
        if not 0.0 < threshold < 1.0:
            raise ValueError(f"thresholds must be in (0, 1) range. Given: {threshold}")
    return as_tuple


def check_vocabulary(vocabulary: Any, n_classes: int) -> None:
    """Raises ValueError unless there are as many names as classes."""
    if vocabulary is None:
        return
    if not isinstance(vocabulary, list | tuple):
        raise ValueError(
            f"label_vocabulary must be a list or tuple. Given type: {type(vocabulary)}"
        )
    if len(vocabulary) != n_classes:
        raise ValueError(
            f"Length of label_vocabulary must be n_classes ({n_classes}). Given: {len(vocabulary)}"
        )


def class_ids(classes: Any, n_classes: int, vocabulary: Any) -> tuple:
    """Converts ids or names of classes to class ids."""
    ids = tuple(classes or ())
    if ids and isinstance(ids[0], str):
        if not vocabulary:
            raise ValueError(
                "label_vocabulary must be provided when classes_for_class_based_metrics are sting."
            )
        return tuple(vocabulary.index(name) for name in ids)
    for class_id in ids:
        if not 0 <= class_id < n_classes:
            raise ValueError(
                "All classes_for_class_based_metrics must be in range "
                f"[0, {n_classes - 1}]. Given: {class_id}"
            )
    return ids
