"""Sequence columns, with numbers or ids per step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from tfmini._src.base import dtypes
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import TensorShape
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.models.feature_column import column_checks
from tfmini._src.models.feature_column.base_columns import (
    CategoricalColumn,
    IdWeightPair,
    SequenceDenseColumn,
    TensorSequenceLengthPair,
)
from tfmini._src.models.feature_column.categorical_vocabulary import (
    categorical_column_with_vocabulary_file,
    categorical_column_with_vocabulary_list,
)
from tfmini._src.models.feature_column.hashed_categorical_column import (
    categorical_column_with_hash_bucket,
)
from tfmini._src.models.feature_column.identity_categorical_column import (
    categorical_column_with_identity,
)
from tfmini._src.ops import ops
from tfmini._src.ops.parsing.feature_specs import VarLenFeature


class _SequenceFields(NamedTuple):
    categorical_column: CategoricalColumn


class SequenceCategoricalColumn(CategoricalColumn, _SequenceFields):
    """Column of ids per sequence step."""

    name: str = read_only(attribute="categorical_column.name")
    parse_example_spec: dict[str, Any] = read_only(
        attribute="categorical_column.parse_example_spec"
    )
    num_buckets: int = read_only(attribute="categorical_column.num_buckets")

    def transform_feature(self, cache: Any, state: Any) -> Any:
        return self.categorical_column.transform_feature(cache, state)

    def get_sparse_tensors(self, cache: Any, state: Any) -> IdWeightPair:
        ids, weights = self.categorical_column.get_sparse_tensors(cache, state)
        shape = ops.shape(ids)
        expected = [shape[0], shape[1], ops.reduce_prod(shape[2:])]
        ids = ops.sparse_reshape(ids, expected)
        if weights is not None:
            weights = ops.sparse_reshape(weights, expected)
        return IdWeightPair(ids, weights)


class _NumericFields(NamedTuple):
    key: str
    shape: tuple
    default_value: float
    dtype: dtypes.DType
    normalizer_fn: Any


class SequenceNumericColumn(SequenceDenseColumn, _NumericFields):
    """Column of numbers per sequence step."""

    name: str = read_only(attribute="key")

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        return {self.key: VarLenFeature(self.dtype)}

    def transform_feature(self, cache: Any, state: Any) -> Any:
        tensor = cache.get(self.key, state)
        return tensor if self.normalizer_fn is None else self.normalizer_fn(tensor)

    @property
    def variable_shape(self) -> TensorShape:
        return TensorShape(self.shape)

    def get_sequence_dense_tensor(self, cache: Any, state: Any) -> TensorSequenceLengthPair:
        sparse = cache.get(self, state)
        dense = ops.sparse_tensor_to_dense(sparse, default_value=self.default_value)
        shape = ops.concat([ops.shape(dense)[:1], [-1], self.variable_shape], axis=0)
        dense = ops.reshape(dense, shape=shape)
        element_count = self.variable_shape.num_elements() if sparse.shape.ndims == 2 else 1
        return TensorSequenceLengthPair(dense, sequence_lengths(sparse, element_count))


def sequence_lengths(sparse: SparseTensor, elements: int | None = 1) -> Any:
    """Returns the number of steps of each row, int64 [batch], if a step has `elements` elements."""
    with name_scope(None, "sequence_length") as scope:
        rows, positions = sparse.indices[:, 0], sparse.indices[:, 1]
        positions += ops.ones_like(positions)
        lengths = ops.segment_max(positions, segment_ids=rows)
        lengths = ops.cast(ops.ceil(lengths / elements), dtypes.int64)
        missing_count = ops.shape(sparse)[:1] - ops.shape(lengths)[:1]
        padding = ops.zeros(missing_count, dtype=lengths.dtype)
        return ops.concat([lengths, padding], axis=0, name=scope)


def check_no_sequence(column: Any, state: Any, column_type: str) -> None:
    """Raises ValueError if a non-sequence column is built on sequence ids."""
    ids = column.categorical_column
    if not isinstance(ids, SequenceCategoricalColumn):
        return
    if state.is_layer and not ids.is_second:
        raise AttributeError(f"{type(ids).__name__!r} object has no attribute 'get_sparse_tensors'")
    prefix, (dense, sequence) = "" if state.is_layer else "_", _function_names(column)
    raise ValueError(
        f"In {column_type}: {column.name}. categorical_column must not be of type "
        f"{prefix}SequenceCategoricalColumn. Suggested fix A: If you wish to use {dense}, use a "
        "non-sequence categorical_column_with_*. Suggested fix B: If you wish to create sequence "
        f"input, use {sequence} instead of {dense}. Given (type {type(ids)}): {ids}"
    )


def check_sequence(column: Any, state: Any, column_type: str) -> None:
    """Raises ValueError unless a column is built on sequence ids."""
    ids = column.categorical_column
    if isinstance(ids, SequenceCategoricalColumn) and (ids.is_second or not state.is_layer):
        return
    is_indicator = column_type == "indicator_column" and not state.is_layer
    prefix = "_" if is_indicator or not column.is_second else ""
    raise ValueError(
        f"In {column_type}: {column.name}. categorical_column must be of type "
        f"{prefix}SequenceCategoricalColumn to use {_function_names(column)[1]}. Suggested fix: Use one of "
        f"sequence_categorical_column_with_*. Given (type {type(ids)}): {ids}"
    )


def _function_names(column: Any) -> tuple[str, str]:
    if column.is_second:
        return "DenseFeatures", "SequenceFeatures"
    return "input_layer", "sequence_input_layer"


@arguments_of(categorical_column_with_identity)
def sequence_categorical_column_with_identity(*args: Any) -> SequenceCategoricalColumn:
    """Returns `categorical_column_with_identity` for sequence steps.

    Args:
      key: name of the feature, a SparseTensor [batch, steps].
      num_buckets, default_value: as in `categorical_column_with_identity`.

    Example:
      watched = tf.feature_column.sequence_categorical_column_with_identity("watched", 1000)
      inputs, lengths = tf.contrib.feature_column.sequence_input_layer(
          features, [tf.feature_column.embedding_column(watched, 8)])
    """
    return SequenceCategoricalColumn(categorical_column_with_identity(*args))


@arguments_of(categorical_column_with_hash_bucket)
def sequence_categorical_column_with_hash_bucket(*args: Any) -> SequenceCategoricalColumn:
    """Returns `categorical_column_with_hash_bucket` for sequence steps.

    Args:
      key: name of the feature, a SparseTensor [batch, steps].
      hash_bucket_size, dtype: as in `categorical_column_with_hash_bucket`.
    """
    return SequenceCategoricalColumn(categorical_column_with_hash_bucket(*args))


@arguments_of(categorical_column_with_vocabulary_file)
def sequence_categorical_column_with_vocabulary_file(*args: Any) -> SequenceCategoricalColumn:
    """Returns `categorical_column_with_vocabulary_file` for sequence steps.

    Args:
      key: name of the feature, a SparseTensor [batch, steps].
      vocabulary_file, vocabulary_size, num_oov_buckets, default_value, dtype: as in
        `categorical_column_with_vocabulary_file`.
    """
    return SequenceCategoricalColumn(categorical_column_with_vocabulary_file(*args))


@arguments_of(categorical_column_with_vocabulary_list)
def sequence_categorical_column_with_vocabulary_list(*args: Any) -> SequenceCategoricalColumn:
    """Returns `categorical_column_with_vocabulary_list` for sequence steps.

    Args:
      key: name of the feature, a SparseTensor [batch, steps].
      vocabulary_list, dtype, default_value, num_oov_buckets: as in `categorical_column_with_vocabulary_list`.
    """
    return SequenceCategoricalColumn(categorical_column_with_vocabulary_list(*args))


def sequence_numeric_column(
    key: str,
    shape: TensorLike = (1,),
    default_value: float = 0.0,
    dtype: dtypes.DType = dtypes.float32,
    normalizer_fn: Callable[..., Any] | None = None,
) -> SequenceNumericColumn:
    """Returns a column of numbers per step.

    Args:
      key: name of the feature, a numeric SparseTensor [batch, steps]; the numbers of a step are adjacent.
      shape: shape of one step.
      default_value: padding value after the end of a sequence.
      dtype: dtype for `tf.io.parse_example`.
      normalizer_fn: function from the SparseTensor to a SparseTensor of the same shape, or None.

    Raises:
      TypeError: if a size or the function has the wrong type.
      ValueError: if a size is not positive, or `dtype` is not numeric.
    """
    checked_shape = column_checks.checked_shape(shape, key)
    column_checks.check_numeric(dtype, key)
    column_checks.check_normalizer(normalizer_fn)
    return SequenceNumericColumn(key, checked_shape, default_value, dtype, normalizer_fn)
