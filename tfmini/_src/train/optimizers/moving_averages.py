"""Moving averages of variables and tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.replica_modes import replica_here, strategy_here
from tfmini._src.graph.scopes import add_to_collection, colocate_with, name_scope
from tfmini._src.ops import ops
from tfmini._src.train.optimizers import slot_creator
from tfmini._src.variables.collections import (
    global_variables,
    moving_average_variables,
    trainable_variables,
)
from tfmini._src.variables.get_variable import get_variable, get_variable_scope
from tfmini._src.variables.init_scope import init_scope
from tfmini._src.variables.initializers import Zeros
from tfmini._src.variables.variable import Variable
from tfmini._src.variables.variable_scope import variable_scope

_FLOATS = (dtypes.bfloat16, dtypes.float16, dtypes.float32, dtypes.float64)


def assign_moving_average(
    variable: Any, value: Any, decay: Any, zero_debias: bool = True, name: str | None = None
) -> Any:
    """Moves `variable` towards `value`: `variable -= (1 - decay) * (variable - value)`.

    Args:
      variable: a variable.
      value: a tensor of its shape.
      decay: a number or scalar tensor near 1.
      zero_debias: correct for a start from zero, as Adam does for its moments (section 3 of its paper).
      name: the name of the operation.

    Returns:
      The updated variable's reference, or for a resource variable its new value.
    """
    with name_scope(name, "AssignMovingAvg", [variable, value, decay]) as scope:
        rate = convert_to_tensor(1.0 - decay, name="decay")
        if rate.dtype != variable.dtype.base_dtype:
            rate = ops.cast(rate, variable.dtype.base_dtype)

        def move(v: Any, value: Any) -> Any:
            return ops.assign_sub(v, (v - value) * rate, name=scope)

        if strategy_here() is not None:
            return _assign_in_all_replicas(variable, value, move, zero_debias)
        if zero_debias:
            return _assign_debiased(variable, value, rate)
        return move(variable, value)


def _assign_in_all_replicas(variable: Any, value: Any, move: Callable, zero_debias: bool) -> Any:
    """Under a strategy: moves all copies of a variable towards the mean of the replicas' values."""
    if zero_debias:
        raise NotImplementedError(
            "tfmini has no zero_debias under a tf.distribute strategy: give zero_debias=False"
        )
    replica = replica_here()
    if replica is None:
        return strategy_here().extended.update(variable, move, args=(value,))

    def merge(strategy: Any, variable: Any, value: Any) -> Any:
        value = strategy.extended.reduce_to("MEAN", value, variable)
        return strategy.extended.update(variable, move, args=(value,))

    return replica.merge_call(merge, args=(variable, value))


def _assign_debiased(variable: Any, value: Any, rate: Any) -> Any:
    with variable_scope(variable.name[: -len(":0")], values=[variable, value, rate]):
        with init_scope():
            biased_zeros, step_zeros = Zeros(), Zeros()
        with colocate_with(variable):
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
    updated = ops.assign_sub(biased, (biased - value) * rate)
    steps = local_step.assign_add(1)
    factor = 1 - ops.pow(1.0 - rate, steps)
    scope = get_default_graph().get_name_scope()
    return ops.assign(variable, updated / factor, name=scope + "/")


def _unique(name: str) -> str:
    """A name that no variable of the current scope has, unless the scope is reused."""
    scope = get_variable_scope()
    if scope.reuse:
        return name
    taken = {v.op.name for v in scope.global_variables()}
    full = f"{scope.name}/{name}"
    if full not in taken:
        return name
    number = 1
    while f"{full}_{number}" in taken:
        number += 1
    return f"{name}_{number}"


def weighted_moving_average(
    value: Any,
    decay: Any,
    weight: Any,
    truediv: bool = True,
    collections: Any = None,
    name: str | None = None,
) -> Any:
    """The moving average of `value * weight` over that of `weight`.

    Args:
      value: a tensor.
      decay: a number or scalar tensor near 1.
      weight: a tensor that broadcasts with `value`.
      truediv: divide as Python 3 does.
      collections: where the two averages go; by default GLOBAL_VARIABLES.
      name: the name of the result.
    """
    collections = [GraphKeys.GLOBAL_VARIABLES] if collections is None else collections

    def average_of(label: str, like: Any) -> Any:
        return get_variable(
            label,
            shape=like.get_shape(),
            dtype=like.dtype,
            initializer=Zeros(),
            trainable=False,
            collections=collections,
        )

    with variable_scope(name, "WeightedMovingAvg", [value, weight, decay]) as scope:
        value_x_weight = average_of("value_x_weight", value)
        weight_average = average_of("weight", weight)
        numerator = assign_moving_average(value_x_weight, value * weight, decay, zero_debias=False)
        denominator = assign_moving_average(weight_average, weight, decay, zero_debias=False)
        divide = ops.truediv if truediv else ops.div
        return divide(numerator, denominator, name=scope.name)


