"""Functions whose intermediate values are recomputed for gradients instead of stored."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np

from tfmini._src.autodiff.gradients import gradients
from tfmini._src.contrib.framework.arg_scope import arg_scope, current_arg_scope
from tfmini._src.contrib.layers.rev_block import copy_metadata
from tfmini._src.functions.custom_gradient import custom_gradient, variables_read_since
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.variables.get_variable import get_variable_scope
from tfmini._src.variables.variable import Variable
from tfmini._src.variables.variable_scope import variable_scope

Decorator = TypeVar("Decorator", bound=Callable)

_DEFAULT = "__rev_block_lib_default"
_OTHER_VARIABLES = (
    "The variables used on recompute were different than the variables originally\n"
    "used. The function wrapped with @recompute_grad likley creates its own variable\n"
    "scope with a default name and has been called twice in the same enclosing scope.\n"
    "To fix, ensure each call to the function happens in its own unique variable\n"
    "scope.\n"
)


def _optional_arguments_decorator(decorator: Decorator) -> Decorator:
    """Decorator factory: use as `@decorator` or as `@decorator(option=...)`."""

    @functools.wraps(decorator)
    def either(*args: Any, **kwargs: Any) -> Callable:
        if len(args) == 1 and not kwargs and callable(args[0]):
            return decorator(args[0])
        return lambda fn: decorator(fn, *args, **kwargs)

    return cast(Decorator, either)


@_optional_arguments_decorator
def recompute_grad(
    fn: Callable[..., Any], use_data_dep: Any = _DEFAULT, tupleize_grads: bool = False
) -> Callable[..., Any]:
    """Decorator that makes a function's gradient call the function again instead of storing intermediate values.

    Usable with or without arguments: `@recompute_grad`, or `@recompute_grad(tupleize_grads=True)`.

    Args:
      fn: a function of tensors that returns one or more tensors. It must use resource variables and named scopes. A
        parameter `is_recomputing` distinguishes the two calls.
      use_data_dep: whether the second call depends on the gradients through data, by adding a vanishing number,
        instead of control edges.
      tupleize_grads: whether gradients are used only once all are available.

    Returns:
      A function of tensors with the same results.

    Raises:
      ValueError: if `fn` captures tensors or variables; when called, for arguments that are not tensors; in the
        gradient, if the second call uses other variables.
    """
    _check_closure(fn)
    uses_data_dep = False if use_data_dep == _DEFAULT else use_data_dep

    @copy_metadata(fn)
    def wrapper(*args: Any) -> Any:
        if not all(isinstance(arg, Tensor) for arg in args):
            raise ValueError("All inputs to function must be Tensors")
        return _RecomputedCall(fn, uses_data_dep, tupleize_grads)(*args)

    return wrapper


def _check_closure(fn: Any) -> None:
    for name, cell in zip(fn.__code__.co_freevars, fn.__closure__ or ()):
        value = cell.cell_contents
        if isinstance(value, Tensor | Variable):
            raise ValueError(
                f"fn decorated with @recompute_grad closes over Tensor {value.name} (local variable "
                f"name: {name}). The decorated fn must not close over Tensors or Variables because "
                "gradients will NOT be computed for them through fn. To ensure correct gradients, "
                "make the Tensor an input to fn."
            )


class _RecomputedCall:
    """A call of a function that is recomputed in its gradient."""

    def __init__(self, fn: Callable, uses_data_dep: bool, tupled: bool):
        self.fn = fn
        self.uses_data_dep = uses_data_dep
        self.tupled = tupled
        self.accepts_flag = "is_recomputing" in inspect.getfullargspec(fn).args

    def __call__(self, *args: Any) -> Any:
        @custom_gradient
        def compute(*args: Any) -> tuple:
            self.args = args
            self.variable_scope = get_variable_scope()
            self.arg_scope = current_arg_scope()
            outputs, self.variables = self._call(args, False)
            if not self.variables:
                return outputs, lambda *grads: self._gradient(grads, [])[0]

            def gradient(*grads: Any, **kwargs: Any) -> tuple[list, list]:
                if set(kwargs["variables"]) != self.variables:
                    raise ValueError(_OTHER_VARIABLES)
                return self._gradient(grads, kwargs["variables"])

            return outputs, gradient

        return compute(*args)

    def _call(self, args: Any, is_recomputing: bool) -> tuple[Any, set]:
        """Calls the function; returns its outputs and the variables it read."""
        first = get_default_graph()._last_id
        outputs = self.fn(
            *args, **({"is_recomputing": is_recomputing} if self.accepts_flag else {})
        )
        return outputs, set(variables_read_since(first))

    def _gradient(self, grads: tuple, variables: list) -> tuple[list, list]:
        """Returns the gradients of the arguments and of the variables."""
        inputs = [ops.identity(x) for x in self.args]
        with control_dependencies([grad for grad in grads if grad is not None]):
            if self.uses_data_dep:
                inputs = _force_data_dependency(grads, inputs)
            with arg_scope(self.arg_scope), variable_scope(self.variable_scope, reuse=True):
                outputs, used = self._call(inputs, True)
                if used != self.variables:
                    raise ValueError(_OTHER_VARIABLES)
        outputs = list(outputs) if isinstance(outputs, list | tuple) else [outputs]
        results = gradients(outputs, inputs + variables, list(grads))
        if self.tupled:
            results = (
                _force_data_dependency(results, results)
                if self.uses_data_dep
                else ops.tuple(results)
            )
        return results[: len(inputs)], results[len(inputs) :]


def _first_element(x: Tensor) -> Tensor:
    if x._dims is None:
        raise ValueError(f"Rank of Tensor {x} must be known")
    rank = len(x._dims)
    begin = convert_to_tensor([0] * rank, dtype="int32")
    size = convert_to_tensor([1] * rank, dtype="int32")
    return ops.reshape(ops.slice(x, begin, size), [])


def _force_data_dependency(first: Any, dependents: Any) -> list:
    """Adds a vanishing number that depends on all of `first` to each tensor of `dependents`."""
    total = ops.add_n([_first_element(x) for x in first if x is not None])
    if not total.dtype.is_floating:
        raise ValueError("_force_data_dependency only supports floating dtypes.")
    tiny = np.finfo(total.dtype.as_numpy_dtype).tiny
    zero_value = ops.stop_gradient(tiny * total)
    return [None if x is None else ops.identity(x) + zero_value for x in dependents]
