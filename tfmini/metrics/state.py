"""What metrics keep between batches, and the collections that their results go into."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini.graph.keys import GraphKeys
from tfmini.graph.opdef import ops
from tfmini.graph.scopes import add_to_collections
from tfmini.graph.tensor import Tensor
from tfmini.variables.synchronization import VariableAggregation, VariableSynchronization
from tfmini.variables.variable import Variable


def metric_variable(
    shape: Any, dtype: Any, validate_shape: bool = True, name: str | None = None
) -> Any:
    """A variable of zeros that is local to the process and not trained.

    Args:
      shape: its shape.
      dtype: its dtype.
      validate_shape: whether its shape must be known and stays.
      name: its name.

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


def collected(
    value: Any, update: Tensor, metrics_collections: Any, updates_collections: Any
) -> tuple[Any, Tensor]:
    """A metric and its update, added to collections if there are any."""
    if metrics_collections:
        add_to_collections(metrics_collections, value)
    if updates_collections:
        add_to_collections(updates_collections, update)
    return value, update


def of_both(compute: Callable, variables: Any, updates: Any) -> tuple[Tensor, Tensor]:
    """`compute(state, name)` of what variables hold, "value", and of what they hold after the batch, "update_op"."""
    return compute(variables, "value"), compute(updates, "update_op")