class ExponentialMovingAverage:
    """Keeps moving averages ("shadow variables") of variables and tensors.

    Args:
      decay: near 1: `shadow = decay * shadow + (1 - decay) * value`.
      num_updates: with it the decay is at most `(1 + num_updates) / (10 + num_updates)`, so that
        early averages move faster.
      zero_debias: correct the averages of tensors for their start from zero.
      name: the name of the averages and of the operation of `apply`.

    Example:
      ema = tf.train.ExponentialMovingAverage(decay=0.999)
      with tf.control_dependencies([train_op]):
          maintain = ema.apply([w])
      average = ema.average(w)
    """

    def __init__(
        self,
        decay: Any,
        num_updates: Any = None,
        zero_debias: bool = False,
        name: str = "ExponentialMovingAverage",
    ):
        self._decay = decay
        self._num_updates = num_updates
        self._zero_debias = zero_debias
        self._name = name
        self._averages: dict[Any, Any] = {}

    @property
    def name(self) -> str:
        """The name given at construction."""
        return self._name

    def apply(self, var_list: Any = None) -> Any:
        """An operation that updates the averages of `var_list` (default: all trainable variables), made if need be.

        Raises:
          TypeError: if one of them is not of a floating dtype.
        """
        var_list = trainable_variables() if var_list is None else var_list
        debiased = set()
        for var in var_list:
            if var.dtype.base_dtype not in _FLOATS:
                raise TypeError(f"The variables must be half, float, or double: {var.name}")
            if var not in self._averages:
                with init_scope():
                    self._averages[var] = self._make_average(var)
                if not isinstance(var, Variable) and self._zero_debias:
                    debiased.add(self._averages[var])
        with name_scope(self.name) as scope:
            decay = convert_to_tensor(self._decay, name="decay")
            if self._num_updates is not None:
                updates = ops.cast(self._num_updates, dtypes.float32, name="num_updates")
                decay = ops.minimum(decay, (1.0 + updates) / (10.0 + updates))
            moves = [
                assign_moving_average(
                    self._averages[var], var, decay, self._averages[var] in debiased
                )
                for var in var_list
            ]
            return ops.group(*moves, name=scope)

    def _make_average(self, var: Any) -> Any:
        if isinstance(var, Variable):
            average = slot_creator.create_slot(var, var.initialized_value(), self.name)
            add_to_collection(GraphKeys.MOVING_AVERAGE_VARIABLES, var)
            return average
        colocated = var.op.opdef.makes_variable
        return slot_creator.create_zeros_slot(var, self.name, colocate_with_primary=colocated)

    def average(self, var: Any) -> Any:
        """The variable that holds the average of `var`, or None if none is kept."""
        return self._averages.get(var)

    def average_name(self, var: Any) -> str:
        """The name of the average of `var`, or the name it would get if none is kept."""
        if var in self._averages:
            return self._averages[var].op.name
        return get_default_graph().unique_name(f"{var.op.name}/{self.name}", mark_as_used=False)

    def variables_to_restore(self, moving_avg_variables: Any = None) -> dict[str, Any]:
        """A map from names in a checkpoint to variables, for a Saver that restores averages in place of values.

        Args:
          moving_avg_variables: those whose averages to use; by default trainable ones and all that have an average.
        """
        if moving_avg_variables is None:
            moving_avg_variables = [*trainable_variables(), *moving_average_variables()]
        averaged = list(dict.fromkeys(moving_avg_variables))
        names = {self.average_name(v): v for v in averaged}
        taken = {v.name for v in averaged}
        for var in dict.fromkeys(global_variables()):
            if var.name not in taken and var.op.name not in names:
                names[var.op.name] = var
        return names
