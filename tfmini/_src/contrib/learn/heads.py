"""Heads of `tf.contrib.learn`: losses, predictions and metrics from logits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.contrib.learn.class_metrics import (
    checked_class_ids,
    class_auc,
    class_frequency,
    class_mean,
)
from tfmini._src.contrib.learn.model_fn import PredictionKey, ProblemType
from tfmini._src.contrib.learn.single_head import Head, SingleHead, column, weighted_loss
from tfmini._src.data.lookup_tables.index_table import (
    index_table_from_tensor,
    index_to_string_table_from_tensor,
)
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.models.estimator.fn_args import parameter_names
from tfmini._src.nn.metrics.metrics_at_thresholds import (
    precision_at_thresholds,
    recall_at_thresholds,
)
from tfmini._src.nn.metrics.running_means import accuracy, mean
from tfmini._src.ops import ops


class RegressionHead(SingleHead):
    """Regression head: squared error or, for counts, Poisson loss."""

    default_scope = "regression_head"
    problem_type = ProblemType.LINEAR_REGRESSION

    def __init__(self, dimension: int, is_count: bool, link_fn: Callable, *args: Any):
        super().__init__(dimension, *args)
        self._is_count, self._link_fn = is_count, link_fn

    def _loss(self, labels: Any, logits: Any, weights: Any) -> Any:
        name = "_poisson_loss" if self._is_count else "mean_squared_loss"
        with name_scope(None, name, (logits, labels)) as scope:
            logits, labels = ops.convert_to_tensor(logits), ops.convert_to_tensor(labels)
            labels, logits = column(labels), column(logits)
            logits.get_shape().assert_is_compatible_with(labels.get_shape())
            if self._is_count:
                losses = ops.log_poisson_loss(labels, logits, compute_full_loss=True, name=scope)
            else:
                expected = ops.cast(labels, dtypes.float32)
                losses = ops.squared_difference(logits, expected, name=scope)
            return weighted_loss(losses, weights)

    def _predict(self, logits: Tensor) -> dict[str, Tensor]:
        key = PredictionKey.SCORES
        with name_scope(None, "predictions", (logits,)):
            if self._dimension == 1:
                logits = ops.squeeze(logits, axis=(1,), name=key)
            return {key: self._link_fn(logits)}

    def _metrics(self, loss: Any, predictions: dict, labels: Any, weights: Any) -> dict:
        with name_scope("metrics", values=[loss]):
            return {"loss": mean(loss)}


class ClassesHead(SingleHead):
    """Base class of classification heads, whose exports name classes."""

    def _output(self, predictions: dict) -> tuple[int, dict]:
        probabilities = predictions[PredictionKey.PROBABILITIES]
        with name_scope(None, "_classification_output_alternatives", (probabilities,)):
            batch, keys = ops.shape(probabilities)[0], self._names()
            if keys:
                row = ops.expand_dims(keys, axis=0)
                classes = ops.tile(row, multiples=[batch, 1], name="classes_tensor")
            else:
                row = ops.expand_dims(ops.range(ops.shape(probabilities)[1]), axis=0)
                classes = ops.tile(row, multiples=[batch, 1])
                classes = ops.as_string(classes, name="classes_tensor")
        exported = {
            PredictionKey.PROBABILITIES: probabilities,
            PredictionKey.CLASSES: classes,
        }
        return self.problem_type, exported

    def _names(self) -> Any:
        return None


class BinaryHead(ClassesHead):
    """Binary classification head, with a sigmoid."""

    default_scope = "binary_logistic_head"
    problem_type = ProblemType.LOGISTIC_REGRESSION

    def __init__(self, loss_fn: Callable | None, thresholds: Any, *args: Any):
        super().__init__(1, *args)
        self._loss_fn, self._thresholds = loss_fn, thresholds or (0.5,)

    def _loss(self, labels: Any, logits: Any, weights: Any) -> Any:
        if self._loss_fn:
            return custom_loss(self._loss_fn, labels, logits, weights)
        with name_scope(None, "log_loss_with_two_classes", (logits, labels)) as scope:
            logits = ops.convert_to_tensor(logits)
            labels = column(ops.cast(labels, dtypes.float32))
            losses = ops.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits, name=scope)
            return weighted_loss(losses, weights)

    def _predict(self, logits: Tensor) -> dict[str, Tensor]:
        key = PredictionKey
        with name_scope(None, "predictions", (logits,)):
            two = ops.concat((ops.zeros_like(logits), logits), 1)
            return {
                key.LOGITS: logits,
                key.LOGISTIC: ops.sigmoid(logits, name=key.LOGISTIC),
                key.PROBABILITIES: ops.softmax(two, name=key.PROBABILITIES),
                key.CLASSES: ops.argmax(two, 1, name=key.CLASSES),
            }

    def _metrics(self, loss: Any, predictions: dict, labels: Any, weights: Any) -> dict:
        with name_scope("metrics", values=[loss, labels, weights, *predictions.values()]):
            classes = predictions[PredictionKey.CLASSES]
            logistic = predictions[PredictionKey.LOGISTIC]
            measures = {
                "loss": mean(loss),
                "accuracy": accuracy(labels, classes, weights),
                "labels/prediction_mean": class_mean(logistic, weights),
                "labels/actual_label_mean": class_mean(labels, weights),
                "accuracy/baseline_label_mean": class_mean(labels, weights),
                "auc": class_auc(logistic, labels, weights, "ROC"),
                "auc_precision_recall": class_auc(logistic, labels, weights, "PR"),
            }
            for threshold in self._thresholds:
                above = ops.cast(ops.greater_equal(logistic, threshold), dtypes.float32)
                key = f"accuracy/threshold_{threshold:f}_mean"
                measures[key] = accuracy(labels, above, weights)
                for name, measure in (
                    ("precision", precision_at_thresholds),
                    ("recall", recall_at_thresholds),
                ):
                    value, update = measure(labels, logistic, (threshold,), weights)
                    key = f"{name}/positive_threshold_{threshold:f}_mean"
                    measures[key] = ops.squeeze(value), ops.squeeze(update)
        return measures


def custom_loss(loss_fn: Callable, labels: Any, logits: Any, weights: Any) -> tuple:
    """Returns the result of a user's loss function, as both the training loss and the weighted average."""
    weight_args = () if weights is None else (weights,)
    loss = loss_fn(labels, logits, *weight_args)
    return loss, loss


