"""Gradient descent with momentum."""

from __future__ import annotations

from typing import Any

from tfmini._src.graph.tensor import TensorLike
from tfmini._src.train.optimizers.update_rule import GRADIENT, UpdateRule, UpdateRuleOptimizer


class MomentumOptimizer(UpdateRuleOptimizer):
    """Momentum: `accumulation = momentum * accumulation + gradient; var -= learning_rate * accumulation`.

    Args:
      learning_rate: a number, scalar tensor, or function without arguments that returns one.
      momentum: the momentum coefficient, of one of these types.
      use_locking: whether to serialize updates of a variable with a lock.
      name: name of the train op and the slots.
      use_nesterov: whether to use Nesterov momentum (Sutskever et al., 2013).

    Example: `train_op = tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss)`.
    """

    def __init__(
        self,
        learning_rate: TensorLike,
        momentum: TensorLike,
        use_locking: bool = False,
        name: str = "Momentum",
        use_nesterov: bool = False,
    ):
        super().__init__(use_locking, name, {"learning_rate": learning_rate, "momentum": momentum})
        self._use_nesterov = use_nesterov

    def _create_slots(self, var_list: Any) -> None:
        for var in var_list:
            self._zeros_slot(var, "momentum", self._name)

    def _rule(self, var: Any) -> UpdateRule:
        arguments = (self._tensors["learning_rate"], GRADIENT, self._tensors["momentum"])
        return UpdateRule("Momentum", ["momentum"], arguments, {"use_nesterov": self._use_nesterov})
