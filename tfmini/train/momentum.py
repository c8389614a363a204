"""Gradient descent with momentum."""

from __future__ import annotations

from typing import Any

from tfmini.graph.conversion import convert_to_tensor
from tfmini.graph.namespaces import ops, raw
from tfmini.train.optimizer import Optimizer


class MomentumOptimizer(Optimizer):
    """Momentum: `accumulation = momentum * accumulation + gradient; var -= learning_rate * accumulation`.

    Args:
      learning_rate: a number, scalar tensor, or function without arguments that gives one.
      momentum: the same kinds.
      use_locking: updates exclude each other.
      name: the name of the train op and of the slots.
      use_nesterov: Nesterov's form (Sutskever et al., 2013).

    Example: `train_op = tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss)`.
    """

    def __init__(
        self,
        learning_rate: Any,
        momentum: Any,
        use_locking: bool = False,
        name: str = "Momentum",
        use_nesterov: bool = False,
    ):
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate
        self._momentum = momentum
        self._use_nesterov = use_nesterov
        self._learning_rate_tensor: Any = None
        self._momentum_tensor: Any = None

    def _create_slots(self, var_list: Any) -> None:
        for var in var_list:
            self._zeros_slot(var, "momentum", self._name)

    def _prepare(self) -> None:
        rate = self._call_if_callable(self._learning_rate)
        self._learning_rate_tensor = convert_to_tensor(rate, name="learning_rate")
        momentum = self._call_if_callable(self._momentum)
        self._momentum_tensor = convert_to_tensor(momentum, name="momentum")

    def _options(self) -> dict:
        return {"use_locking": self._use_locking, "use_nesterov": self._use_nesterov}

    def _apply_dense(self, grad: Any, var: Any) -> Any:
        dtype = var.dtype.base_dtype
        return raw.ApplyMomentum(
            var,
            self.get_slot(var, "momentum"),
            ops.cast(self._learning_rate_tensor, dtype),
            grad,
            ops.cast(self._momentum_tensor, dtype),
            **self._options(),
        ).op

    def _resource_apply_dense(self, grad: Any, handle: Any) -> Any:
        dtype = grad.dtype.base_dtype
        return raw.ResourceApplyMomentum(
            handle.handle,
            self.get_slot(handle, "momentum").handle,
            ops.cast(self._learning_rate_tensor, dtype),
            grad,
            ops.cast(self._momentum_tensor, dtype),
            **self._options(),
        )

    def _apply_sparse(self, grad: Any, var: Any) -> Any:
        dtype = var.dtype.base_dtype
        return raw.SparseApplyMomentum(
            var,
            self.get_slot(var, "momentum"),
            ops.cast(self._learning_rate_tensor, dtype),
            grad.values,
            grad.indices,
            ops.cast(self._momentum_tensor, dtype),
            **self._options(),
        ).op

    def _resource_apply_sparse(self, grad: Any, handle: Any, indices: Any) -> Any:
        return raw.ResourceSparseApplyMomentum(
            handle.handle,
            self.get_slot(handle, "momentum").handle,
            ops.cast(self._learning_rate_tensor, grad.dtype),
            grad,
            indices,
            ops.cast(self._momentum_tensor, grad.dtype),
            **self._options(),
        )
