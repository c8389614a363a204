"""Maps and folds over rows, and printing, under Keras's names."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.functions import map_scan_fold
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.checks.printing import print_values


def map_fn(
    fn: Callable[..., Any],
    elems: TensorLike,
    name: str | None = None,
    dtype: DTypeLike | None = None,
) -> Any:
    """Applies `fn` to each row and stacks the results, as `tf.map_fn` does."""
    return map_scan_fold.map_fn(fn, elems, name=name, dtype=dtype)


def foldl(
    fn: Callable[..., Any],
    elems: TensorLike,
    initializer: str | Callable[..., Any] | None = None,
    name: str | None = None,
) -> Any:
    """Reduces rows with `fn` from first to last, as `tf.foldl` does."""
    return map_scan_fold.foldl(fn, elems, initializer=initializer, name=name)


def foldr(
    fn: Callable[..., Any],
    elems: TensorLike,
    initializer: str | Callable[..., Any] | None = None,
    name: str | None = None,
) -> Any:
    """Reduces rows with `fn` from last to first, as `tf.foldr` does."""
    return map_scan_fold.foldr(fn, elems, initializer=initializer, name=name)


def print_tensor(x: TensorLike, message: str = "") -> Any:
    """Identity that prints `message` and `x` when it runs.

    Args:
      x: a tensor.
      message: text printed before it.
    """
    printed = print_values(message, x, output_stream=sys.stdout)
    if not isinstance(x, Tensor):
        return x
    with control_dependencies([printed]):
        return ops.identity(x)
