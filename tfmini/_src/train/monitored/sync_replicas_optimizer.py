"""SyncReplicasOptimizer, which averages the gradients of several replicas into one step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tfmini._src.base import dtypes, logs
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.graph.composite_values import IndexedSlices
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.scopes import colocate_with, control_dependencies, device, name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.ops.queues.conditional_accumulator import (
    ConditionalAccumulator,
    SparseConditionalAccumulator,
)
from tfmini._src.ops.queues.queue import FIFOQueue
from tfmini._src.train.input_queues.queue_runner import QueueRunner
from tfmini._src.train.monitored.session_manager import not_ready
from tfmini._src.train.monitored.session_run_hook import SessionRunHook
from tfmini._src.train.optimizers.optimizer import Optimizer
from tfmini._src.train.optimizers.wrapped_optimizer import delegate
from tfmini._src.variables.collections import global_variables, report_uninitialized_variables
from tfmini._src.variables.variable import Variable

if TYPE_CHECKING:
    from tfmini._src.train.optimizers.moving_averages import ExponentialMovingAverage


class SyncReplicasOptimizer(Optimizer):
    """Averages the gradients of several replicas into one step; each replica waits for a token to start the next.

    Args:
      opt: the optimizer that applies the mean gradients.
      replicas_to_aggregate: number of gradients per step.
      total_num_replicas: number of replicas, by default `replicas_to_aggregate`.
      variable_averages: a `tf.train.ExponentialMovingAverage` that is applied after each step.
      variables_to_average: the averaged variables.
      use_locking: as in other optimizers.

    Example:
      optimizer = tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(0.1), replicas_to_aggregate=2)
      train = optimizer.minimize(loss, global_step=tf.train.get_or_create_global_step())
      hook = optimizer.make_session_run_hook(is_chief=True)
      with tf.train.MonitoredTrainingSession(hooks=[hook]) as session:
          session.run(train)
    """

    compute_gradients = delegate("compute_gradients")
    get_slot = delegate("get_slot")
    get_slot_names = delegate("get_slot_names")

    @deprecated(
        None,
        "The `SyncReplicaOptimizer` class is deprecated. For synchrononous training, please use [Distribution "
        "Strategies](https://github.com/tensorflow/tensorflow/tree/master/tensorflow/contrib/distribute).",
        warn_once=True,
    )
    def __init__(
        self,
        opt: Optimizer,
        replicas_to_aggregate: int,
        total_num_replicas: int | None = None,
        variable_averages: ExponentialMovingAverage | None = None,
        variables_to_average: Sequence[Any] | None = None,
        use_locking: bool = False,
        name: str = "sync_replicas",
    ):
        super().__init__(use_locking, name)
        total = replicas_to_aggregate if total_num_replicas is None else total_num_replicas
        logs.info(
            "SyncReplicasV2: replicas_to_aggregate=%s; total_num_replicas=%s",
            replicas_to_aggregate,
            total,
        )
        self._opt = opt
        self._replicas = replicas_to_aggregate
        self._total = total
        self._averages = variable_averages, variables_to_average
        self._is_applied = False
        self._step: Any = None
        self._tokens: Any = None
        self._runner: Any = None

    def variables(self) -> Any:
        """Returns the variables of the wrapped optimizer."""
        return self._opt.variables()

    @arguments_of(Optimizer.apply_gradients)
    def apply_gradients(self, grads_and_vars: Any, global_step: Any, name: Any) -> Any:
        """Returns an operation that submits gradients and waits for the next step.

        Args:
          grads_and_vars: (gradient, variable) pairs, as returned by `compute_gradients`.
          global_step: the step variable.
          name: unused.

        Raises:
          ValueError: if there are no variables or no `global_step`, or a gradient type is unsupported.
        """
        if not grads_and_vars:
            raise ValueError("Must supply at least one variable")
        if global_step is None:
            raise ValueError("Global step is required to check staleness")
        self._step = global_step
        dtype = global_step.dtype.base_dtype
        with colocate_with(ops.no_op()):
            self._local_step = Variable(
                initial_value=0,
                trainable=False,
                collections=[GraphKeys.LOCAL_VARIABLES],
                dtype=dtype,
                name="sync_rep_local_step",
            )
        self.local_step_init_op = ops.assign(self._local_step, global_step)
        self.ready_for_local_init_op = report_uninitialized_variables(global_variables())
        with name_scope(None, self._name):
            gradients, means, accumulators = self._accumulate(grads_and_vars)
            with device(global_step.device), name_scope(""):
                pairs = zip(means, [var for _, var in grads_and_vars])
                update = self._opt.apply_gradients(pairs, global_step)
            with device(global_step.device), name_scope(""):
                self._tokens = _queue(-1, dtype, "sync_token_q")
                unused = _queue(1, dtypes.int32, "dummy_queue")
            with device(global_step.device), name_scope(""):
                with control_dependencies(gradients):
                    token = self._tokens.dequeue()
                train = ops.assign(self._local_step, token)
                with control_dependencies([update]):
                    tokens = ops.fill([max(self._total, self._replicas)], global_step)
                    sync = self._tokens.enqueue_many((tokens,))
                averages, averaged_variables = self._averages
                if averages is not None:
                    with control_dependencies([sync]), name_scope(""):
                        sync = averages.apply(averaged_variables)
                self._runner = QueueRunner(unused, [sync])
            starts = [self.local_step_init_op]
            for accumulator, device_name in accumulators:
                with device(device_name):
                    starts.append(accumulator.set_global_step(global_step, name="SetGlobalStep"))
            self.chief_init_op = ops.group(*starts)
            self._is_applied = True
            return train

    def _accumulate(self, grads_and_vars: Any) -> tuple[list, list, list]:
        """Returns the submission operations, mean gradients, and (accumulator, device) pairs."""
        values: list[Any] = []
        means: list[Any] = []
        accumulators: list[tuple[Any, Any]] = []
        for grad, var in grads_and_vars:
            with device(var.device):
                if grad is None:
                    means.append(None)
                    continue
                name = f"{var.name}/grad_accum"
                accumulator: Any
                if isinstance(grad, Tensor):
                    shape = var.get_shape()
                    accumulator = ConditionalAccumulator(grad.dtype, shape=shape, shared_name=name)
                    values.append(accumulator.apply_grad(grad, local_step=self._local_step))
                    means.append(accumulator.take_grad(self._replicas))
                elif isinstance(grad, IndexedSlices):
                    accumulator = SparseConditionalAccumulator(
                        grad.dtype, shape=(), shared_name=name
                    )
                    step = self._local_step
                    values.append(accumulator.apply_indexed_slices_grad(grad, local_step=step))
                    means.append(accumulator.take_indexed_slices_grad(self._replicas))
                else:
                    raise ValueError("Unknown grad type!")
                accumulators.append((accumulator, var.device))
        return values, means, accumulators

    def get_chief_queue_runner(self) -> Any:
        """Returns the queue runner of the chief, which applies mean gradients and issues tokens.

        Raises:
          ValueError: if `apply_gradients` was not called.
        """
        if not self._is_applied:
            raise ValueError("Should be called after apply_gradients().")
        return self._runner

    def get_init_tokens_op(self, num_tokens: int = -1) -> Any:
        """Returns an operation that enqueues the tokens of the first step.

        Args:
          num_tokens: number of tokens, by default the number of gradients per step.

        Raises:
          ValueError: if there are too few tokens, or `apply_gradients` was not called.
        """
        if not self._is_applied:
            raise ValueError("get_init_tokens_op() should be called after apply_gradients().")
        needed = self._replicas - self._total
        if num_tokens == -1:
            num_tokens = self._replicas
        elif num_tokens < needed:
            raise ValueError(
                f"Too few tokens to finish the first step: {num_tokens} (given) vs {needed} (needed)"
            )
        if num_tokens <= 0:
            return ops.no_op(name="no_init_tokens")
        with device(self._step.device), name_scope(""):
            tokens = ops.fill([num_tokens], self._step)
            return self._tokens.enqueue_many((tokens,))

    def make_session_run_hook(self, is_chief: bool, num_tokens: int = -1) -> SessionRunHook:
        """Returns the session hook that each replica requires; the chief's hook also starts the queue runner.

        Args:
          is_chief: whether the session is the chief's.
          num_tokens: as in `get_init_tokens_op`.
        """
        return _SyncReplicasOptimizerHook(self, is_chief, num_tokens)


def _queue(capacity: int, dtype: Any, name: str) -> FIFOQueue:
    return FIFOQueue(capacity, dtype, shapes=(), name=name, shared_name=name)


class _SyncReplicasOptimizerHook(SessionRunHook):
    """Sets the local step; on the chief, also starts the thread that applies gradients."""

    def __init__(self, optimizer: SyncReplicasOptimizer, is_chief: bool, num_tokens: int):
        self._sync_optimizer = optimizer
        self._is_chief = is_chief
        self._num_tokens = num_tokens

    def begin(self) -> None:
        optimizer = self._sync_optimizer
        if not optimizer._is_applied:
            raise ValueError(
                "SyncReplicasOptimizer.apply_gradient should be called before using the hook."
            )
        self._init = optimizer.local_step_init_op
        self._runner = self._tokens = None
        if self._is_chief:
            self._init = optimizer.chief_init_op
            self._runner = optimizer.get_chief_queue_runner()
            self._tokens = optimizer.get_init_tokens_op(self._num_tokens)

    def after_create_session(self, session: Any, coord: Any) -> None:
        problem = "Model is not ready for SyncReplicasOptimizer local init."
        reason = not_ready(self._sync_optimizer.ready_for_local_init_op, session, problem)
        if reason:
            raise RuntimeError(
                "Init operations did not make model ready for SyncReplicasOptimizer local_init. Init op: "
                f"{self._init.name}, error: {reason}"
            )
        session.run(self._init)
        if self._tokens is not None:
            session.run(self._tokens)
        if self._runner is not None:
            self._runner.create_threads(session, coord=coord, daemon=True, start=True)
