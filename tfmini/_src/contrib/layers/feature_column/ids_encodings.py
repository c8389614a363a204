"""One-hot and embedding columns, with their own or shared tables."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from tfmini._src.base import dtypes, logs
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import TensorShape
from tfmini._src.contrib.framework.assign_from_checkpoint import init_from_checkpoint
from tfmini._src.contrib.framework.variables import model_variable
from tfmini._src.contrib.layers.feature_column.column import (
    Column,
    DeepArguments,
    inner_flatten,
    transform_column,
)
from tfmini._src.contrib.layers.feature_column.scattered_embedding import (
    COMBINERS,
    scattered_embedding_lookup_sparse,
)
from tfmini._src.contrib.layers.feature_column.sparse_column import (
    SparseColumn,
    WeightedSparseColumn,
)
from tfmini._src.contrib.layers.safe_embedding_lookup_sparse import safe_embedding_lookup_sparse
from tfmini._src.graph.collections import add_to_collection, get_collection
from tfmini._src.models.feature_column.base_columns import DenseColumn
from tfmini._src.ops import ops
from tfmini._src.ops.parsing.feature_specs import VarLenFeature
from tfmini._src.variables.initializers import TruncatedNormal
from tfmini._src.variables.partitioned_variable import PartitionedVariable


class _OneHotFields(NamedTuple):
    sparse_id_column: Any


class OneHotColumn(Column, _OneHotFields, DenseColumn):
    """Column of multi-hot encodings of ids: the count or summed weight of each id."""

    length: int = read_only("The number of ids.", "sparse_id_column.length")
    config: dict[str, Any] = read_only(attribute="sparse_id_column.config")

    @property
    def name(self) -> str:
        return f"{self.sparse_id_column.name}_one_hot"

    def insert_transformed_feature(self, tensors: dict) -> None:
        tensors[self] = transform_column(tensors, self.sparse_id_column)

    def dnn_input(self, tensor: Any, output_rank: int) -> Any:
        ids = inner_flatten(self.sparse_id_column.id_tensor(tensor), output_rank)
        weights = self.sparse_id_column.weight_tensor(tensor)
        if weights is None:
            dense = ops.sparse_tensor_to_dense(ids, default_value=-1)
            positions = ops.one_hot(dense, depth=self.length, on_value=1.0, off_value=0.0)
            return ops.reduce_sum(positions, axis=[output_rank - 1])
        merged = ops.sparse_merge(sp_ids=ids, sp_values=weights, vocab_size=self.length)
        merged = ops.sparse_slice(merged, ops.zeros_like(merged.dense_shape), merged.dense_shape)
        dense = ops.sparse_tensor_to_dense(merged)
        shape = ops.concat([ops.shape(dense)[:-1], [self.length]], axis=0)
        return ops.reshape(dense, shape)

    def transform_feature(self, cache: Any, state: Any = None) -> Any:
        return self.dnn_input(cache.get(self.sparse_id_column), 2)

    @property
    def variable_shape(self) -> TensorShape:
        return TensorShape([self.length])

    def get_dense_tensor(self, cache: Any, state: Any) -> Any:
        return cache.get(self)


class _EmbeddedColumn(Column, DenseColumn):
    """Base class of embedding columns, with the fields `dimension` and `initializer`."""

    dimension: int

    @property
    def key(self) -> str:
        return self._key_without("initializer")

    @property
    def variable_shape(self) -> TensorShape:
        return TensorShape([self.dimension])

    def get_dense_tensor(self, cache: Any, state: Any) -> Any:
        arguments = self.deep_arguments(cache.get(self))
        return lookup_embeddings(self, arguments, state.weight_collections, state.trainable)


class _EmbeddingFields(NamedTuple):
    sparse_id_column: Any
    dimension: int
    combiner: str
    initializer: Any
    ckpt_to_load_from: str | None
    tensor_name_in_ckpt: str | None
    shared_embedding_name: str | None
    shared_vocab_size: int | None
    max_norm: float | None
    trainable: bool


class EmbeddingColumn(_EmbeddedColumn, _EmbeddingFields):
    """Column of the combined embeddings of each example's ids."""

    config: dict[str, Any] = read_only(attribute="sparse_id_column.config")

    @property
    def name(self) -> str:
        suffix = "embedding" if self.shared_embedding_name is None else "shared_embedding"
        return f"{self.sparse_id_column.name}_{suffix}"

    @property
    def length(self) -> int:
        """Number of rows of the embedding table."""
        shared = self.shared_vocab_size
        return self.sparse_id_column.length if shared is None else shared

    @property
    def checkpoint(self) -> tuple[str, Any] | None:
        path = self.ckpt_to_load_from
        return None if path is None else (path, self.tensor_name_in_ckpt)

    def insert_transformed_feature(self, tensors: dict) -> None:
        tensors[self] = transform_column(tensors, self.sparse_id_column)

    def deep_arguments(self, tensor: Any) -> DeepArguments:
        return DeepArguments(
            input_tensor=self.sparse_id_column.id_tensor(tensor),
            weight_tensor=self.sparse_id_column.weight_tensor(tensor),
            vocab_size=self.length,
            initializer=self.initializer,
            combiner=self.combiner,
            dimension=self.dimension,
            shared_embedding_name=self.shared_embedding_name,
            hash_key=None,
            max_norm=self.max_norm,
            trainable=self.trainable,
        )

    def wide_arguments(self, tensor: Any) -> Any:
        raise ValueError(
            f"Column {self} is not supported in linear models. Please use sparse_column."
        )


