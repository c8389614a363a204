"""RMSProp."""

from __future__ import annotations

from typing import Any

from tfmini._src.graph.tensor import TensorLike
from tfmini._src.ops import ops
from tfmini._src.train.optimizers.update_rule import GRADIENT, UpdateRule, UpdateRuleOptimizer
from tfmini._src.variables.initializers import Ones


class RMSPropOptimizer(UpdateRuleOptimizer):
    """RMSProp (Tieleman and Hinton, 2012) with momentum: divides gradients by their running RMS.

    Args:
      learning_rate: a number, scalar tensor, or function without arguments that returns one.
      decay: the decay of the running average, of one of these types.
      momentum: the momentum coefficient, of one of these types.
      epsilon: a small number for stability, inside the root, of one of these types.
      use_locking: whether to serialize updates of a variable with a lock.
      centered: whether to divide by the root of the variance rather than of the second moment.
      name: name of the train op and the slots.
    """

    def __init__(
        self,
        learning_rate: TensorLike,
        decay: TensorLike = 0.9,
        momentum: TensorLike = 0.0,
        epsilon: TensorLike = 1e-10,
        use_locking: bool = False,
        centered: bool = False,
        name: str = "RMSProp",
    ):
        settings = {
            "learning_rate": learning_rate,
            "decay": decay,
            "momentum": momentum,
            "epsilon": epsilon,
        }
        super().__init__(use_locking, name, settings)
        self._centered = centered

    def _create_slots(self, var_list: Any) -> None:
        for var in var_list:
            shape, dtype = var.get_shape(), var.dtype.base_dtype
            ones = Ones(dtype=dtype) if shape.is_fully_defined() else ops.ones_like(var)
            self._get_or_make_slot_with_initializer(var, ones, shape, dtype, "rms", self._name)
            if self._centered:
                self._zeros_slot(var, "mg", self._name)
            self._zeros_slot(var, "momentum", self._name)

    def _rule(self, var: Any) -> UpdateRule:
        arguments = (*self._tensors.values(), GRADIENT)
        if self._centered:
            return UpdateRule("CenteredRMSProp", ["mg", "rms", "momentum"], arguments)
        return UpdateRule("RMSProp", ["rms", "momentum"], arguments)
