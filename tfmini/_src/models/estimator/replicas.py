"""An Estimator's model in each replica of a distribution strategy, combined for the session."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.nest.structure import flatten
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.models.estimator.estimator_spec import EstimatorSpec
from tfmini._src.models.estimator.input_results import DistributedIteratorInitHook, split_result
from tfmini._src.models.estimator.mode_keys import ModeKeys
from tfmini._src.ops import ops
from tfmini._src.train.global_step import READS
from tfmini._src.train.monitored.scaffold import Scaffold
from tfmini._src.variables.collections import global_variables, report_uninitialized_variables
from tfmini._src.variables.get_variable import get_variable
from tfmini._src.variables.initializers import Ones
from tfmini._src.variables.store import AUTO_REUSE
from tfmini._src.variables.variable_scope import variable_scope


def configure(strategy: Any, config: Any) -> None:
    """Configures a strategy for the cluster of a RunConfig, including the required session options."""
    task = (config.cluster_spec, config.task_type, config.task_id) if config.cluster_spec else ()
    strategy.configure(config.session_config, *task)


def _grouped_spec(estimator: Any, strategy: Any, iterator: Any, mode: str) -> EstimatorSpec:
    """Returns the EstimatorSpec of all replicas, with per-replica values as leaves."""
    features, labels = split_result(iterator.get_next())
    return strategy.extended.call_for_each_replica(
        estimator._call_model_fn, args=(features, labels, mode, estimator.config)
    )


def _input(estimator: Any, strategy: Any, input_fn: Callable, mode: str) -> tuple[Any, list]:
    """Returns the strategy's iterator of an input function, and its initialization hook."""
    iterator = strategy.make_input_fn_iterator(
        lambda context: estimator._call_input_fn(input_fn, mode, context)
    )
    return iterator, [DistributedIteratorInitHook(iterator)]


def training_spec(
    estimator: Any, strategy: Any, graph: Graph, input_fn: Callable
) -> tuple[EstimatorSpec, list]:
    """Returns the model to train and its input hooks, in the strategy's scope."""
    iterator, hooks = _input(estimator, strategy, input_fn, ModeKeys.TRAIN)
    step = estimator._create_and_assert_global_step(graph)
    graph.add_to_collection(READS, strategy.extended.read_var(step))
    grouped = _grouped_spec(estimator, strategy, iterator, ModeKeys.TRAIN)
    loss = strategy.reduce(_reduction_name(), grouped.loss, axis=None)
    scaffold = combine_scaffolds(grouped.scaffold, strategy)

    def of_first(hooks: Any) -> list:
        return [strategy.experimental_local_results(hook)[0] for hook in hooks]

    spec = EstimatorSpec(
        mode=grouped.mode,
        loss=loss,
        train_op=strategy.group(grouped.train_op),
        training_hooks=of_first(grouped.training_hooks),
        training_chief_hooks=of_first(grouped.training_chief_hooks),
        scaffold=scaffold,
    )
    return spec, hooks


def make_steps_per_run() -> None:
    """Creates the variable for the number of steps per session call, as TensorFlow does before an evaluation."""
    with variable_scope("hooks", reuse=AUTO_REUSE):
        get_variable(
            "steps_per_run",
            shape=[],
            dtype=dtypes.int32,
            initializer=Ones(),
            trainable=False,
            collections=["hooks", GraphKeys.LOCAL_VARIABLES],
            use_resource=True,
        )


def evaluation_spec(
    estimator: Any, strategy: Any, input_fn: Callable
) -> tuple[EstimatorSpec, list]:
    """Returns the model of all replicas for evaluation, and its input hooks."""
    iterator, hooks = _input(estimator, strategy, input_fn, ModeKeys.EVAL)
    return _grouped_spec(estimator, strategy, iterator, ModeKeys.EVAL), hooks


def _reduction_name() -> str:
    """Returns the reduction of replica losses for logging: "MEAN" or "SUM"."""
    graph = get_default_graph()
    is_mean = graph._is_loss_scaled_by_optimizer and graph._last_loss_reduction != "weighted_sum"
    return "MEAN" if is_mean else "SUM"


def combine_scaffolds(grouped: Any, strategy: Any) -> Scaffold:
    """Combines the scaffolds of all replicas: groups operations, and uses the functions of the first replica."""
    scaffolds = strategy.experimental_local_results(grouped)

    def first(attribute: str) -> Any:
        values = [getattr(scaffold, attribute) for scaffold in scaffolds]
        return next((value for value in values if value is not None), None)

    def group(attribute: str) -> Any:
        values = [getattr(scaffold, attribute) for scaffold in scaffolds]
        values = [value for value in values if value is not None]
        return strategy.group(values) if values else None

    def join(value: Any) -> Any:
        values = flatten(strategy.experimental_local_results(value))
        return values[0] if len(values) == 1 else ops.concat(values, 0)

    init_feed_dict = group("init_feed_dict")
    init_op = group("init_op")
    call = strategy.extended.call_for_each_replica
    ready_op = call(lambda scaffold: scaffold.ready_op, args=(grouped,))
    ready_op = None if ready_op is None else join(ready_op)
    ready_for_local = join(call(_ready_for_local_init, args=(grouped,)))
    return Scaffold(
        init_op=init_op,
        ready_op=ready_op,
        ready_for_local_init_op=ready_for_local,
        local_init_op=group("local_init_op"),
        summary_op=group("summary_op"),
        saver=first("saver"),
        init_feed_dict=init_feed_dict,
        init_fn=first("_user_init_fn"),
    )


def _ready_for_local_init(scaffold: Scaffold) -> Any:
    """Returns the op that reports the uninitialized global variables, which a replica must wait for."""
    if scaffold.ready_for_local_init_op is not None:
        return scaffold.ready_for_local_init_op
    return Scaffold.get_or_default(
        "ready_for_local_init_op",
        GraphKeys.READY_FOR_LOCAL_INIT_OP,
        lambda: report_uninitialized_variables(global_variables()),
    )
