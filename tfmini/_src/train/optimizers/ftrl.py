"""FTRL-Proximal."""

from __future__ import annotations

from typing import Any

from tfmini._src.graph.scopes import colocate_with
from tfmini._src.ops import ops
from tfmini._src.train.optimizers.update_rule import GRADIENT, UpdateRule, UpdateRuleOptimizer


class FtrlOptimizer(UpdateRuleOptimizer):
    """Follow the regularized leader (McMahan et al., 2013), with online L2, L1 and shrinkage regularization.

    Args:
      learning_rate: a number or scalar tensor.
      learning_rate_power: exponent of the accumulated squares, at most 0; 0 fixes the rate.
      initial_accumulator_value: initial value of the accumulated squares, at least 0.
      l1_regularization_strength: at least 0.
      l2_regularization_strength: at least 0.
      use_locking: whether to serialize updates of a variable with a lock.
      name: name of the train op and the slots.
      accum_name: the name of the slots of squares, by default `name`.
      linear_name: the name of the linear slots, by default `name`.
      l2_shrinkage_regularization_strength: at least 0; a magnitude penalty applied where gradients are nonzero.

    Raises:
      ValueError: if a setting is out of its range.
    """

    _takes_functions = False

    def __init__(
        self,
        learning_rate: Any,
        learning_rate_power: float = -0.5,
        initial_accumulator_value: float = 0.1,
        l1_regularization_strength: float = 0.0,
        l2_regularization_strength: float = 0.0,
        use_locking: bool = False,
        name: str = "Ftrl",
        accum_name: str | None = None,
        linear_name: str | None = None,
        l2_shrinkage_regularization_strength: float = 0.0,
    ):
        if initial_accumulator_value < 0.0:
            raise ValueError(
                f"initial_accumulator_value {initial_accumulator_value:f} needs to be positive or zero"
            )
        if learning_rate_power > 0.0:
            raise ValueError(
                f"learning_rate_power {learning_rate_power:f} needs to be negative or zero"
            )
        settings = {
            "learning_rate": learning_rate,
            "l1_regularization_strength": l1_regularization_strength,
            "l2_regularization_strength": l2_regularization_strength,
            "l2_shrinkage_regularization_strength": l2_shrinkage_regularization_strength,
        }
        for key, value in list(settings.items())[1:]:
            if value < 0.0:
                raise ValueError(f"{key} {value:f} needs to be positive or zero")
        super().__init__(
            use_locking, name, {**settings, "learning_rate_power": learning_rate_power}
        )
        self._initial_accumulator_value = initial_accumulator_value
        self._shrinks = l2_shrinkage_regularization_strength > 0.0
        self._accum_name = accum_name
        self._linear_name = linear_name

    def _create_slots(self, var_list: Any) -> None:
        for var in var_list:
            with colocate_with(var):
                value = ops.constant(
                    self._initial_accumulator_value, dtype=var.dtype, shape=var.get_shape()
                )
                self._get_or_make_slot(var, value, "accum", self._accum_name or self._name)
                self._zeros_slot(var, "linear", self._linear_name or self._name)

    def _rule(self, var: Any) -> UpdateRule:
        rate, l1, l2, shrinkage, power = self._tensors.values()
        if self._shrinks:
            return UpdateRule(
                "FtrlV2", ["accum", "linear"], (GRADIENT, rate, l1, l2, shrinkage, power)
            )
        return UpdateRule("Ftrl", ["accum", "linear"], (GRADIENT, rate, l1, l2, power))
