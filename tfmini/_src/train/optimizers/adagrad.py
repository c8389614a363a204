"""Adagrad."""

from __future__ import annotations

from typing import Any

from tfmini._src.graph.tensor import TensorLike
from tfmini._src.ops import ops, raw
from tfmini._src.train.optimizers.update_rule import GRADIENT, UpdateRule, UpdateRuleOptimizer
from tfmini._src.variables.initializers import Constant


class AdagradOptimizer(UpdateRuleOptimizer):
    """Adagrad (Duchi et al., 2011): divides each element's step by the root of its accumulated squared gradients.

    Args:
      learning_rate: a number, scalar tensor, or function without arguments that returns one.
      initial_accumulator_value: initial value of the accumulated squares, positive.
      use_locking: whether to serialize updates of a variable with a lock.
      name: name of the train op and the slots.

    Raises:
      ValueError: if `initial_accumulator_value` is not positive.

    Example: `train_op = tf.train.AdagradOptimizer(0.1).minimize(loss)`.
    """

    def __init__(
        self,
        learning_rate: TensorLike,
        initial_accumulator_value: float = 0.1,
        use_locking: bool = False,
        name: str = "Adagrad",
    ):
        if initial_accumulator_value <= 0.0:
            raise ValueError(
                f"initial_accumulator_value must be positive: {initial_accumulator_value}"
            )
        super().__init__(use_locking, name, {"learning_rate": learning_rate})
        self._initial_accumulator_value = initial_accumulator_value

    def _create_slots(self, var_list: Any) -> None:
        for var in var_list:
            dtype = var.dtype.base_dtype
            initializer: Any = Constant(self._initial_accumulator_value, dtype=dtype)
            if not var.get_shape().is_fully_defined():
                initializer = self._fill_like(var, dtype)
            self._get_or_make_slot_with_initializer(
                var, initializer, var.get_shape(), dtype, "accumulator", self._name
            )

    def _fill_like(self, var: Any, dtype: Any) -> Any:
        def initial_value() -> Any:
            return ops.cast(raw.Fill(ops.shape(var), self._initial_accumulator_value), dtype)

        return initial_value

    def _rule(self, var: Any) -> UpdateRule:
        return UpdateRule("Adagrad", ["accumulator"], (self._tensors["learning_rate"], GRADIENT))
