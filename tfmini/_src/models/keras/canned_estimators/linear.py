"""Linear models of `tf.compat.v2`: a weighted sum of columns per logit."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tfmini._src.base.names.argument_descriptions import describe_arguments
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.graph.tensor import Tensor
from tfmini._src.models.estimator.argument_descriptions import ESTIMATOR_V2
from tfmini._src.models.estimator.canned.linear import (
    LinearClassifier,
    LinearEstimator,
    LinearRegressor,
    check_dual,
    check_features,
    dual_model_spec,
    linear_logit_fn_builder,
    summarize_weights,
)
from tfmini._src.models.estimator.estimator_spec import EstimatorSpec
from tfmini._src.models.estimator.estimator_v2 import EstimatorV2
from tfmini._src.models.estimator.mode_keys import ModeKeys
from tfmini._src.models.estimator.sdca.linear_sdca import LinearSDCA
from tfmini._src.models.feature_column.column_checks import check_second
from tfmini._src.models.feature_column.dense_features import LinearModel
from tfmini._src.models.keras.canned_estimators.default_head import create_head
from tfmini._src.models.keras.canned_estimators.optimizer_by_name import (
    count_steps,
    create_optimizer,
)
from tfmini._src.models.keras.estimator_heads.classification_heads import BinaryClassHead
from tfmini._src.models.keras.estimator_heads.head import MEAN_OF_ALL
from tfmini._src.models.keras.estimator_heads.regression_head import RegressionHead
from tfmini._src.models.keras.optimizers.single_op_optimizers import Ftrl

_LEARNING_RATE = 0.2
_NAME = "linear/linear_model"  # variable scope of the older Estimators


def weighted_sums(
    features: dict, units: int, feature_columns: Any, sparse_combiner: str
) -> tuple[Tensor, list]:
    """Returns the logits of a linear model, float32 [batch, units], and its variables.

    Raises:
      ValueError: for columns in the old protocol.
    """
    check_second(feature_columns)
    model = LinearModel(feature_columns, units, sparse_combiner, name=_NAME)
    logits = model(features)
    summarize_weights(model.bias, [v for v in model.variables if v is not model.bias], units)
    return logits, model.variables


def linear_logit_fn_builder_v2(
    units: int, feature_columns: Any, sparse_combiner: str = "sum"
) -> Callable:
    """Builds a function from features to the logits of a linear model.

    Args:
      units: number of logits.
      feature_columns: categorical and dense columns of `tf.feature_column`.
      sparse_combiner: combiner for the weights of multivalent columns: "sum", "mean" or "sqrtn".

    Returns:
      `logit_fn(features)`, which returns a Tensor [batch, units].
    """

    def linear_logit_fn(features: Any) -> Tensor:
        check_second(feature_columns)
        return linear_logit_fn_builder(units, feature_columns, sparse_combiner)(features)

    return linear_logit_fn


def _model_fn(
    features: Any,
    labels: Any,
    mode: str,
    head: Any,
    feature_columns: tuple,
    optimizer: Any,
    sparse_combiner: str,
) -> EstimatorSpec:
    check_features(features)
    if isinstance(optimizer, LinearSDCA):
        assert sparse_combiner == "sum"
        if not isinstance(head, BinaryClassHead | RegressionHead):
            raise ValueError(f"Unsupported head type: {head}")
        loss = "logistic_loss" if isinstance(head, BinaryClassHead) else "squared_loss"
        weights = head._weight_column
        return dual_model_spec(
            *(features, labels, mode, head, feature_columns, optimizer),
            *(loss, weights, _NAME),
        )
    logits, variables = weighted_sums(
        features, head.logits_dimension, feature_columns, sparse_combiner
    )
    if mode == ModeKeys.TRAIN:
        if not optimizer:
            optimizer = Ftrl(
                learning_rate=min(_LEARNING_RATE, 1.0 / math.sqrt(len(feature_columns)))
            )
        optimizer = count_steps(create_optimizer(optimizer, _LEARNING_RATE))
    return head.create_estimator_spec(
        features=features,
        mode=mode,
        labels=labels,
        optimizer=optimizer,
        trainable_variables=variables,
        logits=logits,
    )


def _make_model_fn(
    head: Any, feature_columns: Any, optimizer: Any, sparse_combiner: str
) -> Callable[..., EstimatorSpec]:
    def model(features: Any, labels: Any, mode: str, config: Any) -> EstimatorSpec:
        columns = tuple(feature_columns or [])
        return _model_fn(features, labels, mode, head, columns, optimizer, sparse_combiner)

    return model


@describe_arguments(ESTIMATOR_V2)
class LinearEstimatorV2(EstimatorV2):
    """A linear model with a `tf.estimator.Head`.

    Args:
      feature_columns: categorical and dense columns.
      optimizer: a `tf.keras` optimizer, its name, a function that returns it, or a
        `tf.estimator.experimental.LinearSDCA`.

    Raises:
      ValueError: during training, if features are not a dict, or the optimizer is invalid.
    """

    @arguments_of(LinearEstimator, "partitioner")
    def __init__(
        self,
        head: Any,
        feature_columns: Any,
        model_dir: Any,
        optimizer: Any,
        config: Any,
        sparse_combiner: str,
    ):
        model = _make_model_fn(head, feature_columns, optimizer, sparse_combiner)
        super().__init__(model, model_dir, config)


@describe_arguments(ESTIMATOR_V2)
class LinearClassifierV2(EstimatorV2):
    """Linear classifier, trained on the mean loss.

    Args:
      feature_columns: categorical and dense columns.
      optimizer: a `tf.keras` optimizer, its name, a function that returns it, or a
        `tf.estimator.experimental.LinearSDCA`.

    Raises:
      ValueError: for invalid arguments; during training, for labels or weights of the wrong shape.

    Example:
      city = tf.feature_column.categorical_column_with_hash_bucket("city", 100)
      model = tf.compat.v2.estimator.LinearClassifier([city])
      model.train(input_fn, steps=1000)
    """

    @arguments_of(LinearClassifier, "partitioner", loss_reduction=MEAN_OF_ALL)
    def __init__(self, feature_columns: Any, optimizer: Any, sparse_combiner: str, **options: Any):
        error_text = "LinearSDCA cannot be used in a multi-class setting."
        check_dual(
            optimizer, feature_columns, sparse_combiner, options["n_classes"] - 1, error_text
        )
        model = _make_model_fn(create_head(options), feature_columns, optimizer, sparse_combiner)
        super().__init__(model, **options)


@describe_arguments(ESTIMATOR_V2)
class LinearRegressorV2(EstimatorV2):
    """Linear regressor, trained on the mean squared error.

    Args:
      feature_columns: categorical and dense columns.
      optimizer: a `tf.keras` optimizer, its name, a function that returns it, or a
        `tf.estimator.experimental.LinearSDCA`.

    Raises:
      ValueError: for invalid arguments; during training, for labels or weights of the wrong shape.
    """

    @arguments_of(LinearRegressor, "partitioner", loss_reduction=MEAN_OF_ALL)
    def __init__(self, feature_columns: Any, optimizer: Any, sparse_combiner: str, **options: Any):
        error_text = "LinearSDCA can only be used with one-dimensional label."
        check_dual(
            optimizer, feature_columns, sparse_combiner, options["label_dimension"], error_text
        )
        model = _make_model_fn(create_head(options), feature_columns, optimizer, sparse_combiner)
        super().__init__(model, **options)
