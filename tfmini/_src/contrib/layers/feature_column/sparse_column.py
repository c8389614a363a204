"""Categorical columns: integers, hashes, and indices in lists or files, optionally weighted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from tfmini._src.base import dtypes, logs
from tfmini._src.base.nest.structure import flatten
from tfmini._src.base.read_only import read_only
from tfmini._src.contrib.layers.dense_to_sparse import drop_value
from tfmini._src.contrib.layers.feature_column.column import IdsColumn, LookupArguments
from tfmini._src.contrib.layers.feature_column.real_valued_column import reshape_to_rank
from tfmini._src.data.lookup_tables.index_table import (
    index_table_from_file,
    index_table_from_tensor,
)
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.ops import ops
from tfmini._src.ops.parsing.feature_specs import VarLenFeature
from tfmini._src.variables.initializers import Zeros


class Lookup(NamedTuple):
    """Source of a sparse column's ids."""

    vocabulary_file: str | None = None
    keys: tuple | None = None
    num_oov_buckets: int = 0
    vocab_size: int | None = None
    default_value: int = -1

    def __repr__(self) -> str:
        text = ", ".join(f"{name}={value!r}" for name, value in zip(self._fields, self))
        return f"_SparseIdLookupConfig({text})"


class _SparseFields(NamedTuple):
    column_name: str
    is_integerized: bool
    bucket_size: int | None
    lookup_config: Lookup | None
    combiner: str
    dtype: dtypes.DType


class SparseColumn(IdsColumn, _SparseFields):
    """Base class of columns that map feature values to ids."""

    name: str = read_only(attribute="column_name")

    def __new__(
        cls,
        column_name: str,
        is_integerized: bool = False,
        bucket_size: int | None = None,
        lookup_config: Lookup | None = None,
        combiner: str = "sum",
        dtype: dtypes.DType = dtypes.string,
    ) -> Any:
        if is_integerized and bucket_size is None:
            raise ValueError(
                f"bucket_size must be set if is_integerized is True. column_name: {column_name}"
            )
        if is_integerized and not dtype.is_integer:
            raise ValueError(
                "dtype must be an integer if is_integerized is True. "
                f"dtype: {dtype}, column_name: {column_name}."
            )
        if dtype != dtypes.string and not dtype.is_integer:
            raise ValueError(
                f"dtype must be string or integer. dtype: {dtype}, column_name: {column_name}"
            )
        if bucket_size is None and lookup_config is None:
            raise ValueError(
                f"one of bucket_size or lookup_config must be set. column_name: {column_name}"
            )
        if bucket_size is not None and bucket_size < 1:
            raise ValueError(
                "bucket_size must be at least 1. "
                f"bucket_size: {bucket_size}, column_name: {column_name}"
            )
        return super().__new__(
            cls, column_name, is_integerized, bucket_size, lookup_config, combiner, dtype
        )

    @property
    def length(self) -> int:
        """Number of ids."""
        if self.bucket_size is not None:
            return self.bucket_size
        lookup: Any = self.lookup_config
        return lookup.vocab_size + lookup.num_oov_buckets

    @property
    def config(self) -> dict[str, Any]:
        return {self.column_name: VarLenFeature(self.dtype)}

    def dnn_input(self, tensor: Any, output_rank: int) -> Any:
        raise ValueError(
            "SparseColumn is not supported in DNN. Please use embedding_column or one_hot_column. "
            f"column: {self}"
        )

    def wide_arguments(self, tensor: Any) -> LookupArguments:
        return LookupArguments(tensor, None, self.length, Zeros(), self.combiner)

    def insert_transformed_feature(self, tensors: dict) -> None:
        tensor = tensors[self.name]
        if not isinstance(tensor, SparseTensor):
            missing = "" if tensor.dtype == dtypes.string else -1
            tensor = drop_value(reshape_to_rank(tensor, 2, self.name), missing)
        tensors[self] = self._ids(tensor)

    def _ids(self, tensor: SparseTensor) -> SparseTensor:
        raise NotImplementedError

    def is_compatible(self, other: Any) -> bool:
        """Whether two columns can share embeddings."""
        if self.lookup_config and other.lookup_config:
            return self.lookup_config == other.lookup_config
        integers = self.dtype.is_integer and other.dtype.is_integer
        compatible = self.length == other.length and (self.dtype == other.dtype or integers)
        if compatible:
            logs.warn("Column %s and %s may not have the same vocabulary.", self.name, other.name)
        return compatible


