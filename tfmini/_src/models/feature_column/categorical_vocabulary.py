"""Categorical columns with vocabularies, whose ids are positions in a list or file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from tfmini._src.base import dtypes, logs
from tfmini._src.base.read_only import read_only
from tfmini._src.data.lookup_tables.index_table import (
    index_table_from_file,
    index_table_from_tensor,
)
from tfmini._src.formats.gfile import GFile
from tfmini._src.formats.gfile_functions import exists
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.models.feature_column import column_checks
from tfmini._src.models.feature_column.base_columns import CategoricalColumn
from tfmini._src.models.feature_column.transformation_cache import sparse_values
from tfmini._src.ops import ops
from tfmini._src.ops.parsing.feature_specs import VarLenFeature


class _Vocabulary(CategoricalColumn):
    """Base class of columns with a lookup table."""

    key: str
    dtype: dtypes.DType
    name: str = read_only(attribute="key")

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        return {self.key: VarLenFeature(self.dtype)}

    def transform_feature(self, cache: Any, state: Any) -> SparseTensor:
        sparse = sparse_values(cache.get(self.key, state))
        column_checks.check_fits(self.key, self.dtype, sparse.dtype)
        column_checks.check_categorical(sparse.dtype, f"column_name: {self.key} input_tensor")
        key_dtype = self.dtype
        if sparse.dtype.is_integer:
            key_dtype = dtypes.int64
            sparse = ops.cast(sparse, dtypes.int64)
        name = f"{self.key}_lookup"
        table = self._table(key_dtype, name)
        if state is not None:
            state.add_resource(self, name, table)
        return table.lookup(sparse)

    def _table(self, key_dtype: dtypes.DType, name: str) -> Any:
        raise NotImplementedError


class _FileFields(NamedTuple):
    key: str
    vocabulary_file: str
    vocabulary_size: int
    num_oov_buckets: int
    dtype: dtypes.DType
    default_value: int


class VocabularyFileCategoricalColumn(_Vocabulary, _FileFields):
    """Column of values whose ids are line numbers in a file."""

    def _table(self, key_dtype: dtypes.DType, name: str) -> Any:
        return index_table_from_file(
            vocabulary_file=self.vocabulary_file,
            num_oov_buckets=self.num_oov_buckets,
            vocab_size=self.vocabulary_size,
            default_value=self.default_value,
            key_dtype=key_dtype,
            name=name,
        )

    @property
    def num_buckets(self) -> int:
        return self.vocabulary_size + self.num_oov_buckets


class _ListFields(NamedTuple):
    key: str
    vocabulary_list: tuple
    dtype: dtypes.DType
    default_value: int
    num_oov_buckets: int


class VocabularyListCategoricalColumn(_Vocabulary, _ListFields):
    """Column of values whose ids are positions in a list."""

    def _table(self, key_dtype: dtypes.DType, name: str) -> Any:
        return index_table_from_tensor(
            tuple(self.vocabulary_list),
            default_value=self.default_value,
            num_oov_buckets=self.num_oov_buckets,
            dtype=key_dtype,
            name=name,
        )

    @property
    def num_buckets(self) -> int:
        return len(self.vocabulary_list) + self.num_oov_buckets


def categorical_column_with_vocabulary_file(
    key: str,
    vocabulary_file: str,
    vocabulary_size: int | None = None,
    num_oov_buckets: int = 0,
    default_value: int | None = None,
    dtype: dtypes.DType = dtypes.string,
) -> VocabularyFileCategoricalColumn:
    """Returns a column of values whose ids are line numbers in a file.

    Args:
      key: name of the feature, a Tensor or SparseTensor; "" and -1 mark missing values in dense features.
      vocabulary_file: text file with one value per line.
      vocabulary_size: number of lines to use; by default all, counted on this call.
      num_oov_buckets: number of additional ids for out-of-vocabulary values, assigned by hash.
      default_value: id of out-of-vocabulary values if there are no buckets; by default -1, no id.
      dtype: dtype of the values, string or integer.

    Raises:
      ValueError: if the file does not exist, a number is invalid, or both `num_oov_buckets` and
        `default_value` are given.

    Example:
      word = tf.feature_column.categorical_column_with_vocabulary_file("word", "words.txt", num_oov_buckets=5)
    """
    if not vocabulary_file:
        raise ValueError(f"Missing vocabulary_file in {key}.")
    if vocabulary_size is None:
        if not exists(vocabulary_file):
            raise ValueError(f"vocabulary_file in {key} does not exist.")
        with GFile(vocabulary_file) as lines:
            vocabulary_size = sum(1 for _ in lines)
        logs.info(
            "vocabulary_size = %d in %s is inferred from the number of elements in the vocabulary_file %s.",
            vocabulary_size,
            key,
            vocabulary_file,
        )
    if vocabulary_size < 1:
        raise ValueError(f"Invalid vocabulary_size in {key}.")
    _check_others(key, num_oov_buckets, default_value is not None)
    column_checks.check_categorical(dtype, f"column_name: {key}")
    column_checks.check_key(key)
    return VocabularyFileCategoricalColumn(
        key=key,
        vocabulary_file=vocabulary_file,
        vocabulary_size=vocabulary_size,
        num_oov_buckets=num_oov_buckets or 0,
        default_value=-1 if default_value is None else default_value,
        dtype=dtype,
    )


def categorical_column_with_vocabulary_list(
    key: str,
    vocabulary_list: Sequence[Any],
    dtype: dtypes.DType | None = None,
    default_value: int = -1,
    num_oov_buckets: int = 0,
) -> VocabularyListCategoricalColumn:
    """Returns a column of values whose ids are positions in a list.

    Args:
      key: name of the feature, a Tensor or SparseTensor; "" and -1 mark missing values in dense features.
      vocabulary_list: strings or integers, without duplicates.
      dtype: dtype of the values; by default the list's.
      default_value: id of out-of-vocabulary values; -1 for no id.
      num_oov_buckets: number of additional ids for out-of-vocabulary values, assigned by hash.

    Raises:
      ValueError: if the list is empty, has duplicates or another dtype, or both `num_oov_buckets` and `default_value`
        are given.

    Example:
      kind = tf.feature_column.categorical_column_with_vocabulary_list("kind", ["a", "b", "c"])
    """
    if vocabulary_list is None or len(vocabulary_list) < 1:
        raise ValueError(f"vocabulary_list {vocabulary_list} must be non-empty, column_name: {key}")
    if len(set(vocabulary_list)) != len(vocabulary_list):
        raise ValueError(f"Duplicate keys in vocabulary_list {vocabulary_list}, column_name: {key}")
    list_dtype = dtypes.as_dtype(np.array(vocabulary_list).dtype)
    _check_others(key, num_oov_buckets, default_value != -1)
    column_checks.check_categorical(list_dtype, f"column_name: {key} vocabulary")
    if dtype is None:
        dtype = list_dtype
    elif dtype.is_integer != list_dtype.is_integer:
        raise ValueError(
            f"dtype {dtype} and vocabulary dtype {list_dtype} do not match, column_name: {key}"
        )
    column_checks.check_categorical(dtype, f"column_name: {key}")
    column_checks.check_key(key)
    return VocabularyListCategoricalColumn(
        key=key,
        vocabulary_list=tuple(vocabulary_list),
        dtype=dtype,
        default_value=default_value,
        num_oov_buckets=num_oov_buckets,
    )


def _check_others(key: str, num_oov_buckets: int | None, has_default: bool) -> None:
    if not num_oov_buckets:
        return
    if has_default:
        raise ValueError(f"Can't specify both num_oov_buckets and default_value in {key}.")
    if num_oov_buckets < 0:
        raise ValueError(f"Invalid num_oov_buckets {num_oov_buckets} in {key}.")
