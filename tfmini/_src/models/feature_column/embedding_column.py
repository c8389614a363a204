"""Embedding columns: trained vectors by id, in separate or shared tables."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from tfmini._src.base import dtypes
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import TensorShape
from tfmini._src.graph.collections import add_to_collection, get_collection
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.scopes import name_scope
from tfmini._src.models.feature_column.base_columns import (
    CategoricalColumn,
    DenseColumn,
    IdWeightPair,
    SequenceDenseColumn,
    TensorSequenceLengthPair,
)
from tfmini._src.models.feature_column.derived_categorical_columns import WeightedCategoricalColumn
from tfmini._src.models.feature_column.sequence_columns import (
    check_no_sequence,
    check_sequence,
    sequence_lengths,
)
from tfmini._src.ops import ops
from tfmini._src.train.checkpoints.init_from_checkpoint import init_from_checkpoint
from tfmini._src.variables.initializers import TruncatedNormal
from tfmini._src.variables.partitioned_variable import PartitionedVariable


class TableColumn(DenseColumn, SequenceDenseColumn):
    """Base class of embedding columns, which look up table rows by the ids of a categorical column."""

    categorical_column: CategoricalColumn
    dimension: int
    parse_example_spec: dict[str, Any] = read_only(
        attribute="categorical_column.parse_example_spec"
    )

    def transform_feature(self, cache: Any, state: Any) -> Any:
        return cache.get(self.categorical_column, state)

    @property
    def variable_shape(self) -> TensorShape:
        return TensorShape([self.dimension])

    @abstractmethod
    def _rows(self, cache: Any, state: Any) -> Any:
        """Returns the table rows of each example's ids, combined."""

    def get_dense_tensor(self, cache: Any, state: Any) -> Any:
        check_no_sequence(self, state, "embedding_column")
        return self._rows(cache, state)

    def get_sequence_dense_tensor(self, cache: Any, state: Any) -> TensorSequenceLengthPair:
        check_sequence(self, state, "embedding_column")
        dense = self._rows(cache, state)
        ids, _ = self.categorical_column.get_sparse_tensors(cache, state)
        return TensorSequenceLengthPair(dense, sequence_lengths(ids))


class _EmbeddingFields(NamedTuple):
    categorical_column: CategoricalColumn
    dimension: int
    combiner: str
    initializer: Any
    ckpt_to_load_from: str | None
    tensor_name_in_ckpt: str | None
    max_norm: float | None
    trainable: bool


class EmbeddingColumn(TableColumn, _EmbeddingFields):
    """Combined embeddings of each example's ids, from a separate table."""

    @property
    def name(self) -> str:
        return f"{self.categorical_column.name}_embedding"

    def create_state(self, state: Any) -> None:
        state.create_variable(
            self,
            name="embedding_weights",
            shape=(self.categorical_column.num_buckets, self.dimension),
            dtype=dtypes.float32,
            trainable=self.trainable,
            use_resource=True,
            initializer=self.initializer,
        )

    def _embedded_rows(self, pair: IdWeightPair, state: Any) -> Any:
        return _restored_rows(self, pair, state.get_variable(self, "embedding_weights"))

    def _rows(self, cache: Any, state: Any) -> Any:
        return self._embedded_rows(self.categorical_column.get_sparse_tensors(cache, state), state)

    def get_sequence_dense_tensor(self, cache: Any, state: Any) -> TensorSequenceLengthPair:
        check_sequence(self, state, "embedding_column")
        pair = self.categorical_column.get_sparse_tensors(cache, state)
        dense = self._embedded_rows(pair, state)
        return TensorSequenceLengthPair(dense, sequence_lengths(pair.id_tensor))


class _SharedFields(NamedTuple):
    categorical_column: CategoricalColumn
    dimension: int
    combiner: str
    initializer: Any
    shared_embedding_collection_name: str
    ckpt_to_load_from: str | None
    tensor_name_in_ckpt: str | None
    max_norm: float | None
    trainable: bool


