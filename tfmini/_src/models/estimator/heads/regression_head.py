"""Head for regression."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base.names.argument_descriptions import describe_arguments
from tfmini._src.base.read_only import read_only
from tfmini._src.graph.tensor import Tensor
from tfmini._src.models.estimator.argument_descriptions import HEAD
from tfmini._src.models.estimator.export.export_output import PredictOutput, RegressionOutput
from tfmini._src.models.estimator.heads import checks, metrics as measures
from tfmini._src.models.estimator.heads.head import PREDICT, REGRESS, SERVING, Head, LossSpec
from tfmini._src.nn.losses.reduction import Reduction
from tfmini._src.nn.losses.regression_losses import mean_squared_error
from tfmini._src.nn.metrics.running_means import mean
from tfmini._src.ops import ops


@describe_arguments(HEAD)
class RegressionHead(Head):
    """Head for real-valued labels, with squared error or another loss.

    Args:
      loss_fn: a loss replacing the squared error.
      inverse_link_fn: function from logits to predictions, by default the identity.
    """

    logits_dimension: int = read_only(attribute="_dimension")

    def __init__(
        self,
        weight_column: Any = None,
        label_dimension: int = 1,
        loss_reduction: str = Reduction.SUM,
        loss_fn: Callable | None = None,
        inverse_link_fn: Callable | None = None,
        name: str | None = None,
    ):
        checks.check_reduction(loss_reduction)
        checks.check_loss_fn(loss_fn)
        if label_dimension < 1:
            raise ValueError(f"Invalid label_dimension {label_dimension}.")
        self.weight_column, self._dimension = weight_column, label_dimension
        self._loss_reduction, self._loss_fn, self._name = loss_reduction, loss_fn, name
        self._inverse_link_fn = inverse_link_fn

    def create_loss(self, features: Any, mode: str, logits: Any, labels: Any) -> LossSpec:
        logits, size = ops.convert_to_tensor(logits), self._dimension
        labels = checks.to_float(checks.match_labels(labels, logits, size))
        if self._loss_fn:
            loss = checks.custom_loss(self._loss_fn, labels, logits, features, size)
        else:
            loss = mean_squared_error(labels, logits, reduction=Reduction.NONE)
        weights = checks.match_weights(features, self.weight_column, logits, for_each_logit=True)
        return LossSpec(self._reduce_loss(loss, weights), loss, weights, labels)

    def _predict(self, logits: Any) -> dict[str, Tensor]:
        logits = checks.validate_logits(logits, self._dimension)
        if not self._inverse_link_fn:
            return {"predictions": logits}
        return {"predictions": self._inverse_link_fn(logits), "logits": logits}

    def _outputs(self, predictions: dict[str, Tensor]) -> dict[str, Any]:
        output = RegressionOutput(predictions["predictions"])
        return {SERVING: output, REGRESS: output, PREDICT: PredictOutput(predictions)}

    def _metrics(
        self, predictions: dict[str, Tensor], labels: Any, loss: LossSpec, regularization: Any
    ) -> dict[str, Any]:
        weights, key = loss.weights, "prediction/mean"
        named = {
            measures.LOSS_MEAN: mean(loss.unreduced_loss, weights=weights),
            key: measures.predictions_mean(predictions["predictions"], weights, key),
            "label/mean": mean(labels, weights=weights),
        }
        measured = {measures.metric_key(self._name, key): measure for key, measure in named.items()}
        return {**measured, **self._regularization_metric(regularization)}


def poisson_loss(compute_full_loss: bool) -> Callable:
    """Returns the Poisson loss of count labels and logits, the logarithms of their means."""

    def loss(labels: Any, logits: Any) -> Tensor:
        return ops.log_poisson_loss(
            targets=labels, log_input=logits, compute_full_loss=compute_full_loss
        )

    return loss


def logistic_loss(labels: Any, logits: Any) -> Tensor:
    """Returns the cross entropy of labels in [0, 1]; other labels fail at run time."""
    labels = checks.in_range(labels, 2, message="Labels must be in range [0, 1]")
    return ops.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)
