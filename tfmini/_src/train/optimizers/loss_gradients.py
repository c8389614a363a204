"""Gradients of a loss built by a function, and the tensors with respect to which variables are differentiated."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.autodiff.gradient_tape import GradientTape
from tfmini._src.autodiff.tape import tape_gradients
from tfmini._src.base.nest.structure import flatten
from tfmini._src.functions.custom_gradient import variables_read_since
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.tensor import Tensor
from tfmini._src.train.optimizers.distributed_apply import scaled_loss
from tfmini._src.variables.init_scope import executing_eagerly_outside_functions
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
    if executing_eagerly_outside_functions():
        return _gradients_by_tape(loss, var_list, grad_loss)
    first = get_default_graph()._last_id
    value = scaled_loss(loss())
    read = variables_read_since(first)
    variables = read if var_list is None else flatten(var_list)
    with control_dependencies([value]):
        sources = [
            v.handle if v.op.type == "VarHandleOp" else gradient_source(v) for v in variables
        ]
        grads = tape_gradients(value, sources, grad_loss, first, [v.handle for v in read])
    return list(zip(grads, variables))


def _gradients_by_tape(loss: Callable, var_list: Any, grad_loss: Any) -> list[tuple[Any, Any]]:
    with GradientTape() as tape:
        if var_list is not None:
            var_list = flatten(var_list)
            tape.watch(var_list)
        value = scaled_loss(loss())
    variables = list(tape.watched_variables() if var_list is None else var_list)
    with control_dependencies([value]):
        return list(zip(tape.gradient(value, variables, grad_loss), variables))
