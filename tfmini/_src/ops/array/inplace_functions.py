"""TensorFlow's internal module `inplace_ops`: functions that update rows of a tensor, used by old decoders."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base.dtypes import int32
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.graph.opdef import raw
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops


def _deprecate(operation: str) -> Any:
    return deprecated(
        None,
        f"Prefer tf.tensor_scatter_nd_{operation}, which offers the same functionality with well-defined read-write "
        "semantics.",
    )


def _update(x: Any, i: Any, v: Any, change: Callable[..., Tensor]) -> Tensor:
    x = ops.convert_to_tensor(x)
    v = ops.convert_to_tensor(v, x.dtype)
    if i is None:
        rows = change(ops.reshape(x, [1, -1]), [0], ops.reshape(v, [1, -1]))
        return ops.reshape(rows, ops.shape(x))
    i = ops.cast(i, int32)
    if i.shape.ndims == 0:
        return change(x, ops.reshape(i, [1]), ops.expand_dims(v, 0))
    return change(x, i, v)


@_deprecate("update")
def alias_inplace_update(x: Any, i: Any, v: Any) -> Tensor:
    """Replaces row `i`, rows `i` or, for None, all of `x` with `v`, in place."""
    return _update(x, i, v, raw.InplaceUpdate)


@_deprecate("add")
def alias_inplace_add(x: Any, i: Any, v: Any) -> Tensor:
    """Adds `v` to row `i`, rows `i` or, for None, all of `x`, in place."""
    return _update(x, i, v, raw.InplaceAdd)


@_deprecate("sub")
def alias_inplace_sub(x: Any, i: Any, v: Any) -> Tensor:
    """Subtracts `v` from row `i`, rows `i` or, for None, all of `x`, in place."""
    return _update(x, i, v, raw.InplaceSub)


@_deprecate("update")
def inplace_update(x: Any, i: Any, v: Any) -> Tensor:
    """`alias_inplace_update` on a copy of `x`."""
    return alias_inplace_update(raw.DeepCopy(x), i, v)


@_deprecate("add")
def inplace_add(x: Any, i: Any, v: Any) -> Tensor:
    """`alias_inplace_add` on a copy of `x`."""
    return alias_inplace_add(raw.DeepCopy(x), i, v)


@_deprecate("sub")
def inplace_sub(x: Any, i: Any, v: Any) -> Tensor:
    """`alias_inplace_sub` on a copy of `x`."""
    return alias_inplace_sub(raw.DeepCopy(x), i, v)


def empty_like(x: Any, init: bool | None = None) -> Tensor:
    """Creates a tensor with the shape and dtype of `x`: zeros, or arbitrary values with `init=False`."""
    x = ops.convert_to_tensor(x)
    return raw.Empty(ops.shape(x), dtype=x.dtype, init=init)
