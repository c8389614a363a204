"""`tf.io.parse_example` specs of classifier and regressor inputs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from tfmini._src.base import dtypes
from tfmini._src.models.feature_column.numeric_columns import (
    NumericColumn,
    numeric_column,
)
from tfmini._src.models.feature_column.parse_example_spec import make_parse_example_spec
from tfmini._src.ops.parsing.feature_specs import FixedLenFeature

if TYPE_CHECKING:
    from tfmini._src.graph.tensor import TensorLike
    from tfmini._src.models.feature_column.base_columns import FeatureColumn


def classifier_parse_example_spec(
    feature_columns: Iterable[Any],
    label_key: str,
    label_dtype: dtypes.DType = dtypes.int64,
    label_default: TensorLike | None = None,
    weight_column: str | FeatureColumn | None = None,
) -> dict[str, Any]:
    """Returns the `tf.io.parse_example` spec of columns and a classifier's label.

    Args:
      feature_columns: feature columns.
      label_key: name of the label among an Example's features.
      label_dtype: int64, or string.
      label_default: value of missing labels.
      weight_column: name of a feature with example weights, or a numeric column.

    Raises:
      ValueError: if the label or weights are also features, or an argument is not a column.
    """
    label = FixedLenFeature((1,), label_dtype, label_default)
    return _with_label(make_parse_example_spec(feature_columns), label_key, label, weight_column)


def regressor_parse_example_spec(
    feature_columns: Iterable[Any],
    label_key: str,
    label_dtype: dtypes.DType = dtypes.float32,
    label_default: TensorLike | None = None,
    label_dimension: int = 1,
    weight_column: str | FeatureColumn | None = None,
) -> dict[str, Any]:
    """Returns the `tf.io.parse_example` spec of columns and a regressor's label.

    Args:
      feature_columns, label_key, label_default, weight_column: as in `classifier_parse_example_spec`.
      label_dtype: a numeric dtype.
      label_dimension: number of targets per label.

    Raises:
      ValueError: if the label or weights are also features, or an argument is not a column.
    """
    label = FixedLenFeature((label_dimension,), label_dtype, label_default)
    return _with_label(make_parse_example_spec(feature_columns), label_key, label, weight_column)


def _with_label(spec: dict, label_key: str, label: Any, weight_column: Any) -> dict[str, Any]:
    if label_key in spec:
        raise ValueError(
            f"label should not be used as feature. label_key: {label_key}, features: {spec.keys()}"
        )
    spec[label_key] = label
    if weight_column is None:
        return spec
    if isinstance(weight_column, str):
        weight_column = numeric_column(weight_column)
    if not isinstance(weight_column, NumericColumn):
        raise ValueError(
            "weight_column should be an instance of tf.feature_column.numeric_column. "
            f"Given type: {type(weight_column)} value: {weight_column}"
        )
    if weight_column.key in spec:
        raise ValueError(
            "weight_column should not be used as feature. "
            f"weight_column: {weight_column.key}, features: {spec.keys()}"
        )
    return {**spec, **weight_column.parse_example_spec}
