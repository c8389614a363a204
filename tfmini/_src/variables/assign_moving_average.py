"""Moving averages in variables: `assign_moving_average` and `weighted_moving_average`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.replica_modes import current_replica, current_strategy
from tfmini._src.graph.scopes import colocate_with, name_scope
from tfmini._src.ops import ops
from tfmini._src.variables.get_variable import get_variable, get_variable_scope
from tfmini._src.variables.init_scope import init_scope
from tfmini._src.variables.initializers import Zeros
from tfmini._src.variables.variable_scope import variable_scope


def assign_moving_average(
    variable: Any, value: Any, decay: Any, zero_debias: bool = True, name: str | None = None
) -> Any:
    """Updates a moving average: `variable -= (1 - decay) * (variable - value)`.

    Args:
      variable: a variable.
      value: a tensor of its shape.
      decay: a number or scalar tensor near 1.
      zero_debias: whether to correct the bias of a zero initial value, as Adam does for its moments (section 3 of its
        paper).

    Returns:
      The reference of the updated variable, or the new value of a resource variable.
    """
    with name_scope(name, "AssignMovingAvg", [variable, value, decay]) as scope:
        rate = convert_to_tensor(1.0 - decay, name="decay")
        if rate.dtype != variable.dtype.base_dtype:
            rate = ops.cast(rate, variable.dtype.base_dtype)

        def move(v: Any, value: Any) -> Any:
            return ops.assign_sub(v, (v - value) * rate, name=scope)

        def assign(v: Any, value: Any, colocate: Callable, update: Callable) -> Any:
            if not zero_debias:
                return update(v, move, args=(value,))
            debias, shadows = _debiasing(v, value, rate, colocate)
            return update(v, debias, args=(value, *shadows))

        strategy, replica = current_strategy(), current_replica()
        if strategy is None:
            return assign(variable, value, colocate_with, lambda v, fn, args: fn(v, *args))

        def merge(strategy: Any, v: Any, value: Any) -> Any:
            if replica is not None:
                value = strategy.extended.reduce_to("MEAN", value, v)
            return assign(v, value, strategy.extended.colocate_vars_with, strategy.extended.update)

        if replica is None:
            return merge(strategy, variable, value)
        return replica.merge_call(merge, args=(variable, value))


def _debiasing(
    variable: Any, value: Any, rate: Any, colocate: Callable
) -> tuple[Callable[..., Any], tuple]:
    """Returns the update that corrects the bias, and its variables: the biased average and the number of updates."""
    with variable_scope(variable.name[: -len(":0")], values=[variable, value, rate]):
        with init_scope():
            biased_zeros, step_zeros = Zeros(), Zeros()
        with colocate(variable):
            biased = get_variable(
                _unique("biased"),
                initializer=biased_zeros,
                shape=variable.get_shape(),
                dtype=variable.dtype,
                trainable=False,
            )
            local_step = get_variable(
                _unique("local_step"),
                shape=[],
                dtype=variable.dtype,
                initializer=step_zeros,
                trainable=False,
            )

    def update(v: Any, value: Any, biased: Any, local_step: Any) -> Any:
        updated = ops.assign_sub(biased, (biased - value) * rate)
        steps = local_step.assign_add(1)
        factor = 1 - ops.pow(1.0 - rate, steps)
        scope = get_default_graph().get_name_scope()
        return ops.assign(v, updated / factor, name=scope + "/")

    return update, (biased, local_step)


def _unique(name: str) -> str:
    """Returns a name unused in the current variable scope, unless the scope is reused."""
    scope = get_variable_scope()
    if scope.reuse:
        return name
    names = {v.op.name for v in scope.global_variables()}
    full = f"{scope.name}/{name}"
    if full not in names:
        return name
    suffix = 1
    while f"{full}_{suffix}" in names:
        suffix += 1
    return f"{name}_{suffix}"


def weighted_moving_average(
    value: Any,
    decay: Any,
    weight: Any,
    truediv: bool = True,
    collections: Any = None,
    name: str | None = None,
) -> Any:
    """Returns the moving average of `value * weight` divided by the moving average of `weight`.

    Args:
      value: a tensor.
      decay: a number or scalar tensor near 1.
      weight: a tensor that broadcasts with `value`.
      truediv: whether to divide as Python 3 does.
      collections: collections of the two averages; default: GLOBAL_VARIABLES.
      name: name of the result.
    """
    collections = [GraphKeys.GLOBAL_VARIABLES] if collections is None else collections

    def create_average(label: str, template: Any) -> Any:
        return get_variable(
            label,
            shape=template.get_shape(),
            dtype=template.dtype,
            initializer=Zeros(),
            trainable=False,
            collections=collections,
        )

    with variable_scope(name, "WeightedMovingAvg", [value, weight, decay]) as scope:
        value_x_weight = create_average("value_x_weight", value)
        weight_average = create_average("weight", weight)
        numerator = assign_moving_average(value_x_weight, value * weight, decay, zero_debias=False)
        denominator = assign_moving_average(weight_average, weight, decay, zero_debias=False)
        divide = ops.truediv if truediv else ops.div
        return divide(numerator, denominator, name=scope.name)
