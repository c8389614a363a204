"""Conditionals resolved at graph construction if their predicate is known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.graph.static_values import get_static_value
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.variables.variable import Variable


def constant_value(value_or_tensor_or_var: Any, dtype: DTypeLike | None = None) -> Any:
    """Returns the static value of a tensor, None if unknown; other values are returned unchanged.

    Raises:
      ValueError: for None, or a tensor whose dtype is not `dtype`.
    """
    value = value_or_tensor_or_var
    if value is None:
        raise ValueError("value_or_tensor_or_var cannot be None")
    if not isinstance(value, (Tensor, Variable)):
        return value
    if dtype and value.dtype != dtype:
        raise ValueError(f"It has the wrong type {value.dtype} instead of {dtype}")
    return None if isinstance(value, Variable) else get_static_value(value)


def static_cond(pred: TensorLike, fn1: Callable[..., Any], fn2: Callable[..., Any]) -> Any:
    """Returns `fn1()` if `pred` is true, else `fn2()`; raises TypeError if one of them is not callable."""
    if not callable(fn1):
        raise TypeError("fn1 must be callable.")
    if not callable(fn2):
        raise TypeError("fn2 must be callable.")
    return fn1() if pred else fn2()


def smart_cond(
    pred: TensorLike, fn1: Callable[..., Any], fn2: Callable[..., Any], name: str | None = None
) -> Any:
    """Returns `fn1()` or `fn2()` if `pred` is statically known, else calls `tf.cond`."""
    static = constant_value(pred)
    if static is not None:
        return static_cond(static, fn1, fn2)
    return ops.cond(pred, fn1, fn2, name)  # type: ignore[arg-type]  # `name` is passed as `strict`, as in TensorFlow
