"""`arg_scope`: default arguments of functions within a block."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, cast

from tfmini._src.base.names.deprecation import Function

# Arguments of the open blocks by function, innermost block last.
_scope_stack: list[dict[str, dict]] = [{}]
# Parameters with defaults, by participating function.
_arg_scope_functions: dict[str, tuple] = {}


def current_arg_scope() -> dict[str, dict[Any, Any]]:
    """Returns the arguments in effect in the innermost block: a dict accepted by `arg_scope`."""
    return _scope_stack[-1]


def arg_scope_func_key(op: Callable[..., Any]) -> str:
    """Returns the key of a function in `arg_scope` dicts."""
    return getattr(op, "_key_op", str(op))


@contextmanager
def arg_scope(
    list_ops_or_scope: Iterable[Any], **kwargs: Any
) -> Iterator[dict[str, dict[Any, Any]]]:
    """Context manager that sets default arguments of functions, overridden by explicit ones.

    Args:
      list_ops_or_scope: a list of functions decorated by `add_arg_scope`, or the value of another `arg_scope`, which
        is re-entered.
      **kwargs: default arguments for all of these functions.

    Raises:
      TypeError: if `list_ops_or_scope` is neither.
      ValueError: for an undecorated function, or for kwargs with a scope.

    Example:
      with slim.arg_scope([slim.conv2d], padding="SAME", weights_regularizer=slim.l2_regularizer(5e-4)) as scope:
          net = slim.conv2d(images, 64, [11, 11])
      with slim.arg_scope(scope):
          net = slim.conv2d(net, 128, [5, 5])
    """
    if isinstance(list_ops_or_scope, dict):
        if kwargs:
            raise ValueError(
                "When attempting to re-use a scope by suppling adictionary, kwargs must be empty."
            )
        scope = list_ops_or_scope.copy()
    else:
        if not isinstance(list_ops_or_scope, (list, tuple)):
            raise TypeError(
                "list_ops_or_scope must either be a list/tuple or reused scope (i.e. dict)"
            )
        scope = current_arg_scope().copy()
        for op in list_ops_or_scope:
            if not has_arg_scope(op):
                raise ValueError(
                    "%s is not decorated with @add_arg_scope", (op.__module__, op.__name__)
                )
            key = arg_scope_func_key(op)
            scope[key] = {**scope.get(key, {}), **kwargs}
    _scope_stack.append(scope)
    try:
        yield scope
    finally:
        _scope_stack.pop()


def add_arg_scope(func: Function) -> Function:
    """Decorator that makes a function accept arguments from `arg_scope`."""
    key = arg_scope_func_key(func)

    @functools.wraps(func)
    def with_arguments(*args: Any, **kwargs: Any) -> Any:
        return func(*args, **{**current_arg_scope().get(key, {}), **kwargs})

    parameters = inspect.signature(func).parameters.values()
    # Without defaults, TensorFlow counts from the first name.
    names = [p.name for p in parameters if p.default is not p.empty] or [p.name for p in parameters]
    _arg_scope_functions[key] = tuple(names)
    with_arguments._key_op = key  # type: ignore[attr-defined]
    return cast(Function, with_arguments)


def has_arg_scope(func: Callable[..., Any]) -> bool:
    """Whether a function accepts arguments from `arg_scope`."""
    return arg_scope_func_key(func) in _arg_scope_functions


def arg_scoped_arguments(func: Callable[..., Any]) -> tuple[Any, ...]:
    """Returns the names of the arguments that `arg_scope` can set for a function.

    Raises:
      AssertionError: if the function is not decorated.
    """
    assert has_arg_scope(func)
    return _arg_scope_functions[arg_scope_func_key(func)]
