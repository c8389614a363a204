"""Accumulated gradient normalization: workers accumulate gradients; their means update shared variables.

J. Hermans, G. Spanakis and R. Möckel, "Accumulated gradient normalization", ACML 2017.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base.names.signature import arguments_of
from tfmini._src.contrib.opt.worker_copies import CopiesHook, PairGetter, create_local_step
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.scopes import colocate_with, control_dependencies
from tfmini._src.ops import ops
from tfmini._src.train.optimizers.optimizer import Optimizer
from tfmini._src.variables.collections import trainable_variables
from tfmini._src.variables.variable_creator import variable_creator_scope

GRADIENT_NAME = "grad_variable"


class AGNCustomGetter(PairGetter):
    """Custom getter of variables for `AGNOptimizer`: local and shared copies, and gradient sums.

    Args:
      worker_device: the device of the worker, "/job:worker/task:0".
    """

    def __init__(self, worker_device: str):
        super().__init__(worker_device, GRADIENT_NAME)
        self._grad_map = self._second_map


class AGNOptimizer(Optimizer):
    """An optimizer whose workers train locally and periodically apply their mean gradients globally.

    Args:
      optimizer: the optimizer of the local steps.
      num_worker: number of workers.
      custom_getter: the `AGNCustomGetter` that created the variables.
      communication_period: number of steps between exchanges.
      use_locking: whether to lock variables during updates.
      name: optimizer name.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        num_worker: int,
        custom_getter: AGNCustomGetter,
        communication_period: int = 10,
        use_locking: bool = True,
        name: str = "AGNOptimizer",
    ):
        super().__init__(use_locking, name)
        self._opt = optimizer
        self._num_worker = num_worker
        self._period = communication_period
        self._global_map = custom_getter._global_map
        self._grad_map = custom_getter._grad_map
        self._local_step = create_local_step()
        self._opt._prepare()

    @arguments_of(Optimizer.apply_gradients)
    def apply_gradients(self, grads_and_vars: Any, global_step: Any, name: Any) -> Any:
        """Returns an operation that runs a worker's step and, every `communication_period` steps, exchanges updates.

        Args:
          global_step: None, or a variable incremented by each exchange.
        """
        with_grads = [(grad, var) for grad, var in grads_and_vars if grad is not None]
        local_variables = [var for _, var in with_grads]
        with variable_creator_scope(_make_local):
            updates = [self._opt.apply_gradients(grads_and_vars)]
        sums = [self._grad_map[var] for var in local_variables]
        updates += [ops.assign_add(total, grad) for (grad, _), total in zip(with_grads, sums)]
        global_variables = [self._global_map[var] for var in local_variables]

        def exchange() -> Any:
            means = [ops.assign(total, total / self._period) for total in sums]
            with control_dependencies(means):
                apply_op = self._opt.apply_gradients(zip(sums, global_variables))
            with control_dependencies([apply_op]):
                pulled = []
                if global_step:
                    with colocate_with(global_step):
                        pulled.append(ops.assign_add(global_step, 1))
                for var in local_variables:
                    pulled.append(ops.assign(var, self._global_map[var].read_value()))
                for total in sums:
                    pulled.append(ops.assign(total, ops.zeros_like(total)))
                return ops.group(*pulled)

        step_update = ops.assign_add(self._local_step, 1, name="local_step_update").op
        with control_dependencies([step_update]):
            is_time = ops.equal(ops.mod(self._local_step, self._period), 0)
        with control_dependencies(updates):
            return ops.cond(is_time, exchange, ops.no_op)

    def get_init_op(self, task_index: int) -> Any:
        """Returns an operation that copies the shared variables to the variables of worker `task_index`.

        Raises:
          ValueError: if there are no variables.
        """
        local_variables = trainable_variables()
        sums = [self._grad_map[var] for var in local_variables]
        if not local_variables:
            raise ValueError(
                "The lists of local_variables, global_center_variables,grad_center_variables "
                "should not be empty"
            )
        updates = [ops.assign(var, self._global_map[var]) for var in local_variables]
        updates += [ops.assign(total, ops.zeros_like(total)) for total in sums]
        return ops.group(*updates)

    def make_session_run_hook(self, is_chief: bool, task_index: int) -> CopiesHook:
        """Returns a hook that initializes a worker's variables in its new session."""
        return CopiesHook(is_chief, lambda: self.get_init_op(task_index))


def _make_local(next_creator: Callable, collections: Any = None, **kwargs: Any) -> Any:
    """Returns a custom getter that creates optimizer variables locally on a worker."""
    if not collections:
        collections = [GraphKeys.LOCAL_VARIABLES]
    elif GraphKeys.GLOBAL_VARIABLES in collections:
        collections = [key for key in collections if key != GraphKeys.GLOBAL_VARIABLES]
        collections.append(GraphKeys.LOCAL_VARIABLES)
    return next_creator(collections=collections, **kwargs)
