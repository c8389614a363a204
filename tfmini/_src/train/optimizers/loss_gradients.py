"""Gradients of a loss built by a function, and the tensors with respect to which variables are differentiated."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.autodiff.gradient_tape import GradientTape
from tfmini._src.base.nest.structure import flatten
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.tensor import Tensor
from tfmini._src.train.optimizers.distributed_apply import scaled_loss
from tfmini._src.variables.ref_variable import RefVariable
from tfmini._src.variables.variable_identity import is_eager


def has_handle(var: Any) -> bool:
    """Whether a variable is updated through its handle."""
    return is_eager(var) or var.op.type == "VarHandleOp"


def gradient_source(var: Any) -> Any:
    """Returns the tensor to differentiate with respect to, for a variable or tensor."""
    if isinstance(var, Tensor) or has_handle(var):
        return var
    if isinstance(var, RefVariable):
        return var._ref()
    raise NotImplementedError("Trying to optimize unsupported type ", var)


def call_gradients(loss: Callable, var_list: Any, grad_loss: Any) -> list[tuple[Any, Any]]:
    """Returns the (gradient, variable) pairs of a loss built by a function."""
    with GradientTape() as tape:
        if var_list is not None:
            var_list = flatten(var_list)
            tape.watch(var_list)
        value = scaled_loss(loss())
    variables = list(tape.watched_variables() if var_list is None else var_list)
    with control_dependencies([value]):
        return list(zip(tape.gradient(value, variables, grad_loss), variables))
