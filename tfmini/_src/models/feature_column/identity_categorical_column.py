"""Categorical columns of integer ids."""

from __future__ import annotations

from typing import Any, NamedTuple

from tfmini._src.base import dtypes
from tfmini._src.base.read_only import read_only
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.models.feature_column import column_checks
from tfmini._src.models.feature_column.base_columns import CategoricalColumn
from tfmini._src.models.feature_column.transformation_cache import sparse_values
from tfmini._src.ops import ops
from tfmini._src.ops.parsing.feature_specs import VarLenFeature


class _IdentityFields(NamedTuple):
    key: str
    number_buckets: int
    default_value: int | None


class IdentityCategoricalColumn(CategoricalColumn, _IdentityFields):
    """Column of integers used as ids."""

    name: str = read_only(attribute="key")
    num_buckets: int = read_only(attribute="number_buckets")
    _where = staticmethod(ops.where_v2)

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        return {self.key: VarLenFeature(dtypes.int64)}

    def transform_feature(self, cache: Any, state: Any) -> SparseTensor:
        sparse = sparse_values(cache.get(self.key, state))
        if not sparse.dtype.is_integer:
            raise ValueError(f"Invalid input, not integer. key: {self.key} dtype: {sparse.dtype}")
        values = ops.cast(sparse.values, dtypes.int64, name="values")
        limit = ops.cast(self.num_buckets, dtypes.int64, name="num_buckets")
        zero = ops.cast(0, dtypes.int64, name="zero")
        if self.default_value is None:
            values = self._check(values, limit, zero)
        else:
            is_outside = ops.logical_or(values < zero, values >= limit, name="out_of_range")
            filled = ops.fill(
                dims=ops.shape(values),
                value=ops.cast(self.default_value, dtypes.int64),
                name="default_values",
            )
            values = self._where(is_outside, filled, values)
        return SparseTensor(indices=sparse.indices, values=values, dense_shape=sparse.dense_shape)

    def _check(self, values: Any, limit: Any, zero: Any) -> Any:
        upper_check = ops.assert_less(
            values,
            limit,
            data=(values, limit),
            message=f'Bucket index for categorical column "{self.name}" exceeds number of buckets',
            name="assert_less_than_num_buckets",
        )
        above = ops.assert_greater_equal(
            values,
            zero,
            data=(values,),
            message=f'Negative bucket index for categorical column "{self.name}"',
            name="assert_greater_or_equal_0",
        )
        with control_dependencies((upper_check, above)):
            return ops.identity(values)


def categorical_column_with_identity(
    key: str, num_buckets: int, default_value: int | None = None
) -> IdentityCategoricalColumn:
    """Returns a column of integers used as ids.

    Args:
      key: name of the feature, an integer Tensor or SparseTensor; -1 marks missing values in dense features.
      num_buckets: number of ids; out-of-range values fail at run time.
      default_value: id of out-of-range values; None to fail.

    Raises:
      ValueError: if `num_buckets` is not positive, or the default is out of range.

    Example:
      month = tf.feature_column.categorical_column_with_identity("month", 12)
    """
    if num_buckets < 1:
        raise ValueError(f"num_buckets {num_buckets} < 1, column_name {key}")
    if default_value is not None and not 0 <= default_value < num_buckets:
        raise ValueError(
            f"default_value {default_value} not in range [0, {num_buckets}), column_name {key}"
        )
    column_checks.check_key(key)
    return IdentityCategoricalColumn(key, num_buckets, default_value)
