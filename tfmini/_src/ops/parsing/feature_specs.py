"""Specs of the features of records: `FixedLenFeature` and related classes."""

from __future__ import annotations

import re
from collections import OrderedDict, namedtuple
from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Any

from tfmini._src.base import dtypes, logs
from tfmini._src.base.records import dataclass
from tfmini._src.base.shapes import TensorShape, as_shape, dimension_value
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops


class VarLenFeature(namedtuple("VarLenFeature", ["dtype"])):
    """A variable-length feature, parsed to a SparseTensor.

    Args:
      dtype: float32, int64 or string.
    """

    __slots__ = ()


class SparseFeature(
    namedtuple("SparseFeature", ["index_key", "value_key", "dtype", "size", "already_sorted"])
):
    """A pair of features, indices and values, parsed to a SparseTensor.

    Args:
      index_key: the key of the indices (or one key per axis), an int64 feature.
      value_key: the key of the values.
      dtype: the dtype of the values.
      size: the size of the axis (or of each axis).
      already_sorted: whether the indices are sorted.
    """

    __slots__ = ()

    def __new__(
        cls, index_key: Any, value_key: Any, dtype: Any, size: Any, already_sorted: bool = False
    ) -> Any:
        return super().__new__(cls, index_key, value_key, dtype, size, already_sorted)


class FixedLenFeature(namedtuple("FixedLenFeature", ["shape", "dtype", "default_value"])):
    """A fixed-length feature, parsed to a dense Tensor.

    Args:
      shape: the shape of the values in a record.
      dtype: float32, int64 or string.
      default_value: the value for records without the feature; if None, the feature is required.
    """

    __slots__ = ()

    def __new__(cls, shape: Any, dtype: Any, default_value: Any = None) -> Any:
        return super().__new__(cls, shape, dtype, default_value)


class FixedLenSequenceFeature(
    namedtuple("FixedLenSequenceFeature", ["shape", "dtype", "allow_missing", "default_value"])
):
    """A variable-length sequence of fixed-shape items, parsed to a padded dense Tensor.

    Args:
      shape: the shape of one item.
      dtype: float32, int64 or string.
      allow_missing: whether records without the feature are allowed.
      default_value: the scalar that pads shorter records.
    """

    __slots__ = ()

    def __new__(
        cls, shape: Any, dtype: Any, allow_missing: bool = False, default_value: Any = None
    ) -> Any:
        return super().__new__(cls, shape, dtype, allow_missing, default_value)


@dataclass
class RawFeatures:
    """Operands of parsing ops: keys and dtypes of sparse and dense features."""

    sparse_keys: list[str] = field(default_factory=list)
    sparse_types: list[Any] = field(default_factory=list)
    dense_keys: list[str] = field(default_factory=list)
    dense_types: list[Any] = field(default_factory=list)
    dense_defaults: dict[str, Any] = field(default_factory=OrderedDict)
    dense_shapes: list[Any] = field(default_factory=list)

    def add_sparse(self, key: str, dtype: Any) -> None:
        self.sparse_keys.append(key)
        self.sparse_types.append(dtype)

    def check_disjoint(self, message: str) -> None:
        """Raises ValueError if a key is both sparse and dense."""
        both = set(self.dense_keys) & set(self.sparse_keys)
        if both:
            raise ValueError(f"{message}: {both}")


def raw_features(features: Mapping[str, Any] | None, types: Iterable[type]) -> RawFeatures:
    """Converts features to `RawFeatures`, sorted by key and kind; `types` are the classes allowed."""
    raw = RawFeatures()
    for key in sorted(features or {}):
        feature = features[key]  # type: ignore[index]
        feature_class = type(feature)
        if not isinstance(feature, (VarLenFeature, SparseFeature, *_DENSE_FEATURES)):
            raise ValueError(f"Invalid feature {key}:{feature}.")
        if feature_class not in types:
            raise ValueError(f"Unsupported {feature_class.__name__} {feature}.")
        if isinstance(feature, SparseFeature):
            _add_sparse_feature(raw, key, feature)
            continue
        if not feature.dtype:
            raise ValueError(f"Missing type for feature {key}.")
        if isinstance(feature, VarLenFeature):
            raw.add_sparse(key, feature.dtype)
            continue
        if feature.shape is None:
            raise ValueError(f"Missing shape for feature {key}.")
        if isinstance(feature, FixedLenFeature):
            _check_fixed(key, feature)
        elif feature.allow_missing:
            raw.dense_defaults[key] = None
        raw.dense_keys.append(key)
        raw.dense_shapes.append(feature.shape)
        raw.dense_types.append(feature.dtype)
        if feature.default_value is not None:
            raw.dense_defaults[key] = feature.default_value
    return raw