class SparseColumnIntegerized(SparseColumn):
    """Column of integers used as ids, modulo the number of ids."""

    def _ids(self, tensor: SparseTensor) -> SparseTensor:
        ids = ops.mod(tensor.values, self.bucket_size, name="mod")
        return SparseTensor(tensor.indices, ids, tensor.dense_shape)


class SparseColumnHashed(SparseColumn):
    """Column of ids computed by hashing the values, once or several times."""

    hash_keys: Any = None

    def _ids(self, tensor: SparseTensor) -> SparseTensor:
        buckets: Any = self.bucket_size
        values = ops.as_string(tensor.values) if self.dtype.is_integer else tensor.values
        if self.hash_keys:
            parts = []
            for key in self.hash_keys:
                ids = ops.string_to_hash_bucket_strong(values, buckets, key)
                parts.append(SparseTensor(tensor.indices, ids, tensor.dense_shape))
            return ops.sparse_concat(axis=1, sp_inputs=parts, name="lookup")
        ids = ops.string_to_hash_bucket_fast(values, buckets, name="lookup")
        return SparseTensor(tensor.indices, ids, tensor.dense_shape)


class SparseColumnKeys(SparseColumn):
    """Column of ids, the indices of values in a list."""

    def _ids(self, tensor: SparseTensor) -> SparseTensor:
        lookup: Any = self.lookup_config
        table = index_table_from_tensor(
            tuple(lookup.keys),
            default_value=lookup.default_value,
            dtype=self.dtype,
            name="lookup",
        )
        return table.lookup(tensor)


class SparseColumnVocabulary(SparseColumn):
    """Column of ids, which are the values' line numbers in a vocabulary file."""

    def _ids(self, tensor: SparseTensor) -> SparseTensor:
        if self.dtype.is_integer:
            words = ops.as_string(tensor.values)
            tensor = SparseTensor(tensor.indices, words, tensor.dense_shape)
        lookup: Any = self.lookup_config
        table = index_table_from_file(
            vocabulary_file=lookup.vocabulary_file,
            num_oov_buckets=lookup.num_oov_buckets,
            vocab_size=lookup.vocab_size,
            default_value=lookup.default_value,
            name=self.name + "_lookup",
        )
        return table.lookup(tensor)


class _WeightedFields(NamedTuple):
    sparse_id_column: SparseColumn
    weight_column_name: str
    dtype: dtypes.DType


class WeightedSparseColumn(IdsColumn, _WeightedFields):
    """Column of another column's ids, weighted by a feature."""

    length: int = read_only("The number of ids.", "sparse_id_column.length")
    lookup_config: Lookup | None = read_only(
        "Lookup configuration of the underlying column.", "sparse_id_column.lookup_config"
    )

    @property
    def name(self) -> str:
        return f"{self.sparse_id_column.name}_weighted_by_{self.weight_column_name}"

    @property
    def config(self) -> dict[str, Any]:
        weights = {self.weight_column_name: VarLenFeature(self.dtype)}
        return {**self.sparse_id_column.config, **weights}

    def id_tensor(self, tensor: Any) -> Any:
        """Returns the ids."""
        return tensor[0]

    def weight_tensor(self, tensor: Any) -> Any:
        """Returns the weights of the ids."""
        return tensor[1]

    def dnn_input(self, tensor: Any, output_rank: int) -> Any:
        raise ValueError(
            "WeightedSparseColumn is not supported in DNN. Please use embedding_column or "
            f"one_hot_column. column: {self}"
        )

    def wide_arguments(self, tensor: Any) -> LookupArguments:
        ids, weights = tensor
        return LookupArguments(ids, weights, self.length, Zeros(), self.sparse_id_column.combiner)

    def insert_transformed_feature(self, tensors: dict) -> None:
        if self.sparse_id_column not in tensors:
            self.sparse_id_column.insert_transformed_feature(tensors)
        ids = tensors[self.sparse_id_column]
        weights = tensors[self.weight_column_name]
        if not isinstance(weights, SparseTensor):
            weights = drop_value(weights)
        if not self.dtype.is_floating:
            weights = ops.cast(weights, dtypes.float32)
        tensors[self] = (ids, weights)

    def is_compatible(self, other: Any) -> bool:
        """Whether two columns can share embeddings."""
        ids = other.sparse_id_column if isinstance(other, WeightedSparseColumn) else other
        return self.sparse_id_column.is_compatible(ids)


