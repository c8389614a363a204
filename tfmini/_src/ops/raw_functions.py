"""Python functions for ops by type, as in `tf.raw_ops`: keyword-only, with TensorFlow's spelling."""

from __future__ import annotations

from collections.abc import Callable
from inspect import Signature
from typing import Any

from tfmini._src.base import proto
from tfmini._src.graph.attributes import Literal
from tfmini._src.graph.opdef import OpDef
from tfmini._src.graph.signature import join_names
from tfmini._src.graph.tensor_proto import literal_to_proto, proto_to_literal

# Arguments whose Python names differ from the OpDefs'.
_AXIS = {"reduction_indices": "axis"}
_RENAMED_ARGUMENTS = {
    **dict.fromkeys(("All", "Any", "EuclideanNorm", "Max", "Mean", "Min", "Prod", "Sum"), _AXIS),
    "ExpandDims": {"dim": "axis"},
    "Select": {"t": "x", "e": "y"},
    "Split": {"split_dim": "axis"},
    "SplitV": {"split_dim": "axis"},
    "Squeeze": {"squeeze_dims": "axis"},
    "Where": {"input": "condition"},
}
# Defaults of TensorFlow's Python functions that replace the OpDefs'.
_DEFAULTS = {"SdcaOptimizer": {"adaptative": True}, "SdcaOptimizerV2": {"adaptive": True}}


def _default_proto(default: Any) -> Any:
    """Converts a default value to TensorFlow's form: a proto for a tensor."""
    return literal_to_proto(default) if isinstance(default, Literal) else default


def raw_function(definition: OpDef) -> Callable:
    """Returns a function that adds a node of the op to the default graph."""
    renamed = _RENAMED_ARGUMENTS.get(definition.name, {})
    defaults = _DEFAULTS.get(definition.name, {})
    own_name = {tensorflow_name: own_argument for own_argument, tensorflow_name in renamed.items()}
    parameters = [
        parameter.replace(
            name=renamed.get(parameter.name, parameter.name),
            default=_default_proto(defaults.get(parameter.name, parameter.default)),
        )
        for parameter in definition.signature().parameters.values()
    ]
    keys = [parameter.name for parameter in parameters]
    required = [parameter.name for parameter in parameters if parameter.default is Signature.empty]
    tensors = [key for key, attr in definition.attrs.items() if attr.kind == "tensor"]

    def function(*args: Any, **kwargs: Any) -> Any:
        if args:
            raise TypeError(
                f"{definition.name} only takes keyword args (possible keys: {keys}). Please pass these "
                "args as kwargs instead."
            )
        for key in kwargs:
            if key not in keys:
                raise TypeError(f"{definition.name}() got an unexpected keyword argument '{key}'")
        missing = [key for key in required if key not in kwargs]
        if missing:
            raise TypeError(
                f"{definition.name}() missing {len(missing)} required positional "
                f"argument{'s' if len(missing) > 1 else ''}: {join_names(missing)}"
            )
        actual = defaults | {own_name.get(key, key): value for key, value in kwargs.items()}
        for key in tensors:
            if isinstance(actual.get(key), proto.TensorProto):
                actual[key] = proto_to_literal(actual[key])
        return definition(**actual)

    function.__name__ = function.__qualname__ = definition.name
    function.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    function.__doc__ = f"Adds a node of type {definition.name}; keywords: {', '.join(keys)}."
    return function
