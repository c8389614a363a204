"""`linear_model`: a weighted sum of columns, in a variable scope."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tfmini._src.graph.collections import get_collection
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.tensor import Tensor
from tfmini._src.models.feature_column.base_columns import CategoricalColumn, DenseColumn
from tfmini._src.models.feature_column.column_checks import check_batches, checked_columns
from tfmini._src.models.feature_column.state_manager import (
    ScopeState,
    add_model_variables,
    collect,
)
from tfmini._src.models.feature_column.transformation_cache import TransformationCache
from tfmini._src.models.feature_column.weighted_sums import weighted_sum, weights_height
from tfmini._src.nn.layers.base import Layer
from tfmini._src.nn.layers.base_layer import Layer as BaseLayer
from tfmini._src.ops import ops
from tfmini._src.variables.get_variable import get_variable_scope
from tfmini._src.variables.initializers import Zeros
from tfmini._src.variables.partitioned_variable import PartitionedVariable
from tfmini._src.variables.variable_scope import variable_scope


class _ColumnLayer(Layer):
    """The weights of a column, and the column's term in the weighted sum."""

    def __init__(self, column: Any, units: int, combiner: str, state: ScopeState, name: str):
        super().__init__(trainable=state.trainable, name=name)
        self._column, self._units, self._combiner, self._state = column, units, combiner, state

    def build(self, _: Any) -> None:
        self._weights = self.add_weight(
            name="weights",
            shape=(weights_height(self._column), self._units),
            initializer=Zeros(),
            trainable=self.trainable,
        )
        collect(self._weights, self._state.weight_collections or [])
        self.built = True

    def call(self, cache: Any) -> Tensor:
        return weighted_sum(self._column, cache, self._state, self._combiner, self._weights)


class _BiasLayer(Layer):
    def __init__(self, units: int, state: ScopeState):
        super().__init__(trainable=state.trainable, name="bias_layer")
        self._units, self._state = units, state

    def build(self, _: Any) -> None:
        self._bias = self.add_weight(
            name="bias_weights",
            shape=[self._units],
            initializer=Zeros(),
            trainable=self.trainable,
        )
        collect(self._bias, self._state.weight_collections or [])
        self.built = True

    def call(self, _: Any) -> Any:
        return self._bias


class ScopedLinearModel(BaseLayer):
    """Layer that computes a weighted sum of feature columns.

    All calls share its variables, which are created in variable scopes.

    Args:
      feature_columns, units, sparse_combiner, weight_collections, trainable: as in `linear_model`.
    """

    def __init__(
        self,
        feature_columns: Any,
        units: int = 1,
        sparse_combiner: str = "sum",
        weight_collections: Any = None,
        trainable: bool = True,
        name: str | None = None,
    ):
        super().__init__(name=name)
        self._columns = checked_columns(feature_columns, "_FeatureColumn")
        state = ScopeState(add_model_variables(weight_collections), trainable)
        self._column_layers = []
        for column in self._columns:
            with variable_scope(None, default_name=column.var_scope_name) as scope:
                last = scope.name.rsplit("/", 1)[-1]
            layer = _ColumnLayer(column, units, sparse_combiner, state, last)
            layer._use_resource_variables = True  # as all layers of a model do
            self._column_layers.append(layer)
        self._bias_layer = _BiasLayer(units, state)
        self._bias_layer._use_resource_variables = True
        self._cols_to_vars: dict[Any, list] = {}

    def cols_to_vars(self) -> dict[Any, list]:
        """Returns the variables of each column, and of "bias"."""
        return self._cols_to_vars

    @property
    def bias(self) -> Any:
        """The bias variable."""
        return self._bias_layer.variables[0]

    def call(self, features: dict) -> Tensor:
        """Returns the weighted sum, [batch, units]."""
        with variable_scope(self.name):
            for column in self._columns:
                if not isinstance(column, DenseColumn | CategoricalColumn):
                    raise ValueError(
                        "Items of feature_columns must be either a _DenseColumn or _CategoricalColumn. "
                        f"Given: {column}"
                    )
            cache, sums, columns = TransformationCache(features), [], []
            for layer in sorted(self._column_layers, key=lambda layer: layer.name):
                columns.append(layer._column)
                sums.append(layer(cache))
                self._cols_to_vars[layer._column] = get_collection(
                    GraphKeys.GLOBAL_VARIABLES, scope=layer.scope_name
                )
            check_batches(sums, columns)
            weighted_sum = ops.add_n(sums, name="weighted_sum_no_bias")
            bias = self._bias_layer(cache, scope=get_variable_scope())
            outputs = ops.bias_add(weighted_sum, bias, name="weighted_sum")
            parts = isinstance(self.bias, PartitionedVariable)
            self._cols_to_vars["bias"] = list(self.bias) if parts else [self.bias]
        return outputs


def linear_model(
    features: dict[Any, Any],
    feature_columns: Iterable[Any],
    units: int = 1,
    sparse_combiner: str = "sum",
    weight_collections: str | Sequence[str] | None = None,
    trainable: bool = True,
    cols_to_vars: dict[Any, Any] | None = None,
) -> Tensor:
    """Returns the output of a linear model: the weighted sum of the columns' features plus a bias.

    Args:
      features: a dict from name to tensor [batch, ...], or SparseTensor for sparse features.
      feature_columns: categorical and dense columns.
      units: number of outputs.
      sparse_combiner: combiner for the weights of multivalent columns: "sum", "mean" or "sqrtn".
      weight_collections: keys of additional collections for the variables.
      trainable: whether the variables are trainable.
      cols_to_vars: a dict to fill with each column's variables, and "bias".

    Returns:
      Tensor float32 [batch, units].

    Raises:
      ValueError: for unsupported columns, duplicate names, missing features, or different batch sizes.

    Example:
      age = tf.feature_column.numeric_column("age")
      city = tf.feature_column.categorical_column_with_hash_bucket("city", 100)
      prices = tf.feature_column.linear_model(features, [age, city])
    """
    with variable_scope(None, "linear_model") as scope:
        name = scope.name.rsplit("/", 1)[-1]
    model = ScopedLinearModel(
        feature_columns, units, sparse_combiner, weight_collections, trainable, name
    )
    outputs = model(features)
    if cols_to_vars is not None:
        cols_to_vars.update(model.cols_to_vars())
    return outputs
