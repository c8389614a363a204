"""Numeric and bucketized columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from tfmini._src.base import dtypes
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import TensorShape
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.models.feature_column import column_checks
from tfmini._src.models.feature_column.base_columns import (
    CategoricalColumn,
    DenseColumn,
    IdWeightPair,
)
from tfmini._src.ops import ops, raw
from tfmini._src.ops.parsing.feature_specs import FixedLenFeature


class _NumericFields(NamedTuple):
    key: str
    shape: tuple
    default_value: Any
    dtype: dtypes.DType
    normalizer_fn: Any


class NumericColumn(DenseColumn, _NumericFields):
    """A column of numbers, cast to float32."""

    name: str = read_only(attribute="key")

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        return {self.key: FixedLenFeature(self.shape, self.dtype, self.default_value)}

    def transform_feature(self, cache: Any, state: Any) -> Any:
        tensor = cache.get(self.key, state)
        if isinstance(tensor, SparseTensor):
            raise ValueError(
                "The corresponding Tensor of numerical column must be a Tensor. "
                f"SparseTensor is not supported. key: {self.key}"
            )
        if self.normalizer_fn is not None:
            tensor = self.normalizer_fn(tensor)
        return ops.cast(tensor, dtypes.float32)

    @property
    def variable_shape(self) -> TensorShape:
        return TensorShape(self.shape)

    def get_dense_tensor(self, cache: Any, state: Any) -> Any:
        return cache.get(self, state)


class _BucketizedFields(NamedTuple):
    source_column: NumericColumn
    boundaries: tuple


class BucketizedColumn(DenseColumn, CategoricalColumn, _BucketizedFields):
    """Column of bucketized numbers: one-hot vectors as a dense column, ids as a categorical column."""

    parse_example_spec: dict[str, Any] = read_only(attribute="source_column.parse_example_spec")

    @property
    def name(self) -> str:
        return f"{self.source_column.name}_bucketized"

    def transform_feature(self, cache: Any, state: Any) -> Any:
        source = cache.get(self.source_column, state)
        return raw.Bucketize(source, boundaries=list(self.boundaries))

    @property
    def _buckets(self) -> int:
        return len(self.boundaries) + 1

    @property
    def variable_shape(self) -> TensorShape:
        return TensorShape((*self.source_column.shape, self._buckets))

    def get_dense_tensor(self, cache: Any, state: Any) -> Any:
        buckets = ops.cast(cache.get(self, state), dtypes.int64)
        return ops.one_hot(buckets, depth=self._buckets, on_value=1.0, off_value=0.0)

    @property
    def num_buckets(self) -> int:
        return self._buckets * self.source_column.shape[0]

    def get_sparse_tensors(self, cache: Any, state: Any) -> IdWeightPair:
        buckets = cache.get(self, state)
        batch, width = ops.shape(buckets)[0], self.source_column.shape[0]
        rows = ops.tile(ops.expand_dims(ops.range(0, batch), 1), [1, width])
        rows = ops.reshape(rows, (-1,))
        positions = ops.tile(ops.range(0, width), [batch])
        ids = ops.reshape(buckets, (-1,)) + self._buckets * positions
        indices = ops.cast(ops.transpose(ops.stack((rows, positions))), dtypes.int64)
        shape = ops.cast(ops.stack([batch, width]), dtypes.int64)
        return IdWeightPair(SparseTensor(indices=indices, values=ids, dense_shape=shape), None)


def numeric_column(
    key: str,
    shape: TensorLike = (1,),
    default_value: TensorLike | None = None,
    dtype: dtypes.DType = dtypes.float32,
    normalizer_fn: Callable[..., Any] | None = None,
) -> NumericColumn:
    """Returns a column of numbers.

    Args:
      key: name of the feature, a numeric tensor [batch, *shape].
      shape: shape of one example, positive ints.
      default_value: value of missing features for `tf.io.parse_example`: a number, or one per element.
      dtype: dtype for `tf.io.parse_example`.
      normalizer_fn: function from the tensor to a tensor of the same shape, or None.

    Returns:
      The column, with a float32 tensor [batch, *shape].

    Raises:
      TypeError: if a size, the default or the function has the wrong type.
      ValueError: if a size is not positive, the default has another shape, or `dtype` is not numeric.

    Example:
      age = tf.feature_column.numeric_column("age", normalizer_fn=lambda x: (x - 40) / 10)
    """
    checked_shape = column_checks.checked_shape(shape, key)
    column_checks.check_numeric(dtype, key)
    default_value = column_checks.checked_default(checked_shape, default_value, dtype, key)
    column_checks.check_normalizer(normalizer_fn)
    column_checks.check_key(key)
    return NumericColumn(key, checked_shape, default_value, dtype, normalizer_fn)


def bucketized_column(
    source_column: NumericColumn, boundaries: Sequence[float]
) -> BucketizedColumn:
    """Returns a column of bucketized numbers.

    Args:
      source_column: a numeric column whose shape has at most one dimension.
      boundaries: ascending list or tuple of n numbers, for n + 1 buckets that include their lower bounds.

    Raises:
      ValueError: if the column is not numeric, or the boundaries are not ascending.

    Example:
      ages = tf.feature_column.bucketized_column(age, [18, 30, 65])  # of 17, 18 and 70: 0, 1, 3
    """
    if not isinstance(source_column, NumericColumn):
        raise ValueError(
            "source_column must be a column generated with numeric_column(). "
            f"Given: {source_column}"
        )
    if len(source_column.shape) > 1:
        raise ValueError(f"source_column must be one-dimensional column. Given: {source_column}")
    if not boundaries:
        raise ValueError("boundaries must not be empty.")
    if not isinstance(boundaries, list | tuple) or any(
        low >= high for low, high in zip(boundaries, boundaries[1:])
    ):
        raise ValueError("boundaries must be a sorted list.")
    return BucketizedColumn(source_column, tuple(boundaries))
