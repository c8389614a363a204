"""Model averaging: workers train copies of the variables, which are periodically set to their mean."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.contrib.opt.worker_copies import GLOBAL_NAME, create_local_step
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.scopes import colocate_with, control_dependencies, device, name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.ops.queues.conditional_accumulator import ConditionalAccumulator
from tfmini._src.ops.queues.queue import FIFOQueue
from tfmini._src.train.monitored.session_run_hook import SessionRunHook
from tfmini._src.train.optimizers.optimizer import Optimizer
from tfmini._src.variables.collections import (
    global_variables_initializer,
    local_variables_initializer,
    trainable_variables,
)
from tfmini._src.variables.variable import Variable


class ModelAverageCustomGetter:
    """Custom getter of variables for `ModelAverageOptimizer`: local and shared copies.

    Args:
      worker_device: the device of the worker, "/job:worker/task:0".
    """

    def __init__(self, worker_device: str):
        self._worker_device = worker_device
        self._local_2_global: dict[Any, Any] = {}

    def __call__(
        self,
        getter: Callable[..., Any],
        name: str,
        trainable: bool,
        collections: Sequence[str],
        *args: Any,
        **kwargs: Any,
    ) -> Any:
        """Returns the variable that a worker trains; untrainable variables are returned unchanged."""
        if trainable:
            kwargs.update(trainable=True, collections=[GraphKeys.LOCAL_VARIABLES])
            with device(self._worker_device):
                local = getter(name, *args, **kwargs)
            self._local_2_global[local] = Variable(
                name=f"{GLOBAL_NAME}/{name}",
                initial_value=local.initialized_value(),
                trainable=False,
                collections=[GraphKeys.GLOBAL_VARIABLES],
            )
            return local
        kwargs.update(trainable=trainable, collections=collections)
        if GraphKeys.LOCAL_VARIABLES not in collections:
            return getter(name, *args, **kwargs)
        with device(self._worker_device):
            return getter(name, *args, **kwargs)


class ModelAverageOptimizer(Optimizer):
    """An optimizer that periodically sets the workers' variables to their mean.

    Args:
      opt: the optimizer of the local steps.
      num_worker: number of workers.
      is_chief: whether this worker computes the means.
      ma_custom_getter: the `ModelAverageCustomGetter` that created the variables.
      interval_steps: number of steps between averagings.
      use_locking: whether to lock variables during updates.
      name: optimizer name.
    """

    def __init__(
        self,
        opt: Optimizer,
        num_worker: int,
        is_chief: bool,
        ma_custom_getter: ModelAverageCustomGetter,
        interval_steps: int = 100,
        use_locking: bool = True,
        name: str = "ModelAverageOptimizer",
    ):
        super().__init__(use_locking, name)
        self._opt = opt
        self._num_worker = num_worker
        self._is_chief = is_chief
        self._local_2_global = ma_custom_getter._local_2_global
        self._interval_steps = interval_steps
        self._accumulator_list: list[tuple[Any, str]] = []
        self._chief_init_op: Any = None
        self._local_step = create_local_step()
        self._opt._prepare()

    def compute_gradients(self, *args: Any, **kwargs: Any) -> Any:
        """Delegates to the wrapped optimizer."""
        return self._opt.compute_gradients(*args, **kwargs)

    def _pull_op(self, local_variables: Any) -> Any:
        """Returns an operation that copies the shared variables to the worker's variables."""
        if not local_variables:
            raise ValueError("The list of local_variables should not be empty")
        updates = []
        for var, global_variables in zip(
            local_variables, [self._local_2_global[var] for var in local_variables]
        ):
            with device(var.device):
                updates.append(ops.assign(var, global_variables.read_value()))
        return ops.group(*updates)

    @arguments_of(Optimizer.apply_gradients)
    def apply_gradients(self, grads_and_vars: Any, global_step: Any, name: Any) -> Any:
        """Returns an operation that runs a worker's step and, every `interval_steps` steps, the averaging.

        Args:
          global_step: variable incremented by each averaging.

        Raises:
          ValueError: if there are no gradients or no global step, or for resource variables.
        """
        if not grads_and_vars:
            raise ValueError("Must supply at least one variable")
        if global_step is None:
            raise ValueError("Global step is required")
        step = self._opt.apply_gradients(grads_and_vars)
        with control_dependencies([step]):
            step_update = ops.assign_add(self._local_step, 1, name="local_step_update").op
        local_variables = [var for grad, var in grads_and_vars if grad is not None]
        with control_dependencies([step_update]):
            is_time = ops.equal(ops.mod(self._local_step, self._interval_steps), 0)
            update = ops.cond(
                is_time, lambda: self._average_variables(local_variables, global_step), ops.no_op
            )
        started = []
        for accumulator, where in self._accumulator_list:
            with device(where):
                started.append(accumulator.set_global_step(global_step, name="SetGlobalStep"))
        self._chief_init_op = ops.group(*started)
        return update

    def _average_variables(self, local_variables: list, global_step: Any) -> Any:
        global_variables = [self._local_2_global[var] for var in local_variables]
        with colocate_with(global_step):
            queue = FIFOQueue(-1, [dtypes.bool], shapes=[[]], shared_name="sync_queue")
        added, means = [], []
        with name_scope(None, self._name + "/global"):
            for var, center in zip(local_variables, global_variables):
                with device(center.device):
                    if not isinstance(var._ref(), Tensor):
                        raise ValueError("Unknown local variable type!")
                    accumulator = ConditionalAccumulator(
                        var.dtype, shape=var.get_shape(), shared_name=center.name + "/var_accum"
                    )
                    added.append(accumulator.apply_grad(var._ref(), local_step=global_step))
                    means.append(accumulator.take_grad(self._num_worker))
                    self._accumulator_list.append((accumulator, center.device))
        if self._is_chief:
            updates = []
            with control_dependencies(added):
                for mean, center in zip(means, global_variables):
                    with device(center.device):
                        updates.append(ops.assign(center, mean))
                with device(global_step.device):
                    updates.append(ops.assign_add(global_step, 1))
            with control_dependencies(updates), device(global_step.device):
                tokens = ops.fill([self._num_worker - 1], ops.constant(False))
                synchronized = queue.enqueue_many(tokens)
        else:
            with control_dependencies(added), device(global_step.device):
                synchronized = queue.dequeue()
        with control_dependencies([synchronized]):
            return self._pull_op(local_variables)

    def get_init_op(self) -> Any:
        """Returns an operation that copies the shared variables to the worker's variables."""
        return self._pull_op(trainable_variables())

    def make_session_run_hook(self) -> SessionRunHook:
        """Returns a hook that creates the initializers of variables."""
        return _ModelAverageHook(self, self._is_chief)


class _ModelAverageHook(SessionRunHook):
    def __init__(self, optimizer: ModelAverageOptimizer, is_chief: bool):
        self._optimizer = optimizer
        self._is_chief = is_chief

    def begin(self) -> None:
        self._local_init_op = local_variables_initializer()
        self._global_init_op = None
        if self._is_chief:
            self._global_init_op = global_variables_initializer()
            self._chief_init_op = self._optimizer._chief_init_op
        self._variable_init_op = self._optimizer.get_init_op()
