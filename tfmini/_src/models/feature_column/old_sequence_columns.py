"""Sequence columns of `tf.contrib.feature_column`: first-generation classes, which layers reject."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base.names.signature import arguments_of
from tfmini._src.models.feature_column import sequence_columns
from tfmini._src.models.feature_column.base_columns import CategoricalColumn
from tfmini._src.models.feature_column.categorical_vocabulary import (
    VocabularyFileCategoricalColumn,
    VocabularyListCategoricalColumn,
)
from tfmini._src.models.feature_column.hashed_categorical_column import HashedCategoricalColumn
from tfmini._src.models.feature_column.identity_categorical_column import IdentityCategoricalColumn
from tfmini._src.models.feature_column.sequence_columns import (
    SequenceCategoricalColumn,
    SequenceNumericColumn,
)
from tfmini._src.ops import ops


class _SequenceCategoricalColumn(SequenceCategoricalColumn):
    is_second = False


class _SequenceNumericColumn(SequenceNumericColumn):
    is_second = False


class _IdentityCategoricalColumn(IdentityCategoricalColumn):
    _fields = ("key", "num_buckets", "default_value")
    _where = staticmethod(ops.where)

    def __repr__(self) -> str:
        return super().__repr__().replace("number_buckets=", "num_buckets=")


_OLD_CLASSES: dict[type, Callable[..., CategoricalColumn]] = {
    cls: type(f"_{cls.__name__}", (cls,), {})
    for cls in (
        HashedCategoricalColumn,
        VocabularyFileCategoricalColumn,
        VocabularyListCategoricalColumn,
    )
}
_OLD_CLASSES[IdentityCategoricalColumn] = _IdentityCategoricalColumn


def _old(column: tuple[Any, ...]) -> SequenceCategoricalColumn:
    (ids,) = column
    return _SequenceCategoricalColumn(_OLD_CLASSES[type(ids)](*ids))


@arguments_of(sequence_columns.sequence_categorical_column_with_identity)
def sequence_categorical_column_with_identity(*args: Any) -> SequenceCategoricalColumn:
    """Returns `tf.feature_column.sequence_categorical_column_with_identity` for `sequence_input_layer` only."""
    return _old(sequence_columns.sequence_categorical_column_with_identity(*args))


@arguments_of(sequence_columns.sequence_categorical_column_with_hash_bucket)
def sequence_categorical_column_with_hash_bucket(*args: Any) -> SequenceCategoricalColumn:
    """Returns `tf.feature_column.sequence_categorical_column_with_hash_bucket` for `sequence_input_layer` only."""
    return _old(sequence_columns.sequence_categorical_column_with_hash_bucket(*args))


@arguments_of(sequence_columns.sequence_categorical_column_with_vocabulary_file)
def sequence_categorical_column_with_vocabulary_file(*args: Any) -> SequenceCategoricalColumn:
    """Returns `tf.feature_column.sequence_categorical_column_with_vocabulary_file` for `sequence_input_layer` only."""
    return _old(sequence_columns.sequence_categorical_column_with_vocabulary_file(*args))


@arguments_of(sequence_columns.sequence_categorical_column_with_vocabulary_list)
def sequence_categorical_column_with_vocabulary_list(*args: Any) -> SequenceCategoricalColumn:
    """Returns `tf.feature_column.sequence_categorical_column_with_vocabulary_list` for `sequence_input_layer` only."""
    return _old(sequence_columns.sequence_categorical_column_with_vocabulary_list(*args))


@arguments_of(sequence_columns.sequence_numeric_column)
def sequence_numeric_column(*args: Any) -> SequenceNumericColumn:
    """Returns a column of numbers per step, for `tf.contrib.feature_column.sequence_input_layer`.

    Args:
      key, shape, default_value, dtype, normalizer_fn: as in `tf.feature_column.sequence_numeric_column`.

    Raises:
      TypeError: if a size or the function has the wrong type.
      ValueError: if a size is not positive, or `dtype` is not numeric.
    """
    return _SequenceNumericColumn(*sequence_columns.sequence_numeric_column(*args))
