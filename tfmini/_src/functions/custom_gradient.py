"""`tf.custom_gradient`: a function that defines its own gradient.

The function's results pass through one IdentityN together with its arguments and the variables that it read; that node
carries the gradient. Part of this package because it looks up variables in the variable scope.
"""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import Any

from tfmini._src.autodiff.gradient_tape import GradientTape
from tfmini._src.autodiff.register_gradient import attach_gradient, is_differentiable
from tfmini._src.autodiff.tape import creation_order
from tfmini._src.base import logs
from tfmini._src.base.nest.structure import flatten, pack_sequence_as
from tfmini._src.graph.collections import get_collection
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.eager import tapes
from tfmini._src.graph.eager.eager_tensor import EagerTensor
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.opdef import registry
from tfmini._src.graph.public_functions import public
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.tensor import Tensor, copy_handle_data
from tfmini._src.ops import ops, raw
from tfmini._src.variables.get_variable import get_variable_scope
from tfmini._src.variables.resource_variable import BaseResourceVariable

_numbers = itertools.count()
_TAKES_NO_VARIABLES = (
    "If using @custom_gradient with a function that uses variables, then grad_fn must accept a keyword argument "
    "'variables'."
)
_READ_OPS = ("ReadVariableOp", "ResourceGather", "ResourceGatherNd")


@public
def custom_gradient(f: Callable[..., Any]) -> Callable[..., Any]:
    """Decorates a function that defines its own gradient.

    Args:
      f: `f(*tensors)` returns (results, grad): the results are a tensor or a nest of tensors;
        `grad(*gradients of the results)` returns the gradients of the arguments. If `f` uses resource
        variables, `grad` also takes `variables=`, a list of them, and returns a pair (gradients of
        the arguments, list of gradients of the variables).

    Returns:
      A function of tensors that returns the results.

    Raises:
      TypeError: when called, if `f` uses variables and `grad` does not accept them, or vice versa, or if they are
        reference variables.
      ValueError: when called, for keyword arguments.

    Example:
      @tf.custom_gradient
      def log1pexp(x):
          e = tf.exp(x)
          return tf.log(1.0 + e), lambda dy: dy * (1.0 - 1.0 / (1.0 + e))
    """

    @wraps(f)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        if executing_eagerly():
            return _call_eagerly(f, args, kwargs)
        if kwargs:
            raise ValueError(
                "The custom_gradient decorator currently supports keywords arguments only when eager "
                "execution is enabled."
            )
        tensors = [convert_to_tensor(x) for x in args]
        previous_variables, first = set(_variables_in_scope()), get_default_graph()._last_id
        results, grad = f(*tensors)
        outputs = [v for v in _variables_in_scope() if v not in previous_variables]
        if not all(isinstance(v, BaseResourceVariable) for v in outputs):
            raise TypeError(
                "All variables used by a function wrapped with @custom_gradient must be "
                "`ResourceVariable`s. Ensure that no `variable_scope` is created with "
                "`use_resource=False`."
            )
        variables = _find_used_variables(tensors, results, first)
        _check_signature(grad, variables)
        flat = flatten(results)
        passed = _attach_gradient(
            [*flat, *tensors, *variables], _identity_gradient(grad, len(flat), variables)
        )
        return pack_sequence_as(results, passed[: len(flat)])

    return wrapper


