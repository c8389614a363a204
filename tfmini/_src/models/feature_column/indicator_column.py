"""Indicator columns, with one vector element per id."""

from __future__ import annotations

from typing import Any, NamedTuple

from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import TensorShape
from tfmini._src.models.feature_column.base_columns import (
    CategoricalColumn,
    DenseColumn,
    IdWeightPair,
    SequenceDenseColumn,
    TensorSequenceLengthPair,
)
from tfmini._src.models.feature_column.sequence_columns import (
    check_no_sequence,
    check_sequence,
    sequence_lengths,
)
from tfmini._src.ops import ops


class _IndicatorFields(NamedTuple):
    categorical_column: CategoricalColumn


class IndicatorColumn(DenseColumn, SequenceDenseColumn, _IndicatorFields):
    """Multi-hot encoding, with the count or summed weight of each id."""

    parse_example_spec: dict[str, Any] = read_only(
        attribute="categorical_column.parse_example_spec"
    )

    @property
    def name(self) -> str:
        return f"{self.categorical_column.name}_indicator"

    @property
    def variable_shape(self) -> TensorShape:
        return TensorShape([1, self.categorical_column.num_buckets])

    def transform_feature(self, cache: Any, state: Any) -> Any:
        return self._count(self.categorical_column.get_sparse_tensors(cache, state))

    def _count(self, pair: IdWeightPair) -> Any:
        ids, weights = pair
        width = self.categorical_column.num_buckets
        if weights is not None:
            merged = ops.sparse_merge(sp_ids=ids, sp_values=weights, vocab_size=int(width))
            merged = ops.sparse_slice(merged, [0, 0], merged.dense_shape)  # drop weightless ids
            return ops.scatter_nd(merged.indices, merged.values, merged.dense_shape)
        dense = ops.sparse_tensor_to_dense(ids, default_value=-1)
        positions = ops.one_hot(dense, depth=width, on_value=1.0, off_value=0.0)
        return ops.reduce_sum(positions, axis=[-2])

    def get_dense_tensor(self, cache: Any, state: Any) -> Any:
        check_no_sequence(self, state, "indicator_column")
        return cache.get(self, state)

    def get_sequence_dense_tensor(self, cache: Any, state: Any) -> TensorSequenceLengthPair:
        check_sequence(self, state, "indicator_column")
        dense = cache.get(self, state)
        ids, _ = self.categorical_column.get_sparse_tensors(cache, state)
        return TensorSequenceLengthPair(dense, sequence_lengths(ids))


def indicator_column(categorical_column: CategoricalColumn) -> IndicatorColumn:
    """Returns a column of id counts per example.

    Args:
      categorical_column: the column of ids; if weighted, weights are summed instead.

    Returns:
      The column, with a float32 tensor [batch, number of ids].

    Example:
      kind = tf.feature_column.categorical_column_with_vocabulary_list("kind", ["a", "b"])
      tf.feature_column.input_layer(features, [tf.feature_column.indicator_column(kind)])
    """
    return IndicatorColumn(categorical_column)
