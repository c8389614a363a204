"""Adadelta."""

from __future__ import annotations

from typing import Any

from tfmini._src.graph.tensor import TensorLike
from tfmini._src.train.optimizers.update_rule import GRADIENT, UpdateRule, UpdateRuleOptimizer


class AdadeltaOptimizer(UpdateRuleOptimizer):
    """Adadelta (Zeiler, 2012): scales gradients by the RMS ratio of past updates to past gradients.

    Args:
      learning_rate: a number, scalar tensor, or function without arguments that returns one (1.0 in the paper).
      rho: the decay of the averages, of one of these types.
      epsilon: a small number for stability, of one of these types.
      use_locking: whether to serialize updates of a variable with a lock.
      name: name of the train op and the slots.
    """

    def __init__(
        self,
        learning_rate: TensorLike = 0.001,
        rho: TensorLike = 0.95,
        epsilon: TensorLike = 1e-8,
        use_locking: bool = False,
        name: str = "Adadelta",
    ):
        super().__init__(use_locking, name, {"lr": learning_rate, "rho": rho, "epsilon": epsilon})

    def _create_slots(self, var_list: Any) -> None:
        for var in var_list:
            self._zeros_slot(var, "accum", self._name)
            self._zeros_slot(var, "accum_update", self._name)

    def _rule(self, var: Any) -> UpdateRule:
        return UpdateRule(
            "Adadelta", ["accum", "accum_update"], (*self._tensors.values(), GRADIENT)
        )
