"""Proximal gradient descent and proximal Adagrad, which apply L1 and L2 penalties exactly, for sparse weights."""

from __future__ import annotations

from typing import Any

from tfmini._src.graph.scopes import colocate_with
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.ops import ops
from tfmini._src.train.optimizers.update_rule import GRADIENT, UpdateRule, UpdateRuleOptimizer


def _hyperparameters(rate: Any, l1: Any, l2: Any) -> dict[str, Any]:
    return {
        "learning_rate": rate,
        "l1_regularization_strength": l1,
        "l2_regularization_strength": l2,
    }


class ProximalGradientDescentOptimizer(UpdateRuleOptimizer):
    """Proximal gradient descent (forward-backward splitting, Duchi and Singer, 2009).

    Args:
      learning_rate: a number or scalar tensor.
      l1_regularization_strength: the weight of the L1 norm.
      l2_regularization_strength: the weight of the L2 norm.
      use_locking: whether to serialize updates of a variable with a lock.
      name: the name of the train op.
    """

    _takes_functions = False
    _casts = False

    def __init__(
        self,
        learning_rate: TensorLike,
        l1_regularization_strength: float = 0.0,
        l2_regularization_strength: float = 0.0,
        use_locking: bool = False,
        name: str = "ProximalGradientDescent",
    ):
        settings = _hyperparameters(
            learning_rate, l1_regularization_strength, l2_regularization_strength
        )
        super().__init__(use_locking, name, settings)

    def _rule(self, var: Any) -> UpdateRule:
        return UpdateRule("ProximalGradientDescent", [], (*self._tensors.values(), GRADIENT))


class ProximalAdagradOptimizer(UpdateRuleOptimizer):
    """Adagrad with proximal steps.

    Args:
      learning_rate, l1_regularization_strength, l2_regularization_strength, use_locking: as in
        `ProximalGradientDescentOptimizer`.
      initial_accumulator_value: initial value of the accumulated squares, positive.
      name: name of the train op and the slots.

    Raises:
      ValueError: if `initial_accumulator_value` is not positive.
    """

    _takes_functions = False
    _casts = False

    def __init__(
        self,
        learning_rate: TensorLike,
        initial_accumulator_value: float = 0.1,
        l1_regularization_strength: float = 0.0,
        l2_regularization_strength: float = 0.0,
        use_locking: bool = False,
        name: str = "ProximalAdagrad",
    ):
        if initial_accumulator_value <= 0.0:
            raise ValueError(
                f"initial_accumulator_value must be positive: {initial_accumulator_value}"
            )
        settings = _hyperparameters(
            learning_rate, l1_regularization_strength, l2_regularization_strength
        )
        super().__init__(use_locking, name, settings)
        self._initial_accumulator_value = initial_accumulator_value

    def _create_slots(self, var_list: Any) -> None:
        for var in var_list:
            with colocate_with(var):
                value = ops.constant(
                    self._initial_accumulator_value,
                    shape=var.get_shape(),
                    dtype=var.dtype.base_dtype,
                )
            self._get_or_make_slot(var, value, "accumulator", self._name)

    def _rule(self, var: Any) -> UpdateRule:
        return UpdateRule("ProximalAdagrad", ["accumulator"], (*self._tensors.values(), GRADIENT))
