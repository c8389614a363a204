"""Growth of an ensemble from the statistics of batches: of a single batch in memory, or of accumulated ones."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from tfmini._src.base import dtypes
from tfmini._src.functions.cond_v2 import build_cond
from tfmini._src.functions.traced_function import TracedGraph
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.tensor import Tensor
from tfmini._src.models.estimator.boosted_trees.tree_resources import (
    QuantileAccumulator,
    TreeEnsemble,
)
from tfmini._src.ops import ops, raw


class PruningMode:
    """The kinds of pruning, as the ops number them."""

    NO_PRUNING, PRE_PRUNING, POST_PRUNING = range(3)
    _NUMBERS = {"none": NO_PRUNING, "pre": PRE_PRUNING, "post": POST_PRUNING}

    @classmethod
    def from_str(cls, mode: str) -> int:
        """Returns the number of "none", "pre" or "post"; raises ValueError for other names."""
        if mode not in cls._NUMBERS:
            modes = ", ".join(sorted(cls._NUMBERS))
            raise ValueError(f"pruning_mode mode must be one of: {modes}")
        return cls._NUMBERS[mode]


class TreeParameters(NamedTuple):
    """The hyperparameters of the Estimators, with their names."""

    n_trees: int
    max_depth: int
    learning_rate: float
    l1_regularization: float
    l2_regularization: float
    tree_complexity: float
    min_node_weight: float
    center_bias: bool
    pruning_mode: str
    quantile_sketch_epsilon: float

    @property
    def max_splits(self) -> int:
        """The number of splits of a full tree."""
        return (1 << self.max_depth) - 1


def cond(pred: Any, true_fn: Callable, false_fn: Callable, name: str | None = None) -> Any:
    """Same as `tf.cond`, as a node that calls functions."""
    return build_cond(pred, true_fn, false_fn, name, TracedGraph)


class Grower(ABC):
    """Adds the operations that grow an ensemble.

    Args:
      feature_ids: for each number of buckets, the ids of the features with as many.

    Raises:
      ValueError: if the pruning mode is unknown, or does not match the tree complexity.
    """

    def __init__(
        self,
        ensemble: TreeEnsemble,
        quantiles: QuantileAccumulator | None,
        parameters: TreeParameters,
        feature_ids: list[list[int]],
    ):
        self._ensemble, self._quantiles = ensemble, quantiles
        self._parameters, self._feature_ids = parameters, feature_ids
        self._pruning_mode = PruningMode.from_str(parameters.pruning_mode)
        if parameters.tree_complexity > 0 and not self._pruning_mode:
            raise ValueError("Tree complexity have no effect unless pruning mode is chosen.")
        if not parameters.tree_complexity > 0 and self._pruning_mode:
            raise ValueError("For pruning, tree_complexity must be positive.")

    @abstractmethod
    def accumulate_quantiles(self, features: list[Tensor], weights: Any, are_ready: Any) -> Any:
        """Returns the operation that adds a batch to the quantiles, and sets `are_ready` once they are complete."""

    @abstractmethod
    def center_bias(self, center_bias_var: Any, gradients: Tensor, hessians: Tensor) -> Any:
        """Returns the operation that adds a batch to the bias, and resets `center_bias_var` once that is centered."""

    @abstractmethod
    def grow_tree(self, summaries: Sequence[list[Tensor]], node_range: Tensor) -> Any:
        """Returns the operation that adds the statistics of a batch, and grows a layer from enough of them."""

    def chief_init_op(self) -> Any:
        """Returns the operation that the chief runs at the start."""
        return ops.no_op()

    def _set_bias(self, center_bias_var: Any, mean_gradients: Any, mean_hessians: Any) -> Any:
        continue_centering = raw.BoostedTreesCenterBias(
            self._ensemble.resource_handle,
            mean_gradients=mean_gradients,
            mean_hessians=mean_hessians,
            l1=self._parameters.l1_regularization,
            l2=self._parameters.l2_regularization,
        )
        return center_bias_var.assign(continue_centering)

    def _grow(self, summaries: Sequence[Sequence[Tensor]], node_range: Tensor) -> Any:
        """Adds the best splits of the nodes of a layer."""
        parameters = self._parameters
        lists: list[list[Tensor]] = [[] for _ in range(5)]
        for of_features in summaries:
            found = raw.BoostedTreesCalculateBestGainsPerFeature(
                node_id_range=node_range,
                stats_summary_list=of_features,
                l1=parameters.l1_regularization,
                l2=parameters.l2_regularization,
                tree_complexity=parameters.tree_complexity,
                min_node_weight=parameters.min_node_weight,
                max_splits=parameters.max_splits,
            )
            for tensors, more in zip(lists, found):
                tensors += more
        node_ids, gains, thresholds, left_contribs, right_contribs = lists
        return raw.BoostedTreesUpdateEnsemble(
            self._ensemble.resource_handle,
            feature_ids=sum(self._feature_ids, []),
            node_ids=node_ids,
            gains=gains,
            thresholds=thresholds,
            left_node_contribs=left_contribs,
            right_node_contribs=right_contribs,
            learning_rate=parameters.learning_rate,
            max_depth=parameters.max_depth,
            pruning_mode=self._pruning_mode,
        )


class InMemoryGrower(Grower):
    """Grows a layer from each batch, which is the whole dataset."""

    def accumulate_quantiles(self, features: list[Tensor], weights: Any, are_ready: Any) -> Any:
        assert self._quantiles is not None
        with control_dependencies([self._quantiles.add_summaries(features, weights)]):
            with control_dependencies([self._quantiles.flush()]):
                return are_ready.assign(True).op

    def center_bias(self, center_bias_var: Any, gradients: Tensor, hessians: Tensor) -> Any:
        means = [ops.expand_dims(ops.reduce_mean(x, 0), 0) for x in (gradients, hessians)]
        return self._set_bias(center_bias_var, *means)

    def grow_tree(self, summaries: Sequence[list[Tensor]], node_range: Tensor) -> Any:
        return self._grow(summaries, node_range)


class AccumulatingGrower(Grower):
    """Grows a layer from the mean statistics of several batches, which workers add to accumulators.

    Args:
      stamp_token: the stamp of the ensemble; accumulators drop statistics of earlier ones.
      n_batches_per_layer: the number of batches.
      bucket_counts: the numbers of buckets of the groups of features.
    """

    def __init__(
        self,
        ensemble: TreeEnsemble,
        quantiles: QuantileAccumulator | None,
        parameters: TreeParameters,
        feature_ids: list[list[int]],
        stamp_token: Tensor,
        n_batches_per_layer: Any,
        bucket_counts: list[int],
        is_chief: bool,
    ):
        super().__init__(ensemble, quantiles, parameters, feature_ids)
        self._stamp, self._batches, self._is_chief = stamp_token, n_batches_per_layer, is_chief
        self._init_ops: list[Any] = []
        self._accumulators = [
            self._accumulator(
                [len(ids), parameters.max_splits, buckets, 2],
                f"numeric_stats_summary_accumulator_{index}",
            )
            for index, (ids, buckets) in enumerate(zip(feature_ids, bucket_counts))
        ]
        if parameters.center_bias:
            self._bias = self._accumulator([2, 1], "bias_accumulator")

    def _accumulator(self, shape: list[int], shared_name: str) -> Any:
        accumulator = ops.ConditionalAccumulator(dtypes.float32, shape, shared_name)
        self._init_ops.append(accumulator.set_global_step(self._stamp))
        return accumulator

    def _if_complete(self, count: Tensor, act: Callable, name: str) -> Any:
        return cond(ops.greater_equal(count, self._batches), act, ops.no_op, name)

    def accumulate_quantiles(self, features: list[Tensor], weights: Any, are_ready: Any) -> Any:
        quantiles = self._quantiles
        assert quantiles is not None
        add = quantiles.add_summaries(features, weights)
        counter = ops.ConditionalAccumulator(dtypes.float32, [], "quantile_summary_accum")
        set_step = counter.set_global_step(self._stamp)
        count = counter.apply_grad(ops.constant(0.0), self._stamp)
        update = ops.group(add, set_step, count)
        if not self._is_chief:
            return update

        def flush() -> Any:
            taken = counter.take_grad(1)
            return ops.group(quantiles.flush(), taken, are_ready.assign(True).op)

        with control_dependencies([update]):
            name = "wait_until_quaniles_accumulated"  # as in TensorFlow
            return self._if_complete(counter.num_accumulated(), flush, name)

    def center_bias(self, center_bias_var: Any, gradients: Tensor, hessians: Tensor) -> Any:
        means = ops.reduce_mean(ops.stack([gradients, hessians], axis=0), axis=1)
        with control_dependencies([self._bias.apply_grad(means, self._stamp)]):
            if not self._is_chief:
                return ops.no_op()

            def restart() -> Any:
                return ops.group([a.set_global_step(self._stamp + 1) for a in self._accumulators])

            def center() -> Any:
                sums = ops.unstack(self._bias.take_grad(1), axis=0)
                update = self._set_bias(
                    center_bias_var, ops.expand_dims(sums[0], 0), ops.expand_dims(sums[1], 0)
                )
                with control_dependencies([update]):
                    return cond(center_bias_var, ops.no_op, restart)

            name = "wait_until_n_batches_for_bias_accumulated"
            return self._if_complete(self._bias.num_accumulated(), center, name)

    def grow_tree(self, summaries: Sequence[list[Tensor]], node_range: Tensor) -> Any:
        adds = [
            accumulator.apply_grad(ops.stack(of_features, axis=0), self._stamp)
            for accumulator, of_features in zip(self._accumulators, summaries)
        ]
        with control_dependencies(adds):
            if not self._is_chief:
                return ops.no_op()
            counts = ops.stack([a.num_accumulated() for a in self._accumulators])

            def grow() -> Any:
                means = [ops.unstack(a.take_grad(1), axis=0) for a in self._accumulators]
                return self._grow(means, node_range)

            return self._if_complete(
                ops.reduce_min(counts), grow, "wait_until_n_batches_accumulated"
            )

    def chief_init_op(self) -> Any:
        return ops.group(self._init_ops)
