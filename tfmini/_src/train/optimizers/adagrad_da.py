"""Adagrad with dual averaging."""

from __future__ import annotations

from typing import Any

from tfmini._src.graph.scopes import colocate_with, device
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.ops import ops
from tfmini._src.train.optimizers.update_rule import GRADIENT, UpdateRule, UpdateRuleOptimizer


class AdagradDAOptimizer(UpdateRuleOptimizer):
    """Adagrad Dual Averaging (Duchi et al., 2011), for sparse linear models; unseen features are regularized lazily.

    Args:
      learning_rate: a number or scalar tensor.
      global_step: the step counter, an int64 variable.
      initial_gradient_squared_accumulator_value: initial value of the accumulated squares, positive.
      l1_regularization_strength: the weight of the L1 norm.
      l2_regularization_strength: the weight of the L2 norm.
      use_locking: whether to serialize updates of a variable with a lock.
      name: name of the train op and the slots.

    Raises:
      ValueError: if `initial_gradient_squared_accumulator_value` is not positive.
    """

    _takes_functions = False

    def __init__(
        self,
        learning_rate: TensorLike,
        global_step: TensorLike,
        initial_gradient_squared_accumulator_value: float = 0.1,
        l1_regularization_strength: float = 0.0,
        l2_regularization_strength: float = 0.0,
        use_locking: bool = False,
        name: str = "AdagradDA",
    ):
        if initial_gradient_squared_accumulator_value <= 0.0:
            raise ValueError(
                "initial_gradient_squared_accumulator_value must be positive: "
                f"{initial_gradient_squared_accumulator_value}"
            )
        super().__init__(use_locking, name, {"learning_rate": learning_rate})
        self._initial_value = initial_gradient_squared_accumulator_value
        self._l1 = l1_regularization_strength
        self._l2 = l2_regularization_strength
        self._global_step = global_step
        self._global_step_on_worker: Any = None

    def _create_slots(self, var_list: Any) -> None:
        for var in var_list:
            shape, dtype = var.get_shape(), var.dtype.base_dtype
            with colocate_with(var):
                sums = ops.constant(0.0, shape=shape, dtype=dtype)
                squares = ops.constant(self._initial_value, shape=shape, dtype=dtype)
            self._get_or_make_slot(var, sums, "gradient_accumulator", self._name)
            self._get_or_make_slot(var, squares, "gradient_squared_accumulator", self._name)

    def _prepare(self) -> None:
        super()._prepare()
        with colocate_with(self._tensors["learning_rate"]):
            self._global_step_on_worker = ops.identity(self._global_step) + 1

    def _rule(self, var: Any) -> UpdateRule:
        with device(var.device):
            step = ops.identity(self._global_step_on_worker)
        return UpdateRule(
            "AdagradDA",
            ["gradient_accumulator", "gradient_squared_accumulator"],
            (GRADIENT, self._tensors["learning_rate"], self._l1, self._l2, step),
        )
