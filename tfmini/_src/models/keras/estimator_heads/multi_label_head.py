"""The newer multi-label classification head: independent binary predictions per class."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.names.argument_descriptions import describe_arguments
from tfmini._src.base.read_only import read_only
from tfmini._src.data.lookup_tables.index_table import index_table_from_tensor
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.models.estimator.argument_descriptions import HEAD
from tfmini._src.models.estimator.heads import metrics as measures
from tfmini._src.models.estimator.heads.head import class_outputs
from tfmini._src.models.estimator.heads.multi_label_head import (
    check_vocabulary,
    class_ids,
    thresholds_in_range,
    values_of_class,
)
from tfmini._src.models.keras.estimator_heads import checks, threshold_metrics as thresholds
from tfmini._src.models.keras.estimator_heads.head import MEAN_OF_ALL, SingleHead, add_broadcast
from tfmini._src.models.keras.metrics.auc import AUC
from tfmini._src.models.keras.metrics.reductions import Mean
from tfmini._src.nn.losses.classification_losses import sigmoid_cross_entropy
from tfmini._src.nn.losses.reduction import Reduction
from tfmini._src.ops import ops


@describe_arguments(HEAD)
class MultiLabelHead(SingleHead):
    """Head for non-exclusive classes, with one sigmoid per class.

    Args:
      n_classes: number of classes, 2 or more.
      loss_fn: a function of `labels`, `logits` and optionally `features`, replacing cross entropy.
      classes_for_class_based_metrics: ids or names of classes with additional separate metrics.

    Raises:
      ValueError: for invalid arguments.

    Example: `head = tf.estimator.MultiLabelHead(n_classes=5)`.
    """

    logits_dimension: int = read_only(attribute="_n_classes")

    def __init__(
        self,
        n_classes: int,
        weight_column: Any = None,
        thresholds: Iterable[float] | None = None,
        label_vocabulary: Any = None,
        loss_reduction: str = MEAN_OF_ALL,
        loss_fn: Callable[..., Any] | None = None,
        classes_for_class_based_metrics: Sequence[Any] | None = None,
        name: str | None = None,
    ):
        if n_classes is None or n_classes < 2:
            raise ValueError(
                f"n_classes must be > 1 for multi-label classification. Given: {n_classes}"
            )
        self._thresholds = thresholds_in_range(thresholds)
        check_vocabulary(label_vocabulary, n_classes)
        super().__init__(weight_column, loss_reduction, loss_fn, name)
        self._n_classes, self._label_vocabulary = n_classes, label_vocabulary
        self._metrics = class_ids(classes_for_class_based_metrics, n_classes, label_vocabulary)

    def _labels(self, labels: Any, logits: Any) -> Any:
        if labels is None:
            raise ValueError(checks.NO_LABELS)
        if isinstance(labels, SparseTensor):
            labels = ops.cast(self._indicators(labels), dtypes.int64, name="ToInt64")
        else:
            wrong = "labels must be an integer indicator Tensor with values in [0, 1]"
            labels = checks.in_range(labels, 2, wrong)
        return checks.match_labels(labels, logits, self._n_classes)

    def _indicators(self, labels: SparseTensor) -> Any:
        if labels.dtype == dtypes.string:
            table = index_table_from_tensor(tuple(self._label_vocabulary), name="class_id_lookup")
            ids = SparseTensor(labels.indices, table.lookup(labels.values), labels.dense_shape)
            return ops.sparse_to_indicator(ids, self._n_classes)
        if not labels.values.dtype.is_integer:
            raise ValueError(f"Labels dtype should be integer. Instead got {labels.values.dtype}.")
        wrong = f"labels must be an integer SparseTensor with values in [0, {self._n_classes})"
        values = checks.in_range(labels.values, self._n_classes, wrong)
        with control_dependencies([values]):
            return ops.sparse_to_indicator(labels, self._n_classes)

    def _default_loss(self, labels: Any, logits: Any) -> Any:
        losses = sigmoid_cross_entropy(labels, logits, reduction=Reduction.NONE)
        return ops.reduce_mean(losses, axis=-1, keepdims=True)

    def predictions(self, logits: Any, keys: Any = None) -> dict[str, Any]:
        keys = checks.choose_keys(keys, ["logits", "probabilities"])
        logits, predicted = checks.validate_logits(logits, self._n_classes), {}
        with name_scope(None, "predictions", (logits,)):
            if "logits" in keys:
                predicted["logits"] = logits
            if "probabilities" in keys:
                predicted["probabilities"] = ops.sigmoid(logits, name="probabilities")
            return predicted

    def metrics(self, regularization_losses: Iterable[Any] | None = None) -> dict[str, Any]:
        with name_scope(None, "metrics", (regularization_losses,)):
            metrics: dict[str, Any] = {
                self._key(measures.LOSS_MEAN): Mean(name=measures.LOSS_MEAN),
                self._key("auc"): AUC(name="auc"),
                self._key("auc_precision_recall"): AUC(curve="PR", name="auc_precision_recall"),
                **self._regularization_metric(regularization_losses),
            }
            metrics.update(thresholds.metrics_at(self._thresholds, self._key))
            for class_id in self._metrics:
                mean, roc, curve = self._class_keys(class_id)
                metrics[mean] = Mean(name=mean)
                metrics[roc], metrics[curve] = AUC(name=roc), AUC(curve="PR", name=curve)
            return metrics

    def _class_keys(self, class_id: int) -> list[str]:
        names = self._label_vocabulary
        which = f"class{class_id}" if names is None else names[class_id]
        metric_names = ("probability_mean", "auc", "auc_precision_recall")
        return [self._key(f"{metric_name}/{which}") for metric_name in metric_names]

    def update_metrics(  # type: ignore[override]  # as TensorFlow's
        self,
        eval_metrics: dict[str, Any],
        features: TensorLike,
        logits: TensorLike,
        labels: TensorLike,
        regularization_losses: Iterable[Any] | None = None,
    ) -> dict[str, Any]:
        logits = checks.validate_logits(logits, self._n_classes)
        labels = self._labels(labels, logits)
        losses, weights = self._losses_and_weights(labels, logits, features)
        probabilities = self.predictions(logits, ["probabilities"])["probabilities"]
        eval_metrics[self._key(measures.LOSS_MEAN)].update_state(losses, sample_weight=weights)
        for key in ("auc", "auc_precision_recall"):
            eval_metrics[self._key(key)].update_state(labels, probabilities, sample_weight=weights)
        self._add_regularization(eval_metrics, regularization_losses)
        thresholds.update(eval_metrics, self._thresholds, self._key, labels, probabilities, weights)
        for class_id in self._metrics:
            self._update_class(eval_metrics, class_id, labels, probabilities, weights)
        return eval_metrics

    def _update_class(
        self, metrics: Any, class_id: int, labels: Any, probabilities: Any, weights: Any
    ) -> None:
        probabilities, labels = values_of_class(class_id, probabilities, labels)
        mean, *areas = (metrics[key] for key in self._class_keys(class_id))
        add_broadcast(mean, probabilities, weights)
        for area in areas:
            area.update_state(labels, probabilities, sample_weight=weights)

    def _outputs(self, predictions: dict[str, Any]) -> dict[str, Any]:
        return class_outputs(predictions, self._n_classes, self._label_vocabulary)
