"""`tf.contrib.learn` heads for multi-label classification and binary SVMs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.contrib.learn.class_metrics import checked_class_ids, class_auc, class_mean
from tfmini._src.contrib.learn.heads import (
    ClassesHead,
    check_loss_fn,
    custom_loss,
    multi_class_head,
)
from tfmini._src.contrib.learn.model_fn import PredictionKey, ProblemType
from tfmini._src.contrib.learn.single_head import Head, SingleHead, weighted_loss
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.convert_to_tensor import convert_to_tensor_or_sparse_tensor
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.nn.losses.classification_losses import hinge_loss
from tfmini._src.nn.losses.reduction import Reduction
from tfmini._src.nn.metrics.running_means import accuracy, mean
from tfmini._src.ops import ops

_ADVICE = "Please switch to tf.contrib.estimator.*_head."


class BinarySvmHead(SingleHead):
    """Binary classification head with a hinge loss."""

    default_scope = "binary_svm_head"
    problem_type = ProblemType.LOGISTIC_REGRESSION

    def _loss(self, labels: Any, logits: Any, weights: Any) -> Any:
        with name_scope(None, "hinge_loss", (logits, labels)) as name:
            text = ("labels shape should be either [batch_size, 1] or [batch_size]",)
            rank_check = ops.Assert(ops.less_equal(ops.rank(labels), 2), text)
            with control_dependencies((rank_check,)):
                labels = ops.reshape(labels, shape=(-1, 1))
            losses = hinge_loss(labels=labels, logits=logits, scope=name, reduction=Reduction.NONE)
            return weighted_loss(losses, weights)

    def _predict(self, logits: Tensor) -> dict[str, Tensor]:
        key = PredictionKey
        with name_scope(None, "predictions", (logits,)):
            two = ops.concat((ops.zeros_like(logits), logits), 1)
            return {key.LOGITS: logits, key.CLASSES: ops.argmax(two, 1, name=key.CLASSES)}

    def _metrics(self, loss: Any, predictions: dict, labels: Any, weights: Any) -> dict:
        with name_scope("metrics", values=[loss, labels, weights, *predictions.values()]):
            classes = predictions[PredictionKey.CLASSES]
            measures = {
                "loss": mean(loss),
                "accuracy": accuracy(labels, classes, weights),
            }
        return measures


class MultiLabelHead(ClassesHead):
    """Multi-label classification head, with a sigmoid per class."""

    default_scope = "multi_label_head"
    problem_type = ProblemType.CLASSIFICATION

    def __init__(self, n_classes: int, loss_fn: Callable | None, class_ids: Any, *args: Any):
        super().__init__(n_classes, *args)
        self._loss_fn = loss_fn
        self._class_ids = checked_class_ids(class_ids, n_classes)

    def _labels(self, labels: Any) -> Any:
        ids = labels[self._label_name] if isinstance(labels, dict) else labels
        ids = convert_to_tensor_or_sparse_tensor(ids)
        if isinstance(ids, SparseTensor):
            ids = ops.cast(ops.sparse_to_indicator(ids, self._dimension), dtypes.int64)
        return ids

    def _loss(self, labels: Any, logits: Any, weights: Any) -> Any:
        if self._loss_fn:
            return custom_loss(self._loss_fn, labels, logits, weights)
        with name_scope(None, "sigmoid_cross_entropy_loss", (logits, labels)) as name:
            expected = ops.cast(labels, dtypes.float32)
            loss = ops.sigmoid_cross_entropy_with_logits(labels=expected, logits=logits, name=name)
            return weighted_loss(loss, weights)

    def _predict(self, logits: Tensor) -> dict[str, Tensor]:
        key = PredictionKey
        with name_scope(None, "predictions", (logits,)):
            probabilities = ops.sigmoid(logits, name=key.PROBABILITIES)
            classes = ops.cast(ops.greater(logits, 0), dtypes.int64, name=key.CLASSES)
            return {key.LOGITS: logits, key.PROBABILITIES: probabilities, key.CLASSES: classes}

    def _metrics(self, loss: Any, predictions: dict, labels: Any, weights: Any) -> dict:
        with name_scope("metrics", values=[loss, labels, weights, *predictions.values()]):
            classes = predictions[PredictionKey.CLASSES]
            probabilities = predictions[PredictionKey.PROBABILITIES]
            measures = {
                "loss": mean(loss),
                "accuracy": accuracy(labels, classes, weights),
                "auc": class_auc(probabilities, labels, weights, "ROC"),
                "auc_precision_recall": class_auc(probabilities, labels, weights, "PR"),
            }
            for i in self._class_ids:
                logits = predictions[PredictionKey.LOGITS]
                measures |= {
                    f"labels/prediction_mean/class{i}": class_mean(classes, weights, i),
                    f"labels/actual_label_mean/class{i}": class_mean(labels, weights, i),
                    f"labels/probability_mean/class{i}": class_mean(probabilities, weights, i),
                    f"labels/logits_mean/class{i}": class_mean(logits, weights, i),
                    f"auc/class{i}": class_auc(probabilities, labels, weights, "ROC", i),
                    f"auc_precision_recall/class{i}": class_auc(
                        probabilities, labels, weights, "PR", i
                    ),
                }
        return measures


@deprecated(None, _ADVICE)
def binary_svm_head(
    label_name: str | None = None,
    weight_column_name: str | None = None,
    enable_centered_bias: bool = False,
    head_name: str | None = None,
    thresholds: Sequence[float] | None = None,
) -> Head:
    """Returns a binary classification head with a hinge loss.

    Args:
      label_name, weight_column_name, enable_centered_bias, head_name: as in `regression_head`.
      thresholds: unused, as there are no probabilities.
    """
    return BinarySvmHead(1, label_name, weight_column_name, enable_centered_bias, head_name)


@deprecated(None, _ADVICE)
@arguments_of(multi_class_head, "label_keys")
def multi_label_head(n_classes: int, *options: Any) -> Head:
    """Returns a multi-label head: each example belongs to any number of classes.

    Args:
      n_classes: number of classes, at least two.
      label_name: key in a dict of labels: [batch, n_classes] of 0 and 1, or a SparseTensor of ids.
      weight_column_name, enable_centered_bias, head_name: as in `multi_class_head`.
      thresholds: unused, as no metric depends on thresholds.
      metric_class_ids: classes with separate metrics.
      loss_fn: loss function of (labels, logits, weights) instead of cross entropy.

    Raises:
      ValueError: if there are fewer than two classes, an id is out of range, or `loss_fn` takes other arguments.
    """
    if n_classes < 2:
        raise ValueError("n_classes must be > 1 for classification.")
    *head_args, _, metric_class_ids, loss_fn = options
    if loss_fn:
        check_loss_fn(loss_fn)
    return MultiLabelHead(n_classes, loss_fn, metric_class_ids, *head_args)
