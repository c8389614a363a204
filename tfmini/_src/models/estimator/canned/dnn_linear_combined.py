"""Estimators of a linear model and a network with summed logits."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from tfmini._src.base.names.argument_descriptions import describe_arguments
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.graph.collections import get_collection
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.models.estimator.argument_descriptions import ESTIMATOR
from tfmini._src.models.estimator.canned.dnn_logit_fn import add_layer_summary, dnn_logit_fn_builder
from tfmini._src.models.estimator.canned.linear import check_features, linear_logit_fn_builder
from tfmini._src.models.estimator.canned.optimizer_by_name import create_optimizer
from tfmini._src.models.estimator.estimator import Estimator
from tfmini._src.models.estimator.estimator_spec import EstimatorSpec
from tfmini._src.models.estimator.heads.classification_heads import (
    binary_or_multi_class_head,
)
from tfmini._src.models.estimator.heads.regression_head import RegressionHead
from tfmini._src.nn.losses.reduction import Reduction
from tfmini._src.ops import ops
from tfmini._src.ops.nn.activations import relu
from tfmini._src.train.global_step import get_global_step
from tfmini._src.train.monitored.sync_replicas_optimizer import SyncReplicasOptimizer
from tfmini._src.variables.partitioners import min_max_variable_partitioner
from tfmini._src.variables.variable_scope import variable_scope

if TYPE_CHECKING:
    from tfmini._src.models.estimator.run_config import RunConfig
    from tfmini._src.train.optimizers.optimizer import Optimizer


_DNN_LEARNING_RATE = 0.001
_LINEAR_LEARNING_RATE = 0.005


class _Settings(NamedTuple):
    """Settings of the linear model and the network."""

    linear_feature_columns: Any
    linear_optimizer: Any
    dnn_feature_columns: Any
    dnn_optimizer: Any
    dnn_hidden_units: Any
    dnn_activation_fn: Any
    dnn_dropout: float | None
    input_layer_partitioner: Any
    batch_norm: bool
    linear_sparse_combiner: str

    def make_model_fn(self, head: Any) -> Callable:
        """Returns the model function of the combined model with a head."""

        def model(features: Any, labels: Any, mode: str, config: Any) -> EstimatorSpec:
            return _model_fn(features, labels, mode, config, head, self)

        return model


def _model_fn(
    features: Any, labels: Any, mode: str, config: Any, head: Any, settings: _Settings
) -> EstimatorSpec:
    check_features(features)
    columns(settings.linear_feature_columns, settings.dnn_feature_columns)
    replicas = config.num_ps_replicas if config else 0
    partitioner = settings.input_layer_partitioner or min_max_variable_partitioner(
        max_partitions=replicas, min_slice_size=64 << 20
    )
    values, parts = tuple(features.values()), []
    if settings.dnn_feature_columns:
        optimizer = _unwrap_replicas(create_optimizer(settings.dnn_optimizer, _DNN_LEARNING_RATE))
        if not settings.dnn_hidden_units:
            raise ValueError(
                "dnn_hidden_units must be defined when dnn_feature_columns is specified."
            )
        layer_partitioner = min_max_variable_partitioner(max_partitions=replicas)
        with variable_scope("dnn", values=values, partitioner=layer_partitioner) as scope:
            logit_fn = dnn_logit_fn_builder(
                head.logits_dimension,
                settings.dnn_hidden_units,
                settings.dnn_feature_columns,
                settings.dnn_activation_fn,
                settings.dnn_dropout,
                partitioner,
                settings.batch_norm,
            )
            parts.append((logit_fn(features, mode), optimizer, scope.name))
    if settings.linear_feature_columns:
        rate = min(_LINEAR_LEARNING_RATE, 1.0 / math.sqrt(len(settings.linear_feature_columns)))
        optimizer = _unwrap_replicas(create_optimizer(settings.linear_optimizer, rate))
        with variable_scope("linear", values=values, partitioner=partitioner) as scope:
            logit_fn = linear_logit_fn_builder(
                head.logits_dimension,
                settings.linear_feature_columns,
                settings.linear_sparse_combiner,
            )
            logits = logit_fn(features)
            add_layer_summary(logits, scope.name)
            parts.append((logits, optimizer, scope.name))
    logits = parts[0][0] if len(parts) == 1 else parts[0][0] + parts[1][0]

    def train(loss: Any) -> Any:
        step = get_global_step()
        steps = [
            optimizer.minimize(
                loss, var_list=get_collection(GraphKeys.TRAINABLE_VARIABLES, scope=scope)
            )
            for _, optimizer, scope in parts
        ]
        with control_dependencies([ops.group(*steps)]):
            return ops.assign_add(step, 1).op

    return head.create_estimator_spec(
        features=features, mode=mode, labels=labels, train_op_fn=train, logits=logits
    )


def columns(linear: Any, dnn: Any) -> list:
    """Returns the columns of the linear model and the network; raises ValueError if there are none."""
    all_columns = [*(linear or []), *(dnn or [])]
    if not all_columns:
        raise ValueError("Either linear_feature_columns or dnn_feature_columns must be defined.")
    return all_columns


def _unwrap_replicas(optimizer: Any) -> Any:
    if isinstance(optimizer, SyncReplicasOptimizer):
        raise ValueError(
            "SyncReplicasOptimizer does not support multi optimizers case. Therefore, it is not supported "
            "in DNNLinearCombined model. If you want to use this optimizer, please use either DNN or "
            "Linear model."
        )
    return optimizer


@describe_arguments(ESTIMATOR)
class DNNLinearCombinedEstimator(Estimator):
    """Linear model and fully connected network with a shared head.

    Args:
      head: a head of `tf.contrib.estimator`.
      input_layer_partitioner: partitioner of the columns' variables.

    Raises:
      ValueError: if both models lack columns.
    """

    def __init__(
        self,
        head: Any,
        model_dir: str | None = None,
        linear_feature_columns: Iterable[Any] | None = None,
        linear_optimizer: str | Optimizer | Callable[[], Any] = "Ftrl",
        dnn_feature_columns: Iterable[Any] | None = None,
        dnn_optimizer: str | Optimizer | Callable[[], Any] = "Adagrad",
        dnn_hidden_units: Sequence[int] | None = None,
        dnn_activation_fn: Callable[..., Any] | None = relu,
        dnn_dropout: float | None = None,
        input_layer_partitioner: Callable[..., Any] | None = None,
        config: RunConfig | None = None,
        linear_sparse_combiner: str = "sum",
    ):
        columns(linear_feature_columns, dnn_feature_columns)
        settings = _Settings(
            *(linear_feature_columns, linear_optimizer, dnn_feature_columns, dnn_optimizer),
            *(dnn_hidden_units, dnn_activation_fn, dnn_dropout, input_layer_partitioner),
            *(False, linear_sparse_combiner),
        )

        super().__init__(settings.make_model_fn(head), model_dir, config)


@describe_arguments(ESTIMATOR)
class DNNLinearCombinedClassifier(Estimator):
    """Wide and deep classifier: a linear model and a network.

    Args:
      input_layer_partitioner: partitioner of the columns' variables.

    Raises:
      ValueError: if both models lack columns, or an argument is invalid.

    Example:
      city = tf.feature_column.categorical_column_with_hash_bucket("city", 100)
      model = tf.estimator.DNNLinearCombinedClassifier(
          linear_feature_columns=[city],
          dnn_feature_columns=[tf.feature_column.embedding_column(city, 8)],
          dnn_hidden_units=[16])
    """

    @arguments_of(DNNLinearCombinedEstimator, "head")
    def __init__(
        self,
        model_dir: str | None = None,
        dnn_dropout: float | None = None,
        n_classes: int = 2,
        weight_column: Any = None,
        label_vocabulary: Any = None,
        config: Any = None,
        warm_start_from: Any = None,
        loss_reduction: str = Reduction.SUM,
        batch_norm: bool = False,
        **parts: Any,
    ):
        columns(parts["linear_feature_columns"], parts["dnn_feature_columns"])
        head = binary_or_multi_class_head(
            n_classes, weight_column, label_vocabulary, loss_reduction
        )
        settings = _Settings(dnn_dropout=dnn_dropout, batch_norm=batch_norm, **parts)
        model = settings.make_model_fn(head)
        super().__init__(model, model_dir, config, warm_start_from=warm_start_from)


@describe_arguments(ESTIMATOR)
class DNNLinearCombinedRegressor(Estimator):
    """Wide and deep regressor: a linear model and a network.

    Args:
      input_layer_partitioner: partitioner of the columns' variables.

    Raises:
      ValueError: if both models lack columns, or an argument is invalid.
    """

    @arguments_of(DNNLinearCombinedClassifier, "n_classes", "label_vocabulary")
    def __init__(
        self,
        model_dir: str | None = None,
        dnn_dropout: float | None = None,
        label_dimension: int = 1,
        weight_column: Any = None,
        config: Any = None,
        warm_start_from: Any = None,
        loss_reduction: str = Reduction.SUM,
        **parts: Any,
    ):
        columns(parts["linear_feature_columns"], parts["dnn_feature_columns"])
        head = RegressionHead(weight_column, label_dimension, loss_reduction)
        model = _Settings(dnn_dropout=dnn_dropout, **parts).make_model_fn(head)
        super().__init__(model, model_dir, config, warm_start_from=warm_start_from)
