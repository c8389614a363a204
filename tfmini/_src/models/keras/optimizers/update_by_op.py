"""Optimizers that update a variable by a single dense or sparse op."""

from __future__ import annotations

from typing import Any

from tfmini._src.models.keras.optimizers.optimizer_v2 import OptimizerV2
from tfmini._src.ops import raw
from tfmini._src.train.optimizers.update_rule import GRADIENT, UpdateRule

# Descriptions of arguments that most optimizers share.
ARGUMENTS = {
    "learning_rate": "a number, tensor, schedule, or a function without arguments.",
    "epsilon": "added to square roots.",
    "name": "scope name.",
    "**kwargs": "`clipnorm`, `clipvalue`, `decay`, `lr`.",
}


class UpdateByOp(OptimizerV2):
    """Base class of optimizers with single-op updates; subclasses define the op."""

    def _rule(self, shared: dict) -> UpdateRule:
        raise NotImplementedError

    def _resource_apply_dense(self, grad: Any, var: Any, apply_state: Any = None) -> Any:
        return self._apply_rule("ResourceApply", var, apply_state, grad)

    def _resource_apply_sparse(
        self, grad: Any, var: Any, indices: Any, apply_state: Any = None
    ) -> Any:
        return self._apply_rule("ResourceSparseApply", var, apply_state, grad, indices)

    def _apply_rule(self, form: str, var: Any, apply_state: Any, *gradient: Any) -> Any:
        rule = self._rule(self._shared_values(var, apply_state))
        slots = [self.get_slot(var, name).handle for name in rule.slots]
        arguments: list[Any] = []
        for argument in rule.arguments:
            arguments += gradient if argument is GRADIENT else [argument]
        op = getattr(raw, form + rule.kind)
        return op(var.handle, *slots, *arguments, use_locking=self._use_locking, **rule.options)
