"""Maps and folds over rows, under their Keras names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.functions import functional_ops
from tfmini._src.graph.tensor import TensorLike


def map_fn(
    fn: Callable[..., Any],
    elems: TensorLike,
    name: str | None = None,
    dtype: DTypeLike | None = None,
) -> Any:
    """Applies `fn` to each row and stacks the results, as `tf.map_fn` does."""
    return functional_ops.map_fn(fn, elems, name=name, dtype=dtype)


def foldl(
    fn: Callable[..., Any],
    elems: TensorLike,
    initializer: str | Callable[..., Any] | None = None,
    name: str | None = None,
) -> Any:
    """Reduces rows with `fn` from first to last, as `tf.foldl` does."""
    return functional_ops.foldl(fn, elems, initializer=initializer, name=name)


def foldr(
    fn: Callable[..., Any],
    elems: TensorLike,
    initializer: str | Callable[..., Any] | None = None,
    name: str | None = None,
) -> Any:
    """Reduces rows with `fn` from last to first, as `tf.foldr` does."""
    return functional_ops.foldr(fn, elems, initializer=initializer, name=name)
