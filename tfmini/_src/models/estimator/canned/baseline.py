"""Baseline Estimators, which ignore all features and learn from labels only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from tfmini._src.base.names.argument_descriptions import describe_arguments
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.tensor import Tensor
from tfmini._src.models.estimator.argument_descriptions import ESTIMATOR
from tfmini._src.models.estimator.canned.optimizer_by_name import create_optimizer
from tfmini._src.models.estimator.estimator import Estimator
from tfmini._src.models.estimator.estimator_spec import EstimatorSpec
from tfmini._src.models.estimator.heads.classification_heads import (
    binary_or_multi_class_head,
)
from tfmini._src.models.estimator.heads.regression_head import RegressionHead
from tfmini._src.models.feature_column.numeric_columns import NumericColumn
from tfmini._src.nn.losses.reduction import Reduction
from tfmini._src.ops import ops
from tfmini._src.train.global_step import get_global_step
from tfmini._src.variables.get_variable import get_variable
from tfmini._src.variables.initializers import Zeros
from tfmini._src.variables.variable_scope import variable_scope

if TYPE_CHECKING:
    from tfmini._src.models.estimator.run_config import RunConfig
    from tfmini._src.models.feature_column.base_columns import FeatureColumn
    from tfmini._src.train.optimizers.optimizer import Optimizer


_LEARNING_RATE = 0.3


def checked_batch_size(features: dict, weight_column: Any, column_class: str) -> tuple[Any, list]:
    """Returns the batch size and the ops that check that all features except the weights have it."""
    if isinstance(weight_column, NumericColumn) and column_class == "NumericColumn":
        weight_column = weight_column.key
    elif not isinstance(weight_column, str | None):
        raise TypeError(
            f"Weight column must be either a string or {column_class}. "
            f"Given type: {type(weight_column)}."
        )
    batch, checks = None, []
    for name, feature in features.items():
        if name == weight_column:
            continue
        rows = ops.shape(feature)[0]
        if batch is None:
            batch = rows
        else:
            checks.append(ops.assert_equal(batch, rows))
    return batch, checks


def _logits(features: dict, size: int, weight_column: Any) -> Tensor:
    """Returns the bias logits, repeated for each example.

    As in TensorFlow, only weight columns of type `_NumericColumn` are recognized, not those of
    `tf.feature_column`.
    """
    batch, checks = checked_batch_size(features, weight_column, "_NumericColumn")
    with control_dependencies(checks), variable_scope("baseline"):
        bias = get_variable("bias", shape=[size], initializer=Zeros)
        return ops.multiply(bias, ops.ones([batch, size]))


def _model_with(head: Any, optimizer: Any, weight_column: Any = None) -> Callable:
    """Returns the model function of a bias-only model with a head."""

    def model(features: Any, labels: Any, mode: str, config: Any) -> EstimatorSpec:
        logits = _logits(features, head.logits_dimension, weight_column)

        def train(loss: Any) -> Any:
            resolved = create_optimizer(optimizer, _LEARNING_RATE)
            return resolved.minimize(loss, global_step=get_global_step())

        return head.create_estimator_spec(
            features=features, mode=mode, logits=logits, labels=labels, train_op_fn=train
        )

    return model


@describe_arguments(ESTIMATOR)
class BaselineEstimator(Estimator):
    """A bias-only model with a head.

    Args:
      head: a head of `tf.contrib.estimator`.
    """

    def __init__(
        self,
        head: Any,
        model_dir: str | None = None,
        optimizer: str | Optimizer | Callable[[], Any] = "Ftrl",
        config: RunConfig | None = None,
    ):
        super().__init__(_model_with(head, optimizer), model_dir, config)


@describe_arguments(ESTIMATOR)
class BaselineClassifier(Estimator):
    """A classifier that predicts the class frequencies, independent of the features.

    Raises:
      ValueError: for invalid arguments; during training, for labels or weights of the wrong shape.
    """

    def __init__(
        self,
        model_dir: str | None = None,
        n_classes: int = 2,
        weight_column: str | FeatureColumn | None = None,
        label_vocabulary: Sequence[Any] | None = None,
        optimizer: str | Optimizer | Callable[[], Any] = "Ftrl",
        config: RunConfig | None = None,
        loss_reduction: str = Reduction.SUM,
    ):
        head = binary_or_multi_class_head(
            n_classes, weight_column, label_vocabulary, loss_reduction
        )
        super().__init__(_model_with(head, optimizer, weight_column), model_dir, config)


@describe_arguments(ESTIMATOR)
class BaselineRegressor(Estimator):
    """A regressor that predicts the mean of the labels, independent of the features.

    Raises:
      ValueError: for invalid arguments; during training, for labels or weights of the wrong shape.
    """

    @arguments_of(BaselineClassifier, "n_classes", "label_vocabulary")
    def __init__(self, model_dir: Any, label_dimension: int = 1, **options: Any):
        weight_column, loss_reduction = options["weight_column"], options["loss_reduction"]
        head = RegressionHead(weight_column, label_dimension, loss_reduction)
        super().__init__(_model_with(head, options["optimizer"]), model_dir, options["config"])
