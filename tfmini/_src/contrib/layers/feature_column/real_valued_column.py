"""Numeric columns: real values, and buckets of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from tfmini._src.base import dtypes, logs
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import TensorShape
from tfmini._src.contrib.layers.feature_column.column import (
    Column,
    LookupArguments,
    inner_flatten,
    transform_column,
)
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.models.feature_column.base_columns import (
    CategoricalColumn,
    DenseColumn,
    IdWeightPair,
)
from tfmini._src.ops import ops, raw
from tfmini._src.ops.parsing.feature_specs import FixedLenFeature
from tfmini._src.variables.initializers import Zeros


def reshape_to_rank(tensor: Any, rank: int, name: str | None = None) -> Any:
    """Reshapes numbers to a rank; raises ValueError if more than one dimension is missing."""
    ndims = tensor.get_shape().ndims
    if ndims is not None:
        if rank > ndims + 1:
            where = "" if name is None else f"Error while processing column {name}."
            raise ValueError(
                f"{where}Rank of input Tensor ({ndims}) should be the same as output_rank ({rank}). For "
                "example, sequence data should typically be 3 dimensional (rank 3) while non-sequence data "
                "is typically 2 dimensional (rank 2)."
            )
        if rank == ndims + 1:
            logs.warning(
                "Rank of input Tensor (%s) should be the same as output_rank (%s) for column. Will attempt to "
                "expand dims. It is highly recommended that you resize your input, as this behavior may "
                "change.",
                ndims,
                rank,
            )
            return ops.expand_dims(tensor, -1, name="expand_dims")
        if rank == ndims:
            return tensor
    return inner_flatten(tensor, rank)


class _RealValuedFields(NamedTuple):
    column_name: str
    dimension: int
    default_value: tuple | None
    dtype: dtypes.DType
    normalizer: Callable | None


class RealValuedColumn(Column, _RealValuedFields, DenseColumn):
    """Column of real values, converted to float32."""

    name: str = read_only(attribute="column_name")

    @property
    def config(self) -> dict[str, Any]:
        default = None if self.default_value is None else list(self.default_value)
        return {self.column_name: FixedLenFeature([self.dimension], self.dtype, default)}

    @property
    def key(self) -> str:
        return self._key_without("normalizer")

    def insert_transformed_feature(self, tensors: dict) -> None:
        tensor = tensors[self.name]
        if self.normalizer is not None:
            tensor = self.normalizer(tensor)
        tensors[self] = ops.cast(tensor, dtypes.float32)

    def dnn_input(self, tensor: Any, output_rank: int) -> Any:
        return reshape_to_rank(tensor, output_rank, self.name)

    def dense(self, tensor: Any) -> Any:
        return tensor

    @property
    def variable_shape(self) -> TensorShape:
        return TensorShape([self.dimension])

    def get_dense_tensor(self, cache: Any, state: Any) -> Any:
        return cache.get(self)


class _BucketizedFields(NamedTuple):
    source_column: RealValuedColumn
    boundaries: tuple


class BucketizedColumn(Column, _BucketizedFields, CategoricalColumn, DenseColumn):
    """Column of bucket indices of numbers."""

    config: dict[str, Any] = read_only(attribute="source_column.config")

    @property
    def name(self) -> str:
        return f"{self.source_column.name}_bucketized"

    @property
    def length(self) -> int:
        """Number of buckets."""
        return len(self.boundaries) + 1

    def insert_transformed_feature(self, tensors: dict) -> None:
        source = transform_column(tensors, self.source_column)
        tensors[self] = raw.Bucketize(source, boundaries=list(self.boundaries), name="bucketize")

    def dnn_input(self, tensor: Any, output_rank: int) -> Any:
        if output_rank != 2:
            raise ValueError("BucketizedColumn currently only supports output_rank=2")
        positions = ops.one_hot(
            ops.cast(tensor, dtypes.int64), self.length, 1.0, 0.0, name="one_hot"
        )
        return ops.reshape(positions, [-1, self.num_buckets], name="reshape")

    @property
    def num_buckets(self) -> int:
        return self.length * self.source_column.dimension

    @property
    def variable_shape(self) -> TensorShape:
        return TensorShape([self.num_buckets])

    def get_dense_tensor(self, cache: Any, state: Any) -> Any:
        return self.dnn_input(cache.get(self), 2)

    def get_sparse_tensors(self, cache: Any, state: Any) -> IdWeightPair:
        return IdWeightPair(self.to_sparse_tensor(cache.get(self)), None)

    def to_sparse_tensor(self, tensor: Any) -> SparseTensor:
        """Returns the bucket indices as ids."""
        dimension = self.source_column.dimension
        batch = ops.shape(tensor, name="shape")[0]
        if dimension > 1:
            rows = ops.expand_dims(ops.range(0, batch), 1, name="expand_dims")
            rows = ops.reshape(ops.tile(rows, [1, dimension], name="tile"), [-1], name="reshape")
            positions = ops.tile(ops.range(0, dimension), [batch], name="tile")
            ids = ops.reshape(tensor, [-1], name="reshape") + self.length * positions
        else:
            rows = ops.range(0, batch)
            positions = ops.zeros([batch], dtype=dtypes.int32, name="zeros")
            ids = ops.reshape(tensor, [-1], name="reshape")
        indices = ops.cast(ops.transpose(ops.stack((rows, positions))), dtypes.int64)
        shape = ops.cast(ops.stack([batch, dimension]), dtypes.int64)
        return SparseTensor(indices, ids, shape)

    def wide_arguments(self, tensor: Any) -> LookupArguments:
        ids = self.to_sparse_tensor(tensor)
        return LookupArguments(ids, None, self.num_buckets, Zeros(), "sum")


def real_valued_column(
    column_name: str,
    dimension: int = 1,
    default_value: TensorLike | None = None,
    dtype: dtypes.DType = dtypes.float32,
    normalizer: Callable[..., Any] | None = None,
) -> RealValuedColumn:
    """Returns a column of real values.

    Args:
      column_name: name of the feature, a numeric tensor [batch, dimension]; "" for the only feature.
      dimension: number of values per example.
      default_value: value of missing features: a number, or a list of them.
      dtype: dtype for parsing.
      normalizer: a function from the tensor to a tensor of the same shape, or None.

    Raises:
      TypeError: if the dimension is not an int, or the default has a different dtype.
      ValueError: if the dimension is not positive, the default has a different length, or the dtype is not numeric.

    Example: `tf.contrib.layers.real_valued_column("", dimension=4)`.
    """
    message = f"dimension: {dimension}, column_name: {column_name}"
    if dimension is None:
        raise TypeError(
            "dimension must be an integer. Use the _real_valued_var_len_column for variable length "
            f"features.{message}"
        )
    if not isinstance(dimension, int):
        raise TypeError(f"dimension must be an integer. {message}")
    if dimension < 1:
        raise ValueError(f"dimension must be greater than 0. {message}")
    if not (dtype.is_integer or dtype.is_floating):
        raise ValueError(
            f"dtype must be convertible to float. dtype: {dtype}, column_name: {column_name}"
        )
    default = _default(column_name, dimension, default_value, dtype)
    return RealValuedColumn(column_name, dimension, default, dtype, normalizer)


def _default(name: str, dimension: int, value: Any, dtype: dtypes.DType) -> tuple | None:
    if value is None:
        return None
    listed = value if isinstance(value, list) else [value] * dimension
    if isinstance(value, list) and len(value) != dimension:
        raise ValueError(
            "The length of default_value must be equal to dimension. "
            f"default_value: {value}, dimension: {dimension}, column_name: {name}"
        )
    if all(isinstance(v, int) for v in listed) and dtype.is_integer:
        return tuple(listed)
    if all(isinstance(v, int | float) for v in listed) and dtype.is_floating:
        return tuple(float(v) for v in listed)
    raise TypeError(
        "default_value must be compatible with dtype. "
        f"default_value: {value}, dtype: {dtype}, column_name: {name}"
    )


def bucketized_column(
    source_column: RealValuedColumn, boundaries: Sequence[float]
) -> BucketizedColumn:
    """Returns a column of bucket indices of numbers.

    Args:
      source_column: a numeric column.
      boundaries: ascending list or tuple of n numbers, for n + 1 buckets that include their lower bounds.

    Raises:
      TypeError: if the column is not numeric.
      ValueError: if boundaries are empty or not ascending.
    """
    if not isinstance(source_column, RealValuedColumn):
        raise TypeError(
            f"source_column must be an instance of _RealValuedColumn. source_column: {source_column}"
        )
    if not isinstance(boundaries, list | tuple) or not boundaries:
        raise ValueError(f"boundaries must be a non-empty list or tuple. boundaries: {boundaries}")
    unique_boundaries = []
    for low, high in zip(boundaries, boundaries[1:]):
        if low > high:
            raise ValueError(f"boundaries must be a sorted list. boundaries: {boundaries}")
        if low < high:
            unique_boundaries.append(low)
    return BucketizedColumn(source_column, (*unique_boundaries, boundaries[-1]))