class SharedEmbeddingColumn(TableColumn, _SharedFields):
    """Combined embeddings of each example's ids, from a shared table in a collection."""

    is_second = False
    var_scope_name: str = read_only(attribute="shared_embedding_collection_name")

    def __repr__(self) -> str:
        return f"_{super().__repr__()}"

    @property
    def name(self) -> str:
        return f"{self.categorical_column.name}_shared_embedding"

    def create_state(self, state: Any) -> None:
        variable = state.create_variable(
            self,
            name="embedding_weights",
            shape=self._shape,
            dtype=dtypes.float32,
            trainable=self.trainable,
            initializer=self.initializer,
        )
        add_to_collection(self.shared_embedding_collection_name, variable)

    @property
    def _shape(self) -> tuple:
        return self.categorical_column.num_buckets, self.dimension

    def _table(self, state: Any) -> Any:
        key = self.shared_embedding_collection_name
        tables = get_collection(key)
        if not tables:
            return state.get_variable(self, "embedding_weights")
        cures = (
            "Suggested fix A: Choose a unique name for this collection. Suggested fix B: Do not add any "
            "variables to this collection. The feature_column library already adds a variable under the "
            "hood."
        )
        if len(tables) > 1:
            raise ValueError(f"Collection {tables} can only contain one variable. {cures}")
        shape = tables[0].get_shape()
        if shape != self._shape:
            raise ValueError(
                f"Shared embedding collection {key} contains variable {tables[0].name} of unexpected "
                f"shape {shape}. Expected shape is {self._shape}. {cures}"
            )
        return tables[0]

    def _rows(self, cache: Any, state: Any) -> Any:
        with name_scope(None, self.name):
            pair = self.categorical_column.get_sparse_tensors(cache, state)
            return _restored_rows(self, pair, self._table(state))


def _restored_rows(column: Any, pair: IdWeightPair, table: Any) -> Any:
    """Returns the combined rows of a table, which is initialized from the column's checkpoint, if any."""
    restore_table(table, column.ckpt_to_load_from, column.tensor_name_in_ckpt)
    return combined_rows(column, pair, table)


def restore_table(table: Any, checkpoint: str | None, name: Any) -> None:
    """Initializes a table from a checkpoint variable, if any."""
    if checkpoint is not None:
        restored = list(table) if isinstance(table, PartitionedVariable) else table
        init_from_checkpoint(checkpoint, {name: restored})


def combined_rows(column: Any, pair: IdWeightPair, table: Any) -> Any:
    """Returns the table rows of each example's ids, combined by the column's combiner."""
    return ops.safe_embedding_lookup_sparse(
        embedding_weights=table,
        sparse_ids=pair.id_tensor,
        sparse_weights=pair.weight_tensor,
        combiner=column.combiner,
        name=f"{column.name}_weights",
        max_norm=column.max_norm,
    )


def embedding_column(
    categorical_column: CategoricalColumn,
    dimension: int,
    combiner: str = "mean",
    initializer: str | Callable[..., Any] | None = None,
    ckpt_to_load_from: str | None = None,
    tensor_name_in_ckpt: str | None = None,
    max_norm: float | None = None,
    trainable: bool = True,
) -> EmbeddingColumn:
    """Returns an embedding column: one trained vector per id.

    Args:
      categorical_column: the column of ids.
      dimension: vector size.
      combiner: "mean", "sqrtn" or "sum": combiner of an example's vectors.
      initializer: the table's initializer, by default truncated normal with standard deviation 1 /
        sqrt(dimension).
      ckpt_to_load_from, tensor_name_in_ckpt: checkpoint and tensor name to initialize the table from.
      max_norm: maximum L2 norm, to which vectors are clipped; None for no limit.
      trainable: whether the table is trainable.

    Returns:
      The column, with a float32 tensor [batch, dimension].

    Raises:
      ValueError: if the dimension is not positive, the initializer is not callable, or only one of the
        checkpoint arguments is given.

    Example:
      city = tf.feature_column.categorical_column_with_hash_bucket("city", 1000)
      tf.feature_column.input_layer(features, [tf.feature_column.embedding_column(city, 8)])
    """
    arguments = locals()
    check_table(dimension, ckpt_to_load_from, tensor_name_in_ckpt)
    if initializer is not None and not callable(initializer):
        raise ValueError(
            "initializer must be callable if specified. Embedding of column_name: "
            f"{categorical_column.name}"
        )
    arguments["initializer"] = initializer or default_table_initializer(dimension)
    return EmbeddingColumn(**arguments)


