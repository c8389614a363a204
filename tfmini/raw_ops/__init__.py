"""tf.raw_ops: every op by its type, called with keywords: `tf.raw_ops.MatMul(a=x, b=y)`.

The functions are made when they are first asked for; `tfmini.ops` declares the ops.
"""

from collections.abc import Callable as _Callable
from inspect import Signature as _Signature
from typing import Any as _Any

from tfmini.graph.opdef import OpDef as _OpDef
from tfmini.graph.opdef import registry as _registry
from tfmini.hints import no_attribute as _no_attribute

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
_OF_CONTRIB = {"GatherTree"}  # registered by a package of tf.contrib, so no op of tf.raw_ops


def _function(definition: _OpDef) -> _Callable:
    renamed = _RENAMED.get(definition.name, {})
    own_name = {theirs: ours for ours, theirs in renamed.items()}
    parameters = [
        parameter.replace(name=renamed.get(parameter.name, parameter.name))
        for parameter in definition.signature().parameters.values()
    ]
    keys = [parameter.name for parameter in parameters]

    def function(*args: _Any, **kwargs: _Any) -> _Any:
        if args:
            raise TypeError(
                f"{definition.name} only takes keyword args (possible keys: {keys}). Please pass these "
                "args as kwargs instead."
            )
        return definition(**{own_name.get(key, key): value for key, value in kwargs.items()})

    function.__name__ = function.__qualname__ = definition.name
    function.__signature__ = _Signature(parameters)  # type: ignore[attr-defined]
    function.__doc__ = f"Adds a node of type {definition.name}; keywords: {', '.join(keys)}."
    return function


def __getattr__(name: str) -> _Callable:
    if name.startswith("_") or name in _OF_CONTRIB or name not in _registry:
        raise _no_attribute(__name__, name, __dir__())
    globals()[name] = _function(_registry[name])
    return globals()[name]


def __dir__() -> list[str]:
    return sorted(name for name in {*_registry} - _OF_CONTRIB if not name.startswith("_"))
