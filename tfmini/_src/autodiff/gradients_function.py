"""Tape-based gradients of Python functions: `tf.contrib.eager.gradients_function` and related functions."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.autodiff.tape import Tape, gradients_by_tape
from tfmini._src.base.nest.structure import flatten, pack_sequence_as
from tfmini._src.graph.eager import tapes
from tfmini._src.graph.public_functions import ops


def implicit_value_and_gradients(f: Callable[..., Any]) -> Callable[..., Any]:
    """Returns a function that calls `f` and returns its result and the (gradient, variable) pairs.

    Args:
      f: a function that returns one or more tensors; their sum is differentiated by the trainable variables read.

    Raises:
      ValueError: when called, if `f` returns None or reads no trainable variable.
    """

    def grad_fn(*args: Any, **kwargs: Any) -> tuple[Any, list[tuple[Any, Any]]]:
        tape = Tape(persistent=False, watches_variables=True)
        tapes.push(tape)
        try:
            result = f(*args, **kwargs)
            _check_result(result, f)
        finally:
            tapes.pop(tape)
        variables = tape.variables_in_creation_order()
        if not variables:
            raise ValueError(
                "No trainable variables were accessed while the function was being computed."
            )
        handles = [variable.handle for variable in variables]
        grads = gradients_by_tape(tape, flatten(result), handles)
        return result, list(zip(grads, variables))

    return grad_fn


def implicit_gradients(f: Callable[..., Any]) -> Callable[..., Any]:
    """Same as `implicit_value_and_gradients`, without the result of `f`.

    Example:

      grads_and_vars = tf.contrib.eager.implicit_gradients(loss)(inputs, labels)
      optimizer.apply_gradients(grads_and_vars)
    """

    def grad_fn(*args: Any, **kwargs: Any) -> list[tuple[Any, Any]]:
        pairs: list[tuple[Any, Any]] = implicit_value_and_gradients(f)(*args, **kwargs)[1]
        return pairs

    return grad_fn


def value_and_gradients_function(
    f: Callable[..., Any], params: Sequence[int] | Sequence[str] | None = None
) -> Callable[..., Any]:
    """Returns a function that calls `f` and returns its result and the gradients with respect to `params`.

    Args:
      f: a function from tensors to one or more tensors, whose sum is differentiated.
      params: argument names or indices; all by default.

    Returns:
      A function of the same arguments and `dy`, the incoming gradients of the results, ones by default.

    Raises:
      ValueError: for params of mixed types; when called, if `f` returns None, or for keyword arguments.
    """

    def wrapper(*args: Any, **kwargs: Any) -> tuple[Any, list[Any]]:
        output_grads = kwargs.pop("dy", None)
        if kwargs:
            raise ValueError("Functions to be differentiated cannot receive keyword arguments.")
        result, vjp = make_vjp(f, params)(*args)
        return result, vjp(dy=output_grads)

    return wrapper


def gradients_function(
    f: Callable[..., Any], params: Sequence[int] | Sequence[str] | None = None
) -> Callable[..., Any]:
    """Same as `value_and_gradients_function`, without the result of `f`.

    Example: `tf.contrib.eager.gradients_function(lambda x: x * x)(3.0)` is `[6.0]`.
    """

    def wrapper(*args: Any, **kwargs: Any) -> list[Any]:
        gradients: list[Any] = value_and_gradients_function(f, params)(*args, **kwargs)[1]
        return gradients

    return wrapper


def make_vjp(f: Callable, params: Any = None, persistent: bool = True) -> Callable:
    """Returns a function that calls `f` and returns its result and its vector-Jacobian product function.

    Args:
      f: a function from tensors to one or more tensors.
      params: argument names or indices; all by default.
      persistent: whether the product function can be called repeatedly; otherwise, later calls return None.

    Raises:
      ValueError: when called, if `f` returns None. AssertionError: for keyword arguments.
    """

    def wrapper(*args: Any, **kwargs: Any) -> tuple[Any, Callable]:
        positions = _argument_indices(f, params, args)
        if kwargs:
            raise AssertionError("The gradient function can't take keyword arguments.")
        tape = Tape(persistent, watches_variables=True)
        tapes.push(tape)
        try:
            arguments = list(args)
            sources: list[Any] = []
            for position in positions:
                tensor = ops.convert_to_tensor(arguments[position])
                if any(tensor is other for other in sources):
                    tensor = ops.identity(tensor)
                arguments[position] = tensor
                sources.append(tensor)
            for source in sources:
                tape.watch(source)
            result = f(*arguments)
            _check_result(result, f)
            flat = [ops.identity(tensor) for tensor in flatten(result)]
            result = pack_sequence_as(result, flat)
        finally:
            tapes.pop(tape)

        def vjp(dy: Any = None) -> list[Any]:
            output_grads = None if dy is None else [ops.convert_to_tensor(g) for g in flatten(dy)]
            targets = flat if persistent else flat[:]
            if not persistent:
                flat.clear()
            return gradients_by_tape(tape, targets, sources, output_grads)

        return result, vjp

    return wrapper


def _check_result(result: Any, f: Callable) -> None:
    if result is None:
        raise ValueError(
            "Cannot differentiate a function that returns None; did you forget to return a value from "
            f"{getattr(f, '__name__', f)}?"
        )


def _argument_indices(f: Callable, params: Any, args: Sequence[Any]) -> Sequence[int]:
    """Returns the indices of the arguments named by `params`."""
    try:
        names = inspect.getfullargspec(f).args
    except TypeError as error:  # a callable object
        if params is None:
            return range(len(args))
        if all(isinstance(param, int) for param in params):
            return list(params)
        raise ValueError(
            "Either callable provided is not a function or could not inspect its arguments by name: "
            f"{f}. Original error: {error}"
        ) from None
    if params is None:
        return range(len(names) or len(args))
    if all(isinstance(param, str) for param in params):
        for param in params:
            if param not in names:  # the message of list.index varies between Pythons
                raise ValueError(f"{param!r} is not in list")
        return [names.index(param) for param in params]
    if all(isinstance(param, int) for param in params):
        return list(params)
    raise ValueError(f"params must be all strings or all integers; got {params}.")
