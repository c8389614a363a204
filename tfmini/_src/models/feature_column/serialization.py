"""Column configurations: dicts of arguments, from which column layers are reconstructed."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.models.feature_column.base_columns import FeatureColumn
from tfmini._src.models.feature_column.categorical_vocabulary import (
    VocabularyFileCategoricalColumn,
    VocabularyListCategoricalColumn,
)
from tfmini._src.models.feature_column.derived_categorical_columns import (
    CrossedColumn,
    WeightedCategoricalColumn,
)
from tfmini._src.models.feature_column.embedding_column import EmbeddingColumn
from tfmini._src.models.feature_column.hashed_categorical_column import HashedCategoricalColumn
from tfmini._src.models.feature_column.identity_categorical_column import IdentityCategoricalColumn
from tfmini._src.models.feature_column.indicator_column import IndicatorColumn
from tfmini._src.models.feature_column.numeric_columns import (
    BucketizedColumn,
    NumericColumn,
)
from tfmini._src.models.feature_column.sequence_columns import (
    SequenceCategoricalColumn,
    SequenceNumericColumn,
)
from tfmini._src.nn.layers.custom_objects import custom_object_scope, get_custom_objects
from tfmini._src.nn.layers.deserialize import deserialize_object, to_config
from tfmini._src.nn.layers.initializers import find_initializer

_CLASSES = {
    cls.__name__: cls
    for cls in (
        BucketizedColumn,
        CrossedColumn,
        EmbeddingColumn,
        HashedCategoricalColumn,
        IdentityCategoricalColumn,
        IndicatorColumn,
        NumericColumn,
        SequenceCategoricalColumn,
        SequenceNumericColumn,
        VocabularyFileCategoricalColumn,
        VocabularyListCategoricalColumn,
        WeightedCategoricalColumn,
    )
}
_COLUMNS = ("source_column", "categorical_column")


def serialize_feature_column(column: Any) -> Any:
    """Returns the class and arguments of a column as a dict; returns a feature name unchanged.

    Raises:
      ValueError: for other values.
    """
    if isinstance(column, str):
        return column
    if not isinstance(column, FeatureColumn):
        raise ValueError(f"Instance: {column} is not a FeatureColumn")
    return {"class_name": type(column).__name__, "config": _column_config(column)}


def serialize_feature_columns(columns: Any) -> list:
    """Returns `serialize_feature_column` of each column."""
    return [serialize_feature_column(column) for column in columns]


def _column_config(column: Any) -> dict[str, Any]:
    if type(column).__name__ not in _CLASSES:
        raise NotImplementedError(f"a configuration of {type(column).__name__}")
    config = column._asdict()
    for name in _COLUMNS:
        if name in config:
            config[name] = serialize_feature_column(config[name])
    for name in ("normalizer_fn", "initializer"):
        if name in config:
            config[name] = to_config(config[name])
    if "keys" in config:
        config["keys"] = tuple(serialize_feature_columns(config["keys"]))
    if "dtype" in config:
        config["dtype"] = config["dtype"].name
    return config


def deserialize_feature_column(
    config: Any, custom_objects: Any = None, columns_by_name: dict | None = None
) -> Any:
    """Creates a column from a configuration.

    Args:
      config: a result of `serialize_feature_column`.
      custom_objects: column classes, functions and initializers by name; they take precedence.
      columns_by_name: existing columns by class and name, to which new columns are added.

    Raises:
      ValueError: for an invalid configuration, an unknown or non-column class, or missing arguments.
    """
    if isinstance(config, str):
        return config
    if not isinstance(config, dict) or "class_name" not in config or "config" not in config:
        raise ValueError(f"Improper config format: {config}")
    registered = {**_CLASSES, **get_custom_objects(), **(custom_objects or {})}
    if config["class_name"] not in registered:
        raise ValueError(f"Unknown feature_column_v2: {config['class_name']}")
    column_class = registered[config["class_name"]]
    if not issubclass(column_class, FeatureColumn):
        raise ValueError(f"Expected FeatureColumn class, instead found: {column_class}")
    columns = {} if columns_by_name is None else columns_by_name
    column = _column_from_config(column_class, config["config"], custom_objects, columns)
    return columns.setdefault((column_class.__name__, column.name), column)


def deserialize_feature_columns(configs: Any, custom_objects: Any = None) -> list:
    """Creates columns from configurations; columns of equal class and name become one object."""
    columns: dict = {}
    return [deserialize_feature_column(config, custom_objects, columns) for config in configs]


def _column_from_config(column_class: Any, config: dict, custom_objects: Any, columns: dict) -> Any:
    if set(config) != set(column_class._fields):
        raise ValueError(f"Invalid config: {config}, expected keys: {column_class._fields}")
    values = {k: tuple(v) if isinstance(v, list) else v for k, v in config.items()}
    for name in _COLUMNS:
        if name in values:
            values[name] = deserialize_feature_column(values[name], custom_objects, columns)
    if "keys" in values:
        values["keys"] = tuple(
            deserialize_feature_column(key, custom_objects, columns) for key in values["keys"]
        )
    if "normalizer_fn" in values:
        values["normalizer_fn"] = deserialize_object(
            values["normalizer_fn"], None, custom_objects, "object"
        )
    if "initializer" in values:
        with custom_object_scope(custom_objects or {}):
            values["initializer"] = find_initializer(values["initializer"])
    if "dtype" in values:
        values["dtype"] = dtypes.as_dtype(values["dtype"])
    return column_class(**values)
