"""A linear model and its training graph for stochastic dual coordinate ascent (SDCA)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.graph.convert_to_tensor import internal_convert_to_tensor
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.scopes import colocate_with, control_dependencies, device, name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.models.estimator.sdca.partitioned_weights import (
    PartitionedWeights,
    concat_parts,
    is_partitioned,
    variable_parts,
)
from tfmini._src.ops import ops, raw
from tfmini._src.ops.summaries import scalar_histogram_summary as summaries

KINDS = ("sparse_features_weights", "dense_features_weights")
_LOSSES = ("logistic_loss", "squared_loss", "hinge_loss", "smooth_hinge_loss", "poisson_loss")


class DualModel:
    """A linear model trained by SDCA: weights before L1 shrinkage, example states, and the training and loss graphs.

    Args:
      examples: a dict: `sparse_features`, a list of `SparseFeatures`; `dense_features`, a list of float32
        matrices; `example_labels` and `example_weights`, float32 [batch]; `example_ids`, strings [batch].
      variables: a dict of lists of variables, `sparse_features_weights` and `dense_features_weights`.
      options: a dict: `loss_type`, `symmetric_l1_regularization`, `symmetric_l2_regularization`, and optionally
        `num_loss_partitions`, `num_table_shards` and `adaptive`.

    Raises:
      ValueError: if an entry is missing or has the wrong type.
    """

    _slot_suffix: str
    _variable: Callable
    _make_table: Callable
    _cast_name: str | None = None

    def __init__(
        self, examples: dict[Any, Any], variables: dict[Any, Any], options: dict[Any, Any]
    ):
        if not examples or not variables or not options:
            raise ValueError("examples, variables and options must all be specified.")
        if options["loss_type"] not in _LOSSES:
            raise ValueError("Unsupported loss_type: ", options["loss_type"])
        features = ("sparse_features", "dense_features")
        check(("example_labels", "example_weights", "example_ids", *features), features, examples)
        check(KINDS, KINDS, variables)
        regularizations = ("symmetric_l2_regularization", "symmetric_l1_regularization")
        check(("loss_type", *regularizations), (), options)
        self._check_regularizations(options)
        self._examples, self._variables, self._options = examples, variables, options
        self._loss_type = options["loss_type"]
        self._slots: dict[str, list] = {
            kind: [self._slot(v) for v in variables[kind]] for kind in KINDS
        }
        self._table = self._make_table([0.0] * 4, options.get("num_table_shards") or 1)
        summaries.scalar("approximate_duality_gap", self.approximate_duality_gap())
        summaries.scalar("examples_seen", self._table.size())

    def _check_regularizations(self, options: dict) -> None:
        raise NotImplementedError

    @property
    def _l1(self) -> float:
        return self._options["symmetric_l1_regularization"]

    @property
    def _l2(self) -> float:
        return self._options["symmetric_l2_regularization"]

    def _slot(self, variable: Any) -> Any:
        if not is_partitioned(variable):
            with device(variable.device):
                return self._zeros(variable)
        slots = []
        for part in variable:
            with colocate_with(part):
                slots.append(self._zeros(part))
        return slots

    def _zeros(self, variable: Any) -> Any:
        zeros = ops.zeros_like(variable.initialized_value(), dtypes.float32)
        return self._variable(zeros, name=variable.op.name + self._slot_suffix)

    # Losses --------------------------------------------------------------------------------------

    def _weight_sum(self, function: Any) -> Any:
        """Returns the sum of `function` over all weights, in double precision."""
        sums = []
        for kind in KINDS:
            for variable in self._variables[kind]:
                for part in variable_parts(variable):
                    weights = internal_convert_to_tensor(part)
                    with device(weights.device):
                        sums.append(ops.reduce_sum(function(ops.cast(weights, dtypes.float64))))
        return sums

    def _l1_loss(self) -> Tensor:
        with name_scope("sdca/l1_loss"):
            sums = self._weight_sum(ops.abs)
            return self._l1 * ops.add_n(sums)

    def _l2_loss(self, l2: float) -> Tensor:
        with name_scope("sdca/l2_loss"):
            sums = self._weight_sum(ops.square)
            return l2 * ops.add_n(sums) / 2.0

    def approximate_duality_gap(self) -> Tensor:
        """Returns the gap between primal and dual loss over all examples seen so far, a scalar float64.

        NaN before the first example.
        """
        with name_scope("sdca/approximate_duality_gap"):
            sums: list[Tensor] = []
            for values in self._table.exported_values():
                with device(values.device), control_dependencies(sums):
                    doubles = ops.cast(values, dtypes.float64, name=self._cast_name)
                    sums.append(ops.reduce_sum(doubles, 0))
            total = ops.add_n(sums)
            primal, dual, weights = total[1], total[2], total[3]
            gap = primal + dual + self._l1_loss() + 2.0 * self._l2_loss(self._l2)
            return gap / weights

    # Steps ---------------------------------------------------------------------------------------

    def minimize(self, global_step: TensorLike | None = None, name: str | None = None) -> Any:
        """Returns the training op, which updates the unshrunk weights and the example states.

        Args:
          global_step: the step counter, incremented by the op.
        """
        with name_scope(name, "sdca/minimize"):
            sparse_features = self._examples["sparse_features"]
            example_indices = [f.example_indices for f in sparse_features]
            feature_indices = [f.feature_indices for f in sparse_features]
            values = [f.feature_values for f in sparse_features if f.feature_values is not None]
            ids = internal_convert_to_tensor(self._examples["example_ids"])
            fingerprints = raw.SdcaFprint(ids)
            states = self._table.lookup(fingerprints)
            indices, weights, parted = [], [], {}
            for index, (slot, features) in enumerate(zip(self._slots[KINDS[0]], feature_indices)):
                present = ops.unique(ops.cast(features, dtypes.int32))[0]
                present = ops.cast(present, dtypes.int64)
                indices.append(present)
                if is_partitioned(slot):
                    parted[index] = PartitionedWeights(slot, present, self._where)
                    weights.append(parted[index].gather())
                else:
                    tensor = internal_convert_to_tensor(slot)
                    with device(tensor.device):
                        weights.append(ops.gather(tensor, present))
            dense = [internal_convert_to_tensor(x) for x in self._examples["dense_features"]]
            example_weights, labels = (
                internal_convert_to_tensor(self._examples[key])
                for key in ("example_weights", "example_labels")
            )
            dense_weights = [concat_parts(slot) for slot in self._slots[KINDS[1]]]
            outputs = raw.SdcaOptimizerV2(
                *(example_indices, feature_indices, values, dense, example_weights, labels),
                *(indices, weights, dense_weights, states),
                loss_type=self._loss_type,
                l1=self._l1,
                l2=self._l2,
                num_loss_partitions=self._options.get("num_loss_partitions", 1),
                num_inner_iterations=1,
                adaptive=self._options.get("adaptive", True),
            )
            with control_dependencies([outputs.out_example_state_data]):
                updates = [self._table.insert(fingerprints, outputs.out_example_state_data)]
                sparse = outputs.out_delta_sparse_weights
                for index, (slot, change) in enumerate(zip(self._slots[KINDS[0]], sparse)):
                    if index in parted:
                        updates += parted[index].updates(change)
                    else:
                        updates.append(ops.scatter_add(slot, indices[index], change))
                for slot, change in zip(self._slots[KINDS[1]], outputs.out_delta_dense_weights):
                    updates += _assign_add_partitions(slot, change)
            if global_step is None:
                return ops.group(*updates)
            with control_dependencies(updates):
                return ops.assign_add(global_step, 1, name=name).op

    @staticmethod
    def _where(condition: Tensor, x: Tensor, y: Tensor) -> Tensor:
        raise NotImplementedError

    def _assign_slots(self, train_op: Any) -> list:
        """Returns the ops that assign the slot values to the weights after a training step."""
        with control_dependencies([train_op]):
            updates = []
            for kind in KINDS:
                for variable, slot in zip(self._variables[kind], self._slots[kind]):
                    for part, slot_part in zip(variable_parts(variable), variable_parts(slot)):
                        updates.append(part.assign(slot_part))
        return updates

    def update_weights(self, train_op: Operation) -> Any:
        """Returns the op that sets the weights to the unshrunk weights after a step, shrunk by L1.

        Args:
          train_op: the result of `minimize`, which runs first.
        """
        raise NotImplementedError


def check(specified: tuple, lists: tuple, lists_: dict) -> None:
    for key in specified:
        if lists_[key] is None:
            raise ValueError(f"{key} must be specified.")
    for key in lists:
        if not isinstance(lists_[key], list):
            raise ValueError(f"{key} must be a list.")


def _assign_add_partitions(slot: Any, change: Tensor) -> list:
    if not is_partitioned(slot):
        return [ops.assign_add(slot, change)]
    sizes = [part.shape.as_list()[0] for part in slot]
    parts = ops.split(change, num_or_size_splits=sizes)
    return [ops.assign_add(part, delta) for part, delta in zip(slot, parts)]