def shared_embedding_columns(
    categorical_columns: Sequence[Any],
    dimension: int,
    combiner: str = "mean",
    initializer: str | Callable[..., Any] | None = None,
    shared_embedding_collection_name: str | None = None,
    ckpt_to_load_from: str | None = None,
    tensor_name_in_ckpt: str | None = None,
    max_norm: float | None = None,
    trainable: bool = True,
) -> list[SharedEmbeddingColumn]:
    """Returns embedding columns that share a table.

    Args:
      categorical_columns: list of categorical columns of one class and with the same number of ids.
      dimension, combiner, initializer, ckpt_to_load_from, tensor_name_in_ckpt, max_norm, trainable: as in
        `embedding_column`.
      shared_embedding_collection_name: collection of the table, and its scope; by default derived from the
        columns' names.

    Returns:
      A list of columns, one per categorical column, in order.

    Raises:
      RuntimeError: in eager mode.
      ValueError: for incompatible columns or invalid arguments.
    """
    ordered = order_shared_columns(
        *(categorical_columns, dimension, initializer, ckpt_to_load_from, tensor_name_in_ckpt)
    )
    name = shared_embedding_collection_name
    if not name:
        name = "_".join(column.name for column in ordered) + "_shared_embedding"
    return [
        SharedEmbeddingColumn(
            categorical_column=column,
            dimension=dimension,
            combiner=combiner,
            initializer=initializer or default_table_initializer(dimension),
            shared_embedding_collection_name=name,
            ckpt_to_load_from=ckpt_to_load_from,
            tensor_name_in_ckpt=tensor_name_in_ckpt,
            max_norm=max_norm,
            trainable=trainable,
        )
        for column in categorical_columns
    ]


def default_table_initializer(dimension: int) -> TruncatedNormal:
    """Returns the default initializer of an embedding table."""
    return TruncatedNormal(mean=0.0, stddev=1.0 / math.sqrt(dimension))


def check_table(dimension: Any, checkpoint: str | None, name: str | None) -> None:
    """Raises ValueError unless the dimension is positive, and checkpoint arguments are both given or both omitted."""
    if dimension is None or dimension < 1:
        raise ValueError(f"Invalid dimension {dimension}.")
    if (checkpoint is None) != (name is None):
        raise ValueError(
            "Must specify both `ckpt_to_load_from` and `tensor_name_in_ckpt` or none of them."
        )


def order_shared_columns(
    categorical_columns: Any,
    dimension: Any,
    initializer: Any,
    checkpoint: str | None,
    tensor_name: str | None,
    class_name: str = "_CategoricalColumn",
) -> list[Any]:
    """Returns the columns in name order; raises RuntimeError in eager mode, ValueError if they cannot share a table."""
    if executing_eagerly():
        raise RuntimeError(
            "shared_embedding_columns are not supported when eager execution is enabled."
        )
    check_table(dimension, checkpoint, tensor_name)
    if initializer is not None and not callable(initializer):
        raise ValueError("initializer must be callable if specified.")
    columns = sorted(categorical_columns, key=lambda column: column.name)
    first, count = columns[0], columns[0].num_buckets
    if not isinstance(first, CategoricalColumn):
        raise ValueError(
            f"All categorical_columns must be subclasses of {class_name}. Given: {first}, of type: {type(first)}"
        )
    first = _strip_weights(first)
    for value in columns[1:]:
        column = _strip_weights(value)
        if not isinstance(column, type(first)):
            raise ValueError(
                "To use shared_embedding_column, all categorical_columns must have the same type, or be "
                f"weighted_categorical_column of the same type. Given column: {first} of type: "
                f"{type(first)} does not match given column: {column} of type: {type(column)}"
            )
        if count != column.num_buckets:
            raise ValueError(
                "To use shared_embedding_column, all categorical_columns must have the same number of "
                f"buckets. Given column: {first} with buckets: {count} does  not match column: {column} "
                f"with buckets: {column.num_buckets}"
            )
    return columns


def _strip_weights(column: Any) -> Any:
    return column.categorical_column if isinstance(column, WeightedCategoricalColumn) else column
