"""Base classes of user-defined columns in the pre-1.13 protocol, which TensorFlow Hub uses: its methods start
with underscores.

class Doubled(tensorflow.python.feature_column.feature_column._DenseColumn):
    name = "doubled"
    _parse_example_spec = {"x": tf.FixedLenFeature([1], tf.float32)}
    _variable_shape = tf.TensorShape([1])

    def _transform_feature(self, inputs):
        return inputs.get("x") * 2

    def _get_dense_tensor(self, inputs, weight_collections=None, trainable=None):
        return inputs.get(self)
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import TensorShape
from tfmini._src.models.feature_column import base_columns
from tfmini._src.models.feature_column.transformation_cache import TransformationCache


class LazyBuilder(TransformationCache):
    """Cache of features and transformations for columns in the old protocol."""

    _kind = "_FeatureColumn"


class FeatureColumn(base_columns.FeatureColumn):
    """Base class of columns in the old protocol, which may also implement the new one."""

    var_scope_name: str = read_only()
    parse_example_spec: dict[str, Any] = read_only()

    def __init_subclass__(cls, **kwargs: Any):
        super().__init_subclass__(**kwargs)
        cls.is_second = cls.transform_feature is not FeatureColumn.transform_feature

    _var_scope_name: str = read_only("The variable scope name.", "name")

    @property
    @abstractmethod
    def _parse_example_spec(self) -> dict[str, Any]:  # type: ignore[override]  # read-only there too
        """The `tf.io.parse_example` spec of the required features."""

    @abstractmethod
    def _transform_feature(self, inputs: Any) -> Any:
        """Returns the transformed features."""

    def transform_feature(self, cache: Any, state: Any) -> Any:
        return self._transform_feature(cache)


class DenseColumn(FeatureColumn, base_columns.DenseColumn):
    """Column that yields a dense tensor [batch, ...]."""

    variable_shape: TensorShape = read_only()

    @property
    @abstractmethod
    def _variable_shape(self) -> TensorShape:  # type: ignore[override]
        """Static shape of the tensor, without the batch dimension."""

    @abstractmethod
    def _get_dense_tensor(
        self, inputs: Any, weight_collections: Any = None, trainable: Any = None
    ) -> Any:
        """Returns the column's tensor."""

    def get_dense_tensor(self, cache: Any, state: Any) -> Any:
        return self._get_dense_tensor(cache, state.weight_collections, state.trainable)


class CategoricalColumn(FeatureColumn, base_columns.CategoricalColumn):
    """Column that yields ids in [0, _num_buckets)."""

    num_buckets: int = read_only()

    @property
    @abstractmethod
    def _num_buckets(self) -> int:  # type: ignore[override]
        """Number of ids."""

    @abstractmethod
    def _get_sparse_tensors(
        self, inputs: Any, weight_collections: Any = None, trainable: Any = None
    ) -> base_columns.IdWeightPair:
        """Returns the ids and weights of each example."""

    def get_sparse_tensors(self, cache: Any, state: Any) -> base_columns.IdWeightPair:
        return self._get_sparse_tensors(cache)


class SequenceDenseColumn(FeatureColumn, base_columns.SequenceDenseColumn):
    """Column that yields a dense tensor per sequence step."""

    @abstractmethod
    def _get_sequence_dense_tensor(
        self, inputs: Any, weight_collections: Any = None, trainable: Any = None
    ) -> base_columns.TensorSequenceLengthPair:
        """Returns the column's tensor, and the sequence lengths."""

    @property
    def variable_shape(self) -> TensorShape:
        return self._variable_shape  # type: ignore[attr-defined]  # defined by user programs

    def get_sequence_dense_tensor(
        self, cache: Any, state: Any
    ) -> base_columns.TensorSequenceLengthPair:
        return self._get_sequence_dense_tensor(cache, state.weight_collections, state.trainable)
