"""LARS: layer-wise adaptive rate scaling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.ops import ops, raw
from tfmini._src.train.optimizers.optimizer import Optimizer
from tfmini._src.variables.variable import Variable


class LARSOptimizer(Optimizer):
    """Momentum optimizer that scales each gradient by the ratio of the variable's norm to the gradient's norm.

    Y. You, I. Gitman and B. Ginsburg, "Large batch training of convolutional networks", 2017.

    Args:
      learning_rate: a number, or a scalar tensor; functions are supported only for sparse gradients.
      momentum: a nonnegative number.
      weight_decay: nonnegative factor of the variable added to its gradient.
      eeta: factor of the norm ratio.
      epsilon: added to the gradient's norm.
      name: name of the train op and the slots.
      skip_list: names, or parts of names, of variables exempt from scaling.
      use_nesterov: whether to use Nesterov's momentum.

    Raises:
      ValueError: for a negative `momentum` or `weight_decay`.
    """

    def __init__(
        self,
        learning_rate: TensorLike,
        momentum: float = 0.9,
        weight_decay: float = 0.0001,
        eeta: float = 0.001,
        epsilon: float = 0.0,
        name: str = "LARSOptimizer",
        skip_list: Sequence[str] | None = None,
        use_nesterov: bool = False,
    ):
        if momentum < 0.0:
            raise ValueError(f"momentum should be positive: {momentum}")
        if weight_decay < 0.0:
            raise ValueError(f"weight_decay should be positive: {weight_decay}")
        super().__init__(use_locking=False, name=name)
        self._learning_rate = learning_rate
        self._momentum = momentum
        self._weight_decay = weight_decay
        self._eeta = eeta
        self._epsilon = epsilon
        self._skip_list = skip_list
        self._use_nesterov = use_nesterov

    def _create_slots(self, var_list: Any) -> None:
        for var in var_list:
            self._zeros_slot(var, "momentum", self._name)

    def _prepare(self) -> None:
        self._learning_rate_tensor = convert_to_tensor(
            self._call_if_callable(self._learning_rate), name="learning_rate"
        )
        self._momentum_tensor = convert_to_tensor(
            self._call_if_callable(self._momentum), name="momentum"
        )

    def compute_lr(self, grad: TensorLike, var: Variable) -> tuple[Any, Any]:
        """Returns the learning rate of a variable, and its gradient with weight decay."""
        if self._skip_list is not None and any(part in var.name for part in self._skip_list):
            return self._learning_rate, grad
        weight_norm = ops.norm(var, ord=2)
        grad_norm = ops.norm(grad, ord=2)
        ratio = ops.where(
            ops.greater(weight_norm, 0),
            ops.where(
                ops.greater(grad_norm, 0),
                self._eeta
                * weight_norm
                / (grad_norm + self._weight_decay * weight_norm + self._epsilon),
                1.0,
            ),
            1.0,
        )
        return self._learning_rate * ratio, grad + self._weight_decay * var

    def _options(self) -> dict[str, Any]:
        return {"use_locking": False, "use_nesterov": self._use_nesterov}

    def _apply_dense(self, grad: Any, var: Any) -> Any:
        rate, grad = self.compute_lr(grad, var)
        slot, one = self.get_slot(var, "momentum"), ops.cast(1.0, var.dtype.base_dtype)
        return raw.ApplyMomentum(var, slot, one, grad * rate, self._momentum, **self._options())

    def _resource_apply_dense(self, grad: Any, handle: Any) -> Any:
        rate, grad = self.compute_lr(grad, handle)
        slot, one = self.get_slot(handle, "momentum"), ops.cast(1.0, handle.dtype.base_dtype)
        return raw.ResourceApplyMomentum(
            handle.handle, slot.handle, one, grad * rate, self._momentum, **self._options()
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
