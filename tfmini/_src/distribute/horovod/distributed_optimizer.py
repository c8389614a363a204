"""Optimizers whose gradients or updates are combined over all processes."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.dtypes import int64
from tfmini._src.distribute.horovod.collectives import Adasum, Average, allreduce, reduction
from tfmini._src.distribute.horovod.compression import Compression
from tfmini._src.distribute.horovod.gradient_reduction import (
    GradientAggregation,
    GradientReduction,
)
from tfmini._src.distribute.horovod.keras_optimizer import distributed_keras_optimizer
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.ops import ops
from tfmini._src.train.optimizers.optimizer import Optimizer
from tfmini._src.variables.get_variable import get_variable
from tfmini._src.variables.initializers import Zeros


class _WrappedOptimizer(Optimizer):
    """Optimizer that stores its variables and slots in another one."""

    def __init__(self, optimizer: Any, name: str, use_locking: bool):
        super().__init__(use_locking, name)
        self._optimizer = optimizer

    def compute_gradients(self, *args: Any, **kwargs: Any) -> list[tuple[Any, Any]]:
        """Delegates to the wrapped optimizer."""
        return self._optimizer.compute_gradients(*args, **kwargs)

    def get_slot(self, var: Any, name: str) -> Any:
        """Returns the wrapped optimizer's slot, else its own."""
        slot = self._optimizer.get_slot(var, name)
        return super().get_slot(var, name) if slot is None else slot

    def get_slot_names(self) -> list[str]:
        """Returns the slot names of the wrapped optimizer, and its own."""
        return [*self._optimizer.get_slot_names(), *super().get_slot_names()]

    def variables(self) -> list:
        """Returns the variables of the wrapped optimizer, and its own."""
        return [*self._optimizer.variables(), *super().variables()]


class _DistributedOptimizer(_WrappedOptimizer):
    """Optimizer with gradients combined over all processes."""

    def __init__(
        self,
        optimizer: Any,
        name: str,
        use_locking: bool,
        reduce: GradientReduction,
        aggregation: GradientAggregation | None,
    ):
        super().__init__(optimizer, name, use_locking)
        self._reduce = reduce
        self._aggregation = aggregation

    def compute_gradients(self, *args: Any, **kwargs: Any) -> list[tuple[Any, Any]]:
        """Computes gradients of this process's loss, combined with all others'; takes the optimizer's arguments."""
        pairs = self._optimizer.compute_gradients(*args, **kwargs)
        grads = [grad for grad, _ in pairs]
        if self._aggregation is None:
            grads = self._reduce(grads)
        else:
            grads = self._aggregation.compute(grads)
        return [(grad, var) for grad, (_, var) in zip(grads, pairs)]

    def apply_gradients(
        self, grads_and_vars: Any, global_step: Any = None, name: str | None = None
    ) -> Any:
        """Applies the gradients in the last of its passes; the others only advance `global_step`."""
        pairs = list(grads_and_vars)
        if self._aggregation is None:
            return self._optimizer.apply_gradients(pairs, global_step, name)

        def skip() -> Any:
            return ops.no_op() if global_step is None else global_step.assign_add(1).op

        return self._aggregation.apply(
            lambda: self._optimizer.apply_gradients(pairs, global_step, name), skip
        )