def lookup_embeddings(
    column: Column, args: DeepArguments, collections: Any, trainable: bool, output_rank: int = 2
) -> Any:
    """Looks up and combines the embeddings of a column's ids, in a new or shared table."""
    ids, weights = inner_flatten(args.input_tensor, output_rank), None
    if args.weight_tensor is not None:
        weights = inner_flatten(args.weight_tensor, output_rank)
    shape, is_trained = [args.vocab_size, args.dimension], trainable and args.trainable
    if args.hash_key:
        shape = [args.vocab_size]

    def create_table(name: str) -> Any:
        return model_variable(
            name=name,
            shape=shape,
            dtype=dtypes.float32,
            initializer=args.initializer,
            trainable=is_trained,
            collections=collections,
        )

    if args.hash_key:
        return scattered_embedding_lookup_sparse(
            create_table("weights"),
            ids,
            args.dimension,
            hash_key=args.hash_key,
            combiner=args.combiner,
            name="lookup",
        )
    if args.shared_embedding_name is None:
        table = create_table("weights")
    else:
        key = "SHARED_EMBEDDING_COLLECTION_" + args.shared_embedding_name.upper()
        collected = get_collection(key)
        if len(collected) > 1:
            raise ValueError(f"Collection {key} can only contain one (partitioned) variable.")
        if collected and collected[0].get_shape() != shape:
            raise ValueError(
                f"The embedding variable with name {args.shared_embedding_name} already exists, but its "
                "shape does not match required embedding shape here. Please make sure to use different "
                "shared_embedding_name for different shared embeddings."
            )
        table = collected[0] if collected else create_table(args.shared_embedding_name)
        if not collected:
            add_to_collection(key, table)
    parts = variable_parts(table)
    restore(column.checkpoint, parts)
    return safe_embedding_lookup_sparse(
        parts,
        ids,
        sparse_weights=weights,
        combiner=args.combiner,
        name=column.name + "weights",
        max_norm=args.max_norm,
    )


def variable_parts(variable: Any) -> list:
    """Returns the partitions of a variable, as a list."""
    return list(variable) if isinstance(variable, PartitionedVariable) else [variable]


