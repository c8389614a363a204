"""Classification heads: binary and multi-class."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.names.argument_descriptions import describe_arguments
from tfmini._src.base.read_only import read_only
from tfmini._src.data.lookup_tables.index_table import (
    index_table_from_tensor,
    index_to_string_table_from_tensor,
)
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.models.estimator.argument_descriptions import HEAD
from tfmini._src.models.estimator.heads import checks, metrics as measures
from tfmini._src.models.estimator.heads.head import Head, LossSpec, all_classes, class_outputs
from tfmini._src.nn.losses.classification_losses import sparse_softmax_cross_entropy
from tfmini._src.nn.losses.reduction import Reduction
from tfmini._src.nn.metrics.precision_recall import precision, recall
from tfmini._src.nn.metrics.running_means import accuracy as metrics_accuracy, mean as metrics_mean
from tfmini._src.ops import ops


class ClassNames:
    """Class names accepted as labels in place of ids; None for integer labels."""

    _label_vocabulary: Any
    _n_classes: Any = 2

    def _outputs(self, predictions: dict[str, Tensor]) -> dict[str, Any]:
        return class_outputs(predictions, self._n_classes, self._label_vocabulary)

    def _class_names(self, class_ids: Tensor) -> Tensor:
        """Converts ids to class names."""
        if not self._label_vocabulary:
            return ops.as_string(class_ids, name="str_classes")
        table = index_to_string_table_from_tensor(
            self._label_vocabulary, name="class_string_lookup"
        )
        return table.lookup(class_ids)

    def _class_ids(self, labels: Tensor) -> Tensor:
        table = index_table_from_tensor(tuple(self._label_vocabulary), name="class_id_lookup")
        return table.lookup(labels)

    def _checked_ids(self, labels: Tensor) -> Tensor:
        """Converts labels to ids; raises ValueError unless they are integers, or strings for named classes."""
        if self._label_vocabulary is None:
            if not labels.dtype.is_integer:
                raise ValueError(f"Labels dtype should be integer. Instead got {labels.dtype}.")
            return labels
        if labels.dtype != dtypes.string:
            raise ValueError(
                "Labels dtype should be string if there is a vocabulary. "
                f"Instead got {labels.dtype}"
            )
        return self._class_ids(labels)


class _ClassesHead(ClassNames, Head):
    """Base class of heads for binary and multi-class classification."""

    def __init__(
        self,
        weight_column: Any,
        label_vocabulary: Any,
        loss_reduction: str,
        loss_fn: Callable | None,
        name: str | None,
    ):
        checks.check_reduction(loss_reduction)
        checks.check_loss_fn(loss_fn)
        self.weight_column, self._label_vocabulary = weight_column, label_vocabulary
        self._loss_reduction, self._loss_fn, self._name = loss_reduction, loss_fn, name

    def _loss_and_accuracy(
        self, predictions: dict[str, Tensor], loss: LossSpec
    ) -> dict[str, measures.Pair]:
        mean, accuracy = measures.LOSS_MEAN, "accuracy"
        labels, weights = loss.processed_labels, loss.weights
        return {
            measures.metric_key(self._name, mean): metrics_mean(
                loss.unreduced_loss, weights=weights, name=mean
            ),
            measures.metric_key(self._name, accuracy): metrics_accuracy(
                labels, predictions["class_ids"], weights=weights, name=accuracy
            ),
        }


@describe_arguments(HEAD)
class MultiClassHead(_ClassesHead):
    """Softmax over three or more classes.

    Args:
      n_classes: number of classes.
      loss_fn: a loss replacing cross entropy.
    """

    logits_dimension: Any = read_only(attribute="_n_classes")

    def __init__(
        self,
        n_classes: Any,
        weight_column: Any = None,
        label_vocabulary: Any = None,
        loss_reduction: str = Reduction.SUM,
        loss_fn: Callable | None = None,
        name: str | None = None,
    ):
        if label_vocabulary is not None and not isinstance(label_vocabulary, list | tuple):
            raise ValueError(
                f"label_vocabulary should be a list or a tuple. Given type: {type(label_vocabulary)}"
            )
        super().__init__(weight_column, label_vocabulary, loss_reduction, loss_fn, name)
        if n_classes is None:
            raise ValueError("n_classes cannot be None")
        self._n_classes = checked_count(n_classes)

    def create_loss(self, features: Any, mode: str, logits: Any, labels: Any) -> LossSpec:
        logits = ops.convert_to_tensor(logits)
        labels = checks.match_labels(labels, logits, 1)
        ids = checks.in_range(self._checked_ids(labels), self._n_classes)
        if self._loss_fn:
            loss = checks.custom_loss(self._loss_fn, ids, logits, features, 1)
        else:
            loss = sparse_softmax_cross_entropy(ids, logits, reduction=Reduction.NONE)
            loss = ops.expand_dims(loss, axis=-1)
        weights = checks.match_weights(features, self.weight_column, logits)
        return LossSpec(self._reduce_loss(loss, weights), loss, weights, ids)

    def _predict(self, logits: Any) -> dict[str, Tensor]:
        logits = checks.validate_logits(logits, self._n_classes)
        with name_scope(None, "predictions", (logits,)):
            all_ids = all_classes(logits, self._n_classes, as_ids=True)
            names = all_classes(logits, self._n_classes, self._label_vocabulary)
            ids = ops.expand_dims(ops.argmax(logits, axis=-1, name="class_ids"), axis=-1)
            named = self._class_names(ids)
            return {
                "logits": logits,
                "probabilities": ops.softmax(logits, name="probabilities"),
                "class_ids": ids,
                "classes": named,
                "all_class_ids": all_ids,
                "all_classes": names,
            }

    def _metrics(
        self, predictions: dict[str, Tensor], labels: Any, loss: LossSpec, regularization: Any
    ) -> dict[str, Any]:
        with name_scope(None, "metrics", (*loss[1:], predictions["class_ids"], regularization)):
            measures = self._loss_and_accuracy(predictions, loss)
            return {**measures, **self._regularization_metric(regularization)}


def checked_count(n_classes: Any) -> Any:
    """Returns the number of classes, checked to exceed 2: immediately for a Python number, at run time for a tensor."""
    if isinstance(n_classes, int) and n_classes <= 2:
        raise ValueError(f"n_classes must be > 2: {n_classes}.")
    count = ops.convert_to_tensor(n_classes)
    above = ops.assert_greater(count, 2, message="n_classes must be greater than 2")
    with control_dependencies([above]):
        ops.no_op()
    return n_classes


@describe_arguments(HEAD)
class BinaryHead(_ClassesHead):
    """Sigmoid over two classes.

    Args:
      label_vocabulary: names of both classes, if labels are strings.
      loss_fn: a loss replacing cross entropy.
    """

    def __init__(
        self,
        weight_column: Any = None,
        thresholds: Any = None,
        label_vocabulary: Any = None,
        loss_reduction: str = Reduction.SUM,
        loss_fn: Callable | None = None,
        name: str | None = None,
    ):
        if label_vocabulary is not None and not isinstance(label_vocabulary, list | tuple):
            raise TypeError(
                f"label_vocabulary should be a list or tuple. Given type: {type(label_vocabulary)}"
            )
        self._thresholds = checks.check_thresholds(thresholds)
        super().__init__(weight_column, label_vocabulary, loss_reduction, loss_fn, name)

    @property
    def logits_dimension(self) -> int:
        return 1

    def create_loss(self, features: Any, mode: str, logits: Any, labels: Any) -> LossSpec:
        logits = ops.convert_to_tensor(logits)
        labels = checks.match_labels(labels, logits, 1)
        if self._label_vocabulary is not None:
            labels = self._class_ids(labels)
        labels = checks.in_range(checks.to_float(labels), 2)
        if self._loss_fn:
            loss = checks.custom_loss(self._loss_fn, labels, logits, features, 1)
        else:
            loss = ops.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)
        weights = checks.match_weights(features, self.weight_column, logits)
        return LossSpec(self._reduce_loss(loss, weights), loss, weights, labels)

    def _predict(self, logits: Any) -> dict[str, Tensor]:
        with name_scope(None, "predictions", (logits,)):
            logits = checks.validate_logits(logits, 1)
            logistic = ops.sigmoid(logits, name="logistic")
            both = (ops.zeros_like(logits), logits)
            two = ops.concat(both, axis=-1, name="two_class_logits")
            probabilities = ops.softmax(two, name="probabilities")
            ids = ops.expand_dims(ops.argmax(two, axis=-1, name="class_ids"), axis=-1)
            all_ids = all_classes(logits, 2, as_ids=True)
            names = all_classes(logits, 2, self._label_vocabulary)
            return {
                "logits": logits,
                "logistic": logistic,
                "probabilities": probabilities,
                "class_ids": ids,
                "classes": self._class_names(ids),
                "all_class_ids": all_ids,
                "all_classes": names,
            }

    def _metrics(
        self, predictions: dict[str, Tensor], labels: Any, loss: LossSpec, regularization: Any
    ) -> dict[str, Any]:
        logistic, ids = predictions["logistic"], predictions["class_ids"]
        weights, labels = loss.weights, loss.processed_labels
        values = (*loss[1:], predictions["logits"], logistic, ids, regularization)
        with name_scope(None, "metrics", values):
            labels_mean = measures.labels_mean(labels, weights, "label/mean")
            measured = self._loss_and_accuracy(predictions, loss)
            for key, metric_fn in (("precision", precision), ("recall", recall)):
                measured[self._key(key)] = metric_fn(labels, ids, weights=weights, name=key)
            key = "prediction/mean"
            measured[self._key(key)] = measures.predictions_mean(logistic, weights, key)
            measured[self._key("label/mean")] = labels_mean
            measured[self._key("accuracy_baseline")] = measures.accuracy_baseline(labels_mean)
            for key, curve in (("auc", "ROC"), ("auc_precision_recall", "PR")):
                measured[self._key(key)] = measures.auc(labels, logistic, weights, key, curve)
            measured.update(self._regularization_metric(regularization))
            measured.update(
                measures.at_thresholds(self._name, labels, logistic, weights, self._thresholds)
            )
            return measured

    def _key(self, key: str) -> str:
        return measures.metric_key(self._name, key)


def binary_or_multi_class_head(
    n_classes: int, weight_column: Any, label_vocabulary: Any, loss_reduction: str
) -> Head:
    """Returns the head of a classifier with `n_classes` classes."""
    if n_classes == 2:
        return BinaryHead(weight_column, None, label_vocabulary, loss_reduction)
    return MultiClassHead(n_classes, weight_column, label_vocabulary, loss_reduction)
