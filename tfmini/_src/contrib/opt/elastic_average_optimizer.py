"""Elastic averaging: workers train copies of the variables, which are periodically pulled toward a center.

S. Zhang, A. Choromanska and Y. LeCun, "Deep learning with elastic averaging SGD", NIPS 2015.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.contrib.opt.worker_copies import CopiesHook, PairGetter, create_local_step
from tfmini._src.graph.collections import add_to_collection, get_collection_ref
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.scopes import colocate_with, control_dependencies, device
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.queues.queue import FIFOQueue
from tfmini._src.train.checkpoints.saveables import by_name
from tfmini._src.train.checkpoints.saver import Saver
from tfmini._src.train.optimizers.optimizer import Optimizer
from tfmini._src.variables.collections import global_variables, trainable_variables

LOCAL_NAME = "local_center_variable"


class ElasticAverageCustomGetter(PairGetter):
    """Custom getter of variables for `ElasticAverageOptimizer`: local copies, the center, and a copy of it.

    Args:
      worker_device: the device of the worker, "/job:worker/task:0".

    Example:
      getter = tf.contrib.opt.ElasticAverageCustomGetter("/job:worker/task:0")
      with tf.device(setter), tf.variable_scope("", custom_getter=getter):
          loss = model()
    """

    def __init__(self, worker_device: str):
        super().__init__(worker_device, LOCAL_NAME)
        self._local_map = self._second_map

    def _get_other(self, getter: Callable, name: str, args: tuple, kwargs: dict) -> Any:
        if GraphKeys.LOCAL_VARIABLES not in kwargs["collections"]:
            return getter(name, *args, **kwargs)
        with device(self._worker_device):
            return getter(name, *args, **kwargs)


class ElasticAverageOptimizer(Optimizer):
    """An optimizer that periodically pulls workers and their center toward each other.

    Args:
      opt: the optimizer of the local steps.
      num_worker: number of workers.
      ea_custom_getter: the `ElasticAverageCustomGetter` that created the variables.
      communication_period: number of steps between exchanges.
      moving_rate: rate at which a worker and the center approach each other; 0.9 / period / workers by default.
      rho: loss weight of the distance from the center; `moving_rate` / learning rate by default.
      use_locking: whether to lock variables during updates.
      synchronous: whether workers wait for each other at the start.
      name: optimizer name.
    """

    BETA = 0.9

    def __init__(
        self,
        opt: Any,
        num_worker: int,
        ea_custom_getter: ElasticAverageCustomGetter,
        communication_period: int = 10,
        moving_rate: float | None = None,
        rho: TensorLike | None = None,
        use_locking: bool = True,
        synchronous: bool = False,
        name: str = "ElasticAverageOptimizer",
    ):
        super().__init__(use_locking, name)
        self._opt = opt
        self._num_worker = num_worker
        self._period = communication_period
        self._local_map = ea_custom_getter._local_map
        self._global_map = ea_custom_getter._global_map
        self._synchronous = synchronous
        if moving_rate is None:
            moving_rate = self.BETA / communication_period / num_worker
        self._moving_rate = moving_rate
        self._rho = self._moving_rate / opt._learning_rate if rho is None else rho
        self._local_step = create_local_step()
        self._opt._prepare()

    @arguments_of(Optimizer.compute_gradients)
    def compute_gradients(
        self, loss: TensorLike, var_list: Sequence[Any] | None, *options: Any
    ) -> Any:
        """Computes the gradients of the loss plus the distance from the center, with the wrapped optimizer."""
        if not var_list:
            var_list = trainable_variables()
        centers = [self._local_map[var] for var in var_list]
        differences = [ops.subtract(v, center) for v, center in zip(trainable_variables(), centers)]
        distance = self._rho * ops.add_n([ops.l2_loss(difference) for difference in differences])
        return self._opt.compute_gradients(loss + distance, var_list, *options)

    @arguments_of(Optimizer.apply_gradients)
    def apply_gradients(self, grads_and_vars: Any, global_step: Any, name: Any) -> Any:
        """Returns an operation that runs a worker's step and, every `communication_period` steps, the exchange.

        Args:
          global_step: None, or a variable incremented by each exchange.
        """
        existing_names = {v.op.name for v in global_variables()}
        step = self._opt.apply_gradients(grads_and_vars)
        results = {v.op.name for v in global_variables()} - existing_names
        with control_dependencies([step]):
            step_update = ops.assign_add(self._local_step, 1, name="local_step_update").op
        _move_to_local(results)
        local_variables = [var for grad, var in grads_and_vars if grad is not None]
        with control_dependencies([step_update]):
            is_time = ops.equal(ops.mod(self._local_step, self._period), 0)
            return ops.cond(
                is_time, lambda: self._exchange(local_variables, global_step), ops.no_op
            )

    def _exchange(self, local_variables: list, global_step: Any) -> Any:
        global_values = [self._global_map[var] for var in local_variables]
        centers = [self._local_map[var] for var in local_variables]
        read = [center.assign(var) for center, var in zip(centers, global_values)]
        updates, differences = [], []
        with control_dependencies(read):
            for var, center in zip(local_variables, centers):
                with device(var.device):
                    differences.append(ops.subtract(var, center))
            for assign, moved in (
                (ops.assign_sub, local_variables),
                (ops.assign_add, global_values),
            ):
                for var, difference in zip(moved, differences):
                    with device(var.device):
                        updates.append(assign(var, ops.multiply(self._moving_rate, difference)))
            if global_step:
                with colocate_with(global_step):
                    updates.append(ops.assign_add(global_step, 1))
        return ops.group(*updates)

    def get_init_op(self, task_index: int) -> Any:
        """Returns an operation that copies the shared variables to the variables of worker `task_index`.

        Raises:
          ValueError: if there are no variables.
        """
        local_variables = trainable_variables()
        global_values = [self._global_map[var] for var in local_variables]
        centers = [self._local_map[var] for var in local_variables]
        if not local_variables:
            raise ValueError(
                "The lists of local_variables, global_center_variables, local_center_variables "
                "should not be empty  "
            )
        updates = []
        for var, global_center, center in zip(local_variables, global_values, centers):
            updates += [ops.assign(var, global_center), ops.assign(center, global_center)]
        started = ops.group(*updates)
        return self._start_barrier(started, task_index) if self._synchronous else started

    def _start_barrier(self, started: Any, task_index: int) -> Any:
        """Returns an operation that waits for all workers to start: each enqueues a token for each of the others."""
        queues = [
            FIFOQueue(
                self._num_worker,
                [dtypes.bool],
                shapes=[[]],
                shared_name=f"variable_init_sync_queue{index}",
            )
            for index in range(self._num_worker)
        ]
        token, waits = ops.constant(False), []
        with control_dependencies([started]):
            for index, queue in enumerate(queues):
                waits.append(ops.no_op() if index == task_index else queue.enqueue(token))
        waits.append(queues[task_index].dequeue_many(len(queues) - 1))
        return ops.group(*waits)

    def make_session_run_hook(self, is_chief: bool, task_index: int) -> CopiesHook:
        """Returns a hook that initializes a worker's variables in its new session."""
        return CopiesHook(is_chief, lambda: self.get_init_op(task_index))

    def swapping_saver(
        self,
        var_list: Sequence[Any] | Mapping[str, Any] | None = None,
        name: str = "swapping_saver",
        **kwargs: Any,
    ) -> Saver:
        """Returns a saver that stores the centers under the variable names.

        Args:
          var_list: variables, or a dict of them by name; by default all trainable ones.
          kwargs: other arguments of `tf.train.Saver`.

        Raises:
          RuntimeError: if the custom getter has created no variables.
        """
        if not self._global_map:
            raise RuntimeError(
                "global_center_variable is empty, please make sure this is called after model "
                "created and ElasticAverageCustomGetter is used when declaring you model"
            )
        if var_list is None:
            var_list = trainable_variables()
        if not isinstance(var_list, dict):
            var_list = by_name(var_list)
        trained = {v.op.name: v for v in trainable_variables()}
        swapped = {}
        for key, var in var_list.items():
            if isinstance(var, list):
                swapped[key] = [self._global_map.get(part, part) for part in var]
            else:
                swapped[key] = self._global_map.get(trained.get(var.op.name), var)
        return Saver(swapped, name=name, **kwargs)


def _move_to_local(names: set[str]) -> None:
    """Moves variables from the global to the local collection."""
    collection = get_collection_ref(GraphKeys.GLOBAL_VARIABLES)
    for var in [v for v in collection if v.op.name in names]:
        add_to_collection(GraphKeys.LOCAL_VARIABLES, var)
        collection.remove(var)
