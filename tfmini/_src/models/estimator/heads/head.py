"""Base class of heads, which compute predictions, loss, training op and metrics from logits."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, NamedTuple

from tfmini._src.base.read_only import read_only
from tfmini._src.graph.collections import get_collection
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.models.estimator.estimator_spec import EstimatorSpec
from tfmini._src.models.estimator.export.export_output import (
    ClassificationOutput,
    PredictOutput,
    RegressionOutput,
)
from tfmini._src.models.estimator.heads import metrics
from tfmini._src.models.estimator.mode_keys import ModeKeys
from tfmini._src.nn.losses.compute_weighted_loss import compute_weighted_loss
from tfmini._src.nn.losses.reduction import Reduction
from tfmini._src.nn.metrics.running_means import mean as mean_metric
from tfmini._src.ops import ops
from tfmini._src.ops.summaries import scalar_histogram_summary as summaries
from tfmini._src.train.global_step import get_global_step

SERVING, CLASSIFY, REGRESS, PREDICT = "serving_default", "classification", "regression", "predict"


class LossSpec(NamedTuple):
    """Losses of a head: training loss, unreduced loss, weights, processed labels."""

    training_loss: Any
    unreduced_loss: Any
    weights: Any
    processed_labels: Any


class Head(ABC):
    """Final part of a model: computes predictions, losses and metrics from logits.

    `create_estimator_spec` combines these in an EstimatorSpec; subclasses define predictions, loss, metrics and
    exports.
    """

    _name: str | None
    _loss_reduction: str

    name: Any = read_only("Name of the head, also part of its metric names; None if unnamed.")

    @property
    @abstractmethod
    def logits_dimension(self) -> Any:
        """The last dimension of logits."""

    @abstractmethod
    def create_loss(self, features: Any, mode: str, logits: Any, labels: Any) -> LossSpec:
        """Computes the loss of logits and labels.

        Args:
          features: a dict of features, possibly including the weights.
          mode: the mode.
          logits: [..., logits_dimension].
          labels: labels, as accepted by the head.

        Raises:
          ValueError: for incompatible labels or weights.
        """

    @abstractmethod
    def _predict(self, logits: Any) -> dict[str, Tensor]:
        """Returns the predictions by key, possibly including "logits"."""

    @abstractmethod
    def _outputs(self, predictions: dict[str, Tensor]) -> dict[str, Any]:
        """Returns the export outputs of a SavedModel, by signature key."""

    @abstractmethod
    def _metrics(
        self, predictions: dict[str, Tensor], labels: Any, loss: LossSpec, regularization: Any
    ) -> dict[str, Any]:
        """Returns the metrics by key."""

    def _regularization_metric(self, regularization: Any) -> dict[str, Any]:
        if regularization is None:
            return {}
        key = metrics.REGULARIZATION
        mean = mean_metric(regularization, name=key)
        return {metrics.metric_key(self._name, key): mean}

    def _reduce_loss(self, loss: Tensor, weights: Any) -> Tensor:
        return compute_weighted_loss(loss, weights=weights, reduction=self._loss_reduction)

    def create_estimator_spec(
        self,
        features: Any,
        mode: str,
        logits: Any,
        labels: Any = None,
        optimizer: Any = None,
        train_op_fn: Callable | None = None,
        regularization_losses: Any = None,
    ) -> EstimatorSpec:
        """Returns the EstimatorSpec that a model function returns.

        Args:
          features: a dict of features.
          mode: a `tf.estimator.ModeKeys`.
          logits: Tensor [..., logits_dimension].
          labels: the labels; required for TRAIN and EVAL.
          optimizer: the Optimizer for TRAIN.
          train_op_fn: function from the loss to the training operation, instead of `optimizer`.
          regularization_losses: list of scalars added to the loss.

        Raises:
          ValueError: for incompatible labels, logits or weights; in TRAIN, for both or neither of `optimizer` and
            `train_op_fn`.
        """
        with name_scope(self._name, "head"):
            predictions = self._predict(logits)
            logits = predictions.get("logits", next(iter(predictions.values())))
            if mode == ModeKeys.PREDICT:
                outputs = self._outputs(predictions)
                return EstimatorSpec(mode, predictions, export_outputs=outputs)
            loss = self.create_loss(features, mode, logits, labels)
            total, regularization = _with_regularization(loss.training_loss, regularization_losses)
            if mode != ModeKeys.EVAL:
                train_op = add_update_ops(training_op(total, optimizer, train_op_fn))
                mean = self._mean_loss(loss)
        if mode == ModeKeys.EVAL:
            measured = self._metrics(predictions, labels, loss, regularization)
            return EstimatorSpec(mode, predictions, total, eval_metric_ops=measured)
        with name_scope(""):
            scalars = {
                metrics.LOSS: total,
                metrics.LOSS_MEAN: mean,
                metrics.REGULARIZATION: regularization,
            }
            for key, value in scalars.items():
                if value is not None:
                    summaries.scalar(metrics.metric_key(self._name, key), value)
        return EstimatorSpec(ModeKeys.TRAIN, predictions, total, train_op)

    def _mean_loss(self, loss: LossSpec) -> Any:
        if self._loss_reduction != Reduction.SUM:
            return None
        weights = ops.reduce_sum(loss.weights * ops.ones_like(loss.unreduced_loss))
        return loss.training_loss / weights


def _with_regularization(loss: Any, losses: Any) -> tuple[Any, Any]:
    if not losses:
        return loss, None
    regularization = ops.add_n(losses)
    return ops.add_n([loss, regularization]), regularization


def training_op(loss: Any, optimizer: Any, train_op_fn: Callable | None) -> Any:
    """Returns the training op, from an optimizer or a function; raises ValueError unless exactly one is given."""
    if optimizer is not None:
        if train_op_fn is not None:
            raise ValueError("train_op_fn and optimizer cannot both be set.")
        return optimizer.minimize(loss, global_step=get_global_step())
    if train_op_fn is None:
        raise ValueError("train_op_fn and optimizer cannot both be None.")
    return train_op_fn(loss)


def add_update_ops(train_op: Any) -> Any:
    """Returns a training op that also runs update operations collected by layers."""
    updates = get_collection(GraphKeys.UPDATE_OPS)
    return ops.group(train_op, *updates) if updates else train_op


def all_classes(
    logits: Tensor, n_classes: Any, vocabulary: Any = None, as_ids: bool = False
) -> Any:
    """Returns the names (or ids) of all classes for each example, [batch, n_classes]."""
    batch = ops.shape(logits)[0]
    if vocabulary and not as_ids:
        classes = vocabulary
    else:
        classes = ops.range(n_classes)
        if not as_ids:
            classes = ops.as_string(classes)
    return ops.tile(ops.expand_dims(classes, axis=0), multiples=[batch, 1])


def class_outputs(predictions: dict[str, Any], n_classes: Any, vocabulary: Any) -> dict[str, Any]:
    """Returns the export outputs of a classifier by signature key, including a regression if it predicts `logistic`."""
    scores = predictions["probabilities"]
    output = ClassificationOutput(scores=scores, classes=all_classes(scores, n_classes, vocabulary))
    outputs: dict[str, Any] = {SERVING: output, CLASSIFY: output}
    if "logistic" in predictions:
        outputs[REGRESS] = RegressionOutput(predictions["logistic"])
    return {**outputs, PREDICT: PredictOutput(predictions)}