class MultiClassHead(ClassesHead):
    """Classification head of three or more classes, with a softmax."""

    default_scope = "multi_class_head"
    problem_type = ProblemType.CLASSIFICATION

    def __init__(
        self, n_classes: int, loss_fn: Callable | None, label_keys: Any, class_ids: Any, *args: Any
    ):
        super().__init__(n_classes, *args)
        if label_keys and len(label_keys) != n_classes:
            raise ValueError("Length of label_keys must equal n_classes.")
        self._loss_fn, self._label_keys = loss_fn, label_keys
        self._class_ids = checked_class_ids(class_ids, n_classes)

    def _names(self) -> Any:
        return self._label_keys

    def _labels(self, labels: Any) -> Any:
        label_values = super()._labels(labels)
        if not self._label_keys:
            return {"labels": label_values, "label_ids": label_values}
        table = index_table_from_tensor(self._label_keys, name="label_id_lookup")
        return {"labels": label_values, "label_ids": table.lookup(label_values)}

    def _loss(self, labels: Any, logits: Any, weights: Any) -> Any:
        ids = labels["label_ids"]
        if self._loss_fn:
            return custom_loss(self._loss_fn, ids, logits, weights)
        with name_scope(None, "softmax_cross_entropy_loss", (logits, ids)) as scope:
            ids = ops.convert_to_tensor(ids)
            if not ids.dtype.is_integer:
                raise ValueError(f"Labels dtype should be integer Instead got {ids.dtype}.")
            is_column = len(ids.get_shape()) == 2
            if is_column:
                ids = ops.squeeze(ids, axis=(1,))
            losses = ops.sparse_softmax_cross_entropy_with_logits(
                labels=ids, logits=logits, name=scope
            )
            if is_column:
                losses = ops.expand_dims(losses, axis=(1,))
            return weighted_loss(losses, weights)

    def _predict(self, logits: Tensor) -> dict[str, Tensor]:
        key = PredictionKey
        with name_scope(None, "predictions", (logits,)):
            classes = ops.argmax(logits, 1, name=key.CLASSES)
            if self._label_keys:
                table = index_to_string_table_from_tensor(
                    self._label_keys, name="class_string_lookup"
                )
                classes = table.lookup(classes)
            probabilities = ops.softmax(logits, name=key.PROBABILITIES)
            return {key.LOGITS: logits, key.PROBABILITIES: probabilities, key.CLASSES: classes}

    def _metrics(self, loss: Any, predictions: dict, labels: Any, weights: Any) -> dict:
        values = (loss, labels["labels"], labels["label_ids"], weights, *predictions.values())
        with name_scope("metrics", values=values):
            classes = predictions[PredictionKey.CLASSES]
            measures = {
                "loss": mean(loss),
                "accuracy": accuracy(labels["labels"], classes, weights),
            }
            logits = predictions[PredictionKey.LOGITS]
            probabilities = predictions[PredictionKey.PROBABILITIES]
            for i in () if self._label_keys else self._class_ids:
                ids = labels["label_ids"]
                measures |= {
                    f"labels/prediction_mean/class{i}": class_frequency(classes, weights, i),
                    f"labels/actual_label_mean/class{i}": class_frequency(ids, weights, i),
                    f"labels/probability_mean/class{i}": class_mean(probabilities, weights, i),
                    f"labels/logits_mean/class{i}": class_mean(logits, weights, i),
                }
        return measures


