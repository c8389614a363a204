"""Failed calls, which leave nodes in the graph, and dispatch for ragged arguments."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.public_functions import NOT_HANDLED, Function, call_handler
from tfmini._src.graph.tensor import Tensor

# Types that TensorFlow knows not to be ragged without a conversion; both apply to variables.
_NON_RAGGED_TYPES = (Tensor, np.ndarray, int, float, str, type(None))


def accepts_ragged(*names: str, bound: bool = False) -> Callable[[Function], Function]:
    """Decorator for functions that also accept RaggedTensors as the arguments `names`; "[values]" is a list.

    If a call fails, TensorFlow checks these arguments for a RaggedTensor and converts the others to tensors. The
    resulting constants remain in the graph and affect names and default seeds. `ops/ragged` registers the ragged
    implementations by function name.
    """

    def decorate(function: Any) -> Any:
        parameters = inspect.unwrap(function).__code__.co_varnames
        indices = [(name, parameters.index(name.strip("[]"))) for name in names]

        @functools.wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            try:
                return function(*args, **kwargs)
            except (TypeError, ValueError):
                if bound:
                    inspect.getcallargs(function, *args, **kwargs)
                values: list[Any] = []
                for name, position in indices:
                    key = name.strip("[]")
                    value = args[position] if position < len(args) else kwargs.get(key)
                    if name == key:
                        value = [value]
                    elif not isinstance(value, list | tuple):
                        break
                    if not all(_is_ragged(item) or _is_convertible(item) for item in value):
                        break
                    values += value
                else:
                    if any(map(_is_ragged, values)):
                        result = call_handler(function.__name__, args, kwargs)
                        if result is not NOT_HANDLED:
                            return result
                raise

        return wrapper

    return decorate


def _is_ragged(value: Any) -> bool:
    return getattr(value, "_is_ragged", False) is True


def _is_convertible(value: Any) -> bool:
    if isinstance(value, _NON_RAGGED_TYPES) or hasattr(value, "_as_graph_element"):
        return True
    if isinstance(value, SparseTensor):
        return False
    try:
        convert_to_tensor(value)
    except (TypeError, ValueError):
        return False
    return True
