"""An optimizer that drops stale gradients."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.graph.scopes import colocate_with, control_dependencies
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops, raw
from tfmini._src.ops.summaries.scalar_histogram_summary import scalar
from tfmini._src.train.global_step import get_global_step
from tfmini._src.train.optimizers.optimizer import Optimizer
from tfmini._src.train.optimizers.wrapped_optimizer import delegate
from tfmini._src.variables.get_variable import get_variable
from tfmini._src.variables.initializers import Zeros


class DropStaleGradientOptimizer(Optimizer):
    """Applies gradients unless the global step has advanced by more than `staleness` since their computation.

    Args:
      opt: the wrapped optimizer.
      staleness: maximum number of intervening steps by other workers, an integer.
      use_locking: whether to lock variables during updates.
      name: optimizer name.

    The variable "stale_counter" counts dropped gradients; a summary records their fraction.
    """

    get_slot = delegate("get_slot")
    get_slot_names = delegate("get_slot_names")

    def __init__(
        self,
        opt: Optimizer,
        staleness: int,
        use_locking: bool = False,
        name: str = "DropStaleGradient",
    ):
        super().__init__(use_locking, name)
        self._opt = opt
        self._staleness = staleness

    def compute_gradients(self, loss: TensorLike, *args: Any, **kwargs: Any) -> Any:
        """Computes gradients with the wrapped optimizer, after reading the global step."""
        with colocate_with(loss):
            self._local_step = get_global_step() + 0
        with control_dependencies([self._local_step]):
            return self._opt.compute_gradients(raw.Identity(loss), *args, **kwargs)

    @arguments_of(Optimizer.apply_gradients)
    def apply_gradients(self, grads_and_vars: Any, global_step: Any, name: Any) -> Any:
        """Applies or drops the gradients; returns the number of dropped steps so far, a tensor.

        Args:
          global_step: the global step; required.
        """
        with colocate_with(global_step):
            counter = get_variable("stale_counter", [], initializer=Zeros(), trainable=False)

        def accept() -> Tensor:
            step = self._opt.apply_gradients(grads_and_vars, global_step=global_step, name=name)
            with control_dependencies([step]):
                return raw.Identity(0.0)

        grads = [grad for grad, _ in grads_and_vars if grad is not None]
        ready = [grad if isinstance(grad, Tensor) else grad.op for grad in grads]
        with control_dependencies(ready), colocate_with(global_step):
            staleness = raw.Reshape(global_step - self._local_step, shape=())
        is_fresh = raw.LessEqual(staleness, self._staleness)
        dropped = ops.cond(is_fresh, accept, lambda: raw.Identity(1.0))
        update = counter.assign_add(dropped)
        scalar(
            "Gradient staleness percentage",
            counter / (ops.cast(global_step + 1, dtypes.float32)),
        )
        return update
