"""The model function of boosted trees."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from tfmini._src.autodiff.gradients import gradients as gradients_of
from tfmini._src.base import dtypes
from tfmini._src.graph.scopes import control_dependencies, device, name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.models.estimator.boosted_trees.growers import (
    AccumulatingGrower,
    Grower,
    InMemoryGrower,
    TreeParameters,
    cond,
)
from tfmini._src.models.estimator.boosted_trees.tree_features import (
    boundaries_by_column,
    feature_count,
    float_columns,
    group_by_buckets,
    sort_columns,
    transform_columns,
    tree_features,
)
from tfmini._src.models.estimator.boosted_trees.tree_resources import (
    QuantileAccumulator,
    TreeEnsemble,
)
from tfmini._src.models.estimator.estimator_spec import EstimatorSpec
from tfmini._src.models.estimator.mode_keys import ModeKeys
from tfmini._src.models.feature_column.indicator_column import IndicatorColumn
from tfmini._src.models.feature_column.numeric_columns import numeric_column
from tfmini._src.ops import ops, raw
from tfmini._src.ops.summaries import scalar_histogram_summary as summaries
from tfmini._src.train.global_step import get_or_create_global_step
from tfmini._src.train.monitored.session_run_hook import SessionRunArgs, SessionRunHook
from tfmini._src.variables.variable import Variable

_NO_NODE = -1  # of examples that no tree has seen


class StopAtAttemptsHook(SessionRunHook):
    """Stops training once enough trees are finished, or after twice as many attempts to add a layer as needed."""

    def __init__(self, finished: Tensor, attempts: Tensor, max_trees: int, max_depth: int):
        self._counts = [finished, attempts]
        self._max_trees, self._max_attempts = max_trees, 2 * max_trees * max_depth

    def before_run(self, run_context: Any) -> SessionRunArgs:
        return SessionRunArgs(self._counts)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        finished, attempts = run_values.results  # perhaps from before the step's growth
        if finished >= self._max_trees - 1 or attempts > self._max_attempts - 1:
            finished, attempts = run_context.session.run(self._counts)
        if finished >= self._max_trees or attempts > self._max_attempts:
            run_context.request_stop()


class GrowerInitializationHook(SessionRunHook):
    """Runs an operation in each new session."""

    def __init__(self, init_op: Any):
        self._init_op = init_op

    def after_create_session(self, session: Any, coord: Any) -> None:
        session.run(self._init_op)


class _Inputs:
    """The resources and columns of a model.

    Args:
      columns: sorted by name.
      epsilon: the error of quantiles, whose inverse is the number of buckets.
    """

    def __init__(self, columns: list, epsilon: float, name: str):
        self.columns, self.float_columns = columns, float_columns(columns)
        self.ensemble = TreeEnsemble(name)
        self.num_quantiles = int(1.0 / epsilon)
        self.quantiles: QuantileAccumulator | None = None
        self.boundaries: dict[str, Any] = {}
        if self.float_columns:
            streams = sum(map(feature_count, self.float_columns))
            self.quantiles = QuantileAccumulator(
                epsilon, streams, self.num_quantiles, "QuantileAccumulator"
            )
            limits = self.quantiles.get_bucket_boundaries()
            self.boundaries = boundaries_by_column(self.float_columns, limits)

    def predict(self, features: dict, head: Any) -> tuple[list[Tensor], Tensor]:
        """Returns the buckets of the features, and the logits."""
        buckets = tree_features(features, self.columns, self.boundaries)
        logits = raw.BoostedTreesPredict(
            tree_ensemble_handle=self.ensemble.resource_handle,
            bucketized_features=buckets,
            logits_dimension=head.logits_dimension,
        )
        return buckets, logits


def _variable(initial_value: Any, name: str) -> Any:
    return Variable(
        initial_value=initial_value,
        trainable=False,
        validate_shape=False,
        name=name,
        use_resource=True,
    )


def _cached_features(features: dict, inputs: _Inputs, batch_size: Any, are_ready: Any) -> Any:
    """Returns the features, computed once all boundaries are known, and the operation that stores them."""
    columns = inputs.columns
    count = sum(map(feature_count, columns))
    caches = [
        _variable(ops.zeros([batch_size], dtype=dtypes.int32), f"cached_feature_{index}")
        for index in range(count)
    ]
    are_cached = _variable(False, "are_features_cached")
    # Outside of the branches, where tables are not initialized.
    categorical = [column for column in columns if isinstance(column, IndicatorColumn)]
    transformed = transform_columns(features, categorical)

    def compute() -> tuple[list[Tensor], Any]:
        return tree_features(features, columns, inputs.boundaries, transformed), ops.no_op()

    def store() -> tuple[list[Any], Any]:
        computed = tree_features(features, columns, inputs.boundaries, transformed)
        stored = [cache.assign(value) for cache, value in zip(caches, computed)]
        with control_dependencies(stored):
            return stored, are_cached.assign(True)

    def compute_once() -> Any:
        return cond(are_cached, lambda: (caches, ops.no_op()), store)

    return cond(are_ready, compute, compute_once)


def tree_model_fn(
    features: dict,
    labels: Any,
    mode: str,
    head: Any,
    feature_columns: Any,
    parameters: TreeParameters,
    n_batches_per_layer: Any,
    config: Any,
    gradients_and_hessians: Callable[[Tensor, Any], tuple[Tensor, Tensor]] | None = None,
    weight_column: Any = None,
    train_in_memory: bool = False,
) -> EstimatorSpec:
    """Returns the EstimatorSpec of boosted trees with a head.

    Args:
      gradients_and_hessians: computes these from logits and labels; by default the derivatives of the loss.
    """
    columns = sort_columns(feature_columns)
    float_columns(columns)
    with name_scope("boosted_trees") as name:
        global_step = get_or_create_global_step()
        inputs = _Inputs(columns, parameters.quantile_sketch_epsilon, name)
        bucket_counts, feature_ids = group_by_buckets(columns, inputs.num_quantiles)
        spec = partial(head.create_estimator_spec, features=features, mode=mode, labels=labels)
        if mode != ModeKeys.TRAIN:
            return spec(train_op_fn=ops.no_op, logits=inputs.predict(features, head)[1])
        if train_in_memory:
            _check_in_memory(config, n_batches_per_layer)
        worker_device = ops.no_op().device
        are_ready = _variable(not inputs.float_columns, "are_boundaries_ready")
        size = head.logits_dimension
        if train_in_memory:
            batch_size = ops.shape(labels)[0]
            buckets, store_features = _cached_features(features, inputs, batch_size, are_ready)
        else:
            buckets = tree_features(features, columns, inputs.boundaries)
            batch_size = ops.shape(labels)[0]
        values = (
            ("tree_ids_cache", lambda: ops.zeros([batch_size], dtype=dtypes.int32)),
            ("node_ids_cache", lambda: _NO_NODE * ops.ones([batch_size], dtype=dtypes.int32)),
            ("logits_cache", lambda: ops.zeros([batch_size, size], dtype=dtypes.float32)),
        )
        cache: list[Any] = [
            _variable(make(), n) if train_in_memory else make() for n, make in values
        ]
        cached_tree_ids, cached_node_ids, cached_logits = cache
        ensemble = inputs.ensemble
        if config.num_worker_replicas > 1:
            with device(worker_device):
                ensemble = TreeEnsemble(f"{name}_local", is_local=True)
            reload = ensemble.deserialize(*inputs.ensemble.serialize())
        else:
            reload = ops.no_op()
        with control_dependencies([reload]):
            stamp, num_trees, finished, attempts, node_range = ensemble.get_states()
            partial_logits, tree_ids, node_ids = raw.BoostedTreesTrainingPredict(
                tree_ensemble_handle=ensemble.resource_handle,
                cached_tree_ids=cached_tree_ids,
                cached_node_ids=cached_node_ids,
                bucketized_features=buckets,
                logits_dimension=size,
            )
        logits = cached_logits + partial_logits
        arguments = (inputs.ensemble, inputs.quantiles, parameters, feature_ids)
        grower: Grower
        if train_in_memory:
            grower = InMemoryGrower(*arguments)
        else:
            grower = AccumulatingGrower(
                *arguments, stamp, n_batches_per_layer, bucket_counts, config.is_chief
            )
        summaries.scalar("ensemble/num_trees", num_trees)
        summaries.scalar("ensemble/num_finalized_trees", finished)
        summaries.scalar("ensemble/num_attempted_layers", attempts)
        center_bias_var = _variable(parameters.center_bias, "center_bias_needed")
        weights = _weights(features, weight_column)

        def update_quantiles() -> Any:
            with name_scope("UpdateQuantile"):
                values = tree_features(features, inputs.float_columns)
                return grower.accumulate_quantiles(values, weights, are_ready)

        def insert() -> Any:
            latest = (tree_ids, node_ids, logits)
            return ops.group([c.assign(v) for c, v in zip(cache, latest)], name="cache_insert")

        def grow(loss: Any) -> Any:
            updates = []
            if train_in_memory:
                updates = [store_features, cond(center_bias_var, ops.no_op, insert)]
            if gradients_and_hessians:
                gradients, hessians = gradients_and_hessians(logits, labels)
            else:
                gradients = gradients_of(loss, logits, name="Gradients")[0]
                hessians = gradients_of(gradients, logits, name="Hessians")[0]
            stats = [
                [
                    ops.squeeze(
                        raw.BoostedTreesMakeStatsSummary(
                            node_ids=node_ids,
                            gradients=gradients,
                            hessians=hessians,
                            bucketized_features_list=[buckets[feature]],
                            max_splits=parameters.max_splits,
                            num_buckets=count,
                        ),
                        axis=0,
                    )
                    for feature in ids
                ]
                for ids, count in zip(feature_ids, bucket_counts)
            ]
            grow_tree = partial(grower.grow_tree, stats, node_range)
            if parameters.center_bias:
                center = partial(grower.center_bias, center_bias_var, gradients, hessians)
                update = cond(center_bias_var, center, grow_tree)
            else:
                update = grow_tree()
            with control_dependencies([update]):
                step = global_step.assign_add(1).op
            return ops.group([*updates, update, step], name="grow_op")

        def train_op_fn(loss: Any) -> Any:
            if not inputs.float_columns:
                return grow(loss)
            return cond(are_ready, lambda: grow(loss), update_quantiles)

    result: EstimatorSpec = spec(train_op_fn=train_op_fn, logits=logits)
    stop = StopAtAttemptsHook(finished, attempts, parameters.n_trees, parameters.max_depth)
    start = GrowerInitializationHook(grower.chief_init_op())
    return result._replace(
        training_hooks=(*result.training_hooks, stop),
        training_chief_hooks=[start, *result.training_chief_hooks],
    )


def _check_in_memory(config: Any, n_batches_per_layer: Any) -> None:
    assert n_batches_per_layer == 1, (
        "When train_in_memory is enabled, input_fn should return the entire dataset as a single batch, and "
        "n_batches_per_layer should be set as 1."
    )
    if not config.is_chief or config.num_worker_replicas > 1 or config.num_ps_replicas > 0:
        raise ValueError("train_in_memory is supported only for non-distributed training.")


def _weights(features: dict, weight_column: Any) -> Tensor:
    if weight_column is None:
        return ops.constant(1.0, shape=[1])
    if isinstance(weight_column, str):
        weight_column = numeric_column(weight_column, shape=(1,))
    return tree_features(features, [weight_column])[0]


def explained_spec(features: dict, head: Any, columns: list, epsilon: float, key: str) -> Any:
    """Returns the EstimatorSpec of predictions, with the path of each example through the trees under a key."""
    with name_scope("boosted_trees") as name:
        inputs = _Inputs(columns, epsilon, name)
        buckets, logits = inputs.predict(features, head)
        spec = head.create_estimator_spec(
            features=features,
            mode=ModeKeys.PREDICT,
            labels=None,
            train_op_fn=ops.no_op,
            logits=logits,
        )
        spec.predictions[key] = raw.BoostedTreesExampleDebugOutputs(
            inputs.ensemble.resource_handle,
            bucketized_features=buckets,
            logits_dimension=head.logits_dimension,
        )
        return spec
