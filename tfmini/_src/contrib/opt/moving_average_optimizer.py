"""An optimizer that maintains moving averages of variables, and savers that store the averages in their place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tfmini._src.base.names.signature import arguments_of
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.ops import ops
from tfmini._src.train.checkpoints.saveables import by_name
from tfmini._src.train.checkpoints.saver import Saver
from tfmini._src.train.optimizers.moving_averages import ExponentialMovingAverage
from tfmini._src.train.optimizers.optimizer import Optimizer
from tfmini._src.variables.collections import global_variables
from tfmini._src.variables.partitioned_variable import PartitionedVariable


class MovingAverageOptimizer(Optimizer):
    """An optimizer that updates moving averages of the variables after each step.

    Args:
      opt: the wrapped optimizer.
      average_decay: decay of the averages, a float or scalar tensor.
      num_updates: update count, a scalar: small counts reduce the decay.
      sequential_update: whether averages are updated after the step; otherwise, possibly with earlier values.

    Example:
      optimizer = tf.contrib.opt.MovingAverageOptimizer(tf.train.AdamOptimizer(1e-3))
      train = optimizer.minimize(loss)
      saver = optimizer.swapping_saver()  # saves the averages under the names of the variables
    """

    def __init__(
        self,
        opt: Optimizer,
        average_decay: TensorLike = 0.9999,
        num_updates: TensorLike | None = None,
        sequential_update: bool = True,
    ):
        self._optimizer = opt
        self._ema = ExponentialMovingAverage(average_decay, num_updates=num_updates)
        self._swapped_variable_name_map: dict[str, str] | None = None
        self._sequential_update = sequential_update

    def compute_gradients(self, *args: Any, **kwargs: Any) -> Any:
        """Delegates to the wrapped optimizer."""
        return self._optimizer.compute_gradients(*args, **kwargs)

    @arguments_of(Optimizer.apply_gradients)
    def apply_gradients(self, grads_and_vars: Any, global_step: Any, name: Any) -> Any:
        """Returns an operation that applies the gradients and updates the averages."""
        step = self._optimizer.apply_gradients(grads_and_vars, global_step=global_step, name=name)
        var_list = [var for grad, var in grads_and_vars if grad is not None]
        with control_dependencies([step] if self._sequential_update else []):
            average_op = self._ema.apply(var_list)
        swapped = self._swapped_variable_name_map = {}
        for var in var_list:
            average = self._ema.average(var)
            swapped[var.op.name] = average.op.name
            swapped[average.op.name] = var.op.name
        return ops.group(step, average_op, name="train_with_avg")

    def _saved_variable(self, variables: dict[str, Any], name: str, variable: Any) -> Any:
        """Returns the variable to save under a variable's name: its average or, for an average, the variable."""
        other = (self._swapped_variable_name_map or {}).get(name)
        if other is None:
            return variable
        if other not in variables:
            raise ValueError(
                f"Variable to swap {other} is not part of variables to save. "
                "This breaks MovingAverageOptimizer."
            )
        return variables[other]

    def swapping_saver(
        self,
        var_list: Sequence[Any] | Mapping[str, Any] | None = None,
        name: str = "swapping_saver",
        **kwargs: Any,
    ) -> Saver:
        """Returns a saver that stores the averages under the variable names, and vice versa.

        Args:
          var_list: variables, or a dict of them by name; by default all global ones.
          kwargs: other arguments of `tf.train.Saver`.

        Raises:
          RuntimeError: if called before `minimize` or `apply_gradients`.
          ValueError: if `var_list` contains a variable without its average.
        """
        if self._swapped_variable_name_map is None:
            raise RuntimeError(
                "Must call apply_gradients or minimize before creating the swapping_saver"
            )
        if var_list is None:
            var_list = global_variables()
        if not isinstance(var_list, dict):
            var_list = by_name(var_list)
        variables = dict(var_list)
        for value in var_list.values():
            if isinstance(value, list | PartitionedVariable):
                variables.update((part.op.name, part) for part in value)
        swapped = {
            key: self._swap_unpartitioned(variables, key, var) for key, var in var_list.items()
        }
        return Saver(swapped, name=name, **kwargs)

    def _swap_unpartitioned(self, variables: dict[str, Any], name: str, value: Any) -> Any:
        if not isinstance(value, list):
            return self._saved_variable(variables, name, value)
        return [self._saved_variable(variables, part.op.name, part) for part in value]
