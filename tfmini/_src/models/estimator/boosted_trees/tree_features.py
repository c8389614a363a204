"""The features of boosted trees: integers in buckets, from bucketized, indicator and numeric columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.models.feature_column.base_columns import CategoricalColumn, DenseColumn
from tfmini._src.models.feature_column.column_checks import checked_columns
from tfmini._src.models.feature_column.indicator_column import IndicatorColumn
from tfmini._src.models.feature_column.numeric_columns import BucketizedColumn
from tfmini._src.models.feature_column.old_columns import LazyBuilder
from tfmini._src.models.feature_column.state_manager import LayerState
from tfmini._src.models.feature_column.transformation_cache import TransformationCache
from tfmini._src.ops import ops, raw


def sort_columns(columns: Iterable[Any]) -> list:
    """Sorts columns by name."""
    return sorted(columns, key=lambda column: column.name)


def float_columns(columns: Iterable[Any]) -> list:
    """Returns the columns of floats, which are put in buckets between quantiles."""
    return [column for column in columns if _is_float(column)]


def _is_float(column: Any) -> bool:
    if isinstance(column, CategoricalColumn | IndicatorColumn):  # also bucketized ones
        return False
    if isinstance(column, DenseColumn):
        return bool(column.dtype.is_floating)  # type: ignore[attr-defined]  # required of each
    raise ValueError(f"Encountered unexpected column {column}")


def _check(column: Any) -> None:
    """Raises ValueError unless trees support the column."""
    if isinstance(column, DenseColumn):
        return
    if isinstance(column, CategoricalColumn):
        raise ValueError(f"CategoricalColumn must be wrapped by IndicatorColumn, got: {column}")
    raise ValueError("Got unexpected feature column type")


def feature_count(column: Any) -> int:
    """Returns the number of features of a column."""
    _check(column)
    if isinstance(column, IndicatorColumn):
        return int(column.categorical_column.num_buckets)
    if isinstance(column, BucketizedColumn):
        return 1
    sizes = column.variable_shape.as_list()
    return int(sizes[0]) if sizes else 1


def feature_names(columns: Sequence[Any]) -> list[str]:
    """Returns the column name of each feature; for an indicator column, the name of its categorical column."""
    names: list[str] = []
    for column in columns:
        count = feature_count(column)
        named = column.categorical_column if isinstance(column, IndicatorColumn) else column
        names += [named.name] * count
    return names


def group_by_buckets(
    columns: Sequence[Any], num_quantiles: int
) -> tuple[list[int], list[list[int]]]:
    """Returns numbers of buckets, and for each the ids of the features with as many.

    All bucketized columns have as many buckets as the one with the most.
    """
    groups: dict[int, list[int]] = {}
    bucketized: list[int] = []
    most, first = 2, 0
    for column in columns:
        ids = list(range(first, first + feature_count(column)))
        first += len(ids)
        if isinstance(column, BucketizedColumn):
            most = max(most, len(column.boundaries) + 1)
            bucketized += ids
        else:
            buckets = 2 if isinstance(column, IndicatorColumn) else num_quantiles
            groups[buckets] = groups.get(buckets, []) + ids
    if most in groups:
        groups[most] += bucketized
    elif bucketized:
        groups[most] = bucketized
    return list(groups), list(groups.values())


def boundaries_by_column(columns: Sequence[Any], boundaries: Sequence[Tensor]) -> dict[str, Any]:
    """Returns the boundaries of the features of each float column, by its name."""
    result, first = {}, 0
    for column in columns:
        end = first + feature_count(column)
        result[column.name] = boundaries[first:end]
        first = end
    return result


def transform_columns(features: dict, columns: Iterable[Any]) -> dict[Any, Any]:
    """Returns the transformed features of each column."""
    transformed: dict[Any, Any] = {}
    for is_second in (True, False):
        chosen = [column for column in columns if column.is_second is is_second]
        if not chosen:
            continue
        name = "FeatureColumn" if is_second else "_FeatureColumn"
        cache = TransformationCache(features) if is_second else LazyBuilder(features)
        state = LayerState(None, trainable=False) if is_second else None
        with name_scope(None, "transform_features", features.values()):
            for column in sort_columns(checked_columns(chosen, name)):
                with name_scope(None, column.name):
                    transformed[column] = cache.get(column, state)
    return transformed


def tree_features(
    features: dict,
    columns: Sequence[Any],
    boundaries: dict[str, Any] | None = None,
    transformed: dict[Any, Any] | None = None,
) -> list[Tensor]:
    """Returns the features of sorted columns, vectors of buckets, or of floats without `boundaries`.

    Args:
      transformed: the already transformed columns.
    """
    transformed = transformed or {}
    remaining = [column for column in columns if column not in transformed]
    transformed = transform_columns(features, remaining) | transformed
    result: list[Tensor] = []
    for column in columns:
        _check(column)
        tensor = transformed[column]
        if isinstance(column, BucketizedColumn):
            tensor = ops.squeeze(tensor, axis=1)
            if len(tensor.shape) > 1:
                source = column.source_column.name
                raise ValueError(
                    f"For now, only supports features equivalent to rank 1 but column `{source}` got: "
                    f"{features[source].shape}"
                )
            result.append(tensor)
        elif isinstance(column, IndicatorColumn):
            tensor = ops.cast(tensor, dtypes.int32, name="ToInt32")
            if len(tensor.shape) > 2:
                source = column.categorical_column.name
                raise ValueError(
                    f"Rank of indicator column must be no more than 2, but column `{source}` got: "
                    f"{features[source].shape}"
                )
            result += ops.unstack(tensor, axis=1)
        else:
            if column.variable_shape.rank > 1:
                raise ValueError(
                    f"For now, we only support Dense column with rank of 1, but column `{column.name}` got: "
                    f"{column.variable_shape}"
                )
            values = ops.unstack(tensor, axis=1)
            if boundaries:
                values = raw.BoostedTreesBucketize(values, boundaries[column.name])
            result += values
    return result