def restore(checkpoint: tuple[str, Any] | None, parts: list) -> None:
    """Initializes a variable from a checkpoint, if given."""
    if checkpoint is not None:
        path, name = checkpoint
        init_from_checkpoint(path, {name: parts[0] if len(parts) == 1 else parts})


def one_hot_column(sparse_id_column: Any) -> OneHotColumn:
    """Returns a column of the counts of each id in an example.

    Args:
      sparse_id_column: the column of ids; if weighted, weights are summed instead.
    """
    return OneHotColumn(sparse_id_column)


def embedding_column(
    sparse_id_column: Any,
    dimension: int,
    combiner: str = "mean",
    initializer: str | Callable[..., Any] | None = None,
    ckpt_to_load_from: str | None = None,
    tensor_name_in_ckpt: str | None = None,
    max_norm: float | None = None,
    trainable: bool = True,
) -> EmbeddingColumn:
    """Returns a column of trained embeddings of ids.

    Args:
      sparse_id_column: the column of ids.
      dimension, combiner, ckpt_to_load_from, tensor_name_in_ckpt, trainable: as in
        `tf.feature_column.embedding_column`.
      initializer: the table's initializer, by default truncated normal with standard deviation 1 / sqrt(number of ids).
      max_norm: maximum L2 norm, to which longer vectors are scaled down; None for no limit.

    Raises:
      ValueError: for an initializer that is not a function, or a checkpoint without a tensor name or vice versa.
    """
    return _embedding(
        sparse_id_column,
        (dimension, combiner, initializer, ckpt_to_load_from, tensor_name_in_ckpt),
        (None, None),
        (max_norm, trainable),
    )


def _embedding(ids: Any, first: tuple, shared: tuple, last: tuple) -> EmbeddingColumn:
    dimension, combiner, initializer, checkpoint, name = first
    if initializer is not None and not callable(initializer):
        raise ValueError(
            "initializer must be callable if specified. Embedding of column_name: " + ids.name
        )
    if (checkpoint is None) != (name is None):
        raise ValueError(
            "Must specify both `ckpt_to_load_from` and `tensor_name_in_ckpt` or none of them."
        )
    if initializer is None:
        logs.warn(
            'The default stddev value of initializer was changed from "1/sqrt(vocab_size)" to '
            '"1/sqrt(dimension)" in core implementation (tf.feature_column.embedding_column).'
        )
        initializer = TruncatedNormal(mean=0.0, stddev=1 / math.sqrt(ids.length))
    return EmbeddingColumn(ids, dimension, combiner, initializer, checkpoint, name, *shared, *last)


def shared_embedding_columns(
    sparse_id_columns: Sequence[Any],
    dimension: int,
    combiner: str = "mean",
    shared_embedding_name: str | None = None,
    initializer: str | Callable[..., Any] | None = None,
    ckpt_to_load_from: str | None = None,
    tensor_name_in_ckpt: str | None = None,
    max_norm: float | None = None,
    trainable: bool = True,
) -> Any:
    """Returns columns of trained embeddings that share a table.

    Args:
      sparse_id_columns: list of categorical columns with the same vocabulary.
      dimension, combiner, initializer, ckpt_to_load_from, tensor_name_in_ckpt, max_norm, trainable: as in
        `embedding_column`.
      shared_embedding_name: name of the table, by default derived from the columns' names.

    Returns:
      A tuple of columns, one per categorical column.

    Raises:
      TypeError: if `sparse_id_columns` is not a list of id columns.
      ValueError: if the list is empty, or columns are incompatible.
    """
    if not isinstance(sparse_id_columns, Sequence) or isinstance(sparse_id_columns, str):
        raise TypeError(
            "sparse_id_columns must be a non-string sequence (ex: list or tuple) instead of type "
            f"{type(sparse_id_columns)}."
        )
    if not sparse_id_columns:
        raise ValueError("The input sparse_id_columns should have at least one element.")
    for column in sparse_id_columns:
        if not isinstance(column, SparseColumn | WeightedSparseColumn):
            raise TypeError(
                "Elements of sparse_id_columns must be _SparseColumn or _WeightedSparseColumn, but "
                f"{column} is not."
            )
    first = (dimension, combiner, initializer, ckpt_to_load_from, tensor_name_in_ckpt)
    last = (max_norm, trainable)
    head, *remaining = sparse_id_columns
    if not remaining:
        return [_embedding(head, first, (shared_embedding_name, None), last)]
    weighted = isinstance(head, WeightedSparseColumn)
    for column in remaining:
        if not (head.is_compatible(column) if weighted else column.is_compatible(head)):
            raise ValueError("The input sparse id columns are not compatible.")
    name = shared_embedding_name or _shared_name(sparse_id_columns)
    return tuple(
        _embedding(column, first, (name, head.length), last) for column in sparse_id_columns
    )


