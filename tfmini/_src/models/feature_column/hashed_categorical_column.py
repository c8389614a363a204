"""Categorical columns whose ids are hash buckets."""

from __future__ import annotations

from typing import Any, NamedTuple

from tfmini._src.base import dtypes
from tfmini._src.base.read_only import read_only
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.models.feature_column import column_checks
from tfmini._src.models.feature_column.base_columns import CategoricalColumn
from tfmini._src.models.feature_column.transformation_cache import sparse_values
from tfmini._src.ops import ops
from tfmini._src.ops.parsing.feature_specs import VarLenFeature


class _HashedFields(NamedTuple):
    key: str
    hash_bucket_size: int
    dtype: dtypes.DType


class HashedCategoricalColumn(CategoricalColumn, _HashedFields):
    """Column whose ids are hashes of the values."""

    name: str = read_only(attribute="key")
    num_buckets: int = read_only(attribute="hash_bucket_size")

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        return {self.key: VarLenFeature(self.dtype)}

    def transform_feature(self, cache: Any, state: Any) -> SparseTensor:
        sparse = sparse_values(cache.get(self.key, state))
        column_checks.check_categorical(sparse.dtype, f"column_name: {self.key} input_tensor")
        column_checks.check_fits(self.key, self.dtype, sparse.dtype)
        values = sparse.values
        if self.dtype != dtypes.string:
            values = ops.as_string(values)
        ids = ops.string_to_hash_bucket_fast(values, self.hash_bucket_size, name="lookup")
        return SparseTensor(sparse.indices, ids, sparse.dense_shape)


def categorical_column_with_hash_bucket(
    key: str, hash_bucket_size: int, dtype: dtypes.DType = dtypes.string
) -> HashedCategoricalColumn:
    """Returns a column of strings or integers whose ids are hashes; values may collide.

    Args:
      key: name of the feature, a Tensor or SparseTensor; "" and -1 mark missing values in dense features.
      hash_bucket_size: number of ids.
      dtype: dtype of the values, string or integer.

    Raises:
      ValueError: if the size is not positive, or for another dtype.

    Example:
      city = tf.feature_column.categorical_column_with_hash_bucket("city", 1000)
    """
    if hash_bucket_size is None:
        raise ValueError(f"hash_bucket_size must be set. key: {key}")
    if hash_bucket_size < 1:
        raise ValueError(
            f"hash_bucket_size must be at least 1. hash_bucket_size: {hash_bucket_size}, key: {key}"
        )
    column_checks.check_key(key)
    column_checks.check_categorical(dtype, f"column_name: {key}")
    return HashedCategoricalColumn(key, hash_bucket_size, dtype)
