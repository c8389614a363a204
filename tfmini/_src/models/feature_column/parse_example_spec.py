"""The `tf.io.parse_example` spec required by columns."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tfmini._src.base.names.signature import arguments_of
from tfmini._src.models.feature_column.base_columns import FeatureColumn
from tfmini._src.models.feature_column.column_checks import merged_specs


def make_parse_example_spec(feature_columns: Iterable[Any]) -> dict[str, Any]:
    """Returns the combined `tf.io.parse_example` spec of all feature columns.

    Args:
      feature_columns: feature columns.

    Returns:
      FixedLenFeatures and VarLenFeatures by feature name.

    Raises:
      ValueError: if an item is not a column, or two columns parse a feature differently.

    Example:
      spec = tf.feature_column.make_parse_example_spec([age, city])
      features = tf.io.parse_example(serialized, spec)
    """
    return merged_specs(feature_columns, lambda column: isinstance(column, FeatureColumn))


@arguments_of(make_parse_example_spec)
def make_parse_example_spec_v2(feature_columns):
    return merged_specs(
        feature_columns,
        lambda column: isinstance(column, FeatureColumn) and column.is_second,
        "FeatureColumn",
    )
