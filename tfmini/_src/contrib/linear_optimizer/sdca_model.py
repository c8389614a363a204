"""A linear model trained by stochastic dual coordinate ascent, with losses and predictions."""

from __future__ import annotations

from functools import partial
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.contrib.linear_optimizer.sparse_feature_column import MOVE_NOTICE
from tfmini._src.data.lookup_tables.dense_hash_table import DenseHashTable
from tfmini._src.graph.convert_to_tensor import internal_convert_to_tensor
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.scopes import control_dependencies, device, name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.models.estimator.sdca.partitioned_weights import concat_parts, variable_parts
from tfmini._src.models.estimator.sdca.sdca_model import KINDS, DualModel, check
from tfmini._src.models.estimator.sdca.sharded_table import OlderTable
from tfmini._src.ops import ops, raw
from tfmini._src.variables.variable import Variable


class SdcaModel(DualModel):
    """A linear model trained by stochastic dual coordinate ascent.

    Args:
      examples: a dict: `sparse_features`, a list of `SparseFeatureColumn`; `dense_features`, a list of float32
        matrices [batch, width]; `example_labels` and `example_weights`, float32 [batch]; `example_ids`, strings
        [batch] with static batch size.
      variables: a dict: `sparse_features_weights`, a list of vectors, one per sparse feature, and
        `dense_features_weights`, a list of vectors [width].
      options: a dict: `loss_type`, "logistic_loss", "squared_loss", "hinge_loss", "smooth_hinge_loss" or
        "poisson_loss"; `symmetric_l1_regularization`; `symmetric_l2_regularization`, at least 1 in training; and
        optionally `num_loss_partitions`, `num_table_shards` and `adaptive`.

    Raises:
      ValueError: if an entry is missing, or a regularization is negative.

    Example:
      model = tf.contrib.linear_optimizer.SdcaModel(examples, variables, options)
      step = model.minimize()
      update = model.update_weights(step)
      session.run(update)
    """

    _slot_suffix = "_unshrinked/SDCAOptimizer"
    _variable = Variable
    _make_table = staticmethod(partial(OlderTable, DenseHashTable))

    @deprecated(None, MOVE_NOTICE)
    def __init__(
        self, examples: dict[Any, Any], variables: dict[Any, Any], options: dict[Any, Any]
    ):
        super().__init__(examples, variables, options)

    def _check_regularizations(self, options: dict) -> None:
        for name in ("symmetric_l1_regularization", "symmetric_l2_regularization"):
            if options[name] < 0.0:
                raise ValueError(f"{name} should be non-negative. Found ({options[name]:f})")

    @property
    def _l2(self) -> float:
        return max(self._options["symmetric_l2_regularization"], 1.0)

    @staticmethod
    def _where(condition: Tensor, x: Tensor, y: Tensor) -> Tensor:
        return ops.where(condition, x, y)

    def _linear_predictions(self, examples: dict) -> Tensor:
        with name_scope("sdca/prediction"):
            weights = [concat_parts(v) for v in self._variables[KINDS[0]]]
            sparse_sum: Any = 0.0
            for features, values in zip(examples["sparse_features"], weights):
                products = ops.multiply(
                    ops.gather(values, features.feature_indices), features.feature_values
                )
                sparse_sum += ops.segment_sum(products, features.example_indices)
            dense = [concat_parts(x) for x in examples["dense_features"]]
            dense_sum: Any = 0.0
            for features, values in zip(
                dense, [concat_parts(v) for v in self._variables[KINDS[1]]]
            ):
                dense_sum += ops.matmul(features, ops.expand_dims(values, -1))
        return ops.reshape(dense_sum, [-1]) + sparse_sum

    def predictions(self, examples: dict[Any, Any]) -> Tensor:
        """Returns probabilities for logistic loss, means for Poisson loss, else linear outputs: float32 [batch].

        Args:
          examples: a dict as in the constructor.
        """
        features = ("sparse_features", "dense_features")
        check(("example_weights", *features), features, examples)
        result = self._linear_predictions(examples)
        if self._loss_type == "logistic_loss":
            with name_scope("sdca/logistic_prediction"):
                return ops.sigmoid(result)
        if self._loss_type == "poisson_loss":
            with name_scope("sdca/poisson_prediction"):
                return ops.exp(result)
        return result

    def unregularized_loss(self, examples: dict[Any, Any]) -> Tensor:
        """Returns the mean loss of examples, a scalar float64."""
        features = ("sparse_features", "dense_features")
        check(("example_labels", "example_weights", *features), features, examples)
        with name_scope("sdca/unregularized_loss"):
            predictions = ops.cast(self._linear_predictions(examples), dtypes.float64)
            labels, weights = (
                ops.cast(internal_convert_to_tensor(examples[key]), dtypes.float64)
                for key in ("example_labels", "example_weights")
            )
            if self._loss_type == "squared_loss":
                errors = ops.multiply(ops.square(ops.subtract(labels, predictions)), weights)
                return ops.reduce_sum(errors) / (2.0 * ops.reduce_sum(weights))
            losses = self._losses(labels, predictions)
            return ops.reduce_sum(ops.multiply(losses, weights)) / ops.reduce_sum(weights)

    def _losses(self, labels: Tensor, predictions: Tensor) -> Tensor:
        if self._loss_type == "logistic_loss":
            return ops.sigmoid_cross_entropy_with_logits(labels=labels, logits=predictions)
        if self._loss_type == "poisson_loss":
            return ops.log_poisson_loss(targets=labels, log_input=predictions)
        ones = ops.ones_like(predictions)
        signs = ops.subtract(2 * labels, ones)
        return ops.relu(ops.subtract(ones, ops.multiply(signs, predictions)))

    def regularized_loss(self, examples: dict[Any, Any]) -> Tensor:
        """Returns the mean loss of examples plus l1 and l2 penalties, a scalar float64."""
        features = ("sparse_features", "dense_features")
        check(("example_labels", "example_weights", *features), features, examples)
        with name_scope("sdca/regularized_loss"):
            weights = internal_convert_to_tensor(examples["example_weights"])
            regularization = self._l1_loss() + self._l2_loss(
                self._options["symmetric_l2_regularization"]
            )
            total = ops.reduce_sum(ops.cast(weights, dtypes.float64))
            return regularization / total + self.unregularized_loss(examples)

    def update_weights(self, train_op: Operation) -> Any:
        updates = self._assign_slots(train_op)
        with control_dependencies(updates):
            shrunk = []
            for group in KINDS:
                for variable in self._variables[group]:
                    for part in variable_parts(variable):
                        with device(part.device):
                            ref = internal_convert_to_tensor(part, as_ref=True)
                            shrunk.append(raw.SdcaShrinkL1([ref], l1=self._l1, l2=self._l2))
            return ops.group(*shrunk)