@deprecated(None, "Please switch to tf.contrib.estimator.*_head.")
def regression_head(
    label_name: str | None = None,
    weight_column_name: str | None = None,
    label_dimension: int = 1,
    enable_centered_bias: bool = False,
    head_name: str | None = None,
    link_fn: Callable[..., Any] | None = None,
) -> Head:
    """Returns a regression head.

    Args:
      label_name: key of this head's labels in a dict of labels.
      weight_column_name: name of the feature with example weights.
      label_dimension: number of regression targets per example.
      enable_centered_bias: whether to add a separately trained bias.
      head_name: head name, also appended to metric names.
      link_fn: function from logits to predictions.
    """
    head_args = (label_name, weight_column_name, enable_centered_bias, head_name)
    return RegressionHead(label_dimension, False, link_fn or ops.identity, *head_args)


@deprecated(None, "Please switch to tf.contrib.estimator.*_head.")
def poisson_regression_head(
    label_name: str | None = None,
    weight_column_name: str | None = None,
    label_dimension: int = 1,
    enable_centered_bias: bool = False,
    head_name: str | None = None,
) -> Head:
    """Returns a Poisson regression head, which predicts mean counts; takes the arguments of `regression_head`."""
    head_args = (label_name, weight_column_name, enable_centered_bias, head_name)
    return RegressionHead(label_dimension, True, ops.exp, *head_args)


@deprecated(None, "Please switch to tf.contrib.estimator.*_head.")
def multi_class_head(
    n_classes: int,
    label_name: str | None = None,
    weight_column_name: str | None = None,
    enable_centered_bias: bool = False,
    head_name: str | None = None,
    thresholds: Sequence[float] | None = None,
    metric_class_ids: Sequence[int] | None = None,
    loss_fn: Callable[..., Any] | None = None,
    label_keys: Iterable[Any] | None = None,
) -> Head:
    """Returns a head for classification into two or more classes.

    Args:
      n_classes: number of classes.
      label_name, weight_column_name, enable_centered_bias, head_name: as in `regression_head`.
      thresholds: for two classes, thresholds of accuracy, precision and recall; by default 0.5.
      metric_class_ids: for three or more classes, the classes with separate metrics.
      loss_fn: loss function of (labels, logits, weights) instead of cross entropy.
      label_keys: class names, for string labels of three or more classes.

    Raises:
      ValueError: if there are fewer than two classes, the names do not match, a class is unknown, or `loss_fn` takes
        other arguments.
    """
    if n_classes is None or n_classes < 2:
        raise ValueError(f"n_classes must be > 1 for classification: {n_classes}.")
    if loss_fn:
        check_loss_fn(loss_fn)
    head_args = (label_name, weight_column_name, enable_centered_bias, head_name)
    if n_classes == 2:
        if metric_class_ids:
            raise ValueError("metric_class_ids invalid for n_classes==2.")
        if label_keys:
            raise ValueError("label_keys is not supported for n_classes=2.")
        return BinaryHead(loss_fn, thresholds, *head_args)
    return MultiClassHead(n_classes, loss_fn, label_keys, metric_class_ids, *head_args)


def check_loss_fn(loss_fn: Callable) -> None:
    """Raises ValueError unless a user's loss function takes labels, logits and weights."""
    for name in ("labels", "logits", "weights"):
        if name not in parameter_names(loss_fn):
            raise ValueError(f"Argument {name} not found in loss_fn.")


@deprecated(None, "Use 'lambda _: tf.no_op()'.")
def no_op_train_fn(loss: TensorLike) -> Any:
    """Returns a training op that does nothing.

    Args:
      loss: unused.
    """
    return ops.no_op()
