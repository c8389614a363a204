"""Baseline Estimators of `tf.compat.v2`, which ignore all features and learn from labels only."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.names.argument_descriptions import describe_arguments
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.models.estimator.argument_descriptions import ESTIMATOR_V2
from tfmini._src.models.estimator.canned.baseline import (
    BaselineClassifier,
    BaselineRegressor,
    checked_batch_size,
)
from tfmini._src.models.estimator.estimator_spec import EstimatorSpec
from tfmini._src.models.estimator.estimator_v2 import EstimatorV2
from tfmini._src.models.estimator.mode_keys import ModeKeys
from tfmini._src.models.keras.canned_estimators.default_head import create_head
from tfmini._src.models.keras.canned_estimators.optimizer_by_name import (
    count_steps,
    create_optimizer,
)
from tfmini._src.models.keras.estimator_heads.head import MEAN_OF_ALL
from tfmini._src.ops import ops
from tfmini._src.variables.variable import Variable

_LEARNING_RATE = 0.3


def _logits(features: dict, size: int, weight_column: Any) -> tuple[Any, Tensor]:
    """Returns the bias, and the logits: the bias repeated for each example."""
    batch, checks = checked_batch_size(features, weight_column, "NumericColumn")
    with control_dependencies(checks), name_scope("baseline"):
        bias = Variable(ops.zeros([size]), name="bias", use_resource=True)
        return bias, ops.multiply(bias, ops.ones([batch, size]))


def _model_fn(
    features: Any, labels: Any, mode: str, head: Any, optimizer: Any, weight_column: Any = None
) -> EstimatorSpec:
    bias, logits = _logits(features, head.logits_dimension, weight_column)
    if mode == ModeKeys.TRAIN:
        optimizer = count_steps(create_optimizer(optimizer, _LEARNING_RATE))
    return head.create_estimator_spec(
        features=features,
        mode=mode,
        logits=logits,
        labels=labels,
        train_op_fn=lambda loss: optimizer.get_updates(loss, [bias])[0],
    )


@describe_arguments(ESTIMATOR_V2)
class BaselineEstimatorV2(EstimatorV2):
    """A bias-only model with a `tf.estimator.Head`."""

    def __init__(
        self, head: Any, model_dir: Any = None, optimizer: Any = "Ftrl", config: Any = None
    ):
        def model(features: Any, labels: Any, mode: str, config: Any) -> EstimatorSpec:
            return _model_fn(features, labels, mode, head, optimizer)

        super().__init__(model_fn=model, model_dir=model_dir, config=config)


@describe_arguments(ESTIMATOR_V2)
class BaselineClassifierV2(EstimatorV2):
    """A classifier that predicts the class frequencies, independent of the features.

    Raises:
      ValueError: for invalid arguments; during training, for labels or weights of the wrong shape.
    """

    @arguments_of(BaselineClassifier, loss_reduction=MEAN_OF_ALL)
    def __init__(self, optimizer: Any, **options: Any):
        weight_column = options["weight_column"]
        head = create_head(options)

        def model(features: Any, labels: Any, mode: str, config: Any) -> EstimatorSpec:
            return _model_fn(features, labels, mode, head, optimizer, weight_column)

        super().__init__(model, **options)


@describe_arguments(ESTIMATOR_V2)
class BaselineRegressorV2(EstimatorV2):
    """A regressor that predicts the mean of the labels, independent of the features.

    Raises:
      ValueError: for invalid arguments; during training, for labels or weights of the wrong shape.
    """

    @arguments_of(BaselineRegressor, loss_reduction=MEAN_OF_ALL)
    def __init__(self, optimizer: Any, **options: Any):
        head = create_head(options)

        def model(features: Any, labels: Any, mode: str, config: Any) -> EstimatorSpec:
            return _model_fn(features, labels, mode, head, optimizer)

        super().__init__(model, **options)
