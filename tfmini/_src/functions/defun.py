"""`Defun`: a Python function as a function of the graph's library, built once and called by nodes."""

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
    """A decorator that makes a Python function a function of graphs.

    The function is called once, with placeholders, when it is first needed: the nodes that it makes are the body. Each
    call of the result then adds one node, whose op type is the function's name. What the body uses from the graph
    around it, such as a variable's value, is given to it at each call; variables that it makes belong to that graph.

    Args:
      *input_types: the dtype of each argument; without any, a body is made for each combination of dtypes that comes.
      func_name: its name in graphs; by default the Python function's with a suffix that follows from its body.
      grad_func: the decorated function for its gradient, from the arguments and the gradients of the results.
      python_grad_func: a rule as `tf.RegisterGradient` takes, in place of that.
      out_names: a name for each result.
      shape_func: `shape_func(op)` gives the static shape of each result of a call.
      capture_by_value: nodes outside are copied into the body, in place of being arguments.
      capture_resource_var_by_value: False: `get_variable` in the body gives resource variables, not their values.
      noinline and others: attrs of the function, and of its calls if they give them.

    Raises:
      ValueError: if the function has defaults or `**` arguments, or not as many arguments as there are dtypes.

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
        """The function that adds calls to the graph."""
        if not callable(func):
            raise ValueError(f"function {func} must be callable")
        spec = inspect.getfullargspec(func)
        if spec.varkw or spec.defaults:
            raise ValueError(
                "function with argument defaults or keywords arguments are not supported. "
                f"{func} has defaults {spec.defaults} and keywords {spec.varkw}."
            )
        names = spec.args
        least = len(names)
        most = _ANY_NUMBER if spec.varargs else least
        if inspect.ismethod(func):
            least -= 1
            names = names[1:]
        settings = {**self._settings, **self._extra_kwargs}
        if self._input_types:
            if not least <= len(self._input_types) <= most:
                raise ValueError(
                    "The function has fewer arguments than the number of specified input types."
                )
            return _DefinedFunction(func, names, self._input_types, **settings)
        if most == 0:
            return _DefinedFunction(func, [], [], **settings)
        return _OverloadedFunction(func, names, **settings)


def get_extra_vars() -> list:
    """The variables that the function under construction has made or found; outside of one, none."""
    return _of_body("extra_vars")


def get_extra_inputs() -> list:
    """The tensors from outside that the function under construction has used; outside of one, none."""
    return _of_body("extra_inputs")


def get_extra_args() -> list:
    """The tensors that stand for `get_extra_inputs()` inside the function."""
    return _of_body("extra_args")


def _of_body(attribute: str) -> list:
    graph = get_default_graph()
    return getattr(graph, attribute) if isinstance(graph, FuncGraph) else []
