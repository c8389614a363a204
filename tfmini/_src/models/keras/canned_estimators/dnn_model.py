"""Fully connected networks over dense columns, as tf.keras models."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.models.estimator.canned.dnn_logit_fn import add_layer_summary
from tfmini._src.models.estimator.mode_keys import ModeKeys
from tfmini._src.models.feature_column.column_checks import check_second
from tfmini._src.models.feature_column.dense_features_v2 import DenseFeatures
from tfmini._src.models.keras.engine.model import Model
from tfmini._src.nn.layers.keras.batch_normalization import BatchNormalization
from tfmini._src.nn.layers.keras.dense import Dense
from tfmini._src.nn.layers.keras.dropout import Dropout
from tfmini._src.ops import ops
from tfmini._src.variables.initializers import GlorotUniform


class _Normalization(BatchNormalization):
    """Batch normalization by moving averages; by batch statistics when training and trainable."""

    def call(self, inputs: Any, training: Any = None) -> Any:
        ops.logical_and(training, self.trainable)  # as in TensorFlow's graph
        return super().call(inputs, training and self.trainable)


class _Network(Model):
    """Dense columns followed by fully connected layers."""

    def __init__(
        self,
        units: int,
        hidden_units: Any,
        feature_columns: Any,
        activation_fn: Callable | None,
        dropout: float | None,
        batch_norm: bool,
    ):
        super().__init__(name="dnn")
        with name_scope("input_from_feature_columns") as scope:
            check_second(feature_columns)
            self._inputs_layer = DenseFeatures(feature_columns, name=scope + "input_layer")
        hidden, dropouts, norms = [], [], []
        for i, size in enumerate(hidden_units):
            with name_scope(f"hiddenlayer_{i}") as scope:
                name = scope.removesuffix("/")
                hidden.append(_dense(size, activation_fn, name))
                if dropout is not None:
                    dropouts.append(Dropout(rate=dropout))
                if batch_norm:
                    name = f"{name}/batchnorm_{i}"
                    norms.append(_Normalization(momentum=0.999, trainable=True, name=name))
        self._hidden, self._dropouts, self._norms = hidden, dropouts, norms
        with name_scope("logits") as scope:
            self._logits = _dense(units, None, scope.removesuffix("/"))

    def call(self, features: Any, mode: str) -> Tensor:  # type: ignore[override]
        """Returns the logits of features in a mode."""
        is_training = mode == ModeKeys.TRAIN
        net = self._inputs_layer(features)
        for i, hidden in enumerate(self._hidden):
            net = hidden(net)
            if self._dropouts and is_training:
                net = self._dropouts[i](net, training=True)
            if self._norms:
                net = self._norms[i](net, training=is_training)
            add_layer_summary(net, hidden.name)
        logits = self._logits(net)
        add_layer_summary(logits, self._logits.name)
        return logits


def _dense(units: int, activation: Callable | None, name: str) -> Dense:
    return Dense(units, activation=activation, kernel_initializer=GlorotUniform(), name=name)


def dnn_logits(
    features: dict,
    mode: str,
    units: int,
    hidden_units: Any,
    feature_columns: Any,
    activation_fn: Callable | None,
    dropout: float | None,
    batch_norm: bool,
) -> tuple[Tensor, list, list]:
    """Returns a network's logits, float32 [batch, units], its trainable variables, and its update operations."""
    if not isinstance(units, int):
        raise ValueError(f"units must be an int.  Given type: {type(units)}")
    network = _Network(units, hidden_units, feature_columns, activation_fn, dropout, batch_norm)
    logits = network(features, mode)
    return logits, network.trainable_variables, network.updates


def dnn_logit_fn_builder_v2(
    units: int,
    hidden_units: Any,
    feature_columns: Any,
    activation_fn: Callable | None,
    dropout: float | None,
    batch_norm: bool,
) -> Callable:
    """Builds a function from features to the logits of a fully connected network.

    Args:
      units, hidden_units, feature_columns, activation_fn, batch_norm: as in
        `tf.estimator.experimental.dnn_logit_fn_builder`.
      dropout: dropout probability of hidden layers during training, in [0, 1], or None.

    Returns:
      `logit_fn(features, mode)`, which returns a Tensor [batch, units].

    Raises:
      ValueError: if `units` is not an int.
    """
    if not isinstance(units, int):
        raise ValueError(f"units must be an int.  Given type: {type(units)}")

    def dnn_logit_fn(features: Any, mode: str) -> Tensor:
        return dnn_logits(
            *(features, mode, units, hidden_units, feature_columns),
            *(activation_fn, dropout, batch_norm),
        )[0]

    return dnn_logit_fn
