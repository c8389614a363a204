"""What a call that failed leaves in the graph."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini.graph.conversion import convert_to_tensor
from tfmini.graph.namespaces import Function
from tfmini.graph.tensor import Tensor
from tfmini.graph.values import SparseTensor

# Where TensorFlow needs no conversion to know that they are no RaggedTensor; of variables both are true.
_PLAIN = (Tensor, np.ndarray, int, float, str, type(None))


def tries_ragged(*names: str, bound: bool = False) -> Callable[[Function], Function]:
    """A decorator for functions that in TensorFlow take a RaggedTensor too, as one of the arguments `names`.

    Where a call fails TensorFlow looks whether it has one, and whether the other arguments are tensors: by making
    them such. Their constants stay in the graph, where names and default seeds count them. "[values]" is a list.
    """

    def decorate(function: Any) -> Any:
        parameters = inspect.unwrap(function).__code__.co_varnames
        places = [(name, parameters.index(name.strip("[]"))) for name in names]

        @functools.wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            try:
                return function(*args, **kwargs)
            except (TypeError, ValueError):
                if bound:
                    inspect.signature(function).bind(*args, **kwargs)
                for name, place in places:
                    key = name.strip("[]")
                    value = args[place] if place < len(args) else kwargs.get(key)
                    if name == key:
                        value = [value]
                    elif not isinstance(value, list | tuple):
                        break
                    if not all(map(_is_convertible, value)):
                        break
                raise

        return wrapper

    return decorate


def _is_convertible(value: Any) -> bool:
    if isinstance(value, _PLAIN) or hasattr(value, "_as_graph_element"):
        return True
    if isinstance(value, SparseTensor):
        return False
    try:
        convert_to_tensor(value)
    except (TypeError, ValueError):
        return False
    return True