_DENSE_FEATURES = (FixedLenFeature, FixedLenSequenceFeature)


def _check_fixed(key: str, feature: FixedLenFeature) -> None:
    shape = as_shape(feature.shape)
    if feature.shape and shape.ndims and dimension_value(shape[0]) is None:
        raise ValueError(
            f"First dimension of shape for feature {key} unknown. Consider using "
            "FixedLenSequenceFeature."
        )
    if not shape.is_fully_defined():
        raise ValueError(
            f"All dimensions of shape for feature {key} need to be known but received "
            f"{feature.shape}."
        )


def _add_sparse_feature(raw: RawFeatures, key: str, feature: SparseFeature) -> None:
    if not feature.index_key:
        raise ValueError(f"Missing index_key for SparseFeature {feature}.")
    if not feature.value_key:
        raise ValueError(f"Missing value_key for SparseFeature {feature}.")
    if not feature.dtype:
        raise ValueError(f"Missing type for feature {key}.")
    index_keys = feature.index_key
    if isinstance(index_keys, str):
        index_keys = [index_keys]
    elif len(index_keys) > 1:
        logs.warning(
            "SparseFeature is a complicated feature config and should only be used after careful "
            "consideration of VarLenFeature."
        )
    for index_key in sorted(index_keys):
        if index_key not in raw.sparse_keys:
            raw.add_sparse(index_key, dtypes.int64)
            continue
        dtype = raw.sparse_types[raw.sparse_keys.index(index_key)]
        if dtype != dtypes.int64:
            raise ValueError(f"Conflicting type {dtype} vs int64 for feature {index_key}.")
    if feature.value_key not in raw.sparse_keys:
        raw.add_sparse(feature.value_key, feature.dtype)
        return
    dtype = raw.sparse_types[raw.sparse_keys.index(feature.value_key)]
    if dtype != feature.dtype:
        raise ValueError(
            f"Conflicting type {dtype} vs {feature.dtype} for feature {feature.value_key}."
        )


def prepend_item_axis(features: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """Prepends the item axis to the shapes of sequence features."""
    if not features:
        return features
    new_features = dict(features)
    for key, feature in features.items():
        if isinstance(feature, FixedLenSequenceFeature):
            if not feature.allow_missing:
                raise ValueError(
                    "Unsupported: FixedLenSequenceFeature requires allow_missing to be True."
                )
            new_features[key] = feature._replace(shape=[None, *feature.shape])
    return new_features


def combine_sparse_features(features: Mapping[str, Any], parsed: dict[str, Any]) -> dict[str, Any]:
    """Combines the parsed components of each SparseFeature into a SparseTensor."""
    parsed = dict(parsed)
    for key in sorted(features):
        feature = features[key]
        if isinstance(feature, SparseFeature):
            index_key = feature.index_key
            if isinstance(index_key, str):
                ids = parsed[index_key]
            else:
                ids = [parsed[k] for k in index_key]
            parsed[key] = ops.sparse_merge(
                ids,
                parsed[feature.value_key],
                vocab_size=feature.size,
                already_sorted=feature.already_sorted,
            )
    return {key: value for key, value in parsed.items() if key in features}


def default_tensors(raw: RawFeatures) -> list[Tensor]:
    """Converts the defaults of dense features to tensors, which are empty for required features."""
    defaults = []
    for key, dtype, item in zip(raw.dense_keys, raw.dense_types, raw.dense_shapes):
        value = raw.dense_defaults.get(key)
        shape: TensorShape = as_shape(item)
        if shape.ndims and dimension_value(shape[0]) is None:
            if value is None:
                value = ops.convert_to_tensor("" if dtype == dtypes.string else 0, dtype=dtype)
            else:
                name = "padding_" + node_name(key)
                value = ops.convert_to_tensor(value, dtype=dtype, name=name)
                value = ops.reshape(value, [])
        elif value is None:
            value = ops.constant([], dtype=dtype)
        elif not isinstance(value, Tensor):
            name = "key_" + node_name(key)
            value = ops.convert_to_tensor(value, dtype=dtype, name=name)
            value = ops.reshape(value, shape)
        defaults.append(value)
    return defaults


def node_name(key: str) -> str:
    """Converts a key to a part of a node name."""
    return re.sub(r"[^A-Za-z0-9_.\-/]", "_", key)
