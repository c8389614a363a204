"""Moving averages of variables and tensors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.read_only import read_only
from tfmini._src.graph.collections import add_to_collection
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.eager.eager_tensor import EagerTensor
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.ops import ops
from tfmini._src.train.optimizers import slot_creator
from tfmini._src.variables.assign_moving_average import assign_moving_average
from tfmini._src.variables.collections import (
    global_variables,
    moving_average_variables,
    trainable_variables,
)
from tfmini._src.variables.init_scope import init_scope
from tfmini._src.variables.variable import Variable
from tfmini._src.variables.variable_identity import node_name

_FLOATS = (dtypes.bfloat16, dtypes.float16, dtypes.float32, dtypes.float64)


class ExponentialMovingAverage:
    """Maintains moving averages ("shadow variables") of variables and tensors.

    Args:
      decay: a number close to 1: `shadow = decay * shadow + (1 - decay) * value`.
      num_updates: if given, limits the decay to `(1 + num_updates) / (10 + num_updates)`, so that early averages
        move faster.
      zero_debias: whether to correct averages of tensors for their zero initialization.
      name: name of the averages and the `apply` operation.

    Example:
      ema = tf.train.ExponentialMovingAverage(decay=0.999)
      with tf.control_dependencies([train_op]):
          maintain = ema.apply([w])
      average = ema.average(w)
    """

    name: str = read_only("The name given at construction.")

    def __init__(
        self,
        decay: TensorLike,
        num_updates: TensorLike | None = None,
        zero_debias: bool = False,
        name: str = "ExponentialMovingAverage",
    ):
        self._decay = decay
        self._num_updates = num_updates
        self._zero_debias = zero_debias
        self._name = name
        self._averages: dict[Any, Any] = {}

    def apply(self, var_list: Sequence[Any] | None = None) -> Any:
        """Creates averages of `var_list` (default: all trainable variables); returns the operation that updates them.

        Raises:
          TypeError: for non-floating dtypes, or tensors in eager mode.
        """
        var_list = trainable_variables() if var_list is None else var_list
        if any(isinstance(var, EagerTensor) for var in var_list):
            raise TypeError(
                "tf.train.ExponentialMovingAverage does not support non-Variable tensors when eager execution is "
                "enabled."
            )
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
            average_updates = [
                assign_moving_average(
                    self._averages[var], var, decay, self._averages[var] in debiased
                )
                for var in var_list
            ]
            return ops.group(*average_updates, name=scope)

    def _make_average(self, var: Any) -> Any:
        if isinstance(var, Variable):
            average = slot_creator.create_slot(var, var.initialized_value(), self.name)
            add_to_collection(GraphKeys.MOVING_AVERAGE_VARIABLES, var)
            return average
        is_colocatable = var.op.opdef.makes_variable
        return slot_creator.create_zeros_slot(var, self.name, colocate_with_primary=is_colocatable)

    def average(self, var: Variable) -> Any:
        """Returns the variable that holds the average of `var`; None if `var` has no average."""
        return self._averages.get(var)

    def average_name(self, var: Variable) -> str:
        """Returns the name of the average of `var`, whether or not it exists."""
        if var in self._averages:
            return node_name(self._averages[var])
        return get_default_graph().unique_name(f"{node_name(var)}/{self.name}", mark_as_used=False)

    def variables_to_restore(
        self, moving_avg_variables: Iterable[Any] | None = None
    ) -> dict[str, Any]:
        """Returns the variables by checkpoint name, for a Saver that restores averages in place of values.

        Args:
          moving_avg_variables: variables restored from their averages; by default, trainable and averaged variables.
        """
        if moving_avg_variables is None:
            moving_avg_variables = [*trainable_variables(), *moving_average_variables()]
        averaged_variables = list(dict.fromkeys(moving_avg_variables))
        names = {self.average_name(v): v for v in averaged_variables}
        averaged_names = {v.name for v in averaged_variables}
        for var in dict.fromkeys(global_variables()):
            if var.name not in averaged_names and node_name(var) not in names:
                names[node_name(var)] = var
        return names
