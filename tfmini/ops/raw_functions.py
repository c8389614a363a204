"""The Python function of an op by its type, as `tf.raw_ops` offers it: keywords alone, spelled as TensorFlow's."""

from __future__ import annotations

from collections.abc import Callable
from inspect import Signature
from typing import Any

from tfmini.graph.opdef import OpDef

# Arguments that TensorFlow's Python functions spell otherwise than its OpDefs.
_AXIS = {"reduction_indices": "axis"}
_RENAMED = {
    **dict.fromkeys(("All", "Any", "EuclideanNorm", "Max", "Mean", "Min", "Prod", "Sum"), _AXIS),
    "ExpandDims": {"dim": "axis"},
    "Select": {"t": "x", "e": "y"},
    "Split": {"split_dim": "axis"},
    "SplitV": {"split_dim": "axis"},
    "Squeeze": {"squeeze_dims": "axis"},
    "Where": {"input": "condition"},
}


def raw_function(definition: OpDef) -> Callable:
    """A function that adds a node of the op to the default graph."""
    renamed = _RENAMED.get(definition.name, {})
    own_name = {theirs: ours for ours, theirs in renamed.items()}
    parameters = [
        parameter.replace(name=renamed.get(parameter.name, parameter.name))
        for parameter in definition.signature().parameters.values()
    ]
    keys = [parameter.name for parameter in parameters]

    def function(*args: Any, **kwargs: Any) -> Any:
        if args:
            raise TypeError(
                f"{definition.name} only takes keyword args (possible keys: {keys}). Please pass these "
                "args as kwargs instead."
            )
        return definition(**{own_name.get(key, key): value for key, value in kwargs.items()})

    function.__name__ = function.__qualname__ = definition.name
    function.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    function.__doc__ = f"Adds a node of type {definition.name}; keywords: {', '.join(keys)}."
    return function
