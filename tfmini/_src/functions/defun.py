"""`Defun`: turns a Python function into a library function of the graph, built once and called by nodes."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from tfmini._src.functions.defined_function import _DefinedFunction
from tfmini._src.functions.func_graph import FuncGraph
from tfmini._src.functions.overloaded import _OverloadedFunction
from tfmini._src.graph.default_graph import get_default_graph

_ANY_NUMBER = 1000000


class Defun:
    """Decorator that turns a Python function into a graph function.

    The function is called once, with placeholders, on first use; the nodes it creates form the body. Each call of the
    result adds one node, whose op type is the function's name. Tensors captured from the outer graph, such as a
    variable's value, are passed at each call; variables created in the body belong to the outer graph.

    Args:
      *input_types: dtypes of the arguments; if omitted, one body is built per combination of dtypes.
      func_name: its name in graphs; by default the Python name with a suffix derived from the body.
      grad_func: a decorated function for the gradient, of the arguments and the gradients of the results.
      python_grad_func: a gradient rule as for `tf.RegisterGradient`, instead of `grad_func`.
      out_names: a name for each result.
      shape_func: `shape_func(op)` returns the static shape of each result of a call.
      capture_by_value: whether to copy outer nodes into the body instead of passing their tensors as arguments.
      capture_resource_var_by_value: if False, `get_variable` in the body returns resource variables rather than values.
      noinline and others: attrs of the function; calls may override them.

    Raises:
      ValueError: for default or `**` arguments, or different numbers of arguments and dtypes.

    Example:
      from tfmini.compat.python.framework import function

      @function.Defun(tf.float32, tf.float32)
      def distance(x, y):
          return tf.sqrt(x * x + y * y)
      z = distance(tf.constant(3.0), tf.constant(4.0))
    """

    def __init__(self, *input_types: Any, **kwargs: Any):
        self._input_types = input_types
        self._settings = {
            key: kwargs.pop(key, None)
            for key in ("func_name", "grad_func", "python_grad_func", "out_names")
        }
        self._extra_kwargs = kwargs

    def __call__(self, func: Callable) -> Any:
        """Returns the function that adds calls to the graph."""
        if not callable(func):
            raise ValueError(f"function {func} must be callable")
        spec = inspect.getfullargspec(func)
        if spec.varkw or spec.defaults:
            raise ValueError(
                "function with argument defaults or keywords arguments are not supported. "
                f"{func} has defaults {spec.defaults} and keywords {spec.varkw}."
            )
        names = spec.args
        min_count = len(names)
        max_count = _ANY_NUMBER if spec.varargs else min_count
        if inspect.ismethod(func):
            min_count -= 1
            names = names[1:]
        settings = {**self._settings, **self._extra_kwargs}
        if self._input_types:
            if not min_count <= len(self._input_types) <= max_count:
                raise ValueError(
                    "The function has fewer arguments than the number of specified input types."
                )
            return _DefinedFunction(func, names, self._input_types, **settings)
        if max_count == 0:
            return _DefinedFunction(func, [], [], **settings)
        return _OverloadedFunction(func, names, **settings)


def get_extra_vars() -> list:
    """Returns the variables created or found by the function under construction; empty outside of functions."""
    return _flatten_body("extra_vars")


def get_extra_inputs() -> list:
    """Returns the tensors captured by the function under construction; empty outside of functions."""
    return _flatten_body("extra_inputs")


def get_extra_args() -> list:
    """Returns the placeholders of `get_extra_inputs()` inside the function."""
    return _flatten_body("extra_args")


def _flatten_body(attribute: str) -> list:
    graph = get_default_graph()
    return getattr(graph, attribute) if isinstance(graph, FuncGraph) else []
