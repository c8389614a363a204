"""Heads of the older models: losses, predictions and metrics from logits and labels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.read_only import read_only
from tfmini._src.contrib.losses.loss_ops import hinge_loss
from tfmini._src.contrib.metrics.streaming_metrics import (
    streaming_accuracy,
    streaming_auc,
    streaming_mean,
    streaming_precision_at_thresholds,
    streaming_recall_at_thresholds,
)
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops

_REMOVAL_NOTICE = (
    "This file will be removed after the deprecation date."
    "Please switch to third_party/tensorflow/contrib/learn/python/learn/estimators/head.py"
)


@deprecated("2016-11-12", _REMOVAL_NOTICE)
class ProblemType:
    """Kinds of problems a target column can describe."""

    UNSPECIFIED = 0
    CLASSIFICATION = 1
    LINEAR_REGRESSION = 2
    LOGISTIC_REGRESSION = 3


class TargetColumn:
    """Head of a model. `features` is a dict of features; labels are a tensor.

    Its loss function maps (logits [batch, outputs], labels) to a number per example and output.
    """

    problem_type: int = read_only("One of `ProblemType`.", "_problem")
    label_name: str | None = read_only("The key of the labels.")
    weight_column_name: str | None = read_only("Name of the feature that holds example weights.")
    num_label_columns: int = read_only("The number of logits per example.")
    _problem = 0

    def __init__(
        self,
        loss_fn: Callable[[Tensor, Tensor], Tensor],
        num_label_columns: int,
        label_name: str | None,
        weight_column_name: str | None,
    ) -> None:
        self._loss_fn = loss_fn
        self._num_label_columns = num_label_columns
        self._label_name = label_name
        self._weight_column_name = weight_column_name

    def get_weight_tensor(self, features: dict) -> Tensor | None:
        """Returns the example weights, float32 [batch]; None without a weight column."""
        if not self._weight_column_name:
            return None
        weights = ops.cast(features[self._weight_column_name], dtypes.float32)
        return ops.reshape(weights, shape=(-1,))

    def _weight_loss(self, loss: Tensor, weights: Tensor) -> Tensor:
        flat = ops.reshape(loss, shape=(-1,))
        return ops.multiply(flat, ops.reshape(weights, shape=(-1,)))

    def training_loss(
        self, logits: Tensor, target: Tensor, features: dict, name: str = "training_loss"
    ) -> Tensor:
        """Returns the mean of weight * loss over the examples, float32 []."""
        loss = self._loss_fn(logits, target)
        weights = self.get_weight_tensor(features)
        if weights is not None:
            loss = self._weight_loss(loss, weights)
        return ops.reduce_mean(loss, name=name)

    def loss(self, logits: Tensor, target: Tensor, features: dict) -> Tensor:
        """Returns the sum of weight * loss divided by the sum of the weights, float32 []."""
        loss = self._loss_fn(logits, target)
        weights = self.get_weight_tensor(features)
        if weights is None:
            return ops.reduce_mean(loss, name="loss")
        total = ops.reduce_sum(self._weight_loss(loss, weights))
        return ops.div(total, ops.cast(ops.reduce_sum(weights), dtypes.float32), name="loss")

    def logits_to_predictions(self, logits: Tensor, proba: bool = False) -> Tensor:
        """Returns the predictions computed from logits."""
        raise NotImplementedError

    def _metric_ops(
        self, predictions: Tensor, labels: Tensor, expected: Any, features: dict
    ) -> dict:
        weights = self.get_weight_tensor(features)
        labels = ops.cast(labels, predictions.dtype)
        weight_kwargs = {} if weights is None else {"weights": weights}
        return {
            name: metric(predictions, labels, **weight_kwargs) for name, metric in expected.items()
        }


class _Regression(TargetColumn):
    _problem = 2

    def logits_to_predictions(self, logits: Tensor, proba: bool = False) -> Tensor:
        return ops.squeeze(logits, axis=[1]) if self.num_label_columns == 1 else logits

    def get_eval_ops(
        self, features: dict, logits: Tensor, labels: Tensor, metrics: dict | None = None
    ) -> dict:
        """Returns (value, update op) pairs by name, for the loss and the metric functions of (predictions, labels)."""
        measures = {"loss": _mean(self.loss(logits, labels, features))}
        if metrics:
            predictions = self.logits_to_predictions(logits)
            measures.update(self._metric_ops(predictions, labels, metrics, features))
        return measures


class _Classes(TargetColumn):
    _problem = 1

    def logits_to_predictions(self, logits: Tensor, proba: bool = False) -> Tensor:
        if self.num_label_columns == 1:
            logits = ops.concat([ops.zeros_like(logits), logits], 1)
        return ops.softmax(logits) if proba else ops.argmax(logits, 1)

    def get_eval_ops(
        self, features: dict, logits: Tensor, labels: Tensor, metrics: dict | None = None
    ) -> dict:
        """Returns (value, update op) pairs by name, for the loss and the metric functions of (predictions, labels).

        Metrics with the key (name, "probabilities") measure probabilities, other metrics classes.
        """
        measures = {"loss": _mean(self.loss(logits, labels, features))}
        if metrics is None:
            metrics = {("accuracy", "classes"): _accuracy}
        predictions, floats = ops.sigmoid(logits), ops.cast(labels, dtypes.float32)
        if self._num_label_columns == 1:
            for name, metric in get_default_binary_metrics_for_eval(thresholds=[0.5]).items():
                measures[name] = metric(predictions, floats)
        class_metrics, probability_metrics = _metrics_by_kind(metrics)
        for expected, proba in ((class_metrics, False), (probability_metrics, True)):
            if expected:
                predictions = self.logits_to_predictions(logits, proba=proba)
                measures.update(self._metric_ops(predictions, labels, expected, features))
        return measures


class _BinarySvm(_Classes):
    def logits_to_predictions(self, logits: Tensor, proba: bool = False) -> Tensor:
        if proba:
            raise ValueError("logits to probabilities is not supported for _BinarySvmTargetColumn")
        return super().logits_to_predictions(logits)


def _metrics_by_kind(expected: dict) -> tuple[dict, dict]:
    """Splits metrics into class metrics and probability metrics."""
    metrics: dict[str, dict] = {"classes": {}, "probabilities": {}}
    for name, metric in expected.items():
        if isinstance(name, str):
            name = (name, "classes")
        elif not isinstance(name, tuple):
            raise ValueError(f"Ignoring metric {name}. Its name is not in the correct form.")
        elif len(name) != 2:
            raise ValueError(
                f"Ignoring metric {name}. It returned a tuple with len {len(name)}, expected 2."
            )
        elif name[1] not in metrics:
            raise ValueError(
                f"Ignoring metric {name}. The 2nd element of its name should be either 'classes' or "
                "'probabilities'."
            )
        metrics[name[1]][name[0]] = metric
    return metrics["classes"], metrics["probabilities"]


def _accuracy(predictions: Tensor, labels: Tensor, weights: Any = None) -> Any:
    return streaming_accuracy(predictions, labels, weights=weights)


def _mean(values: Tensor, weights: Any = None) -> Any:
    return streaming_mean(values, weights=weights)


# Losses of examples ----------------------------------------------------------------------------------


def _to_column(target: Tensor) -> Tensor:
    return ops.expand_dims(target, axis=1) if len(target.get_shape()) == 1 else target


def _squares(logits: Tensor, target: Tensor) -> Tensor:
    target = _to_column(target)
    logits.get_shape().assert_is_compatible_with(target.get_shape())
    return ops.squared_difference(logits, ops.cast(target, dtypes.float32))


def _log_loss(logits: Tensor, target: Tensor) -> Tensor:
    labels = ops.cast(_to_column(target), dtypes.float32)
    return ops.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)


def _cross_entropy(logits: Tensor, target: Tensor) -> Tensor:
    if not target.dtype.is_integer:
        raise ValueError(f"Target's dtype should be integer Instead got {target.dtype}.")
    if len(target.get_shape()) == 2:
        target = ops.squeeze(target, axis=[1])
    return ops.sparse_softmax_cross_entropy_with_logits(labels=target, logits=logits)


def _hinge(logits: Tensor, target: Tensor) -> Tensor:
    fits = ops.less_equal(ops.rank(target), 2)
    message = ["target's shape should be either [batch_size, 1] or [batch_size]"]
    with control_dependencies([ops.Assert(fits, message)]):
        target = ops.reshape(target, shape=[ops.shape(target)[0], 1])
    return hinge_loss(logits, target)


# The functions ---------------------------------------------------------------------------------------


@deprecated("2016-11-12", _REMOVAL_NOTICE)
def regression_target(
    label_name: str | None = None,
    weight_column_name: str | None = None,
    label_dimension: int = 1,
) -> TargetColumn:
    """Returns a head with squared error loss.

    Args:
      label_name: key of the labels.
      weight_column_name: name of the feature with example weights.
      label_dimension: number of regression targets per example.
    """
    return _Regression(_squares, label_dimension, label_name, weight_column_name)


@deprecated("2016-11-12", _REMOVAL_NOTICE)
def multi_class_target(
    n_classes: int, label_name: str | None = None, weight_column_name: str | None = None
) -> TargetColumn:
    """Returns a classification head with cross entropy loss.

    Args:
      n_classes: number of classes; two classes require only one logit.
      label_name: key of the labels.
      weight_column_name: name of the feature with example weights.

    Raises:
      ValueError: if there are fewer than two classes.
    """
    if n_classes < 2:
        raise ValueError("n_classes must be > 1 for classification.")
    two = n_classes == 2
    loss, outputs = (_log_loss, 1) if two else (_cross_entropy, n_classes)
    return _Classes(loss, outputs, label_name, weight_column_name)


@deprecated("2016-11-12", _REMOVAL_NOTICE)
def binary_svm_target(
    label_name: str | None = None, weight_column_name: str | None = None
) -> TargetColumn:
    """Returns a binary classification head with hinge loss of one logit.

    Args:
      label_name: key of the labels.
      weight_column_name: name of the feature with example weights.
    """
    return _BinarySvm(_hinge, 1, label_name, weight_column_name)


_THRESHOLD_METRICS = {
    "precision": streaming_precision_at_thresholds,
    "recall": streaming_recall_at_thresholds,
}


@deprecated("2016-11-12", _REMOVAL_NOTICE)
def get_default_binary_metrics_for_eval(thresholds: list[float]) -> dict[str, Callable[..., Any]]:
    """Returns the binary classification metrics by name, functions of (predictions, labels, weights).

    Args:
      thresholds: thresholds above which predictions are positive, for accuracy, precision and recall.
    """
    metrics: dict[str, Callable] = {
        "labels/prediction_mean": lambda predictions, labels, weights=None: _mean(
            predictions, weights
        ),
        "labels/actual_target_mean": lambda predictions, labels, weights=None: _mean(
            labels, weights
        ),
        "accuracy/baseline_target_mean": lambda predictions, labels, weights=None: _mean(
            labels, weights
        ),
        "auc": lambda predictions, labels, weights=None: streaming_auc(
            predictions, labels, weights=_float(weights)
        ),
    }
    for threshold in thresholds:
        metrics[f"accuracy/threshold_{threshold:f}_mean"] = _accuracy_from(threshold)
        for metric_name, measured in _THRESHOLD_METRICS.items():
            name = f"{metric_name}/positive_threshold_{threshold:f}_mean"
            metrics[name] = _from(measured, threshold)
    return metrics


def _float(weights: Any) -> Any:
    return None if weights is None else ops.cast(weights, dtypes.float32)


def _accuracy_from(threshold: float) -> Callable:
    def accuracy(predictions: Tensor, labels: Tensor, weights: Any = None) -> Any:
        positive = ops.cast(ops.greater_equal(predictions, threshold), dtypes.float32)
        return _accuracy(positive, labels, weights)

    return accuracy


def _from(measured: Callable, threshold: float) -> Callable:
    def metric(predictions: Tensor, labels: Tensor, weights: Any = None) -> Any:
        value, update = measured(
            predictions, labels=labels, thresholds=[threshold], weights=_float(weights)
        )
        return ops.squeeze(value), update

    return metric
