"""Gradient descent."""

from __future__ import annotations

from typing import Any

from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.ops import ops, raw
from tfmini._src.train.optimizers.optimizer import Optimizer


class GradientDescentOptimizer(Optimizer):
    """Gradient descent: `var -= learning_rate * gradient`.

    Args:
      learning_rate: a number, scalar tensor, or function without arguments that returns one.
      use_locking: whether to serialize updates of a variable with a lock.
      name: the name of the train op.

    Example: `train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss)`.
    """

    def __init__(
        self, learning_rate: TensorLike, use_locking: bool = False, name: str = "GradientDescent"
    ):
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate
        self._learning_rate_tensor: Any = None

    def _prepare(self) -> None:
        rate = self._call_if_callable(self._learning_rate)
        self._learning_rate_tensor = convert_to_tensor(rate, name="learning_rate")

    def _rate(self, template: Any) -> Any:
        return ops.cast(self._learning_rate_tensor, template.dtype.base_dtype)

    def _apply_dense(self, grad: Any, var: Any) -> Any:
        return raw.ApplyGradientDescent(
            var, self._rate(var), grad, use_locking=self._use_locking
        ).op

    def _resource_apply_dense(self, grad: Any, handle: Any) -> Any:
        return raw.ResourceApplyGradientDescent(
            handle.handle, self._rate(grad), grad, use_locking=self._use_locking
        )

    def _resource_apply_sparse_duplicate_indices(self, grad: Any, handle: Any, indices: Any) -> Any:
        return raw.ResourceScatterAdd(handle.handle, indices, -grad * self._learning_rate)

    def _apply_sparse_duplicate_indices(self, grad: Any, var: Any) -> Any:
        delta = type(grad)(grad.values * self._rate(var), grad.indices, grad.dense_shape)
        return var.scatter_sub(delta, use_locking=self._use_locking)
