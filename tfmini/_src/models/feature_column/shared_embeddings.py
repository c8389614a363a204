"""`tf.compat.v2.feature_column.shared_embeddings`: layer columns with a shared table per graph."""

from __future__ import annotations

from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from tfmini._src.base import dtypes
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import TensorShape
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.scopes import name_scope
from tfmini._src.models.feature_column.base_columns import CategoricalColumn
from tfmini._src.models.feature_column.embedding_column import (
    TableColumn,
    combined_rows,
    default_table_initializer,
    order_shared_columns,
    restore_table,
    shared_embedding_columns,
)
from tfmini._src.variables.auto_trackable import AutoTrackable
from tfmini._src.variables.get_variable import get_variable


class SharedEmbeddingColumnCreator(AutoTrackable):
    """Creates columns that share a table, one table per graph."""

    dimension: int = read_only("The width of a row.")

    def __init__(
        self,
        dimension: int,
        initializer: Any,
        ckpt_to_load_from: str | None,
        tensor_name_in_ckpt: str | None,
        num_buckets: int,
        trainable: bool,
        name: str = "shared_embedding_column_creator",
    ):
        self._dimension, self._num_buckets, self._name = dimension, num_buckets, name
        self._initializer, self._trainable = initializer, trainable
        self._ckpt_to_load_from = ckpt_to_load_from
        self._tensor_name_in_ckpt = tensor_name_in_ckpt
        self._embedding_weights: WeakKeyDictionary = WeakKeyDictionary()

    def __call__(self, categorical_column: Any, combiner: str, max_norm: Any) -> Any:
        return SharedEmbeddingColumn(categorical_column, self, combiner, max_norm)

    @property
    def embedding_weights(self) -> Any:
        """The table in the default graph, created in the variable scope of its first use."""
        graph: Any = get_default_graph()
        while graph.building_function:
            graph = graph._outer_graph
        if graph not in self._embedding_weights:
            variable = get_variable(
                name=self._name,
                shape=(self._num_buckets, self._dimension),
                dtype=dtypes.float32,
                initializer=self._initializer,
                trainable=self._trainable,
            )
            restore_table(variable, self._ckpt_to_load_from, self._tensor_name_in_ckpt)
            self._embedding_weights[graph] = variable
        return self._embedding_weights[graph]


class _Fields(NamedTuple):
    categorical_column: CategoricalColumn
    shared_embedding_column_creator: SharedEmbeddingColumnCreator
    combiner: str
    max_norm: float | None


class SharedEmbeddingColumn(TableColumn, _Fields):
    """Combined embeddings of each example's ids, from a table shared with other columns."""

    @property
    def name(self) -> str:
        return f"{self.categorical_column.name}_shared_embedding"

    @property
    def variable_shape(self) -> TensorShape:
        return TensorShape([self.shared_embedding_column_creator.dimension])

    def _rows(self, cache: Any, state: Any) -> Any:
        if state is not None and not state.is_layer:
            raise ValueError(
                "SharedEmbeddingColumns are not supported in `linear_model` or `input_layer`. Please use "
                "`DenseFeatures` or `LinearModel` instead."
            )
        with name_scope(None, self.name):
            pair = self.categorical_column.get_sparse_tensors(cache, state)
            table = self.shared_embedding_column_creator.embedding_weights
            return combined_rows(self, pair, table)


@arguments_of(shared_embedding_columns)
def shared_embeddings(
    categorical_columns: Any,
    dimension: int,
    combiner: str,
    initializer: Any,
    shared_embedding_collection_name: str | None,
    ckpt_to_load_from: str | None,
    tensor_name_in_ckpt: str | None,
    max_norm: float | None,
    trainable: bool,
) -> list[SharedEmbeddingColumn]:
    """Returns layer columns that share a table.

    Args:
      categorical_columns: list of categorical columns of one class and with the same number of ids.
      dimension, combiner, initializer, ckpt_to_load_from, tensor_name_in_ckpt, max_norm, trainable: as in
        `embedding_column`.
      shared_embedding_collection_name: name of the table; by default derived from the columns' names.

    Returns:
      A list of columns, one per categorical column, in order.

    Raises:
      RuntimeError: in eager mode.
      ValueError: for incompatible columns or invalid arguments.
    """
    ordered = order_shared_columns(
        *(categorical_columns, dimension, initializer, ckpt_to_load_from, tensor_name_in_ckpt),
        "CategoricalColumn",
    )
    joined_name = "_".join(column.name for column in ordered) + "_shared_embedding"
    creator = SharedEmbeddingColumnCreator(
        dimension,
        initializer or default_table_initializer(dimension),
        ckpt_to_load_from,
        tensor_name_in_ckpt,
        ordered[0].num_buckets,
        trainable,
        shared_embedding_collection_name or joined_name,
    )
    return [creator(column, combiner, max_norm) for column in categorical_columns]
