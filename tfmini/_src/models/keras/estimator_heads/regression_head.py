"""Newer regression heads."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from tfmini._src.base.names.argument_descriptions import describe_arguments
from tfmini._src.base.read_only import read_only
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.models.estimator.argument_descriptions import HEAD
from tfmini._src.models.estimator.export.export_output import PredictOutput, RegressionOutput
from tfmini._src.models.estimator.heads import metrics as measures
from tfmini._src.models.estimator.heads.checks import to_float
from tfmini._src.models.estimator.heads.head import PREDICT, REGRESS, SERVING
from tfmini._src.models.estimator.heads.regression_head import poisson_loss
from tfmini._src.models.keras.estimator_heads import checks
from tfmini._src.models.keras.estimator_heads.head import MEAN_OF_ALL, SingleHead, add_broadcast
from tfmini._src.models.keras.metrics.reductions import Mean
from tfmini._src.nn.losses.reduction import Reduction
from tfmini._src.nn.losses.regression_losses import mean_squared_error
from tfmini._src.ops import ops

if TYPE_CHECKING:
    from tfmini._src.models.feature_column.base_columns import FeatureColumn


@describe_arguments(HEAD)
class RegressionHead(SingleHead):
    """Head for real-valued labels, with the squared error or another loss.

    Args:
      loss_fn: a function of `labels`, `logits` and optionally `features`, replacing the squared error.
      inverse_link_fn: function from logits to predictions, by default the identity.

    Raises:
      ValueError: for invalid arguments.

    Example: `head = tf.estimator.RegressionHead(label_dimension=2, weight_column="weight")`.
    """

    _weights_for_each_logit = True
    logits_dimension: int = read_only(attribute="_loss_dimension")

    def __init__(
        self,
        label_dimension: int = 1,
        weight_column: Any = None,
        loss_reduction: str = MEAN_OF_ALL,
        loss_fn: Callable[..., Any] | None = None,
        inverse_link_fn: Callable[..., Any] | None = None,
        name: str | None = None,
    ):
        if label_dimension < 1:
            raise ValueError(f"Invalid label_dimension {label_dimension}.")
        super().__init__(weight_column, loss_reduction, loss_fn, name)
        self._loss_dimension = label_dimension
        self._inverse_link_fn = inverse_link_fn

    def _labels(self, labels: Any, logits: Any) -> Any:
        return to_float(checks.match_labels(labels, logits, self._loss_dimension))

    def _default_loss(self, labels: Any, logits: Any) -> Any:
        return mean_squared_error(labels, logits, reduction=Reduction.NONE)

    def predictions(self, logits: TensorLike) -> dict[str, Any]:  # type: ignore[override]  # as TensorFlow's
        logits = checks.validate_logits(logits, self._loss_dimension)
        with name_scope(None, "predictions", (logits,)):
            if not self._inverse_link_fn:
                return {"predictions": logits}
            return {"predictions": self._inverse_link_fn(logits), "logits": logits}

    def metrics(self, regularization_losses: Iterable[Any] | None = None) -> dict[str, Any]:
        with name_scope(None, "metrics", (regularization_losses,)):
            keys = (measures.LOSS_MEAN, "prediction/mean", "label/mean")
            metrics = {self._key(key): Mean(name=key) for key in keys}
            return {**metrics, **self._regularization_metric(regularization_losses)}

    def update_metrics(  # type: ignore[override]  # as TensorFlow's
        self,
        eval_metrics: dict[str, Any],
        features: TensorLike,
        logits: TensorLike,
        labels: TensorLike,
        regularization_losses: Iterable[Any] | None = None,
    ) -> dict[str, Any]:
        predicted = self.predictions(logits)["predictions"]
        logits = checks.validate_logits(logits, self._loss_dimension)
        losses, weights = self._losses_and_weights(self._labels(labels, logits), logits, features)
        eval_metrics[self._key(measures.LOSS_MEAN)].update_state(losses, sample_weight=weights)
        eval_metrics[self._key("label/mean")].update_state(labels, sample_weight=weights)
        add_broadcast(eval_metrics[self._key("prediction/mean")], predicted, weights)
        self._add_regularization(eval_metrics, regularization_losses)
        return eval_metrics

    def _outputs(self, predictions: dict[str, Any]) -> dict[str, Any]:
        output = RegressionOutput(predictions["predictions"])
        return {SERVING: output, REGRESS: output, PREDICT: PredictOutput(predictions)}


class PoissonRegressionHead(RegressionHead):
    """Head for counts, with logits as logarithms of their means.

    Args:
      label_dimension, weight_column, loss_reduction, name: as in `RegressionHead`.
      compute_full_loss: whether to include the loss term that is independent of the logits.

    Example: `head = tf.estimator.PoissonRegressionHead()`.
    """

    def __init__(
        self,
        label_dimension: int = 1,
        weight_column: str | FeatureColumn | None = None,
        loss_reduction: str = MEAN_OF_ALL,
        compute_full_loss: bool = True,
        name: str | None = None,
    ):
        super().__init__(
            label_dimension,
            weight_column,
            loss_reduction,
            poisson_loss(compute_full_loss),
            ops.exp,
            name,
        )


class LogisticRegressionHead(RegressionHead):
    """Head for probabilities, with the cross entropy of labels in [0, 1].

    Args:
      weight_column, loss_reduction, name: as in `RegressionHead`.

    Example: `head = tf.estimator.LogisticRegressionHead(name="clicked")`.
    """

    def __init__(
        self,
        weight_column: str | FeatureColumn | None = None,
        loss_reduction: str = MEAN_OF_ALL,
        name: str | None = None,
    ):
        super().__init__(1, weight_column, loss_reduction, _logistic_loss, ops.sigmoid, name)


def _logistic_loss(labels: Any, logits: Any) -> Any:
    labels = checks.in_range(labels, 2, message="Labels must be in range [0, 1]")
    return ops.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)