def _call_eagerly(f: Callable, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Calls `f`; tapes record its results with the custom gradient."""
    with GradientTape() as tape:
        results, grad = f(*args, **kwargs)
    options = [*args, *kwargs.values()]
    variables = [v for v in tape.watched_variables() if all(v is not other for other in options)]
    if variables and not _takes_variables(grad):
        raise TypeError(_TAKES_NO_VARIABLES)
    with tapes.stop_recording():
        flat = [ops.identity(result) for result in flatten(results)]
    inputs = [convert_to_tensor(value) for value in [*args, *variables]]
    rule = _identity_gradient(grad, 0, variables, len(args))
    tapes.record(tapes.EagerOp(registry["IdentityN"], {}, inputs, flat, rule))
    return pack_sequence_as(results, flat)


def _variables_in_scope() -> list:
    scope = get_variable_scope()
    return [*scope.global_variables(), *scope.local_variables()]


def _find_used_variables(arguments: list[Tensor], results: Any, first: int) -> list:
    """Returns the trainable variables on paths from arguments to results, and the variables read since node `first`."""
    end_ops = [raw.Identity(t).op for t in flatten(results)]
    names = [
        op.name for op in _differentiable_ancestors(end_ops, arguments) if op.opdef.makes_variable
    ]
    named = [v for v in map(get_variable_by_name, names) if v is not None]
    used = {*named, *variables_read_since(first)}
    return sorted(used, key=_creation_order)


def _creation_order(variable: Any) -> int:
    """Returns the sort key of variables: creation order."""
    if isinstance(variable, BaseResourceVariable):
        return creation_order(variable._handle)
    op_id: int = variable.op._id
    return op_id


def variables_read_since(first: int) -> list:
    """Returns the trainable resource variables read by the default graph's nodes from index `first` on."""
    variables_by_handle = {
        copy._handle: copy
        for v in get_collection(GraphKeys.TRAINABLE_VARIABLES)
        for copy in (v.values if hasattr(v, "is_distributed_variable") else [v])
        if isinstance(copy, BaseResourceVariable)
    }
    result = get_default_graph()._operations_after(first)
    handles = [_follow_captures(tensor) for op in result for tensor in _read_inputs(op)]
    variables = [variables_by_handle.get(h, _eager_variable(h)) for h in dict.fromkeys(handles)]
    return [v for v in variables if v is not None and v.trainable]


def _eager_variable(handle: Tensor) -> Any:
    """Returns the eager variable of a handle; None for a handle in a graph."""
    return handle._variable() if isinstance(handle, EagerTensor) else None


def _read_inputs(op: Any) -> Sequence[Tensor]:
    """Returns the inputs of a node that it would read if they were variables; all inputs of function calls."""
    if op.type in _READ_OPS:
        return op.inputs[:1]
    return op.inputs if op.opdef.takes_functions or op.opdef.is_function else ()


def _follow_captures(tensor: Tensor) -> Tensor:
    """Follows captures to the original tensor outside all functions."""
    while (outer_tensor := getattr(tensor, "_captured_from", None)) is not None:
        tensor = outer_tensor
    return tensor


def _differentiable_ancestors(end_ops: list, stops: Iterable[Tensor]) -> list:
    """Returns the operations that `end_ops` depend on through differentiable ones, up to the tensors `stops`."""
    stops, seen, pending = set(stops), set(end_ops), list(end_ops)
    result = []
    while pending:
        op = pending.pop()
        if not is_differentiable(op.type):
            continue
        for tensor in op.inputs:
            if tensor not in stops and tensor.op not in seen:
                seen.add(tensor.op)
                result.append(tensor.op)
                pending.append(tensor.op)
    return result


def get_variable_by_name(var_name: str) -> Any:
    """Returns the variable of this name, or None if not trainable; raises ValueError for unknown or ambiguous names."""
    variables = get_collection(GraphKeys.GLOBAL_VARIABLES, scope=f"{var_name}:0")
    if not variables:
        raise ValueError(f"Unsuccessful at finding variable {var_name}.")
    variables = [variable for variable in variables if variable.trainable]
    if len(variables) > 1:
        raise ValueError(
            f"Unsuccessful at finding trainable variable {var_name}. Number of candidates: "
            f"{len(variables)}. Candidates: {variables}"
        )
    return variables[0] if variables else None


def _check_signature(grad: Callable, variables: list) -> None:
    takes_variables = _takes_variables(grad)
    if variables and not takes_variables:
        raise TypeError(_TAKES_NO_VARIABLES)
    if takes_variables and not variables:
        if not get_variable_scope().use_resource:
            raise TypeError(
                "If using @custom_gradient with a function that uses variables, the enclosing variable "
                "scope must have use_resource=True."
            )
        logs.warning(
            "@custom_gradient grad_fn has 'variables' in signature, but no ResourceVariables were used "
            "on the forward pass."
        )


def _takes_variables(grad: Callable) -> bool:
    parameters = inspect.signature(grad).parameters.values()
    return any(p.name == "variables" or p.kind is p.VAR_KEYWORD for p in parameters)


def _identity_gradient(
    grad: Callable, count: int, variables: list, arguments: int | None = None
) -> Callable:
    """Returns the gradient rule of the IdentityN, which calls `grad` with the results' gradients.

    Args:
      count: the number of results that are also inputs, and have no gradient there.
      arguments: the number of gradients that `grad` must return, excluding variable gradients.
    """

    def rule(op: Any, *gradients: Any) -> list:
        variable_grads: Any = []
        output_grads = gradients[: count or None]
        if variables:
            argument_grads, variable_grads = grad(*output_grads, variables=variables)
            if len(variable_grads) != len(variables):
                raise ValueError(
                    "Must return gradient for each variable from @custom_gradient grad_fn."
                )
        else:
            argument_grads = grad(*output_grads)
        flat = flatten(argument_grads)
        if arguments not in (None, len(flat)):
            raise ValueError(
                *("custom_gradient function expected to return", arguments),
                *("gradients but returned", len(flat), "instead."),
            )
        return [None] * count + flat + variable_grads

    return rule


def _attach_gradient(values: list, rule: Callable) -> list[Tensor]:
    """Passes the values through one IdentityN with the gradient `rule`."""
    name = f"CustomGradient-{next(_numbers)}"
    with get_default_graph().gradient_override_map({"IdentityN": name}):
        passed = ops.identity_n(values)
    attach_gradient(passed[0].op, name, rule)
    for value, result in zip(values, passed):
        value = convert_to_tensor(value)
        copy_handle_data(value, result)
    return passed


def grad_pass_through(f: Callable[..., Any]) -> Callable[..., Any]:
    """Wraps `f` with the gradient of the identity: gradients pass through unchanged.

    Args:
      f: `f(*tensors)` returns as many tensors as it accepts.

    Example: `tf.grad_pass_through(tf.round)(x)` rounds x; its gradient is 1.
    """

    @custom_gradient
    def passing(*args: Any, **kwargs: Any) -> Any:
        def grad(*gradients: Any, **options: Any) -> Any:
            variables = options.get("variables")
            return gradients if variables is None else (gradients, [None] * len(variables))

        return f(*args, **kwargs), grad

    return wraps(f)(passing)


def recompute_grad(f: Callable[..., Any]) -> Callable[..., Any]:
    """Wraps `f` so that its gradient recomputes the activations instead of storing them.

    Args:
      f: `f(*tensors)` returns a tensor. The variable scope around its calls must use resource
        variables, and `f` must use at least one.

    Example:
      with tf.variable_scope("block", use_resource=True):
          y = tf.recompute_grad(block)(x)
    """

    @custom_gradient
    def inner(*args: Any, **kwargs: Any) -> Any:
        def grad(gradient: Any, variables: Any = None) -> tuple[list, list]:
            read = [v if hasattr(v, "handle") else convert_to_tensor(v) for v in variables or ()]
            sources = [*args, *read]
            with GradientTape() as tape:
                tape.watch(sources)
                with control_dependencies([gradient]):
                    result = f(*args, **kwargs)
            grads = tape.gradient(result, sources, [gradient])
            return grads[: len(args)], grads[len(args) :]

        return f(*args, **kwargs), grad

    return inner
