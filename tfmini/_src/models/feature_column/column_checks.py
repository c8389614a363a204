"""Validation of column arguments and column lists."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.nest.containers import is_sequence
from tfmini._src.base.nest.structure import flatten
from tfmini._src.models.feature_column.base_columns import FeatureColumn


def are_second(columns: Any) -> bool:
    """Whether all columns are from `tf.feature_column`, as required by layers and newer Estimators."""
    return all(getattr(column, "is_second", False) for column in columns)


def check_second(columns: Any) -> None:
    """Raises ValueError unless all columns are from `tf.feature_column`, as required by newer Estimators."""
    if not are_second(columns):
        raise ValueError(
            "Received a feature column from TensorFlow v1, but this is a TensorFlow v2 Estimator. Please either "
            "use v2 feature columns (accessible via tf.feature_column.* in TF 2.x) with this Estimator, or switch "
            "to a v1 Estimator for use with v1 feature columns (accessible via tf.compat.v1.estimator.* and "
            "tf.compat.v1.feature_column.*, respectively."
        )


def check_key(key: Any) -> None:
    """Raises ValueError unless the feature name is a string."""
    if not isinstance(key, str):
        raise ValueError(f"key must be a string. Got: type {type(key)}. Given key: {key}.")


def check_categorical(dtype: dtypes.DType, prefix: str) -> None:
    """Raises ValueError unless the dtype is string or integer."""
    if dtype != dtypes.string and not dtype.is_integer:
        raise ValueError(f"{prefix} dtype must be string or integer. dtype: {dtype}.")


def check_fits(key: str, expected: dtypes.DType, dtype: dtypes.DType) -> None:
    """Raises ValueError unless the dtypes of column and feature are both integer or both non-integer."""
    if expected.is_integer != dtype.is_integer:
        raise ValueError(
            "Column dtype and SparseTensors dtype must be compatible. "
            f"key: {key}, column dtype: {expected}, tensor dtype: {dtype}"
        )


def check_numeric(dtype: dtypes.DType, key: str) -> None:
    """Raises ValueError unless the dtype is numeric."""
    if not (dtype.is_integer or dtype.is_floating):
        raise ValueError(f"dtype must be convertible to float. dtype: {dtype}, key: {key}")


def check_normalizer(normalizer_fn: Any) -> None:
    """Raises TypeError unless the normalizer is a function or None."""
    if normalizer_fn is not None and not callable(normalizer_fn):
        raise TypeError(f"normalizer_fn must be a callable. Given: {normalizer_fn}")


def checked_shape(shape: Any, key: str) -> tuple[int, ...]:
    """Returns a shape as a tuple of positive ints; raises TypeError or ValueError for other values."""
    sizes = tuple(shape) if is_sequence(shape) else (shape,)
    for size in sizes:
        if not isinstance(size, int):
            raise TypeError(f"shape dimensions must be integer. shape: {sizes}, key: {key}")
        if size < 1:
            raise ValueError(f"shape dimensions must be greater than 0. shape: {sizes}, key: {key}")
    return sizes


def checked_default(shape: tuple, value: Any, dtype: dtypes.DType, key: str) -> Any:
    """Returns a feature's default value as nested tuples of the given shape; None if there is no default."""
    if value is None:
        return None
    if isinstance(value, int) or (isinstance(value, float) and dtype.is_floating):
        return _nested_tuple(shape, value)
    if callable(getattr(value, "tolist", None)):
        value = value.tolist()
    if is_sequence(value):
        if not _has_shape(value, shape):
            raise ValueError(
                "The shape of default_value must be equal to given shape. "
                f"default_value: {value}, shape: {shape}, key: {key}"
            )
        elements = flatten(value)
        all_ints = all(isinstance(element, int) for element in elements)
        has_floats = any(isinstance(element, float) for element in elements)
        if all_ints or (has_floats and dtype.is_floating):
            return _tuples(value)
    raise TypeError(
        "default_value must be compatible with dtype. "
        f"default_value: {value}, dtype: {dtype}, key: {key}"
    )


def _nested_tuple(shape: tuple, value: Any) -> Any:
    return tuple(_nested_tuple(shape[1:], value) for _ in range(shape[0])) if shape else value


def _tuples(value: Any) -> Any:
    return tuple(_tuples(v) for v in value) if is_sequence(value) else value


def _has_shape(value: Any, shape: tuple) -> bool:
    if is_sequence(value) != bool(shape):
        return False
    if not shape:
        return True
    return len(value) == shape[0] and all(_has_shape(part, shape[1:]) for part in value)


def checked_columns(feature_columns: Any, class_name: str) -> list:
    """Returns a list of columns with distinct names.

    Args:
      feature_columns: a column or an iterable of them.
      class_name: the class name in error messages: "_FeatureColumn", or "FeatureColumn" for layers.
    """
    if isinstance(feature_columns, FeatureColumn):
        feature_columns = [feature_columns]
    if isinstance(feature_columns, Iterator):
        feature_columns = list(feature_columns)
    if isinstance(feature_columns, dict):
        raise ValueError("Expected feature_columns to be iterable, found dict.")
    for column in feature_columns:
        is_taken = isinstance(column, FeatureColumn) and (column.is_second or class_name[0] == "_")
        if not is_taken:
            raise ValueError(
                f"Items of feature_columns must be a {class_name}. Given (type {type(column)}): {column}."
            )
    if not feature_columns:
        raise ValueError("feature_columns must not be empty.")
    by_name: dict[str, FeatureColumn] = {}
    for column in feature_columns:
        if column.name in by_name:
            raise ValueError(
                "Duplicate feature column name found for columns: "
                f"{column} and {by_name[column.name]}. This usually means that these columns refer to "
                "same base feature. Either one must be discarded or a duplicated but renamed item must "
                "be inserted in features dict."
            )
        by_name[column.name] = column
    return sorted(feature_columns, key=lambda column: column.name)


def check_batches(tensors: Sequence[Any], columns: Sequence[FeatureColumn]) -> None:
    """Raises ValueError if the columns' static batch sizes differ."""
    sizes = [
        (tensor.shape.dims[0].value, column.name)
        for tensor, column in zip(tensors, columns)
        if tensor.shape.dims[0].value is not None
    ]
    for size, name in sizes[1:]:
        first, first_name = sizes[0]
        if size != first:
            raise ValueError(
                "Batch size (first dimension) of each feature must be same. "
                f"Batch size of columns ({first_name}, {name}): ({first}, {size})"
            )


def merged_specs(
    columns: Any, is_column: Callable[[Any], bool], class_name: str = "_FeatureColumn"
) -> dict[str, Any]:
    """Returns the merged parsing specs of all columns; raises ValueError for a non-column or for conflicting specs."""
    result: dict[str, Any] = {}
    for column in columns:
        if not is_column(column):
            raise ValueError(f"All feature_columns must be {class_name} instances. Given: {column}")
        spec = column.parse_example_spec
        for key, value in spec.items():
            if key in result and value != result[key]:
                raise ValueError(
                    f"feature_columns contain different parse_spec for key {key}. Given {value} and "
                    f"{result[key]}"
                )
        result.update(spec)
    return result
