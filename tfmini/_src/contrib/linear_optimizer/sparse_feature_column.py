"""Sparse features of `SdcaModel`."""

from __future__ import annotations

from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.graph.tensor import Tensor
from tfmini._src.models.estimator.sdca.sparse_features import SparseFeatures

MOVE_NOTICE = (
    "This class is deprecated. To UPDATE or USE linear optimizers, please check its latest version in core: "
    "tensorflow_estimator/python/estimator/canned/linear_optimizer/."
)


class SparseFeatureColumn(SparseFeatures):
    """Sparse features as three parallel vectors: example index, feature index, value.

    Args:
      example_indices: int64 [n], ascending.
      feature_indices: int64 [n].
      feature_values: float32 [n]; None if all are 1.

    Example: example 0 has feature 5, example 1 has features 6 and 10.
      tf.contrib.linear_optimizer.SparseFeatureColumn([0, 1, 1], [5, 6, 10], [1.0, 1.0, 0.5])
    """

    @deprecated(None, MOVE_NOTICE)
    def __init__(self, example_indices: Tensor, feature_indices: Tensor, feature_values: Tensor):
        super().__init__(example_indices, feature_indices, feature_values)
