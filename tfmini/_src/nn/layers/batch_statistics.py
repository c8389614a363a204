"""Batch normalization composed of small ops: batch moments, moving averages, renormalization."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.graph.scopes import colocate_with, control_dependencies, name_scope
from tfmini._src.nn.layers.backend.learning_phase import choose
from tfmini._src.ops import ops


def update_average(variable: Any, value: Any, momentum: Any, has_rows: Any = None) -> Any:
    """Assigns variable * momentum + value * (1 - momentum) to the variable.

    has_rows: scalar bool, whether the batch is nonempty; if False the variable is left unchanged.
    """
    with name_scope("AssignMovingAvg") as scope, colocate_with(variable):
        decay = ops.convert_to_tensor(1.0 - momentum, name="decay")
        if decay.dtype != variable.dtype.base_dtype:
            decay = ops.cast(decay, variable.dtype.base_dtype)
        change = (variable - ops.cast(value, variable.dtype)) * decay
        if has_rows is not None:
            change = ops.where(has_rows, change, ops.zeros_like(change))
        return ops.assign_sub(variable, change, name=scope)


def new_value(variable: Any, value: Any) -> Any:
    """Assigns `value` to the variable."""
    with name_scope("AssignNewValue") as scope, colocate_with(variable):
        return ops.assign(variable, value, name=scope)


def update_variance(layer: Any, stddev: Any, momentum: Any, has_rows: Any) -> Any:
    """Updates the moving variance of a layer with renormalization by way of its moving standard deviation."""
    moving_update = update_average(layer.moving_stddev, stddev, momentum, has_rows)
    return new_value(layer.moving_variance, ops.relu(moving_update * moving_update - layer.epsilon))


def renormalize(layer: Any, mean: Any, variance: Any, training: Any, has_rows: Any) -> tuple:
    """Renormalizes batch statistics towards the moving ones; returns (factor, offset, batch mean, batch variance).

    Updates the moving statistics before returning them.
    """
    stddev = ops.sqrt(variance + layer.epsilon)
    moving_stddev = ops.maximum(layer.renorm_stddev, ops.sqrt(layer.epsilon))
    factor = stddev / moving_stddev
    offset = (mean - layer.renorm_mean) / moving_stddev
    with control_dependencies([factor, offset]):
        mean, stddev = ops.identity(mean), ops.identity(stddev)
    factor, offset = _clip_renorm_corrections(factor, offset, layer.renorm_clipping)
    factor = _select_training(training, factor, ops.ones_like)
    offset = _select_training(training, offset, ops.zeros_like)
    updates = [
        _update(layer, layer.renorm_mean, mean, training, has_rows),
        _update(layer, layer.renorm_stddev, stddev, training, has_rows),
    ]
    with control_dependencies(updates):
        return factor, offset, ops.identity(mean), ops.identity(variance)


def _select_training(training: Any, value: Any, for_inference: Callable) -> Any:
    return choose(training, lambda: value, lambda: for_inference(value))


def _update(layer: Any, variable: Any, value: Any, training: Any, has_rows: Any) -> Any:
    value = ops.identity(value)
    return choose(
        training,
        lambda: update_average(variable, value, layer.renorm_momentum, has_rows),
        lambda: ops.identity(variable),
    )


def _clip_renorm_corrections(factor: Any, offset: Any, bounds: dict) -> tuple:
    min_ratio, largest, distance = (bounds.get(key) for key in ("rmin", "rmax", "dmax"))
    if min_ratio is not None:
        factor = ops.maximum(factor, min_ratio)
    if largest is not None:
        factor = ops.minimum(factor, largest)
    if distance is not None:
        offset = ops.maximum(offset, -distance)
        offset = ops.minimum(offset, distance)
    return factor, offset
