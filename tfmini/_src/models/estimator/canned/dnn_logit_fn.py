"""Fully connected networks over dense columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.models.estimator.mode_keys import ModeKeys
from tfmini._src.models.feature_column.column_checks import are_second
from tfmini._src.models.feature_column.dense_features import DenseFeatures
from tfmini._src.models.feature_column.input_layer import InputLayer
from tfmini._src.nn.layers.base_layer import Layer as BaseLayer
from tfmini._src.nn.layers.batch_normalization import BatchNormalization
from tfmini._src.nn.layers.dense import Dense
from tfmini._src.nn.layers.dropout import Dropout
from tfmini._src.ops import ops
from tfmini._src.ops.summaries import scalar_histogram_summary as summaries
from tfmini._src.variables.initializers import GlorotUniform
from tfmini._src.variables.variable_scope import variable_scope


def add_layer_summary(value: Tensor, tag: str) -> None:
    """Adds summaries of a layer's output."""
    summaries.scalar(f"{tag}/fraction_of_zero_values", ops.zero_fraction(value))
    summaries.histogram(f"{tag}/activation", value)


class _DNNModel(BaseLayer):
    """Dense columns followed by fully connected layers."""

    def __init__(
        self,
        units: int,
        hidden_units: Any,
        feature_columns: Any,
        activation_fn: Callable | None,
        dropout: float | None,
        partitioner: Any,
        batch_norm: bool,
    ):
        super().__init__(name="dnn")
        if are_second(feature_columns):
            self._inputs: Any = DenseFeatures(feature_columns, name="input_layer")
        else:
            self._inputs = InputLayer(feature_columns, name="input_layer", create_scope_now=False)
        self._partitioner = partitioner
        self._hidden, self._dropouts, self._norms, self._scopes = [], [], [], []
        for i, size in enumerate(hidden_units):
            with variable_scope(f"hiddenlayer_{i}") as scope:
                self._hidden.append(_dense(size, activation_fn, scope))
                self._scopes.append(scope.name)
                if dropout is not None:
                    self._dropouts.append(Dropout(rate=dropout))
                if batch_norm:
                    name = f"batchnorm_{i}"
                    norm = BatchNormalization(
                        momentum=0.999, trainable=True, name=name, _scope=name
                    )
                    norm._use_resource_variables = True
                    self._norms.append(norm)
        with variable_scope("logits") as scope:
            self._logits, self._logits_scope = _dense(units, None, scope), scope.name

    def call(self, features: Any, mode: str) -> Tensor:
        is_training = mode == ModeKeys.TRAIN
        outer = get_default_graph().get_name_scope().rsplit("/", 1)[0] + "/"
        with name_scope(outer):  # scope of the variables
            with variable_scope("input_from_feature_columns", partitioner=self._partitioner):
                net = self._inputs(features)
            for i, hidden in enumerate(self._hidden):
                net = hidden(net)
                if self._dropouts and is_training:
                    net = self._dropouts[i](net, training=True)
                if self._norms:
                    net = self._norms[i](net, training=is_training)
                add_layer_summary(net, self._scopes[i])
            logits = self._logits(net)
            add_layer_summary(logits, self._logits_scope)
            return logits


def _dense(units: int, activation: Callable | None, scope: Any) -> Dense:
    layer = Dense(units, activation, kernel_initializer=GlorotUniform(), name=scope, _scope=scope)
    layer._use_resource_variables = True  # as all layers of a model do
    return layer


def dnn_logit_fn_builder(
    units: int,
    hidden_units: Sequence[int],
    feature_columns: Iterable[Any],
    activation_fn: Callable[..., Any] | None,
    dropout: float | None,
    input_layer_partitioner: Callable[..., Any],
    batch_norm: bool,
) -> Callable[..., Any]:
    """Builds a function from features to the logits of a fully connected network.

    Args:
      units: number of logits.
      hidden_units: list of hidden layer sizes.
      feature_columns: dense columns.
      activation_fn: activation of hidden layers.
      dropout: dropout probability of hidden layers during training, in [0, 1], or None.
      input_layer_partitioner: partitioner of the embedding variables.
      batch_norm: whether to apply batch normalization after hidden layers.

    Returns:
      `logit_fn(features, mode)`, which returns a Tensor [batch, units].

    Raises:
      ValueError: if `units` is not an int.
    """
    if not isinstance(units, int):
        raise ValueError(f"units must be an int.  Given type: {type(units)}")

    def dnn_logit_fn(features: Any, mode: str) -> Tensor:
        network = _DNNModel(
            units,
            hidden_units,
            feature_columns,
            activation_fn,
            dropout,
            input_layer_partitioner,
            batch_norm,
        )
        return network(features, mode)

    return dnn_logit_fn
