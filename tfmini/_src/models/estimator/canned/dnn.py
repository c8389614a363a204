"""Estimators of fully connected networks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from tfmini._src.base.names.argument_descriptions import describe_arguments
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.models.estimator.argument_descriptions import ESTIMATOR
from tfmini._src.models.estimator.canned.dnn_logit_fn import dnn_logit_fn_builder
from tfmini._src.models.estimator.canned.linear import check_features
from tfmini._src.models.estimator.canned.optimizer_by_name import create_optimizer
from tfmini._src.models.estimator.estimator import Estimator
from tfmini._src.models.estimator.estimator_spec import EstimatorSpec
from tfmini._src.models.estimator.heads.classification_heads import (
    binary_or_multi_class_head,
)
from tfmini._src.models.estimator.heads.regression_head import RegressionHead
from tfmini._src.nn.losses.reduction import Reduction
from tfmini._src.ops.nn.activations import relu
from tfmini._src.variables.partitioners import min_max_variable_partitioner
from tfmini._src.variables.variable_scope import variable_scope

if TYPE_CHECKING:
    from tfmini._src.models.estimator.run_config import RunConfig
    from tfmini._src.models.estimator.warm_start_settings import WarmStartSettings
    from tfmini._src.train.optimizers.optimizer import Optimizer


_LEARNING_RATE = 0.05


def dnn_model_fn(
    features: Any,
    labels: Any,
    mode: str,
    config: Any,
    head: Any,
    hidden_units: Any,
    feature_columns: Any,
    optimizer: Any,
    activation_fn: Any,
    dropout: float | None,
    input_layer_partitioner: Any,
    batch_norm: bool,
) -> EstimatorSpec:
    """Returns the EstimatorSpec of a network with a head."""
    optimizer = create_optimizer(optimizer, _LEARNING_RATE)
    check_features(features)
    replicas = config.num_ps_replicas if config else 0
    partitioner = min_max_variable_partitioner(max_partitions=replicas)
    with variable_scope("dnn", values=tuple(features.values()), partitioner=partitioner):
        input_partitioner = input_layer_partitioner or min_max_variable_partitioner(
            max_partitions=replicas, min_slice_size=64 << 20
        )
        logit_fn = dnn_logit_fn_builder(
            head.logits_dimension,
            hidden_units,
            tuple(feature_columns or []),
            activation_fn,
            dropout,
            input_partitioner,
            batch_norm,
        )
        return head.create_estimator_spec(
            features=features,
            mode=mode,
            labels=labels,
            optimizer=optimizer,
            logits=logit_fn(features, mode),
        )


def _make_model_fn(*network: Any, **settings: Any) -> Callable:
    def model(features: Any, labels: Any, mode: str, config: Any) -> EstimatorSpec:
        return dnn_model_fn(features, labels, mode, config, *network, **settings)

    return model


@describe_arguments(ESTIMATOR)
class DNNEstimator(Estimator):
    """Fully connected network with a head.

    Args:
      head: a head of `tf.contrib.estimator`.
      feature_columns: dense columns: numeric, bucketized, embedding or indicator columns.
      input_layer_partitioner: partitioner of the embedding variables.

    Raises:
      ValueError: during training, if features are not a dict, or the optimizer is invalid.
    """

    def __init__(
        self,
        head: Any,
        hidden_units: Sequence[int],
        feature_columns: Iterable[Any],
        model_dir: str | None = None,
        optimizer: str | Optimizer | Callable[[], Any] = "Adagrad",
        activation_fn: Callable[..., Any] | None = relu,
        dropout: float | None = None,
        input_layer_partitioner: Callable[..., Any] | None = None,
        config: RunConfig | None = None,
        warm_start_from: str | WarmStartSettings | None = None,
        batch_norm: bool = False,
    ):
        model = _make_model_fn(
            *(head, hidden_units, feature_columns, optimizer, activation_fn, dropout),
            *(input_layer_partitioner, batch_norm),
        )
        super().__init__(model, model_dir, config, warm_start_from=warm_start_from)


@describe_arguments(ESTIMATOR)
class DNNClassifier(Estimator):
    """Fully connected classifier.

    Args:
      feature_columns: dense columns: numeric, bucketized, embedding or indicator columns.
      input_layer_partitioner: partitioner of the embedding variables.

    Raises:
      ValueError: for invalid arguments; during training, for labels or weights of the wrong shape.

    Example:
      age = tf.feature_column.numeric_column("age")
      model = tf.estimator.DNNClassifier([16, 8], [age], n_classes=3)
      model.train(input_fn, steps=1000)
    """

    @arguments_of(DNNEstimator, "head")
    def __init__(
        self,
        model_dir: str | None = None,
        n_classes: int = 2,
        weight_column: Any = None,
        label_vocabulary: Any = None,
        config: Any = None,
        warm_start_from: Any = None,
        loss_reduction: str = Reduction.SUM,
        **network: Any,
    ):
        head = binary_or_multi_class_head(
            n_classes, weight_column, label_vocabulary, loss_reduction
        )
        model = _make_model_fn(head, **network)
        super().__init__(model, model_dir, config, warm_start_from=warm_start_from)


@describe_arguments(ESTIMATOR)
class DNNRegressor(Estimator):
    """Fully connected regressor.

    Args:
      feature_columns: dense columns: numeric, bucketized, embedding or indicator columns.
      input_layer_partitioner: partitioner of the embedding variables.

    Raises:
      ValueError: for invalid arguments; during training, for labels or weights of the wrong shape.
    """

    @arguments_of(DNNClassifier, "n_classes", "label_vocabulary")
    def __init__(
        self,
        model_dir: str | None = None,
        label_dimension: int = 1,
        weight_column: Any = None,
        config: Any = None,
        warm_start_from: Any = None,
        loss_reduction: str = Reduction.SUM,
        **network: Any,
    ):
        head = RegressionHead(weight_column, label_dimension, loss_reduction)
        model = _make_model_fn(head, **network)
        super().__init__(model, model_dir, config, warm_start_from=warm_start_from)
