"""The functions of `tf.layers`, declared by their signatures; each one creates a layer and calls it once."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, TypeVar

from tfmini._src.base.names.deprecation import deprecated

_Function = TypeVar("_Function", bound=Callable[..., Any])
_EXTRAS = {  # arguments of the function that the class lacks
    "inputs": "the input of the layer.",
    "training": "whether the call is for training: a bool, or a scalar bool tensor.",
    "reuse": "whether to use the weights of the layer of that name.",
}


def layer_function(layer_class: Callable, advice: str) -> Callable[[_Function], _Function]:
    """Decorator for a function that returns its arguments by name; the result calls a new layer with them.

        @layer_function(Dense, "Use keras.layers.Dense instead.")
        def dense(inputs, units, activation=None, name=None, reuse=None):
            return arguments(locals())

    Args:
      layer_class: the class of the layer; the function shares its docstring.
      advice: the instructions in the deprecation warning.
    """

    def decorate(wrapped_function: Any) -> Any:
        @functools.wraps(wrapped_function)
        def function(*args: Any, **kwargs: Any) -> Any:
            arguments = wrapped_function(*args, **kwargs)
            inputs = arguments.pop("inputs")
            call_options = (
                {"training": arguments.pop("training")} if "training" in arguments else {}
            )
            if "reuse" in arguments:
                arguments["_scope"], arguments["_reuse"] = arguments["name"], arguments.pop("reuse")
            return layer_class(**arguments).apply(inputs, **call_options)

        head, heading, tail = (inspect.getdoc(layer_class) or "").partition("\nArgs:")
        parameters = inspect.signature(wrapped_function).parameters
        extra_arguments = "".join(
            f"\n  {name}: {text}" for name, text in _EXTRAS.items() if name in parameters
        )
        function.__doc__ = head + heading + extra_arguments + tail
        return deprecated(None, advice)(function)

    return decorate


def arguments(by_name: dict[str, Any]) -> Any:
    """Returns the arguments of a declared function, typed as its declared return type for type checkers."""
    return by_name
