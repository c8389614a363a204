"""Optimizers that update a variable with one op, in four forms (dense or sparse, reference or resource)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Any

from tfmini._src.base.records import dataclass
from tfmini._src.graph.composite_values import IndexedSlices
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.ops import ops, raw
from tfmini._src.train.optimizers.optimizer import Optimizer, has_handle

# Placeholder in a rule's arguments for the gradient (and, in sparse forms, its indices).
GRADIENT = object()


@dataclass(frozen=True)
class UpdateRule:
    """The update op: ApplyKIND, ResourceApplyKIND, SparseApplyKIND or ResourceSparseApplyKIND.

    slots: the names of the slots passed after the variable.
    arguments: the remaining tensors, in order; scalars are cast to the variable's dtype.
    options: attrs of the op.
    """

    kind: str
    slots: Sequence[str]
    arguments: Sequence[Any]
    options: dict[str, Any] = field(default_factory=dict)


class _OptimizerBaseMeta(type):
    """Metaclass that sets `__base__`, which libraries read, to `Optimizer`, as in TensorFlow."""

    @property
    def __base__(cls) -> type | None:
        base = super().__base__
        return Optimizer if base is UpdateRuleOptimizer else base


class UpdateRuleOptimizer(Optimizer, metaclass=_OptimizerBaseMeta):
    """An optimizer declared by an `UpdateRule`.

    Hyperparameters are attributes, e.g. `_learning_rate` for "learning_rate"; `_prepare` converts each to a tensor,
    stored in `_tensors` and, for subclasses, as `_learning_rate_tensor`. With `_takes_functions`, they may be
    functions. Unless `_casts` is set, only sparse updates of resource variables cast them to the variable's dtype, as
    in TensorFlow.
    """

    _takes_functions = True
    _casts = True

    def __init__(self, use_locking: bool, name: str, hyperparameters: dict[str, Any]):
        super().__init__(use_locking, name)
        self._settings = tuple(hyperparameters)
        for setting, value in hyperparameters.items():
            setattr(self, f"_{setting}", value)
        self._tensors: dict[str, Any] = {}

    def _prepare(self) -> None:
        values = {n: getattr(self, f"_{n}") for n in self._settings}
        if self._takes_functions:
            values = {n: self._call_if_callable(v) for n, v in values.items()}
        self._tensors = {n: convert_to_tensor(v, name=n) for n, v in values.items()}
        for setting, tensor in self._tensors.items():
            setattr(self, f"_{setting}_tensor", tensor)

    def _rule(self, var: Any) -> UpdateRule:
        raise NotImplementedError(f"{type(self).__name__} has no update rule")

    def _apply_rule(self, var: Any, dtype: Any, gradient: tuple, prefix: str = "") -> Any:
        rule = self._rule(var)
        resource = has_handle(var)
        casts = self._casts or resource and prefix == "Sparse"
        slots = [self.get_slot(var, name) for name in rule.slots]
        settings = set(map(id, self._tensors.values()))
        arguments: list[Any] = []
        for argument in rule.arguments:
            if argument is GRADIENT:
                arguments.extend(gradient)
            elif casts and (id(argument) in settings or not _is_count(argument)):
                arguments.append(ops.cast(argument, dtype))
            else:
                arguments.append(argument)
        cells = [v.handle for v in (var, *slots)] if resource else [var, *slots]
        op = getattr(raw, ("Resource" if resource else "") + prefix + "Apply" + rule.kind)
        result = op(*cells, *arguments, use_locking=self._use_locking, **rule.options)
        return result if resource else result.op

    def _apply_dense(self, grad: Any, var: Any) -> Any:
        return self._apply_rule(var, var.dtype.base_dtype, (grad,))

    def _resource_apply_dense(self, grad: Any, handle: Any) -> Any:
        return self._apply_rule(handle, grad.dtype.base_dtype, (grad,))

    def _apply_sparse(self, grad: IndexedSlices, var: Any) -> Any:
        return self._apply_rule(var, var.dtype.base_dtype, (grad.values, grad.indices), "Sparse")

    def _resource_apply_sparse(self, grad: Any, handle: Any, indices: Any) -> Any:
        return self._apply_rule(handle, grad.dtype, (grad, indices), "Sparse")


def _is_count(argument: Any) -> bool:
    """Whether the argument is an integer tensor (a global step), which is never cast."""
    dtype = getattr(argument, "dtype", None)
    return dtype is not None and dtype.is_integer
