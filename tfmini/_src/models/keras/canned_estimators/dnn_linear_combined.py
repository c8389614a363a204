"""Estimators of `tf.compat.v2` that sum the logits of a linear model and a network."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from tfmini._src.base.names.argument_descriptions import describe_arguments
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.models.estimator.argument_descriptions import ESTIMATOR_V2
from tfmini._src.models.estimator.canned.dnn_linear_combined import (
    DNNLinearCombinedClassifier,
    DNNLinearCombinedEstimator,
    DNNLinearCombinedRegressor,
    columns,
)
from tfmini._src.models.estimator.canned.dnn_logit_fn import add_layer_summary
from tfmini._src.models.estimator.canned.linear import check_features
from tfmini._src.models.estimator.estimator_spec import EstimatorSpec
from tfmini._src.models.estimator.estimator_v2 import EstimatorV2
from tfmini._src.models.estimator.mode_keys import ModeKeys
from tfmini._src.models.keras.canned_estimators.default_head import create_head
from tfmini._src.models.keras.canned_estimators.dnn_model import dnn_logits
from tfmini._src.models.keras.canned_estimators.linear import weighted_sums
from tfmini._src.models.keras.canned_estimators.optimizer_by_name import (
    count_steps,
    create_optimizer,
)
from tfmini._src.models.keras.estimator_heads.head import MEAN_OF_ALL
from tfmini._src.ops import ops

_DNN_LEARNING_RATE = 0.001
_LINEAR_LEARNING_RATE = 0.005


class _Part(NamedTuple):
    """One part of the model: logits, optimizer, trainable variables and update operations."""

    logits: Any
    optimizer: Any
    variables: list
    updates: list


class _Settings(NamedTuple):
    """Settings of the linear model and the network."""

    linear_feature_columns: Any
    linear_optimizer: Any
    dnn_feature_columns: Any
    dnn_optimizer: Any
    dnn_hidden_units: Any
    dnn_activation_fn: Any
    dnn_dropout: float | None
    linear_sparse_combiner: str
    batch_norm: bool = False

    def make_model_fn(self, head: Any) -> Callable:
        """Returns the model function of the combined model with a head."""

        def model(features: Any, labels: Any, mode: str, config: Any) -> EstimatorSpec:
            return _model_fn(features, labels, mode, head, self)

        return model


def _network(features: dict, mode: str, size: int, value: _Settings) -> _Part:
    optimizer = value.dnn_optimizer
    if mode == ModeKeys.TRAIN:
        optimizer = create_optimizer(optimizer, _DNN_LEARNING_RATE)
    if not value.dnn_hidden_units:
        raise ValueError("dnn_hidden_units must be defined when dnn_feature_columns is specified.")
    logits, variables, updates = dnn_logits(
        *(features, mode, size, value.dnn_hidden_units, value.dnn_feature_columns),
        *(value.dnn_activation_fn, value.dnn_dropout, value.batch_norm),
    )
    return _Part(logits, optimizer, variables, updates)


def _linear(features: dict, mode: str, size: int, values: _Settings) -> _Part:
    optimizer = values.linear_optimizer
    if mode == ModeKeys.TRAIN:
        rate = min(_LINEAR_LEARNING_RATE, 1.0 / math.sqrt(len(values.linear_feature_columns)))
        optimizer = create_optimizer(optimizer, rate)
    logits, variables = weighted_sums(
        features, size, values.linear_feature_columns, values.linear_sparse_combiner
    )
    add_layer_summary(logits, "linear")
    return _Part(logits, optimizer, variables, [])


def _model_fn(features: Any, labels: Any, mode: str, head: Any, value: _Settings) -> EstimatorSpec:
    check_features(features)
    columns(value.linear_feature_columns, value.dnn_feature_columns)
    size = head.logits_dimension
    parts = [_network(features, mode, size, value)] if value.dnn_feature_columns else []
    if value.linear_feature_columns:
        parts.append(_linear(features, mode, size, value))
    logits = parts[0].logits if len(parts) == 1 else parts[0].logits + parts[1].logits

    def train(loss: Any) -> Any:
        steps: list = []
        for part in parts:
            steps += part.optimizer.get_updates(loss, part.variables)
            steps += part.updates
        return ops.group(*steps)

    if mode == ModeKeys.TRAIN:
        count_steps(parts[0].optimizer)
    return head.create_estimator_spec(
        features=features, mode=mode, labels=labels, train_op_fn=train, logits=logits
    )


@describe_arguments(ESTIMATOR_V2)
class DNNLinearCombinedEstimatorV2(EstimatorV2):
    """Linear model and fully connected network with a shared `tf.estimator.Head`.

    Args:
      head: a head, e.g. `tf.estimator.RegressionHead()`.

    Raises:
      ValueError: if both models lack columns.
    """

    @arguments_of(DNNLinearCombinedEstimator, "input_layer_partitioner")
    def __init__(self, head: Any, model_dir: Any, config: Any, **parts: Any):
        columns(parts["linear_feature_columns"], parts["dnn_feature_columns"])
        super().__init__(_Settings(**parts).make_model_fn(head), model_dir, config)


@describe_arguments(ESTIMATOR_V2)
class DNNLinearCombinedClassifierV2(EstimatorV2):
    """Wide and deep classifier, trained on the mean loss.

    Raises:
      ValueError: if both models lack columns, or an argument is invalid.

    Example:
      city = tf.feature_column.categorical_column_with_hash_bucket("city", 100)
      model = tf.compat.v2.estimator.DNNLinearCombinedClassifier(
          linear_feature_columns=[city],
          dnn_feature_columns=[tf.feature_column.embedding_column(city, 8)],
          dnn_hidden_units=[16])
    """

    @arguments_of(
        DNNLinearCombinedClassifier, "input_layer_partitioner", loss_reduction=MEAN_OF_ALL
    )
    def __init__(self, model_dir: Any, config: Any, warm_start_from: Any, **parts: Any):
        columns(parts["linear_feature_columns"], parts["dnn_feature_columns"])
        head = create_head(parts)
        model = _Settings(**parts).make_model_fn(head)
        super().__init__(model, model_dir, config, warm_start_from=warm_start_from)


@describe_arguments(ESTIMATOR_V2)
class DNNLinearCombinedRegressorV2(EstimatorV2):
    """Wide and deep regressor, trained on the mean squared error.

    Raises:
      ValueError: if both models lack columns, or an argument is invalid.
    """

    @arguments_of(DNNLinearCombinedRegressor, "input_layer_partitioner", loss_reduction=MEAN_OF_ALL)
    def __init__(self, model_dir: Any, config: Any, warm_start_from: Any, **parts: Any):
        columns(parts["linear_feature_columns"], parts["dnn_feature_columns"])
        head = create_head(parts)
        model = _Settings(**parts).make_model_fn(head)
        super().__init__(model, model_dir, config, warm_start_from=warm_start_from)
