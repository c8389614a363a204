"""`tensorflow.python.framework.test_ops`: functions that add the nodes used by TensorFlow's own graph tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.graph import op_registry
from tfmini._src.ops import framework_test_ops

_TYPES = {op_registry.function_name(op_type): op_type for op_type in framework_test_ops.TYPES}


def __getattr__(name: str) -> Callable[..., Any]:
    """Returns `float_output`, `two_int_outputs` ..., functions of inputs, attrs and a name, in signature order."""
    if name not in _TYPES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
    return op_registry.opdef(_TYPES[name])
