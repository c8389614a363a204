"""Newer classification heads: binary and multi-class."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from tfmini._src.base.names.argument_descriptions import describe_arguments
from tfmini._src.base.read_only import read_only
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.models.estimator.argument_descriptions import HEAD
from tfmini._src.models.estimator.heads import metrics as measures
from tfmini._src.models.estimator.heads.checks import check_thresholds, to_float
from tfmini._src.models.estimator.heads.classification_heads import ClassNames, checked_count
from tfmini._src.models.estimator.heads.head import all_classes
from tfmini._src.models.keras.estimator_heads import checks, threshold_metrics as thresholds
from tfmini._src.models.keras.estimator_heads.head import MEAN_OF_ALL, SingleHead, add_broadcast
from tfmini._src.models.keras.metrics.auc import AUC
from tfmini._src.models.keras.metrics.mean_metrics import Accuracy
from tfmini._src.models.keras.metrics.precision_recall import Precision, Recall
from tfmini._src.models.keras.metrics.reductions import Mean
from tfmini._src.nn.losses.classification_losses import sparse_softmax_cross_entropy
from tfmini._src.nn.losses.reduction import Reduction
from tfmini._src.ops import ops
from tfmini._src.ops.math.broadcast_weights import broadcast_weights


class _ClassesHead(ClassNames, SingleHead):
    """Base class of the `tf.estimator.Head`s for binary and multi-class classification."""

    def _predictions(self, logits: Any, scores: Any, keys: Any) -> dict[str, Any]:
        """Returns the most probable class, and all classes, as ids and names by prediction key."""
        predictions = {}
        if "class_ids" in keys or "classes" in keys:
            ids = ops.expand_dims(ops.argmax(scores, axis=-1, name="class_ids"), axis=-1)
            if "class_ids" in keys:
                predictions["class_ids"] = ids
            if "classes" in keys:
                predictions["classes"] = self._class_names(ids)
        if "all_class_ids" in keys:
            predictions["all_class_ids"] = all_classes(logits, self._n_classes, as_ids=True)
        if "all_classes" in keys:
            predictions["all_classes"] = all_classes(
                logits, self._n_classes, self._label_vocabulary
            )
        return predictions


def _check_vocabulary(vocabulary: Any) -> None:
    if vocabulary is not None and not isinstance(vocabulary, (list, tuple)):
        raise ValueError(
            f"label_vocabulary should be a list or a tuple. Given type: {type(vocabulary)}"
        )


@describe_arguments(HEAD)
class BinaryClassHead(_ClassesHead):
    """Binary classification head, with a sigmoid.

    Args:
      label_vocabulary: names of both classes, if labels are strings.
      loss_fn: a function of `labels`, `logits` and optionally `features`, replacing cross entropy.

    Raises:
      ValueError: for invalid arguments.

    Example: `head = tf.estimator.BinaryClassHead(thresholds=[0.3])`.
    """

    def __init__(
        self,
        weight_column: Any = None,
        thresholds: Iterable[float] | None = None,
        label_vocabulary: Sequence[str] | None = None,
        loss_reduction: str = MEAN_OF_ALL,
        loss_fn: Callable[..., Any] | None = None,
        name: str | None = None,
    ):
        _check_vocabulary(label_vocabulary)
        self._thresholds = check_thresholds(thresholds)
        super().__init__(weight_column, loss_reduction, loss_fn, name)
        self._label_vocabulary = label_vocabulary

    @property
    def logits_dimension(self) -> int:
        return 1

    def _labels(self, labels: Any, logits: Any) -> Any:
        labels = checks.match_labels(labels, logits, 1)
        if self._label_vocabulary is not None:
            labels = self._class_ids(labels)
        return checks.in_range(to_float(labels), 2)

    def _default_loss(self, labels: Any, logits: Any) -> Any:
        return ops.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)

    def predictions(self, logits: Any, keys: Any = None) -> dict[str, Any]:
        valid = ["logits", "logistic", "probabilities", "class_ids", "classes"]
        keys = checks.choose_keys(keys, [*valid, "all_class_ids", "all_classes"])
        logits, predicted = checks.validate_logits(logits, 1), {}
        with name_scope(None, "predictions", (logits,)):
            if "logits" in keys:
                predicted["logits"] = logits
            if "logistic" in keys:
                predicted["logistic"] = ops.sigmoid(logits, name="logistic")
            both = (ops.zeros_like(logits), logits)
            two = ops.concat(both, axis=-1, name="two_class_logits")
            if "probabilities" in keys:
                predicted["probabilities"] = ops.softmax(two, name="probabilities")
            return {**predicted, **self._predictions(logits, two, keys)}

    def metrics(self, regularization_losses: Iterable[Any] | None = None) -> dict[str, Any]:
        with name_scope(None, "metrics", (regularization_losses,)):
            metrics: dict[str, Any] = {
                measures.LOSS_MEAN: Mean(name=measures.LOSS_MEAN),
                "accuracy": Accuracy(name="accuracy"),
                "precision": Precision(name="precision"),
                "recall": Recall(name="recall"),
            }
            for key in ("prediction/mean", "label/mean", "accuracy_baseline"):
                metrics[key] = Mean(name=key)
            metrics["auc"] = AUC(name="auc")
            metrics["auc_precision_recall"] = AUC(curve="PR", name="auc_precision_recall")
            metrics = {self._key(key): metric for key, metric in metrics.items()}
            metrics.update(self._regularization_metric(regularization_losses))
            metrics.update(thresholds.metrics_at(self._thresholds, self._key))
            return metrics

    def update_metrics(  # type: ignore[override]  # as TensorFlow's
        self,
        eval_metrics: dict[str, Any],
        features: TensorLike,
        logits: TensorLike,
        labels: TensorLike,
        regularization_losses: Iterable[Any] | None = None,
    ) -> dict[str, Any]:
        ids = self.predictions(logits)["class_ids"]
        logits = checks.validate_logits(logits, 1)
        labels = self._labels(labels, logits)
        losses, weights = self._losses_and_weights(labels, logits, features)
        metrics_by_key = {key: eval_metrics[self._key(key)] for key in _MEASURED_KEYS}
        metrics_by_key[measures.LOSS_MEAN].update_state(losses, sample_weight=weights)
        for key in ("accuracy", "precision", "recall"):
            metrics_by_key[key].update_state(labels, ids, sample_weight=weights)
        logistic = self.predictions(logits, ["logistic"])["logistic"]
        add_broadcast(metrics_by_key["prediction/mean"], logistic, weights)
        add_broadcast(metrics_by_key["label/mean"], labels, weights)
        _set_baseline(metrics_by_key["accuracy_baseline"], metrics_by_key["label/mean"])
        for key in ("auc", "auc_precision_recall"):
            predicted = to_float(logistic)
            stretched = broadcast_weights(weights, predicted)
            metrics_by_key[key].update_state(labels, predicted, sample_weight=stretched)
        self._add_regularization(eval_metrics, regularization_losses)
        thresholds.update(eval_metrics, self._thresholds, self._key, labels, logistic, weights)
        return eval_metrics


_MEASURED_KEYS = (
    *(measures.LOSS_MEAN, "accuracy", "precision", "recall", "prediction/mean", "label/mean"),
    *("accuracy_baseline", "auc", "auc_precision_recall"),
)


def _set_baseline(baseline: Mean, labels_mean: Mean) -> None:
    """Sets the baseline accuracy, which is the frequency of the more frequent class, from the mean of labels."""
    baseline._updates = [ops.no_op()]
    baseline.total = ops.maximum(labels_mean.total, labels_mean.count - labels_mean.total)
    baseline.count = labels_mean.count


@describe_arguments(HEAD)
class MultiClassHead(_ClassesHead):
    """Multi-class classification head, for three or more classes, with a softmax.

    Args:
      n_classes: number of classes.
      loss_fn: a function of `labels`, `logits` and optionally `features`, replacing cross entropy.

    Raises:
      ValueError: for invalid arguments.

    Example: `head = tf.estimator.MultiClassHead(n_classes=3)`.
    """

    logits_dimension: Any = read_only(attribute="_n_classes")

    def __init__(
        self,
        n_classes: int,
        weight_column: Any = None,
        label_vocabulary: Sequence[str] | None = None,
        loss_reduction: str = MEAN_OF_ALL,
        loss_fn: Callable[..., Any] | None = None,
        name: str | None = None,
    ):
        if n_classes is None:
            raise ValueError("n_classes cannot be None")
        _check_vocabulary(label_vocabulary)
        if label_vocabulary is not None and len(label_vocabulary) != n_classes:
            raise ValueError(
                '"label_vocabulary" does not have "n_classes" items. '
                f"len(label_vocabulary)={len(label_vocabulary)}, n_classes={n_classes}, "
                f"label_vocabulary={label_vocabulary}"
            )
        super().__init__(weight_column, loss_reduction, loss_fn, name)
        self._n_classes, self._label_vocabulary = checked_count(n_classes), label_vocabulary

    def _labels(self, labels: Any, logits: Any) -> Any:
        labels = checks.match_labels(labels, logits, 1)
        return checks.in_range(self._checked_ids(labels), self._n_classes)

    def _default_loss(self, labels: Any, logits: Any) -> Any:
        losses = sparse_softmax_cross_entropy(labels, logits, reduction=Reduction.NONE)
        return ops.expand_dims(losses, axis=-1)

    def predictions(self, logits: Any, keys: Any = None) -> dict[str, Any]:
        valid = ["logits", "probabilities", "class_ids", "classes", "all_class_ids", "all_classes"]
        keys = checks.choose_keys(keys, valid)
        logits, predicted = checks.validate_logits(logits, self._n_classes), {}
        with name_scope(None, "predictions", (logits,)):
            if "logits" in keys:
                predicted["logits"] = logits
            if "probabilities" in keys:
                predicted["probabilities"] = ops.softmax(logits, name="probabilities")
            return {**predicted, **self._predictions(logits, logits, keys)}

    def metrics(self, regularization_losses: Iterable[Any] | None = None) -> dict[str, Any]:
        with name_scope(None, "metrics", (regularization_losses,)):
            return {
                self._key(measures.LOSS_MEAN): Mean(name=measures.LOSS_MEAN),
                **self._regularization_metric(regularization_losses),
                self._key("accuracy"): Accuracy(name="accuracy"),
            }

    def update_metrics(  # type: ignore[override]  # as TensorFlow's
        self,
        eval_metrics: dict[str, Any],
        features: TensorLike,
        logits: TensorLike,
        labels: TensorLike,
        regularization_losses: Iterable[Any] | None = None,
    ) -> dict[str, Any]:
        ids = self.predictions(logits)["class_ids"]
        logits = checks.validate_logits(logits, self._n_classes)
        labels = self._labels(labels, logits)
        losses, weights = self._losses_and_weights(labels, logits, features)
        eval_metrics[self._key(measures.LOSS_MEAN)].update_state(losses, sample_weight=weights)
        eval_metrics[self._key("accuracy")].update_state(labels, ids, sample_weight=weights)
        self._add_regularization(eval_metrics, regularization_losses)
        return eval_metrics
