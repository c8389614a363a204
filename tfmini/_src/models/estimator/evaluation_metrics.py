"""Evaluation metrics: the model's metrics, the mean loss and the global step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.models.estimator.estimator_spec import EstimatorSpec
from tfmini._src.nn.metrics.running_means import mean
from tfmini._src.ops import ops
from tfmini._src.train.global_step import get_global_step
from tfmini._src.train.monitored.evaluate_once import get_or_create_eval_step
from tfmini._src.train.monitored.scaffold import Scaffold

_TAKEN_NAME_ERROR = (
    "Metric with name {} is not allowed, because Estimator already defines "
    "a default metric with the same name."
)


def add_loss_and_step(
    spec: EstimatorSpec, warm: Callable[[], None], strategy: Any = None
) -> tuple[Any, dict[str, Any]]:
    """Returns the update op of all metrics, and their values including loss and global step.

    Args:
      spec: the EstimatorSpec; with a strategy, one spec for all replicas.
      warm: function that initializes variables from a checkpoint, if warm-starting.
      strategy: the strategy, or None.
    """
    metrics = spec.eval_metric_ops
    if "loss" in metrics:
        raise ValueError(_TAKEN_NAME_ERROR.format('"loss"'))
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
        raise ValueError(_TAKEN_NAME_ERROR.format("`global_step`"))
    values[GraphKeys.GLOBAL_STEP] = get_global_step()
    return update, values


def add_local_init(scaffold: Scaffold) -> Scaffold:
    """Returns a scaffold that also initializes local variables created later, such as metric variables."""
    if not scaffold.local_init_op:
        return scaffold
    get_or_create_eval_step()
    init_op = ops.group(scaffold.local_init_op, Scaffold.default_local_init_op())
    return Scaffold(local_init_op=init_op, copy_from_scaffold=scaffold)
