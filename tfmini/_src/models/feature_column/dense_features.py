"""Feature column layers: dense features, sequence features, and a linear model."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes.tensor_shape import ShapeLike
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.models.feature_column.base_columns import (
    CategoricalColumn,
    DenseColumn,
    SequenceDenseColumn,
)
from tfmini._src.models.feature_column.column_checks import check_batches, checked_columns
from tfmini._src.models.feature_column.serialization import (
    deserialize_feature_columns,
    serialize_feature_columns,
)
from tfmini._src.models.feature_column.state_manager import LayerState
from tfmini._src.models.feature_column.transformation_cache import TransformationCache
from tfmini._src.models.feature_column.weighted_sums import weighted_sum, weights_height
from tfmini._src.nn.layers.base_layer import Layer as BaseLayer
from tfmini._src.nn.layers.saved_layer.saved_layer import SavedLayer
from tfmini._src.ops import ops
from tfmini._src.variables.get_variable import get_variable
from tfmini._src.variables.initializers import Zeros
from tfmini._src.variables.variable_scope import pure_variable_scope


class _ColumnLayer(BaseLayer):
    """Base class of layers whose weights belong to columns."""

    def __init__(
        self,
        feature_columns: Iterable[Any],
        trainable: bool = True,
        name: str | None = None,
        **kwargs: Any,
    ):
        super().__init__(name=name, trainable=trainable, **kwargs)
        self._feature_columns = checked_columns(feature_columns, "FeatureColumn")
        self._state_manager = LayerState(self, self.trainable)

    @classmethod
    def from_config(
        cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None
    ) -> Any:
        """Creates a layer from a configuration.

        Args:
          config: dict of the layer's arguments.
          custom_objects: custom classes and functions by name.
        """
        columns = deserialize_feature_columns(config["feature_columns"], custom_objects)
        return cls(**{**config, "feature_columns": columns})

    def get_config(self) -> dict[str, Any]:
        """Returns the constructor arguments, with columns as dicts."""
        columns = serialize_feature_columns(self._feature_columns)
        return {**super().get_config(), "feature_columns": columns}


class _FeaturesLayer(_ColumnLayer):
    """Base class of layers that concatenate columns' tensors."""

    _kind: type

    def __init__(
        self,
        feature_columns: Iterable[Any],
        trainable: bool = True,
        name: str | None = None,
        **kwargs: Any,
    ):
        super().__init__(feature_columns, trainable, name, **kwargs)
        for column in self._feature_columns:
            if not isinstance(column, self._kind):
                raise ValueError(
                    f"Items of feature_columns must be a {self._kind}. You can wrap a categorical column "
                    f"with an embedding_column or indicator_column. Given: {column}"
                )

    def build(self, _: object) -> None:
        for column in self._feature_columns:
            with pure_variable_scope(self.name), pure_variable_scope(column.name):
                column.create_state(self._state_manager)
        super().build(None)

    def _flat(self, column: Any, tensor: Any) -> Any:
        size, shape = column.variable_shape.num_elements(), ops.shape(tensor)
        return ops.reshape(tensor, shape=self._target_shape(shape, size))

    def _target_shape(self, shape: Any, size: int) -> tuple:
        raise NotImplementedError

    def compute_output_shape(self, input_shape: ShapeLike) -> tuple[Any, ...]:
        sizes = [column.variable_shape.num_elements() for column in self._feature_columns]
        return self._target_shape(input_shape, sum(sizes))

    def _concat(self, outputs: list) -> Tensor:
        check_batches(outputs, self._feature_columns)
        return ops.concat(outputs, -1)


class _SavedFeatureLayer(SavedLayer):
    """A feature layer loaded from a SavedModel."""

    def metadata(self) -> dict[str, Any]:
        return {**super().metadata(), "_is_feature_layer": True}


class DenseFeatures(_FeaturesLayer):
    """Layer that concatenates the outputs of dense columns.

    Args:
      feature_columns: dense columns: numeric, bucketized, embedding or indicator columns.
      trainable: whether embeddings are trainable.
      name: layer name.

    Raises:
      ValueError: for columns that are not dense, or duplicate names; on call, for missing features or batch sizes that
        differ.
    """

    _kind = DenseColumn
    _is_feature_layer = True
    _saved_as = _SavedFeatureLayer

    def _target_shape(self, shape: Any, size: int) -> tuple:
        return shape[0], size

    def call(
        self, features: dict[Any, Any], cols_to_output_tensors: dict[Any, Any] | None = None
    ) -> Tensor:
        """Returns a tensor float32 [batch, sum of widths], with columns in name order.

        Args:
          features: a dict from name to tensor [batch, ...].
          cols_to_output_tensors: a dict to fill with each column's part.
        """
        if not isinstance(features, dict):
            raise ValueError("We expected a dictionary here. Instead we got: ", features)
        cache, outputs = TransformationCache(features), []
        for column in self._feature_columns:
            with name_scope(column.name):
                tensor = column.get_dense_tensor(cache, self._state_manager)
                output = self._flat(column, tensor)
                if cols_to_output_tensors is not None:
                    cols_to_output_tensors[column] = output
                outputs.append(output)
        return self._concat(outputs)


