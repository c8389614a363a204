"""Trains a linear Estimator by stochastic dual coordinate ascent."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

from tfmini._src.base import dtypes, logs
from tfmini._src.graph.scopes import control_dependencies, device
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.models.estimator.sdca.named_table import NamedTable
from tfmini._src.models.estimator.sdca.partitioned_weights import variable_parts
from tfmini._src.models.estimator.sdca.sdca_model import KINDS, DualModel
from tfmini._src.models.estimator.sdca.sharded_table import ShardedTable
from tfmini._src.models.estimator.sdca.sparse_features import SparseFeatures, unique_features
from tfmini._src.models.feature_column.base_columns import CategoricalColumn, DenseColumn
from tfmini._src.models.feature_column.transformation_cache import TransformationCache
from tfmini._src.ops import ops
from tfmini._src.train.monitored.session_run_hook import SessionRunArgs, SessionRunHook
from tfmini._src.variables.resource_variable import ResourceVariable

if TYPE_CHECKING:
    from tfmini._src.models.feature_column.state_manager import StateManager
    from tfmini._src.variables.variable import Variable


class ResourceDualModel(DualModel):
    """The dual model of a `tf.estimator` Estimator."""

    _slot_suffix = "_unshrunk"
    _variable = ResourceVariable
    _make_table = staticmethod(partial(ShardedTable, NamedTable))
    _cast_name = "ToDouble"

    def _check_regularizations(self, options: dict) -> None:
        l2 = options["symmetric_l2_regularization"]
        if l2 <= 0.0:
            raise ValueError("symmetric_l2_regularization should be positive.")
        if l2 <= 1.0:
            logs.warning(
                "symmetric_l2_regularization for SDCA should typically be larger than for online optimization methods. "
                "Recommended value is of the order of the average L2 norm of the training examples."
            )
        if options["symmetric_l1_regularization"] < 0.0:
            raise ValueError("symmetric_l1_regularization should be non-negative.")

    @staticmethod
    def _where(condition: Tensor, x: Tensor, y: Tensor) -> Tensor:
        return ops.where_v2(condition, x, y)

    def update_weights(self, train_op: Any) -> Any:
        updates = self._assign_slots(train_op)
        if not self._l1 > 0:
            return ops.group(*updates)
        shrinkage = self._l1 / self._l2
        with control_dependencies(updates):
            shrunk = []
            for kind in KINDS:
                for variable in self._variables[kind]:
                    for part in variable_parts(variable):
                        with device(part.device):
                            sign = ops.sign(part)
                            nearer = sign * ops.maximum(0.0, ops.abs(part) - shrinkage)
                            shrunk.append(part.assign(nearer))
            return ops.group(*shrunk)


class WeightsUpdateHook(SessionRunHook):
    """Updates the shrunk weights after each step.

    Args:
      model: a `DualModel`.
      train_op: the result of its `minimize`.
    """

    def __init__(self, model: Any, train_op: Any):
        self._model, self._train_op = model, train_op

    def begin(self) -> None:
        self._update = self._model.update_weights(self._train_op)

    def before_run(self, run_context: Any) -> SessionRunArgs:
        return SessionRunArgs(self._update)


class LinearSDCA:
    """Stochastic dual coordinate ascent, an optimizer for `LinearClassifier` and `LinearRegressor`.

    Supports binary classification and scalar regression, `tf.feature_column` columns and
    `sparse_combiner="sum"`. Features must include the example ids, strings [batch]; the batch size must be
    static.

    Args:
      example_id_column: name of the example id feature.
      num_loss_partitions: number of training workers.
      num_table_shards: number of tables for example states; by default one.
      symmetric_l1_regularization: L1 regularization strength, nonnegative.
      symmetric_l2_regularization: L2 regularization strength, positive.
      adaptive: whether to sample examples by expected change.

    Example:
      sdca = tf.estimator.experimental.LinearSDCA("id", symmetric_l2_regularization=2.0)
      model = tf.estimator.LinearClassifier([tf.feature_column.numeric_column("x")], optimizer=sdca)
      model.train(input_fn, steps=50)
    """

    def __init__(
        self,
        example_id_column: str,
        num_loss_partitions: int = 1,
        num_table_shards: int | None = None,
        symmetric_l1_regularization: float = 0.0,
        symmetric_l2_regularization: float = 1.0,
        adaptive: bool = False,
    ):
        self._example_id_column = example_id_column
        self._options = {
            "symmetric_l1_regularization": symmetric_l1_regularization,
            "symmetric_l2_regularization": symmetric_l2_regularization,
            "adaptive": adaptive,
            "num_loss_partitions": num_loss_partitions,
            "num_table_shards": num_table_shards,
        }

    def get_train_step(
        self,
        state_manager: StateManager,
        weight_column_name: str | None,
        loss_type: str,
        feature_columns: Iterable[Any],
        features: dict[Any, Any],
        targets: TensorLike,
        bias_var: Variable,
        global_step: TensorLike,
    ) -> tuple[Any, Any]:
        """Creates a model and its training op.

        Args:
          state_manager: the manager of the columns' variables.
          weight_column_name: name of the weight feature, or None.
          loss_type: "logistic_loss" or "squared_loss".
          feature_columns: categorical and dense columns.
          features: a dict of tensors.
          targets: the labels, [batch].
          bias_var: the bias variable.
          global_step: the step variable.

        Raises:
          ValueError: for unsupported columns, or columns with more than one axis.
        """
        batch = ops.shape(targets)[0]
        cache = TransformationCache(features)
        dense: list = []
        sparse: list = []
        weights: dict[str, list] = {kind: [] for kind in KINDS}
        for column in sorted(feature_columns, key=lambda column: column.name):
            if isinstance(column, CategoricalColumn):
                sparse.append(_sparse_features(column.get_sparse_tensors(cache, state_manager)))
                kind = KINDS[0]
            elif isinstance(column, DenseColumn):
                rank = column.variable_shape.ndims
                if rank != 1:
                    raise ValueError(
                        f"Column {type(column).__name__} has rank {rank}, larger than 1."
                    )
                dense.append(column.get_dense_tensor(cache, state_manager))
                kind = KINDS[1]
            else:
                raise ValueError(
                    f"LinearSDCA does not support column type {type(column).__name__}."
                )
            weights[kind].append(state_manager.get_variable(column, "weights"))
        dense.append(ops.ones([batch, 1]))
        weights[KINDS[1]].append(bias_var)
        if weight_column_name:
            example_weights = ops.reshape(features[weight_column_name], shape=[-1])
        else:
            example_weights = ops.ones([batch])
        labels = ops.reshape(targets, shape=[-1])
        examples = {
            "sparse_features": sparse,
            "dense_features": dense,
            "example_labels": ops.cast(labels, dtypes.float32, name="ToFloat"),
            "example_weights": example_weights,
            "example_ids": features[self._example_id_column],
        }
        model = ResourceDualModel(examples, weights, {**self._options, "loss_type": loss_type})
        return model, model.minimize(global_step=global_step)


def _sparse_features(pair: Any) -> SparseFeatures:
    """Converts ids and weights to SparseFeatures, with unique ids per example."""
    ids = pair.id_tensor
    if pair.weight_tensor:
        weights = pair.weight_tensor.values
    else:
        weights = ops.ones([ops.shape(ids.indices)[0]], dtypes.float32)
    examples = ops.reshape(ids.indices[:, 0], [-1])
    flat = ops.cast(ops.reshape(ids.values, [-1]), dtypes.int64, name="ToInt64")
    return unique_features(examples, flat, weights, SparseFeatures)
