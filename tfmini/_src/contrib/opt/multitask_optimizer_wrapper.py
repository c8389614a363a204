"""Optimizers for alternating tasks: all-zero gradients, from other tasks, leave slots unchanged."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import MethodType
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.train.optimizers.optimizer import Optimizer

_UPDATES = ("_apply_dense", "_resource_apply_dense", "_apply_sparse", "_resource_apply_sparse")


def _is_zero(grad: Any) -> Tensor:
    return ops.equal(ops.count_nonzero(grad), 0)


def _skip_zero_gradients(update: Callable, optimizer: Optimizer) -> MethodType:
    """Returns an update method that skips all-zero gradients."""

    def update_slots(self: Optimizer, grad: Any, *args: Any, **kwargs: Any) -> Any:
        is_zero = _is_zero(grad)

        def call() -> Any:
            with control_dependencies([update(grad, *args, **kwargs)]):
                return ops.no_op()

        return ops.cond(is_zero, ops.no_op, call)

    return MethodType(update_slots, optimizer)


class MultitaskOptimizerWrapper:
    """Optimizer wrapper that leaves variables with all-zero gradients, and their slots, unchanged.

    Modifies the wrapped optimizer in place and shares all its attributes.

    Args:
      opt: a `tf.train.Optimizer`.

    Raises:
      TypeError: if `opt` has the wrong type.
    """

    def __init__(self, opt: Optimizer):
        if not isinstance(opt, Optimizer):
            raise TypeError("Supplied optimizer must be an instance of tf.train.Optimizer")
        self._opt = opt
        for name in _UPDATES:
            setattr(opt, name, _skip_zero_gradients(getattr(opt, name), opt))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._opt, name)


def clip_gradients_by_global_norm(
    gradients_variables: Iterable[tuple[Any, Any]], clip_norm: TensorLike = 20.0
) -> tuple[list[Any], Tensor]:
    """Clips (gradient, variable) pairs like `tf.clip_by_global_norm`; the norm omits all-zero gradients.

    Args:
      gradients_variables: pairs (gradient, variable).
      clip_norm: the maximum norm.

    Returns:
      (pairs with clipped gradients, the global norm before clipping).
    """
    gradients, variables = zip(*gradients_variables)

    def clip_gradient(grad: Any) -> Any:
        if grad is None:
            return None
        dtype = dtypes.as_dtype(grad.dtype)
        return ops.cond(_is_zero(grad), lambda: ops.zeros([], dtype=dtype), lambda: grad)

    norm = ops.global_norm([clip_gradient(grad) for grad in gradients])
    clipped, _ = ops.clip_by_global_norm(gradients, clip_norm, use_norm=norm)
    return list(zip(clipped, variables)), norm