class _DistributedAdasumOptimizer(_WrappedOptimizer):
    """Optimizer whose updates are combined over all processes by Adasum, after `passes` local updates.

    The slot `delta_start` stores the variables' values at the last combination.
    """

    def __init__(
        self,
        optimizer: Any,
        name: str,
        use_locking: bool,
        device: str,
        compression: Any,
        passes: int,
    ):
        super().__init__(optimizer, name, use_locking)
        self._device = device
        self._compression = compression
        self._passes = passes

    def apply_gradients(
        self, grads_and_vars: Any, global_step: Any = None, name: str | None = None
    ) -> Any:
        """Returns an operation that updates the variables with the wrapped optimizer, and combines the changes."""
        pairs = list(grads_and_vars)
        trained = [var for grad, var in pairs if grad is not None]
        with name_scope(self._name):
            steps = get_variable("step_count", [], int64, Zeros(), trainable=False)
            starts = [
                self._get_or_make_slot(var, var.initialized_value(), "delta_start", self._name)
                for var in trained
            ]
            count = ops.identity(steps.assign_add(1))

            def begin() -> Any:
                return ops.group(*(start.assign(var) for start, var in zip(starts, trained)))

            started = ops.cond(ops.equal(count, 1), begin, ops.no_op)
        with control_dependencies([started]):
            update = self._optimizer.apply_gradients(pairs, global_step)

        def combine() -> Any:
            apply_ops = []
            for start, var in zip(starts, trained):
                delta = allreduce(
                    ops.identity(var) - start,
                    device_dense=self._device,
                    compression=self._compression,
                    op=Adasum,
                )
                apply_ops.append(var.assign(start.assign_add(delta)))
            return ops.group(*apply_ops)

        with control_dependencies([update]), name_scope(self._name):
            is_last = ops.equal(count % self._passes, 0)
            return ops.group(ops.cond(is_last, combine, ops.no_op), name=name or self._name)


def DistributedOptimizer(
    optimizer: Any,
    name: str | None = None,
    use_locking: bool = False,
    device_dense: str = "",
    device_sparse: str = "",
    compression: Any = Compression.none,
    sparse_as_dense: bool = False,
    backward_passes_per_step: int = 1,
    op: int = Average,
    gradient_predivide_factor: float = 1.0,
    average_aggregated_gradients: bool = False,
    num_groups: int = 0,
    groups: Any = None,
) -> Any:
    """Returns an optimizer whose gradients are averaged over all processes before being applied.

    Args:
      optimizer: a `tf.train.Optimizer`, or one of `tf.keras.optimizers`.
      name: by default "Distributed" plus the optimizer's class name.
      use_locking: as in `tf.train.Optimizer`.
      device_dense, device_sparse: devices of the reductions.
      compression: `hvd.Compression.fp16` sends floats as float16.
      sparse_as_dense: whether to reduce sparse gradients as dense ones.
      backward_passes_per_step: number of passes whose gradients are accumulated before being combined and applied.
      op: `hvd.Average`, `hvd.Sum`, or `hvd.Adasum`, which combines the processes' own updates instead of gradients.
      gradient_predivide_factor: part of the Average's divisor that is applied before the sum instead of after.
      average_aggregated_gradients: whether to average over the passes instead of summing.
      num_groups, groups: no effect: dense gradients of one dtype are always fused.

    Raises:
      ValueError: if `optimizer` is not an optimizer, or for conflicting arguments.
      NotImplementedError: for Adasum, if the number of processes is not a power of 2.

    Example: `train = hvd.DistributedOptimizer(tf.train.AdamOptimizer()).minimize(loss)`.
    """
    reduction(None, op)
    if op == Adasum and average_aggregated_gradients:
        raise ValueError("Adasum does not support average_aggregated_gradients == True")
    scope = name or f"Distributed{type(optimizer).__name__}"
    devices = device_dense, device_sparse
    reduce = GradientReduction(
        scope, devices, compression, sparse_as_dense, op, gradient_predivide_factor
    )
    passes = backward_passes_per_step
    aggregation = (
        GradientAggregation(passes, reduce, average_aggregated_gradients) if passes != 1 else None
    )
    if not isinstance(optimizer, Optimizer):
        if op == Adasum:
            raise ValueError("op == Adasum is not supported yet with Keras")
        return distributed_keras_optimizer(optimizer, reduce, aggregation)
    if op == Adasum:
        scope = name or f"DistributedDelta{type(optimizer).__name__}"
        return _DistributedAdasumOptimizer(
            optimizer, scope, use_locking, device_dense, compression, passes
        )
    if aggregation is not None and executing_eagerly():
        raise ValueError(
            "backward_passes_per_step > 1 is not yet supported for _LegacyOptimizer with eager execution."
        )
    return _DistributedOptimizer(optimizer, scope, use_locking, reduce, aggregation)
