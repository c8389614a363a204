"""AddSign and PowerSign, whose steps depend on the agreement between the signs of gradient and moving average.

I. Bello et al., "Neural optimizer search with reinforcement learning", ICML 2017.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tfmini._src.base.names.signature import arguments_of
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.ops import ops, raw
from tfmini._src.train.optimizers.optimizer import Optimizer


class _SignOptimizer(Optimizer):
    """Base class of both optimizers, with a moving average of the gradients and a sign decay by global step."""

    _kind: str  # kind of the op: AddSign or PowerSign
    _factor: str  # the additional hyperparameter

    def __init__(
        self,
        learning_rate: TensorLike,
        factor: TensorLike,
        beta: TensorLike,
        sign_decay_fn: Callable[..., Any] | None,
        use_locking: bool,
        name: str,
    ):
        super().__init__(use_locking, name)
        self._lr = learning_rate
        self._factor_value = factor
        self._beta = beta
        self._sign_decay_fn = sign_decay_fn
        self._lr_t: Any = None
        self._factor_t: Any = None
        self._beta_t: Any = None
        self._sign_decay_t: Any = None

    @arguments_of(Optimizer.apply_gradients)
    def apply_gradients(self, grads_and_vars: Any, global_step: Any, name: Any) -> Any:
        """Applies gradients like `tf.train.Optimizer.apply_gradients`; `global_step` determines the sign decay."""
        if self._sign_decay_fn is not None:
            decay = self._sign_decay_fn(global_step)
            self._sign_decay_t = convert_to_tensor(decay, name="sign_decay")
        return super().apply_gradients(grads_and_vars, global_step=global_step, name=name)

    def _create_slots(self, var_list: Any) -> None:
        for var in var_list:
            self._zeros_slot(var, "m", self._name)

    def _prepare(self) -> None:
        self._lr_t = convert_to_tensor(self._lr, name="learning_rate")
        self._beta_t = convert_to_tensor(self._beta, name="beta")
        self._factor_t = convert_to_tensor(self._factor_value, name=self._factor)
        if self._sign_decay_fn is None:
            self._sign_decay_t = convert_to_tensor(1.0, name="sign_decay")

    def _cast_hyperparameters(self, var: Any, *tensors: Any) -> list:
        return [ops.cast(tensor, var.dtype.base_dtype) for tensor in tensors]

    def _settings(self, var: Any) -> list:
        return self._cast_hyperparameters(
            var, self._lr_t, self._factor_t, self._sign_decay_t, self._beta_t
        )

    def _apply_dense(self, grad: Any, var: Any) -> Any:
        inputs = [var, self.get_slot(var, "m"), *self._settings(var), grad]
        return getattr(raw, f"Apply{self._kind}")(*inputs, use_locking=self._use_locking).op

    def _resource_apply_dense(self, grad: Any, handle: Any) -> Any:
        inputs = [handle.handle, self.get_slot(handle, "m").handle, *self._settings(handle), grad]
        return getattr(raw, f"ResourceApply{self._kind}")(*inputs, use_locking=self._use_locking)

    def _agreement(self, grad: Any, var: Any, beta: Any) -> tuple[Any, Any]:
        """Returns the update of the moving average, and the products of its signs and the gradient's."""
        m = self.get_slot(var, "m")
        average = m * beta + grad * (1 - beta)
        m_t = ops.assign(m, average, use_locking=self._use_locking)
        signs = ops.sign(grad.values)
        return m_t, ops.gather(ops.sign(m_t), grad.indices) * signs

    def _apply_step(self, grad: Any, var: Any, rate: Any, factor: Any, m_t: Any) -> Any:
        change = rate * factor * grad.values
        update = ops.scatter_sub(var, grad.indices, change, use_locking=self._use_locking)
        return ops.group(update, m_t)


class AddSignOptimizer(_SignOptimizer):
    """AddSign: multiplies gradients by `alpha + sign(gradient) * sign(average)`.

    Args:
      learning_rate: a float or scalar tensor.
      alpha: offset of the factor.
      beta: decay of the average.
      sign_decay_fn: function from the global step to a factor of the sign term.
      use_locking: whether to lock variables during updates.
      name: name of the train op and the slots.
    """

    _kind, _factor = "AddSign", "alpha"

    def __init__(
        self,
        learning_rate: TensorLike = 0.1,
        alpha: TensorLike = 1.0,
        beta: TensorLike = 0.9,
        sign_decay_fn: Callable[..., Any] | None = None,
        use_locking: bool = False,
        name: str = "AddSignOptimizer",
    ):
        super().__init__(learning_rate, alpha, beta, sign_decay_fn, use_locking, name)

    def _apply_sparse(self, grad: Any, var: Any) -> Any:
        rate, alpha, beta = self._cast_hyperparameters(
            var, self._lr_t, self._factor_t, self._beta_t
        )
        m_t, agreement = self._agreement(grad, var, beta)
        (decay,) = self._cast_hyperparameters(var, self._sign_decay_t)
        return self._apply_step(grad, var, rate, alpha + decay * agreement, m_t)


class PowerSignOptimizer(_SignOptimizer):
    """PowerSign: multiplies gradients by `base ** (sign(gradient) * sign(average))`.

    Args:
      learning_rate, beta, sign_decay_fn, use_locking, name: as in `AddSignOptimizer`.
      base: the base of the power, a float.
    """

    _kind, _factor = "PowerSign", "logbase"

    def __init__(
        self,
        learning_rate: TensorLike = 0.1,
        base: float = math.e,
        beta: TensorLike = 0.9,
        sign_decay_fn: Callable[..., Any] | None = None,
        use_locking: bool = False,
        name: str = "PowerSignOptimizer",
    ):
        logbase = math.log(base)
        super().__init__(learning_rate, logbase, beta, sign_decay_fn, use_locking, name)

    def _apply_sparse(self, grad: Any, var: Any) -> Any:
        rate, beta, log = self._cast_hyperparameters(var, self._lr_t, self._beta_t, self._factor_t)
        (base,) = self._cast_hyperparameters(var, math.e)
        m_t, agreement = self._agreement(grad, var, beta)
        (decay,) = self._cast_hyperparameters(var, self._sign_decay_t)
        return self._apply_step(grad, var, rate, ops.pow(base, log * decay * agreement), m_t)
