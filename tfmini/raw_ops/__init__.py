"""tf.raw_ops: every op by its type, called with keywords: `tf.raw_ops.MatMul(a=x, b=y)`.

The functions are made when they are first asked for; `tfmini.ops` declares the ops.
"""

from collections.abc import Callable
from typing import Any

from tfmini.graph.opdef import OpDef, registry


def _function(definition: OpDef) -> Callable:
    keys = [*definition.params, "name"]

    def function(*args: Any, **kwargs: Any) -> Any:
        if args:
            raise TypeError(
                f"{definition.name} only takes keyword args (possible keys: {keys}). Please pass these "
                "args as kwargs instead."
            )
        return definition(**kwargs)

    function.__name__ = function.__qualname__ = definition.name
    function.__doc__ = f"Adds a node of type {definition.name}; keywords: {', '.join(keys)}."
    return function


def __getattr__(name: str) -> Callable:
    if name.startswith("_") or name not in registry:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = _function(registry[name])
    return globals()[name]


def __dir__() -> list[str]:
    return sorted(name for name in registry if not name.startswith("_"))
