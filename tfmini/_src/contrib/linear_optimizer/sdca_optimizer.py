"""Optimizer that trains linear `tf.contrib.learn` Estimators by dual coordinate ascent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.read_only import read_only
from tfmini._src.contrib.layers.feature_column.crossed_column import CrossedColumn
from tfmini._src.contrib.layers.feature_column.real_valued_column import (
    BucketizedColumn,
    RealValuedColumn,
)
from tfmini._src.contrib.layers.feature_column.sparse_column import (
    SparseColumn,
    WeightedSparseColumn,
)
from tfmini._src.contrib.linear_optimizer.sdca_model import SdcaModel
from tfmini._src.contrib.linear_optimizer.sparse_feature_column import SparseFeatureColumn
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.models.estimator.sdca.sparse_features import unique_features
from tfmini._src.ops import ops


class SDCAOptimizer:
    """Optimizer for `tf.contrib.learn` Estimators that uses stochastic dual coordinate ascent.

    Features include the example ids, strings [batch]; the batch size must be static.

    Args:
      example_id_column: name of the feature with example ids.
      num_loss_partitions: number of training workers.
      num_table_shards: number of tables for example states; by default one.
      symmetric_l1_regularization: strength of l1 regularization.
      symmetric_l2_regularization: strength of l2 regularization; at least 1.
      adaptive: whether to sample examples by their expected change.
      partitioner: partitioner of the weights.

    Example:
      sdca = tf.contrib.linear_optimizer.SDCAOptimizer("id", symmetric_l2_regularization=2.0)
      model = tf.contrib.learn.LinearClassifier(columns, optimizer=sdca)
      model.fit(input_fn=input_fn, steps=50)
    """

    symmetric_l1_regularization: float = read_only(
        "Weight of the L1 norm of the weights in the loss.", "_l1"
    )
    symmetric_l2_regularization: float = read_only(
        "Weight of the squared L2 norm of the weights in the loss.", "_l2"
    )
    example_id_column: str = read_only("The name of the feature with the ids of examples.")
    num_loss_partitions: int = read_only("Number of workers that train.")
    num_table_shards: int | None = read_only("Number of tables that hold example states.")
    adaptive: bool = read_only(
        "Whether examples are sampled in proportion to their expected change."
    )
    partitioner: Callable | None = read_only("Partitioner of the weights.")

    def __init__(
        self,
        example_id_column: str,
        num_loss_partitions: int = 1,
        num_table_shards: int | None = None,
        symmetric_l1_regularization: float = 0.0,
        symmetric_l2_regularization: float = 1.0,
        adaptive: bool = True,
        partitioner: Callable[..., Any] | None = None,
    ):
        self._example_id_column, self._partitioner = example_id_column, partitioner
        self._num_loss_partitions, self._num_table_shards = num_loss_partitions, num_table_shards
        self._l1, self._l2 = symmetric_l1_regularization, symmetric_l2_regularization
        self._adaptive = adaptive

    def get_name(self) -> str:
        """Returns the name of the optimizer, "SDCAOptimizer"."""
        return "SDCAOptimizer"

    def get_train_step(
        self,
        columns_to_variables: dict[Any, Any],
        weight_column_name: str | None,
        loss_type: str,
        features: dict[Any, Any],
        targets: Tensor,
        global_step: TensorLike,
    ) -> tuple[SdcaModel, Any]:
        """Returns a model and a training step operation.

        Args:
          columns_to_variables: the variables of `tf.contrib.layers` columns, as returned by
            `weighted_sum_from_feature_columns`.
          weight_column_name: name of the feature with example weights, or None.
          loss_type: a loss supported by `SdcaModel`.
          features: tensors by name, and transformed columns by column.
          targets: labels [batch], with static batch size.
          global_step: variable with the step count.

        Raises:
          ValueError: for an unsupported column type.
        """
        batch = targets.get_shape()[0]
        dense, dense_weights, sparse, sparse_weights = [], [], [], []
        for column in sorted(columns_to_variables, key=lambda column: column.key):
            tensor, variables = features[column], columns_to_variables[column]
            if isinstance(column, RealValuedColumn):
                dense.append(_matrix(tensor))
                dense_weights.append(variables[0])
                continue
            if isinstance(column, BucketizedColumn):
                sparse.append(_where_not_zero(column.dnn_input(tensor, 2)))
            elif isinstance(column, WeightedSparseColumn | CrossedColumn | SparseColumn):
                sparse.append(_weighted_ids(column, tensor))
            else:
                raise ValueError(
                    f"SDCAOptimizer does not support column type {_column_name(column)}."
                )
            sparse_weights.append(variables if len(variables) > 1 else variables[0])
        if weight_column_name:
            weights = ops.reshape(features[weight_column_name], shape=[-1])
        else:
            weights = ops.ones([batch])
        ids = features[self._example_id_column]
        examples = {
            "sparse_features": sparse,
            "dense_features": dense,
            "example_labels": ops.cast(ops.reshape(targets, shape=[-1]), dtypes.float32),
            "example_weights": weights,
            "example_ids": ids,
        }
        model = SdcaModel(
            examples=examples,
            variables={
                "sparse_features_weights": sparse_weights,
                "dense_features_weights": dense_weights,
            },
            options={
                "symmetric_l1_regularization": self._l1,
                "symmetric_l2_regularization": self._l2,
                "adaptive": self._adaptive,
                "num_loss_partitions": self._num_loss_partitions,
                "num_table_shards": self._num_table_shards,
                "loss_type": loss_type,
            },
        )
        return model, model.minimize(global_step=global_step)


def _column_name(column: Any) -> str:
    return f"_{type(column).__name__}"


def _matrix(tensor: Tensor) -> Tensor:
    """Reshapes a tensor to [batch, width]; more axes are an error at run time."""
    is_matrix = ops.less_equal(ops.rank(tensor), 2)
    check = ops.Assert(is_matrix, ["transformed_tensor should have rank at most 2."])
    with control_dependencies([check]):
        return ops.reshape(tensor, [ops.shape(tensor)[0], -1])


def _where_not_zero(tensor: Tensor) -> SparseFeatureColumn:
    indices = ops.where(ops.not_equal(tensor, ops.cast(0.0, tensor.dtype)))
    values = ops.gather_nd(tensor, indices)
    examples, ids = (
        ops.reshape(ops.split(value=indices, num_or_size_splits=2, axis=1)[axis], [-1])
        for axis in (0, 1)
    )
    return SparseFeatureColumn(examples, ids, ops.reshape(ops.cast(values, dtypes.float32), [-1]))


def _weighted_ids(column: Any, tensor: Any) -> SparseFeatureColumn:
    """Returns the ids with their weights, each id once per example."""
    if isinstance(column, WeightedSparseColumn):
        ids = column.id_tensor(tensor)
        weights = ops.reshape(column.weight_tensor(tensor).values, [-1])
    else:
        ids = tensor
        weights = ops.ones([ops.shape(ids.indices)[0]], dtypes.float32)
    example_indices = ops.reshape(ids.indices[:, 0], [-1])
    return unique_features(
        example_indices, ops.reshape(ids.values, [-1]), weights, SparseFeatureColumn
    )