def sparse_column_with_integerized_feature(
    column_name: str, bucket_size: int, combiner: str = "sum", dtype: dtypes.DType = dtypes.int64
) -> SparseColumn:
    """Returns a column of integers used as ids, modulo the number of ids.

    Args:
      column_name: feature name.
      bucket_size: number of ids.
      combiner: "sum", "mean" or "sqrtn": combiner of the weights of multiple ids.
      dtype: an integer dtype.

    Raises:
      ValueError: if the size is not positive, or for any other dtype.
    """
    return SparseColumnIntegerized(
        column_name, is_integerized=True, bucket_size=bucket_size, combiner=combiner, dtype=dtype
    )


def sparse_column_with_hash_bucket(
    column_name: str,
    hash_bucket_size: int,
    combiner: str = "sum",
    dtype: dtypes.DType = dtypes.string,
    hash_keys: Sequence[int] | None = None,
) -> SparseColumn:
    """Returns a column of strings or integers whose ids are hashes.

    Args:
      column_name: feature name.
      hash_bucket_size: number of ids.
      combiner: "sum", "mean" or "sqrtn": combiner of the weights of multiple ids.
      dtype: dtype of the values.
      hash_keys: list of int pairs, one per hash of each value.

    Raises:
      ValueError: if the size is not positive, the dtype is unsupported, or keys are not pairs.

    Example: `tf.contrib.layers.sparse_column_with_hash_bucket("city", 1000)`.
    """
    if hash_keys is not None:
        if not isinstance(hash_keys, list) or not hash_keys:
            raise ValueError("hash_keys must be a non-empty list.")
        if any(not isinstance(pair, list) or len(pair) != 2 for pair in hash_keys) or any(
            not isinstance(key, int) for key in flatten(hash_keys)
        ):
            raise ValueError("Each element of hash_keys must be a pair of integers.")
    sparse_column_hashed = SparseColumnHashed(
        column_name, bucket_size=hash_bucket_size, combiner=combiner, dtype=dtype
    )
    sparse_column_hashed.hash_keys = hash_keys
    return sparse_column_hashed


def sparse_column_with_keys(
    column_name: str,
    keys: Sequence[Any],
    default_value: int = -1,
    combiner: str = "sum",
    dtype: dtypes.DType = dtypes.string,
) -> SparseColumn:
    """Returns a column of values whose ids are positions in a list.

    Args:
      column_name: feature name.
      keys: the values.
      default_value: id of out-of-vocabulary values; -1 for none.
      combiner: "sum", "mean" or "sqrtn": combiner of the weights of multiple ids.
      dtype: dtype of the values.
    """
    keys = tuple(keys)
    lookup = Lookup(keys=keys, vocab_size=len(keys), default_value=default_value)
    return SparseColumnKeys(column_name, lookup_config=lookup, combiner=combiner, dtype=dtype)


def sparse_column_with_vocabulary_file(
    column_name: str,
    vocabulary_file: str,
    num_oov_buckets: int = 0,
    vocab_size: int | None = None,
    default_value: int = -1,
    combiner: str = "sum",
    dtype: dtypes.DType = dtypes.string,
) -> SparseColumn:
    """Returns a column of values whose ids are line numbers in a file.

    Args:
      column_name, default_value, combiner, dtype: as in `sparse_column_with_keys`.
      vocabulary_file: text file with a value per line.
      num_oov_buckets: number of additional ids for out-of-vocabulary values.
      vocab_size: number of lines used.

    Raises:
      ValueError: if `vocab_size` is not given.
    """
    if vocab_size is None:
        raise ValueError(f"vocab_size should be defined. column_name: {column_name}")
    lookup = Lookup(vocabulary_file, None, num_oov_buckets, vocab_size, default_value)
    return SparseColumnVocabulary(column_name, lookup_config=lookup, combiner=combiner, dtype=dtype)


def weighted_sparse_column(
    sparse_id_column: SparseColumn,
    weight_column_name: str,
    dtype: dtypes.DType = dtypes.float32,
) -> WeightedSparseColumn:
    """Returns a column of weighted ids.

    Args:
      sparse_id_column: the column of ids.
      weight_column_name: name of the feature with the weights.
      dtype: numeric dtype of the weights.

    Raises:
      ValueError: if the dtype is not numeric.
    """
    if not (dtype.is_integer or dtype.is_floating):
        raise ValueError(f"dtype is not convertible to float. Given {dtype}")
    return WeightedSparseColumn(sparse_id_column, weight_column_name, dtype)
