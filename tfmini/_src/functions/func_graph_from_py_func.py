"""Function bodies traced for argument specs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tfmini._src.functions.tf_function import Function
from tfmini._src.functions.traced_function import TracedGraph


def func_graph_from_py_func(
    name: str,
    python_func: Callable,
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    signature: Sequence[Any] | None = None,
    autograph: bool = False,
    autograph_options: Any = None,
) -> TracedGraph:
    """Traces a Python function; returns its body.

    Args:
      name: its name.
      python_func: the function.
      args, kwargs: its arguments; TensorSpecs may replace tensors.
      signature: specs that replace the arguments.
      autograph: whether `if`, `while` and `for` over tensors become `tf.cond` and `tf.while_loop`.
      autograph_options: further conversions, as for `tf.function`.
    """
    function = Function(
        python_func, signature, lifts=False, autograph=autograph, features=autograph_options
    )
    function._name = name
    return function.get_concrete_function(*args, **kwargs).graph
