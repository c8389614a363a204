"""Metrics that store the last value seen, for evaluation results that are not means."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.nest.structure import flatten, pack_sequence_as
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.ops import ops
from tfmini._src.variables.variable import Variable


def identity_metric(name: str, input_tensor: Any) -> tuple[Any, Any]:
    """Returns the last value of a tensor, and the operation that updates it."""
    variable = Variable(
        ops.zeros([], dtype=input_tensor.dtype),
        name=f"{name}_identity_metric",
        collections=[GraphKeys.LOCAL_VARIABLES],
        validate_shape=False,
    )
    update = ops.assign(variable, input_tensor, validate_shape=False)
    variable.set_shape(input_tensor.get_shape())  # known after the first update
    return variable.value(), update


def nested_identity_metric(name: str, input_tensors: Any) -> tuple[Any, Any]:
    """Returns the last values of a nested tuple of tensors, and the operation that updates them."""
    pairs = [
        identity_metric(f"{name}_{i}", tensor) for i, tensor in enumerate(flatten(input_tensors))
    ]
    values, updates = [value for value, _ in pairs], [update for _, update in pairs]
    return pack_sequence_as(input_tensors, values), ops.group(*updates)
