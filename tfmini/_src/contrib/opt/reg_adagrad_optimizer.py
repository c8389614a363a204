"""Adagrad with optional updates of its accumulators."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tfmini._src.base.names.signature import arguments_of
from tfmini._src.train.optimizers.adagrad import AdagradOptimizer
from tfmini._src.train.optimizers.update_rule import GRADIENT, UpdateRule


class RegAdagradOptimizer(AdagradOptimizer):
    """Adagrad that can freeze its accumulators, for gradients of regularizers.

    Takes the arguments of `tf.train.AdagradOptimizer`.

    Example:
      optimizer = tf.contrib.opt.RegAdagradOptimizer(0.1)
      train = optimizer.minimize(loss)
      with optimizer.avoid_updating_slots():
          regularize = optimizer.minimize(penalty)
    """

    @arguments_of(AdagradOptimizer, name="RegAdagrad")
    def __init__(self, *args: Any):
        super().__init__(*args)
        self._should_update_slots = True

    @contextmanager
    def avoid_updating_slots(self) -> Iterator[None]:
        """Context manager that freezes the accumulators."""
        previous_setting, self._should_update_slots = self._should_update_slots, False
        try:
            yield
        finally:
            self._should_update_slots = previous_setting

    def _rule(self, var: Any) -> UpdateRule:
        options = {"update_slots": self._should_update_slots}
        arguments = (self._tensors["learning_rate"], GRADIENT)
        return UpdateRule("Adagrad", ["accumulator"], arguments, options)
