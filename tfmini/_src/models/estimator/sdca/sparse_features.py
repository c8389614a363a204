"""Sparse features for dual coordinate ascent, as three parallel vectors."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.read_only import read_only
from tfmini._src.graph.convert_to_tensor import internal_convert_to_tensor
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops


class SparseFeatures:
    """Features of examples as three parallel vectors: example index, feature index, value.

    Args:
      example_indices: int64 [n], ascending.
      feature_indices: int64 [n].
      feature_values: float32 [n]; None for ones.
    """

    example_indices: Tensor = read_only("The example index of each feature, int64 [n].")
    feature_indices: Tensor = read_only("The index of each feature, int64 [n].")
    feature_values: Tensor | None = read_only("The values, float32 [n], or None.")

    def __init__(self, example_indices: Tensor, feature_indices: Tensor, feature_values: Tensor):
        with name_scope(None, "SparseFeatureColumn", [example_indices, feature_indices]):
            self._example_indices = _convert(example_indices, "example_indices", dtypes.int64)
            self._feature_indices = _convert(feature_indices, "feature_indices", dtypes.int64)
        self._feature_values = None
        if feature_values is not None:
            with name_scope(None, "SparseFeatureColumn", [feature_values]):
                self._feature_values = _convert(feature_values, "feature_values", dtypes.float32)


def _convert(value: Any, name: str, dtype: Any) -> Tensor:
    return internal_convert_to_tensor(value, name=name, dtype=dtype)


def unique_features(examples: Any, ids: Any, weights: Any, make: Any) -> Any:
    """Calls `make(examples, ids, weights)` without negative ids, and with unique ids per example."""
    valid = ops.greater_equal(ids, 0)
    ids = ops.boolean_mask(ids, valid)
    examples = ops.boolean_mask(examples, valid)
    weights = ops.boolean_mask(weights, valid)
    width = ops.reduce_max(ids) + 1
    pairs, positions = ops.unique(width * examples + ids)
    examples = ops.unsorted_segment_min(examples, positions, ops.shape(pairs)[0])
    ids = pairs - width * examples
    weights = ops.unsorted_segment_sum(weights, positions, ops.shape(pairs)[0])
    return make(examples, ids, ops.reshape(weights, [-1]))
