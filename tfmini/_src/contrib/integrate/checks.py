"""Argument checks: dtypes, sizes, and the order of times."""

from __future__ import annotations

from typing import Any

from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops


def check_increasing(t: Tensor) -> Any:
    """Context manager that first checks that times increase."""
    check = ops.Assert(ops.reduce_all(t[1:] > t[:-1]), ["`t` must be monotonic increasing"])
    return control_dependencies([check])


def check_types(y0: Tensor, t: Tensor, dt: Tensor | None = None) -> None:
    """Raises TypeError unless the state is floating or complex, and times are floats."""
    if not (y0.dtype.is_floating or y0.dtype.is_complex):
        raise TypeError("`y0` must have a floating point or complex floating point dtype")
    for name, value in (("t", t), ("dt", dt)):
        if value is not None and not value.dtype.is_floating:
            raise TypeError(f"`{name}` must have a floating point dtype")


def check_sizes(t: Tensor, dt: Tensor) -> None:
    """Raises ValueError unless there is one step size per time interval."""
    if max(len(t.shape.as_list()), len(dt.shape.as_list())) > 1:
        raise ValueError("t must be a 1D tensor")
    if t.shape[0] != dt.shape[0] + 1:
        raise ValueError("t and dt have incompatible lengths, must be N and N-1")