def _shared_name(columns: Sequence) -> str:
    plain = sorted(column for column in columns if isinstance(column, SparseColumn))
    weighted = [column for column in columns if isinstance(column, WeightedSparseColumn)]
    ordered = plain + sorted(weighted, key=lambda column: column.name)
    name = "_".join(column.name for column in ordered[:3])
    if len(ordered) > 3:
        name += f"_plus_{len(ordered) - 3}_others"
    return name + "_shared_embedding"


class _ScatteredFields(NamedTuple):
    column_name: str
    size: int
    dimension: int
    hash_key: int | None
    combiner: str
    initializer: Any


class ScatteredEmbeddingColumn(_EmbeddedColumn, _ScatteredFields):
    """Column of embeddings whose elements are hashed into one shared weight vector."""

    @property
    def name(self) -> str:
        return f"{self.column_name}_scattered_embedding"

    @property
    def config(self) -> dict[str, Any]:
        return {self.column_name: VarLenFeature(dtypes.string)}

    def insert_transformed_feature(self, tensors: dict) -> None:
        tensors[self] = tensors[self.column_name]

    def deep_arguments(self, tensor: Any) -> DeepArguments:
        return DeepArguments(
            input_tensor=tensor,
            weight_tensor=None,
            vocab_size=self.size,
            initializer=self.initializer,
            combiner=self.combiner,
            dimension=self.dimension,
            shared_embedding_name=None,
            hash_key=self.hash_key,
            max_norm=None,
            trainable=True,
        )


def scattered_embedding_column(
    column_name: str,
    size: int,
    dimension: int,
    hash_key: int,
    combiner: str = "mean",
    initializer: str | Callable[..., Any] | None = None,
) -> ScatteredEmbeddingColumn:
    """Returns a column of trained string embeddings that share `size` weights by hashing.

    Args:
      column_name: feature name, of sparse strings.
      size: number of weights.
      dimension: vector size.
      hash_key: seed of the fingerprints, e.g. `tf.contrib.layers.SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY`.
      combiner: "mean", "sqrtn" or "sum": combiner of an example's vectors.
      initializer: the weights' initializer, by default truncated normal with standard deviation 0.1.

    Raises:
      ValueError: if a size is not positive, the combiner is unknown, or the initializer is not a function.
    """
    if dimension < 1 or size < 1:
        raise ValueError(
            "Dimension and size must be greater than 0. "
            f"dimension: {dimension}, size: {size}, column_name: {column_name}"
        )
    if combiner not in COMBINERS:
        raise ValueError(
            "Combiner must be one of 'mean', 'sqrtn' or 'sum'. "
            f"combiner: {combiner}, column_name: {column_name}"
        )
    if initializer is not None and not callable(initializer):
        raise ValueError(f"initializer must be callable if specified. column_name: {column_name}")
    initializer = initializer or TruncatedNormal(mean=0.0, stddev=0.1)
    return ScatteredEmbeddingColumn(column_name, size, dimension, hash_key, combiner, initializer)