class SequenceFeatures(_FeaturesLayer):
    """Layer that concatenates the outputs of sequence columns and returns the sequence lengths.

    Args:
      feature_columns: sequence columns: `sequence_numeric_column`, or embeddings and indicators of sequences.
      trainable: whether embeddings are trainable.
      name: layer name.
    """

    _kind = SequenceDenseColumn

    def _target_shape(self, shape: Any, size: int) -> tuple:
        return shape[0], shape[1], size

    def call(self, features: dict[Any, Any]) -> tuple[Tensor, Tensor]:
        """Returns a tensor float32 [batch, steps, sum of widths], and the sequence lengths, int64 [batch].

        Args:
          features: a dict from name to SparseTensor [batch, steps].
        """
        if not isinstance(features, dict):
            raise ValueError("We expected a dictionary here. Instead we got: ", features)
        cache, outputs, lengths = TransformationCache(features), [], []
        for column in self._feature_columns:
            with name_scope(column.name):
                sequence = column.get_sequence_dense_tensor(cache, self._state_manager)
                outputs.append(self._flat(column, sequence.dense_tensor))
                lengths.append(sequence.sequence_length)
        check_batches(lengths, self._feature_columns)
        length = equal_lengths(lengths)
        return self._concat(outputs), length


def equal_lengths(lengths: list) -> Tensor:
    """Returns the common sequence lengths of all columns; fails at run time if they differ."""
    with name_scope(None, "assert_all_equal", lengths):
        if len(lengths) == 1:
            return lengths[0]
        checks = [ops.assert_equal(lengths[0], other) for other in lengths[1:]]
        with control_dependencies(checks):
            return ops.identity(lengths[0])


class LinearModelLayer(_ColumnLayer):
    """The layer of a `LinearModel`, with the same arguments."""

    def __init__(
        self,
        feature_columns: Any,
        units: int = 1,
        sparse_combiner: str = "sum",
        trainable: bool = True,
        name: str | None = None,
        **kwargs: Any,
    ):
        super().__init__(feature_columns, trainable, name, **kwargs)
        for column in self._feature_columns:
            if not isinstance(column, DenseColumn | CategoricalColumn):
                raise ValueError(
                    "Items of feature_columns must be either a DenseColumn or CategoricalColumn. "
                    f"Given: {column}"
                )
        self._units, self._sparse_combiner = units, sparse_combiner
        self.bias: Any = None

    def build(self, _: Any) -> None:
        with pure_variable_scope(self.name):
            for column in self._feature_columns:
                with pure_variable_scope(column.name):
                    column.create_state(self._state_manager)
                    self._state_manager.create_variable(
                        column,
                        name="weights",
                        dtype=dtypes.float32,
                        shape=(weights_height(column), self._units),
                        initializer=Zeros(),
                        trainable=self.trainable,
                    )
            self.bias = self.add_weight(
                name="bias_weights",
                dtype=dtypes.float32,
                shape=[self._units],
                initializer=Zeros(),
                trainable=self.trainable,
                use_resource=True,
                getter=get_variable,
            )
        super().build(None)

    def call(self, features: dict[Any, Any]) -> Tensor:
        if not isinstance(features, dict):
            raise ValueError(f"We expected a dictionary here. Instead we got: {features}")
        with name_scope(self.name):
            cache, sums = TransformationCache(features), []
            for column in self._feature_columns:
                with name_scope(column.name):
                    weights = self._state_manager.get_variable(column, "weights")
                    part = weighted_sum(
                        column, cache, self._state_manager, self._sparse_combiner, weights
                    )
                    sums.append(part)
            check_batches(sums, self._feature_columns)
            total = ops.add_n(sums, name="weighted_sum_no_bias")
            return ops.bias_add(total, self.bias, name="weighted_sum")

    def get_config(self) -> dict[str, Any]:
        """Returns the constructor arguments, with columns as dicts."""
        config = super().get_config()
        return {**config, "units": self._units, "sparse_combiner": self._sparse_combiner}


class LinearModel(BaseLayer):
    """Weighted sum of columns plus a bias, with resource variables.

    Args:
      feature_columns, units, sparse_combiner, trainable: as in `linear_model`.
      name: layer name.
    """

    trainable_weights: list = read_only(attribute="layer.trainable_weights")
    non_trainable_weights: list = read_only(attribute="layer.non_trainable_weights")

    @arguments_of(LinearModelLayer, "kwargs")
    def __init__(self, name: str | None, **settings: Any):
        super().__init__(name=name)
        self.layer = LinearModelLayer(name=self.name, **settings)

    def call(self, features: dict[Any, Any]) -> Tensor:
        """Returns the weighted sum, float32 [batch, units]."""
        return self.layer(features)

    bias: Any = read_only("The bias variable; None before the first call.", "layer.bias")
