"""Test decorators that detect leaked objects."""

from __future__ import annotations

import functools
import gc
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

from tfmini._src.base.shapes import Dimension, TensorShape
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.tensor import Tensor
from tfmini._src.session.eager.compiled_op import GraphOfOp
from tfmini._src.session.eager.enable import eager_mode
from tfmini._src.session.eager.execute import forget_calls
from tfmini._src.variables.variable import Variable

_PASSES = 10


def assert_no_garbage_created(f: Callable) -> Callable:
    """Decorator that fails a test method if it creates reference cycles."""

    @functools.wraps(f)
    def wrapper(self: Any, **kwargs: Any) -> Any:
        was_enabled, flags = gc.isenabled(), gc.get_debug()
        gc.disable()
        for _ in range(_PASSES):  # finalizers may create garbage themselves
            if not gc.collect():
                break
        gc.set_debug(gc.DEBUG_SAVEALL)
        garbage_count = len(gc.garbage)
        try:
            result = f(self, **kwargs)
            gc.collect()
            garbage = [type(survivor).__name__ for survivor in gc.garbage[garbage_count:]]
        finally:
            gc.set_debug(flags)
            del gc.garbage[garbage_count:]
            if was_enabled:
                gc.enable()
        self.assertEqual(garbage, [], "The test left objects that refer to each other in a circle.")
        return result

    return wrapper


def assert_no_new_tensors(f: Callable) -> Callable:
    """Decorator that runs a test method in its own graph, and fails if tensors, variables or shapes survive."""

    @functools.wraps(f)
    def wrapper(self: Any, **kwargs: Any) -> Any:
        tensor_ids = {id(tensor) for tensor in _live_tensors()}
        mode = eager_mode() if executing_eagerly() else nullcontext()
        with Graph().as_default(), mode:
            result = f(self, **kwargs)
        forget_calls()
        gc.collect()
        leaked_tensors = [tensor for tensor in _live_tensors() if id(tensor) not in tensor_ids]
        if leaked_tensors:
            raise AssertionError(
                f"{len(leaked_tensors)} Tensors not deallocated after test: {leaked_tensors}"
            )
        return result

    return wrapper


def _live_tensors() -> list[Any]:
    classes = (Tensor, Variable, Dimension, TensorShape)
    return [
        obj
        for obj in gc.get_objects()
        if issubclass(type(obj), classes) and not _is_of_compiled_op(obj)
    ]


def _is_of_compiled_op(obj: Any) -> bool:
    """Whether an object belongs to the cached plan of an eager op."""
    return type(obj) is Tensor and isinstance(obj.op.graph, GraphOfOp)
