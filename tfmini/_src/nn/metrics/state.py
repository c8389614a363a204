"""State of metrics across batches, and collections for their results."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar, cast

from tfmini._src.graph.collections import add_to_collections
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.replica_modes import across_replicas, current_replica, is_later_replica
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.variables.copy_modes import (
    VariableAggregation,
    VariableSynchronization,
)
from tfmini._src.variables.variable import Variable

_F = TypeVar("_F", bound=Callable[..., Any])


def graph_mode_only(message: str) -> Callable[[_F], _F]:
    """Makes a metric raise RuntimeError in eager mode, where its state would be lost after each call."""

    def decorate(metric: _F) -> _F:
        @functools.wraps(metric)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            if executing_eagerly():
                raise RuntimeError(
                    f"tf.metrics.{message} is not supported when eager execution is enabled."
                )
            return metric(*args, **kwargs)

        return cast(_F, wrapper)

    return decorate


def metric_variable(
    shape: Any, dtype: Any, validate_shape: bool = True, name: str | None = None
) -> Any:
    """Creates a zero-initialized, untrainable variable that is local to the process.

    Args:
      shape: its shape.
      dtype: its dtype.
      validate_shape: whether its shape must be known and constant.

    Returns:
      A variable in the collections LOCAL_VARIABLES and METRIC_VARIABLES.
    """
    return Variable(
        lambda: ops.zeros(shape, dtype),
        trainable=False,
        collections=[GraphKeys.LOCAL_VARIABLES, GraphKeys.METRIC_VARIABLES],
        validate_shape=validate_shape,
        synchronization=VariableSynchronization.ON_READ,
        aggregation=VariableAggregation.SUM,
        name=name,
    )


def collect(
    value: Any, update: Any, metrics_collections: Any, updates_collections: Any
) -> tuple[Any, Any]:
    """Adds a metric and its update to the collections; returns both."""
    if is_later_replica():
        if isinstance(value, Tensor) and "replica_" in value.name.split("/")[0]:
            raise NotImplementedError(
                "This metric is not supported under a tf.distribute strategy with several replicas: compute it "
                "after the evaluation, for example from tf.metrics.mean and tf.metrics.true_positives"
            )
        metrics_collections = None  # already added by the first replica
    if metrics_collections:
        add_to_collections(metrics_collections, value)
    if updates_collections:
        add_to_collections(updates_collections, update)
    return value, update


def value_and_update(compute: Callable, variables: Any, updates: Any) -> tuple[Tensor, Tensor]:
    """Returns `compute(state, name)` for the variables, named "value", and for the updates, named "update_op"."""
    value = across_replicas(lambda parts: compute(parts, "value"), variables)
    return value, compute(updates, "update_op")


def metric_value(variable: Any) -> Tensor:
    """Returns the value of a variable; under a strategy, the value aggregated over all replicas."""
    replica = current_replica()
    if replica is None:
        return ops.identity(variable)
    return replica.merge_call(lambda strategy, v: strategy.extended.read_var(v), args=(variable,))


def aggregate_variable(variable: Any, collections: Any) -> Tensor:
    """Returns the value of a metric's variable, which is added to the collections, if any."""
    value = metric_value(variable)
    if collections and not is_later_replica():
        add_to_collections(collections, value)
    return value
