"""An optimizer that clips variables by norm after each step."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

from tfmini._src.base import logs
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.graph.composite_values import IndexedSlices
from tfmini._src.graph.scopes import colocate_with, control_dependencies, name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.train.optimizers.optimizer import Optimizer
from tfmini._src.train.optimizers.wrapped_optimizer import delegate


class VariableClippingOptimizer(Optimizer):
    """An optimizer that clips the norms of variables, or of their slices, after each step.

    Args:
      opt: the wrapped optimizer.
      vars_to_clip_dims: a dict from variables to the dimensions over which norms are computed.
      max_norm: the maximum norm, a float.
      use_locking: whether to lock variables during updates.
      colocate_clip_ops_with_vars: whether to clip on the variables' devices.
    """

    compute_gradients = delegate("compute_gradients")
    get_slot = delegate("get_slot")
    get_slot_names = delegate("get_slot_names")

    def __init__(
        self,
        opt: Optimizer,
        vars_to_clip_dims: dict[Any, Sequence[int]],
        max_norm: float,
        use_locking: bool = False,
        colocate_clip_ops_with_vars: bool = False,
        name: str = "VariableClipping",
    ):
        super().__init__(use_locking, name)
        self._opt = opt
        self._vars_to_clip_dims = {var: dims[:] for var, dims in vars_to_clip_dims.items()}
        self._max_norm = max_norm
        self._colocate_clip_ops_with_vars = colocate_clip_ops_with_vars

    @arguments_of(Optimizer.apply_gradients)
    def apply_gradients(self, grads_and_vars: Any, global_step: Any, name: Any) -> Any:
        """Returns an operation that applies the gradients, and then clips."""
        with name_scope(name, self._name) as name:
            step = self._opt.apply_gradients(grads_and_vars, global_step=global_step)
            clip_ops = []
            with control_dependencies([step]):
                for grad, var in grads_and_vars:
                    if grad is None or var not in self._vars_to_clip_dims:
                        continue
                    with name_scope("clip_" + var.op.name):
                        is_dense = isinstance(grad, Tensor)
                        clip_ops.append(self._dense(var) if is_dense else self._rows(grad, var))
            return ops.group(step, *clip_ops, name=name)

    def _colocated_with(self, var: Any) -> Any:
        return colocate_with(var) if self._colocate_clip_ops_with_vars else nullcontext()

    def _dense(self, var: Any) -> Any:
        with self._colocated_with(var):
            value = var.read_value()
            clipped = ops.clip_by_norm(value, self._max_norm, self._vars_to_clip_dims[var])
            excess = value - clipped
        with colocate_with(var):
            return var.assign_sub(excess, use_locking=self._use_locking)

    def _rows(self, grad: IndexedSlices, var: Any) -> Any:
        dims = self._vars_to_clip_dims[var]
        if 0 in dims:
            logs.warning(
                "Clipping norm across dims %s for %s is inefficient "
                "when including sparse dimension 0.",
                dims,
                var.op.name,
            )
            return self._dense(var)
        with colocate_with(var):
            rows = ops.gather(var, grad.indices)
        with self._colocated_with(var):
            clipped = ops.clip_by_norm(rows, self._max_norm, dims)
            excess = IndexedSlices(rows - clipped, grad.indices, grad.dense_shape)
        with colocate_with(var):
            return var.scatter_sub(excess, use_locking=self._use_locking)
