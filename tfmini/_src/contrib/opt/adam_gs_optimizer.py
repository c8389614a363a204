"""Adam with decay powers computed from the global step instead of variables shared by workers."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.contrib.opt.adam_variants import LazyAdamOptimizer
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.ops import ops
from tfmini._src.train.optimizers.adam import AdamOptimizer


class AdamGSOptimizer(AdamOptimizer):
    """Adam that computes the powers of beta1 and beta2 from the global step.

    Args:
      global_step: a scalar integer tensor or variable, incremented by each step.
      learning_rate, beta1, beta2, epsilon, use_locking, name: as in `tf.train.AdamOptimizer`.

    Example:
      step = tf.train.get_or_create_global_step()
      train = tf.contrib.opt.AdamGSOptimizer(step, 1e-3).minimize(loss, global_step=step)
    """

    @arguments_of(AdamOptimizer)
    def __init__(self, global_step: TensorLike = 0, **kwargs: Any):
        super().__init__(**kwargs)
        self._global_step = global_step
        self._global_step_on_worker: Any = None

    def _get_beta_accumulators(self) -> tuple[Any, Any]:
        step = self._global_step_on_worker
        return ops.pow(self._beta1_t, step), ops.pow(self._beta2_t, step)

    def _create_slots(self, var_list: Any) -> None:
        for var in var_list:
            self._zeros_slot(var, "m", self._name)
            self._zeros_slot(var, "v", self._name)

    def _prepare(self) -> None:
        super()._prepare()
        step = ops.identity(self._global_step) + 1
        self._global_step_on_worker = ops.cast(step, dtypes.float32)

    def _finish(self, update_ops: list, name_scope: str) -> Any:
        return ops.group(*update_ops, name=name_scope)


class LazyAdamGSOptimizer(AdamGSOptimizer):
    """`AdamGSOptimizer` that leaves the moments of rows without a sparse gradient unchanged."""

    _apply_sparse = LazyAdamOptimizer._apply_sparse
    _resource_apply_sparse = LazyAdamOptimizer._resource_apply_sparse
