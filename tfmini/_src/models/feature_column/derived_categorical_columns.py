"""Derived categorical columns: weighted ids, and feature crosses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from tfmini._src.base import dtypes
from tfmini._src.base.read_only import read_only
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.convert_to_tensor import convert_to_tensor_or_sparse_tensor
from tfmini._src.models.feature_column.base_columns import (
    CategoricalColumn,
    FeatureColumn,
    IdWeightPair,
)
from tfmini._src.models.feature_column.hashed_categorical_column import HashedCategoricalColumn
from tfmini._src.models.feature_column.transformation_cache import sparse_values
from tfmini._src.ops import ops
from tfmini._src.ops.parsing.feature_specs import VarLenFeature


class _WeightedFields(NamedTuple):
    categorical_column: CategoricalColumn
    weight_feature_key: str
    dtype: dtypes.DType


class WeightedCategoricalColumn(CategoricalColumn, _WeightedFields):
    """Ids of another column, weighted by the values of a feature."""

    num_buckets: int = read_only(attribute="categorical_column.num_buckets")

    @property
    def name(self) -> str:
        return f"{self.categorical_column.name}_weighted_by_{self.weight_feature_key}"

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        spec = self.categorical_column.parse_example_spec
        key = self.weight_feature_key
        if key in spec:
            raise ValueError(f"Parse config {spec[key]} already exists for {key}.")
        return {**spec, key: VarLenFeature(self.dtype)}

    def transform_feature(self, cache: Any, state: Any) -> tuple:
        weights = self._weights(cache.get(self.weight_feature_key, state))
        return cache.get(self.categorical_column, state), weights

    def _weights(self, weights: Any) -> SparseTensor:
        if weights is None:
            raise ValueError(f"Missing weights {self.weight_feature_key}.")
        weights = convert_to_tensor_or_sparse_tensor(weights)
        if self.dtype != weights.dtype.base_dtype:
            raise ValueError(f"Bad dtype, expected {self.dtype}, but got {weights.dtype}.")
        if not isinstance(weights, SparseTensor):
            weights = sparse_values(weights, missing=0.0)
        if not weights.dtype.is_floating:
            weights = ops.cast(weights, dtypes.float32)
        return weights

    def get_sparse_tensors(self, cache: Any, state: Any) -> IdWeightPair:
        return IdWeightPair(*cache.get(self, state))


class _CrossedFields(NamedTuple):
    keys: tuple
    hash_bucket_size: int
    hash_key: int | None


class CrossedColumn(CategoricalColumn, _CrossedFields):
    """Hashed combinations of the values of several features."""

    num_buckets: int = read_only(attribute="hash_bucket_size")

    @property
    def name(self) -> str:
        names = (key if isinstance(key, str) else key.name for key in self._leaves())
        return "_X_".join(sorted(names))

    def _leaves(self) -> Iterator[Any]:
        """Yields feature names and columns, expanding nested crosses."""
        for key in self.keys:
            if isinstance(key, CrossedColumn):
                yield from key._leaves()
            else:
                yield key

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        spec: dict[str, Any] = {}
        for key in self.keys:
            if isinstance(key, FeatureColumn):
                spec.update(key.parse_example_spec)
            else:
                spec[key] = VarLenFeature(dtypes.string)
        return spec

    def transform_feature(self, cache: Any, state: Any) -> SparseTensor:
        inputs = []
        for key in self._leaves():
            if isinstance(key, str):
                inputs.append(cache.get(key, state))
                continue
            ids, weights = key.get_sparse_tensors(cache, state)
            if weights is not None:
                raise ValueError(
                    "crossed_column does not support weight_tensor, but the given column populates "
                    f"weight_tensor. Given column: {key.name}"
                )
            inputs.append(ids)
        return ops.sparse_cross_hashed(
            inputs, num_buckets=self.hash_bucket_size, hash_key=self.hash_key
        )


def weighted_categorical_column(
    categorical_column: CategoricalColumn,
    weight_feature_key: str,
    dtype: dtypes.DType = dtypes.float32,
) -> WeightedCategoricalColumn:
    """Returns a column of weighted ids.

    Args:
      categorical_column: the column of ids.
      weight_feature_key: name of the weight feature: a SparseTensor with the same indices as the ids, or a
        Tensor, in which zeros mark missing weights.
      dtype: numeric dtype of the weights.

    Raises:
      ValueError: if the dtype is not numeric.

    Example:
      words = tf.feature_column.categorical_column_with_hash_bucket("words", 1000)
      words = tf.feature_column.weighted_categorical_column(words, "counts")
    """
    if dtype is None or not (dtype.is_integer or dtype.is_floating):
        raise ValueError(f"dtype {dtype} is not convertible to float.")
    return WeightedCategoricalColumn(categorical_column, weight_feature_key, dtype)


def crossed_column(
    keys: Sequence[Any], hash_bucket_size: int, hash_key: int | None = None
) -> CrossedColumn:
    """Returns a column of hashed combinations of several features' values.

    Args:
      keys: two or more names of string or integer features, or categorical columns that are not hashed.
      hash_bucket_size: number of ids.
      hash_key: seed of the hash.

    Raises:
      ValueError: for fewer than two keys, a size that is not positive, or a column that cannot be crossed.

    Example:
      where = tf.feature_column.crossed_column(["city", ages], 5000)
    """
    if not hash_bucket_size or hash_bucket_size < 1:
        raise ValueError(f"hash_bucket_size must be > 1. hash_bucket_size: {hash_bucket_size}")
    if not keys or len(keys) < 2:
        raise ValueError(f"keys must be a list with length > 1. Given: {keys}")
    for key in keys:
        if not isinstance(key, str | CategoricalColumn):
            raise ValueError(
                "Unsupported key type. All keys must be either string, or categorical column except "
                f"HashedCategoricalColumn. Given: {key}"
            )
        if isinstance(key, HashedCategoricalColumn):
            raise ValueError(
                "categorical_column_with_hash_bucket is not supported for crossing. Hashing before "
                "crossing will increase probability of collision. Instead, use the feature name as a "
                f"string. Given: {key}"
            )
    return CrossedColumn(tuple(keys), hash_bucket_size, hash_key)
