"""`tf.estimator.Head`, the base class of heads: losses, training with a tf.keras optimizer, and tf.keras metrics."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from tfmini._src.base.names.signature import arguments_of
from tfmini._src.base.read_only import read_only
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.models.estimator.estimator_spec import EstimatorSpec
from tfmini._src.models.estimator.heads import metrics as measures
from tfmini._src.models.estimator.heads.checks import check_loss_fn, custom_loss, to_float
from tfmini._src.models.estimator.mode_keys import ModeKeys
from tfmini._src.models.keras.estimator_heads import checks
from tfmini._src.models.keras.losses.loss import Reduction, weighted_loss
from tfmini._src.models.keras.metrics.reductions import Mean
from tfmini._src.models.keras.optimizers.optimizer_v2 import OptimizerV2
from tfmini._src.ops import ops
from tfmini._src.ops.math.broadcast_weights import broadcast_weights
from tfmini._src.ops.summaries import scalar_histogram_summary as summaries

if TYPE_CHECKING:
    from tfmini._src.models.feature_column.base_columns import FeatureColumn
    from tfmini._src.variables.variable import Variable


class Head(ABC):
    """Final part of a model, which converts logits to predictions, losses and metrics.

    Example:
      head = tf.estimator.BinaryClassHead()
      spec = head.create_estimator_spec(
          features, mode, logits, labels, tf.keras.optimizers.Adam(), tf.trainable_variables())
    """

    @property
    @abstractmethod
    def name(self) -> Any:
        """The name of the head, which is part of its metric names, or None."""

    @property
    @abstractmethod
    def logits_dimension(self) -> Any:
        """The last dimension of logits."""

    @property
    @abstractmethod
    def loss_reduction(self) -> Any:
        """Reduction of the per-example losses, from the newer `tf.losses.Reduction`."""

    @abstractmethod
    def loss(
        self,
        labels: TensorLike,
        logits: TensorLike,
        features: TensorLike | None = None,
        mode: str | None = None,
        regularization_losses: Iterable[Any] | None = None,
    ) -> Any:
        """Computes the loss of logits and labels, a float32 scalar.

        Args:
          labels: labels, as accepted by the head.
          logits: Tensor [..., logits_dimension].
          features: a dict of features, possibly including the weights.
          mode: the mode.
          regularization_losses: list of scalars added to the loss.

        Raises:
          ValueError: if the shapes of labels, logits or weights do not match.
        """

    @abstractmethod
    def predictions(self, logits: TensorLike, keys: TensorLike | None = None) -> Any:
        """Computes predictions by key.

        Args:
          logits: Tensor [..., logits_dimension].
          keys: the requested keys, by default all.

        Raises:
          ValueError: for an unknown key, or logits of an incompatible shape.
        """

    @abstractmethod
    def metrics(self, regularization_losses: Iterable[Any] | None = None) -> dict[str, Any]:
        """Creates tf.keras metrics by key.

        Args:
          regularization_losses: as in `loss`; measured if given.
        """

    @abstractmethod
    def update_metrics(
        self,
        eval_metrics: dict[str, Any],
        features: TensorLike,
        logits: TensorLike,
        labels: TensorLike,
        mode: str | None = None,
        regularization_losses: Iterable[Any] | None = None,
    ) -> dict[str, Any]:
        """Updates metrics with a batch of examples.

        Args:
          eval_metrics: the result of `metrics`.
          features, logits, labels, mode, regularization_losses: as in `loss`.

        Returns:
          The metrics.
        """

    def create_estimator_spec(
        self,
        features: TensorLike,
        mode: str,
        logits: TensorLike,
        labels: TensorLike | None = None,
        optimizer: OptimizerV2 | None = None,
        trainable_variables: Sequence[Variable] | None = None,
        train_op_fn: Callable[..., Any] | None = None,
        update_ops: Sequence[Any] | None = None,
        regularization_losses: Iterable[Any] | None = None,
    ) -> EstimatorSpec:
        """Returns the EstimatorSpec that a model function returns.

        Args:
          features: a dict of features.
          mode: a `tf.estimator.ModeKeys`.
          logits: Tensor [..., logits_dimension].
          labels: the labels; required for TRAIN and EVAL.
          optimizer: the tf.keras optimizer for TRAIN.
          trainable_variables: a list of the variables to update.
          train_op_fn: function from the loss to the training operation, instead of `optimizer`.
          update_ops: a list of operations that run in each step, such as batch normalization updates.
          regularization_losses: list of scalars added to the loss.

        Raises:
          NotImplementedError: if the class does not implement a required method.
          ValueError: for incompatible arguments.
        """
        raise NotImplementedError(
            "Subclasses of Head must implement `create_estimator_spec()` or _create_tpu_estimator_spec()."
        )

    def _key(self, key: str) -> str:
        return measures.metric_key(self.name, key)


class SingleHead(Head):
    """Base class of heads that do not combine others."""

    _weights_for_each_logit = False
    _loss_dimension = 1
    name: Any = read_only()
    loss_reduction: Any = read_only()

    def __init__(
        self,
        weight_column: str | FeatureColumn,
        loss_reduction: str,
        loss_fn: Callable[..., Any] | None,
        name: str | None,
    ):
        checks.check_reduction(loss_reduction)
        check_loss_fn(loss_fn, ("features", "loss_reduction"))
        self._weight_column, self._loss_reduction = weight_column, loss_reduction
        self._loss_fn, self._name = loss_fn, name

    @abstractmethod
    def _labels(self, labels: Any, logits: Any) -> Any:
        """Returns the labels in the format of the loss."""

    @abstractmethod
    def _default_loss(self, labels: Any, logits: Any) -> Any:
        """Returns the default per-example losses."""

    @abstractmethod
    def _outputs(self, predictions: dict[str, Any]) -> dict[str, Any]:
        """Returns the export outputs of a SavedModel, by signature key."""

    def _losses_and_weights(self, labels: Any, logits: Any, features: Any) -> tuple[Any, Any]:
        if self._loss_fn:
            size = self._loss_dimension
            losses = custom_loss(self._loss_fn, labels, logits, features, size)
        else:
            losses = self._default_loss(labels, logits)
        per_logit = self._weights_for_each_logit
        return losses, checks.example_weights(features, self._weight_column, logits, per_logit)

    def loss(
        self,
        labels: Any,
        logits: Any,
        features: Any = None,
        mode: str | None = None,
        regularization_losses: Any = None,
    ) -> Any:
        with name_scope(None, "losses", (logits, labels, regularization_losses, features)):
            logits = checks.validate_logits(logits, self.logits_dimension)
            labels = self._labels(labels, logits)
            losses, weights = self._losses_and_weights(labels, logits, features)
            return regularize(
                weighted_loss(losses, weights, self._loss_reduction), regularization_losses
            )

    @arguments_of(Head.create_estimator_spec)
    def create_estimator_spec(
        self, features: Any, mode: str, logits: Any, labels: Any, *options: Any
    ) -> EstimatorSpec:
        *training, regularization = options
        with name_scope(self._name, "head"):
            predictions = self.predictions(logits)
            if mode == ModeKeys.PREDICT:
                outputs = self._outputs(predictions)
                return EstimatorSpec(mode, predictions, export_outputs=outputs)
            loss = self.loss(labels, logits, features, mode, regularization)
            if mode == ModeKeys.EVAL:
                metrics = self.metrics(regularization)
            else:
                train_op = training_op(loss, *training)
        if mode == ModeKeys.EVAL:
            metrics = self.update_metrics(
                metrics, features, logits, labels, regularization_losses=regularization
            )
            return EstimatorSpec(mode, predictions, loss, eval_metric_ops=metrics)
        summarize(loss, regularization, self._key)
        return EstimatorSpec(ModeKeys.TRAIN, predictions, loss, train_op)

    def _regularization_metric(self, losses: Any) -> dict[str, Any]:
        if losses is None:
            return {}
        return {self._key(measures.REGULARIZATION): Mean(name=measures.REGULARIZATION)}

    def _add_regularization(self, metrics: dict[str, Any], losses: Any) -> None:
        if losses is not None:
            metrics[self._key(measures.REGULARIZATION)].update_state(ops.add_n(losses))


def regularize(loss: Any, regularization: Any) -> Any:
    """Returns a loss plus the regularization losses."""
    return loss if regularization is None else loss + ops.add_n(regularization)


def add_broadcast(metric: Any, values: Any, weights: Any) -> None:
    """Updates a mean metric with values, whose weights are broadcast to their shape."""
    values = to_float(values)
    metric.update_state(values, sample_weight=broadcast_weights(weights, values))


def training_op(
    loss: Any,
    optimizer: Any,
    variables: Any,
    train_op_fn: Callable | None,
    update_ops: Any,
) -> Any:
    """Returns the training op, from an optimizer or a function."""
    if update_ops is not None:
        checks.check_list("update_ops", update_ops)
    with name_scope(""), name_scope("training"):
        if optimizer is not None:
            if train_op_fn is not None:
                raise ValueError("train_op_fn and optimizer cannot both be set.")
            if not isinstance(optimizer, OptimizerV2):
                raise ValueError(
                    "The given optimizer is not a tf.keras.optimizers.Optimizer instance. "
                    f"Given: {optimizer}"
                )
            if variables is None:
                raise ValueError(f"trainable_variables cannot be None. Given {variables}")
            checks.check_list("trainable_variables", variables)
            train_op = optimizer.get_updates(loss, variables)[0]
        elif train_op_fn is not None:
            train_op = train_op_fn(loss)
        else:
            raise ValueError("train_op_fn and optimizer cannot both be None.")
        return train_op if update_ops is None else ops.group(train_op, *update_ops)


def summarize(loss: Any, regularization: Any, key: Callable[[str], str] = str) -> None:
    """Adds summaries of a loss and its regularization."""
    with name_scope(""):
        summaries.scalar(key(measures.LOSS), loss)
        if regularization is not None:
            summaries.scalar(key(measures.REGULARIZATION), ops.add_n(regularization))


MEAN_OF_ALL = Reduction.SUM_OVER_BATCH_SIZE
