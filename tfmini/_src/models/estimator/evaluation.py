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
from tfmini._src.models.estimator.evaluation_metrics import add_local_init, add_loss_and_step
from tfmini._src.models.estimator.mode_keys import ModeKeys
from tfmini._src.train.monitored.evaluate_once import evaluate_once


class Evaluation(NamedTuple):
    """The graph of an evaluation, ready to run."""

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
        update, values = add_loss_and_step(spec, warm, strategy)
        scaffold = add_local_init(replicas.combine_scaffolds(spec.scaffold, strategy))
        first = strategy.experimental_local_results(spec.evaluation_hooks)[0]
        return Evaluation(scaffold, update, values, [*input_hooks], [*first])
    features, labels, input_hooks = estimator._get_features_and_labels_from_input_fn(
        input_fn, ModeKeys.EVAL
    )
    spec = estimator._call_model_fn(features, labels, ModeKeys.EVAL, estimator.config)
    update, values = add_loss_and_step(spec, warm)
    hooks = [*input_hooks], [*spec.evaluation_hooks]
    return Evaluation(add_local_init(spec.scaffold), update, values, *hooks)


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
