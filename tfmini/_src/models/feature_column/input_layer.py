"""`input_layer`: concatenated dense columns, in a variable scope."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tfmini._src.base.read_only import read_only
from tfmini._src.graph.collections import get_collection
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.tensor import Tensor
from tfmini._src.models.feature_column.base_columns import DenseColumn
from tfmini._src.models.feature_column.column_checks import check_batches, checked_columns
from tfmini._src.models.feature_column.state_manager import ScopeState, add_model_variables
from tfmini._src.models.feature_column.transformation_cache import TransformationCache
from tfmini._src.ops import ops
from tfmini._src.variables.get_variable import get_variable_scope
from tfmini._src.variables.template import make_template
from tfmini._src.variables.variable_scope import variable_scope


def input_layer(
    features: dict[Any, Any],
    feature_columns: Iterable[Any],
    weight_collections: str | Sequence[str] | None = None,
    trainable: bool = True,
    cols_to_vars: dict[Any, Any] | None = None,
    cols_to_output_tensors: dict[Any, Any] | None = None,
) -> Tensor:
    """Returns the first layer of a network: the concatenated outputs of dense columns.

    Args:
      features: a dict from name to tensor [batch, ...], or SparseTensor for sparse features.
      feature_columns: dense columns: numeric, bucketized, embedding or indicator columns.
      weight_collections: keys of additional collections for embedding variables.
      trainable: whether the variables are trainable.
      cols_to_vars: a dict to fill with each column's variables.
      cols_to_output_tensors: a dict to fill with each column's part.

    Returns:
      Tensor float32 [batch, sum of the columns' widths], with columns in name order.

    Raises:
      ValueError: for columns that are not dense, duplicate names, missing features, or different batch sizes.

    Example:
      age = tf.feature_column.numeric_column("age")
      kind = tf.feature_column.categorical_column_with_identity("kind", 3)
      columns = [age, tf.feature_column.indicator_column(kind)]
      tf.feature_column.input_layer({"age": [[30.0]], "kind": [[2]]}, columns)  # [[30, 0, 0, 1]]
    """
    return _input_layer(
        features,
        feature_columns,
        weight_collections,
        trainable,
        cols_to_vars,
        cols_to_output_tensors,
    )


def _input_layer(
    features: dict,
    feature_columns: Any,
    weight_collections: Any,
    trainable: bool,
    cols_to_vars: dict | None,
    cols_to_output_tensors: dict | None,
    is_template: bool = False,
) -> Tensor:
    columns = checked_columns(feature_columns, "_FeatureColumn")
    for column in columns:
        if not isinstance(column, DenseColumn):
            raise ValueError(
                "Items of feature_columns must be a _DenseColumn. You can wrap a categorical column with "
                f"an embedding_column or indicator_column. Given: {column}"
            )
    state = ScopeState(add_model_variables(weight_collections), trainable)

    def concatenate() -> Tensor:
        cache, outputs = TransformationCache(features), []
        for column in columns:
            with variable_scope(None, default_name=column.var_scope_name):
                tensor = column.get_dense_tensor(cache, state)
                size = column.variable_shape.num_elements()
                output = ops.reshape(tensor, shape=(ops.shape(tensor)[0], size))
                outputs.append(output)
                if cols_to_vars is not None:
                    scope = get_variable_scope().name
                    cols_to_vars[column] = get_collection(GraphKeys.GLOBAL_VARIABLES, scope=scope)
                if cols_to_output_tensors is not None:
                    cols_to_output_tensors[column] = output
        check_batches(outputs, columns)
        return ops.concat(outputs, 1)

    if is_template:
        return concatenate()
    with variable_scope(None, default_name="input_layer", values=features.values()):
        return concatenate()


class InputLayer:
    """An `input_layer` whose variables are shared by all calls.

    Args:
      feature_columns, weight_collections, trainable: as in `input_layer`.
    """

    def __init__(
        self,
        feature_columns: Any,
        weight_collections: Any = None,
        trainable: bool = True,
        name: str = "feature_column_input_layer",
        create_scope_now: bool = True,
    ):
        def layer(features: dict) -> Tensor:
            return _input_layer(
                features, feature_columns, weight_collections, trainable, None, None, True
            )

        self.name = name
        self._template = make_template(name, layer, create_scope_now_=create_scope_now)

    variables: list = read_only("Variables of the columns.", "_template.variables")
    trainable_variables: list = read_only(
        "Trainable variables of the columns.", "_template.trainable_variables"
    )

    def __call__(self, features: dict) -> Tensor:
        """Returns the concatenated outputs of the columns, [batch, sum of widths]."""
        return self._template(features=features)
