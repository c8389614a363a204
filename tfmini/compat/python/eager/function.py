"""`tensorflow.python.eager.function`: graph functions, which are traced when they are called."""

from __future__ import annotations

from typing import Any

from tfmini._src.functions.concrete_function import ConcreteFunction
from tfmini._src.functions.tf_function import Function, defun, defun_with_attributes
from tfmini._src.graph.default_graph import get_default_graph

__all__ = ["ConcreteFunction", "Function", "defun", "defun_with_attributes", "register"]


def register(func: Function, *args: Any, **kwargs: Any) -> ConcreteFunction:
    """Adds the graph of `func` for these arguments, and its gradient, to the library of the graph without calling it.

    Args:
      func: a function returned by `defun`.
      *args, **kwargs: the arguments of a call.

    Returns:
      The function for arguments of these dtypes and shapes.

    Raises:
      ValueError: if `func` was not returned by `defun`.
    """
    if not isinstance(func, Function):
        raise ValueError(f"Only defun function is allowed to be registered. Got type: {type(func)}")
    concrete = func.get_concrete_function(*args, **kwargs)
    concrete.add_to_graph(get_default_graph())
    concrete.add_gradient_functions_to_graph()
    return concrete
