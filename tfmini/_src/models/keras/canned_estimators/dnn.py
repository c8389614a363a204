"""Fully connected network Estimators of `tf.compat.v2`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from tfmini._src.base.names.argument_descriptions import describe_arguments
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.models.estimator.argument_descriptions import ESTIMATOR_V2
from tfmini._src.models.estimator.canned.dnn import DNNClassifier, DNNEstimator, DNNRegressor
from tfmini._src.models.estimator.canned.linear import check_features
from tfmini._src.models.estimator.estimator_spec import EstimatorSpec
from tfmini._src.models.estimator.estimator_v2 import EstimatorV2
from tfmini._src.models.estimator.mode_keys import ModeKeys
from tfmini._src.models.keras.canned_estimators.default_head import create_head
from tfmini._src.models.keras.canned_estimators.dnn_model import dnn_logits
from tfmini._src.models.keras.canned_estimators.optimizer_by_name import (
    count_steps,
    create_optimizer,
)
from tfmini._src.models.keras.estimator_heads.head import MEAN_OF_ALL
from tfmini._src.ops.nn.activations import relu


class _Settings(NamedTuple):
    """Settings of a network."""

    hidden_units: Any
    feature_columns: Any
    optimizer: Any
    activation_fn: Any
    dropout: float | None
    batch_norm: bool

    def make_model_fn(self, head: Any) -> Callable:
        """Returns the model function of the network with a head."""

        def model(features: Any, labels: Any, mode: str, config: Any) -> EstimatorSpec:
            return dnn_model_fn_v2(
                *(features, labels, mode, head, self.hidden_units),
                *(tuple(self.feature_columns or []), self.optimizer, self.activation_fn),
                dropout=self.dropout,
                config=config,
                batch_norm=self.batch_norm,
            )

        return model


@describe_arguments(ESTIMATOR_V2)
def dnn_model_fn_v2(
    features: Any,
    labels: Any,
    mode: str,
    head: Any,
    hidden_units: Any,
    feature_columns: Any,
    optimizer: Any = "Adagrad",
    activation_fn: Any = relu,
    dropout: float | None = None,
    config: Any = None,
    use_tpu: bool = False,
    batch_norm: bool = False,
) -> EstimatorSpec:
    """Returns the EstimatorSpec of a fully connected network with a `tf.estimator.Head`.

    Args:
      features: a dict of tensors by name.
      labels: labels, as accepted by the head.
      mode: a `tf.estimator.ModeKeys`.
      feature_columns: dense columns.
      config: ignored, as in TensorFlow.
      use_tpu: must be False.

    Raises:
      ValueError: if features are not a dict, or for invalid arguments.
      NotImplementedError: for TPUs.
    """
    if use_tpu:
        raise NotImplementedError("TPUs are not supported: use_tpu must be False.")
    check_features(features)
    logits, variables, updates = dnn_logits(
        *(features, mode, head.logits_dimension, hidden_units, feature_columns),
        *(activation_fn, dropout, batch_norm),
    )
    if mode == ModeKeys.TRAIN:
        optimizer = count_steps(create_optimizer(optimizer))
    return head.create_estimator_spec(
        features=features,
        mode=mode,
        labels=labels,
        optimizer=optimizer,
        logits=logits,
        trainable_variables=variables,
        update_ops=updates,
    )


@describe_arguments(ESTIMATOR_V2)
class DNNEstimatorV2(EstimatorV2):
    """Fully connected network with a `tf.estimator.Head`.

    Args:
      feature_columns: dense columns: numeric, bucketized, embedding or indicator columns.

    Raises:
      ValueError: during training, if features are not a dict, or the optimizer is invalid.
    """

    @arguments_of(DNNEstimator, "input_layer_partitioner")
    def __init__(
        self, head: Any, model_dir: Any, config: Any, warm_start_from: Any, **network: Any
    ):
        model = _Settings(**network).make_model_fn(head)
        super().__init__(model, model_dir, config, warm_start_from=warm_start_from)


@describe_arguments(ESTIMATOR_V2)
class DNNClassifierV2(EstimatorV2):
    """Fully connected classifier, trained on the mean loss.

    Args:
      feature_columns: dense columns: numeric, bucketized, embedding or indicator columns.
      optimizer: a `tf.keras` optimizer, its name (for the default learning rate), or a function that returns
        it.

    Raises:
      ValueError: for invalid arguments; during training, for labels or weights of the wrong shape.

    Example:
      model = tf.compat.v2.estimator.DNNClassifier([64, 32], [tf.feature_column.numeric_column("x", [784])])
      model.train(input_fn, steps=1000)
    """

    @arguments_of(DNNClassifier, "input_layer_partitioner", loss_reduction=MEAN_OF_ALL)
    def __init__(self, model_dir: Any, config: Any, warm_start_from: Any, **network: Any):
        head = create_head(network)
        model = _Settings(**network).make_model_fn(head)
        super().__init__(model, model_dir, config, warm_start_from=warm_start_from)


@describe_arguments(ESTIMATOR_V2)
class DNNRegressorV2(EstimatorV2):
    """Fully connected regressor, trained on the mean squared error.

    Args:
      feature_columns: dense columns: numeric, bucketized, embedding or indicator columns.
      optimizer: a `tf.keras` optimizer, its name (for the default learning rate), or a function that returns
        it.

    Raises:
      ValueError: for invalid arguments; during training, for labels or weights of the wrong shape.
    """

    @arguments_of(DNNRegressor, "input_layer_partitioner", loss_reduction=MEAN_OF_ALL)
    def __init__(self, model_dir: Any, config: Any, warm_start_from: Any, **network: Any):
        head = create_head(network)
        model = _Settings(**network).make_model_fn(head)
        super().__init__(model, model_dir, config, warm_start_from=warm_start_from)
