"""A single evaluation of an Estimator, with or without a distribution strategy."""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any, NamedTuple

from tfmini._src.graph.graph import Graph
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.seeds import set_random_seed
from tfmini._src.models.estimator import evaluation_events, replicas
from tfmini._src.models.estimator.estimator_spec import EstimatorSpec
from tfmini._src.models.estimator.mode_keys import ModeKeys
from tfmini._src.nn.metrics.running_means import mean
from tfmini._src.ops import ops
from tfmini._src.train.global_step import get_global_step
from tfmini._src.train.monitored.evaluate_once import evaluate_once, get_or_create_eval_step
from tfmini._src.train.monitored.scaffold import Scaffold

_TAKEN = "Metric with name {} is not allowed, because Estimator already defines a default metric with the same name."


class Evaluation(NamedTuple):
    """A model ready for evaluation."""

    scaffold: Any
    update: Any
    values: dict[str, Any]
    input_hooks: list
    hooks: list


def evaluate(
    estimator: Any, input_fn: Callable, path: str | None, hooks: list, directory: str
) -> dict[str, Any]:
    """Evaluates in a fresh graph and returns the results, also written as an event to `directory`.

    path: the checkpoint prefix; None initializes the variables.
    """
    strategy = estimator._config.eval_distribute
    with Graph().as_default() as graph, ExitStack() as stack:
        if strategy is not None:
            replicas.make_steps_per_run()
            stack.enter_context(strategy.scope())
        built = build(estimator, graph, input_fn, path)
        return run(estimator, built, path, hooks, directory)


def build(estimator: Any, graph: Graph, input_fn: Callable, path: str | None) -> Evaluation:
    """Builds an evaluation model in the default graph."""
    set_random_seed(estimator._config.tf_random_seed)
    estimator._create_and_assert_global_step(graph)
    strategy = estimator._config.eval_distribute
    warm = functools.partial(estimator._maybe_warm_start, path)
    if strategy is not None:
        spec, input_hooks = replicas.evaluation_spec(estimator, strategy, input_fn)
        update, values = _with_loss_and_step(spec, warm, strategy)
        scaffold = _with_local_variables(replicas.combine_scaffolds(spec.scaffold, strategy))
        first = strategy.experimental_local_results(spec.evaluation_hooks)[0]
        return Evaluation(scaffold, update, values, [*input_hooks], [*first])
    features, labels, input_hooks = estimator._get_features_and_labels_from_input_fn(
        input_fn, ModeKeys.EVAL
    )
    spec = estimator._call_model_fn(features, labels, ModeKeys.EVAL, estimator.config)
    update, values = _with_loss_and_step(spec, warm)
    hooks = [*input_hooks], [*spec.evaluation_hooks]
    return Evaluation(_with_local_variables(spec.scaffold), update, values, *hooks)


def run(
    estimator: Any, built: Evaluation, path: str | None, hooks: list, directory: str
) -> dict[str, Any]:
    """Runs the evaluation and returns its results, also written as an event."""
    results = evaluate_once(
        path,
        master=estimator._config.evaluation_master,
        scaffold=built.scaffold,
        eval_ops=built.update,
        final_ops=built.values,
        hooks=[*built.input_hooks, *hooks, *built.hooks],
        config=estimator._session_config,
    )
    step = results[GraphKeys.GLOBAL_STEP]
    evaluation_events.write_results(directory, results, step)
    if path:
        evaluation_events.write_checkpoint_path(directory, path, step)
    return results


def _with_loss_and_step(
    spec: EstimatorSpec, warm: Callable[[], None], strategy: Any = None
) -> tuple[Any, dict[str, Any]]:
    """The update op of all metrics, and their values including loss and global step.

    Args:
      spec: the model; with a strategy, the model of all replicas.
      warm: function that sets variables from a checkpoint, if requested.
      strategy: the strategy, or None.
    """
    metrics = spec.eval_metric_ops
    if "loss" in metrics:
        raise ValueError(_TAKEN.format('"loss"'))
    if strategy is None:
        metrics["loss"] = mean(spec.loss)
    else:
        metrics["loss"] = strategy.extended.call_for_each_replica(mean, args=(spec.loss,))
    ordered = sorted(metrics.items())  # makes the graph deterministic
    updates = [pair[1] for _, pair in ordered]
    update = ops.group(*(updates if strategy is None else map(strategy.group, updates)))
    values = {name: pair[0] for name, pair in ordered}
    warm()
    if GraphKeys.GLOBAL_STEP in values:
        raise ValueError(_TAKEN.format("`global_step`"))
    values[GraphKeys.GLOBAL_STEP] = get_global_step()
    return update, values


def _with_local_variables(scaffold: Scaffold) -> Scaffold:
    """A scaffold that also initializes local variables created later, by metrics."""
    if not scaffold.local_init_op:
        return scaffold
    get_or_create_eval_step()
    everything = ops.group(scaffold.local_init_op, Scaffold.default_local_init_op())
    return Scaffold(local_init_op=everything, copy_from_scaffold=scaffold)
