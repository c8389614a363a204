"""Automatic casting of variables in layers whose compute dtype differs from the dtype of their weights."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.read_only import read_only
from tfmini._src.graph.scopes import colocate_with, device
from tfmini._src.graph.tensor import Tensor
from tfmini._src.nn.layers.call_context import compute_dtype_scope, current_call
from tfmini._src.ops import ops
from tfmini._src.variables.resource_variable import BaseResourceVariable, ResourceVariable


class AutoCastVariable(ResourceVariable):
    """Floating-point resource variable that is read in the compute dtype of the layer being called."""

    @property
    def dtype(self) -> dtypes.DType:
        """The dtype of reads in the current context."""
        read = current_call().compute_dtype
        return self._dtype if read is None else read

    true_dtype: dtypes.DType = read_only("The storage dtype.", "_dtype")

    def _casts(self) -> bool:
        return self.dtype != self._dtype

    def value(self) -> Tensor:
        value = super().value()
        if not self._casts():
            return value
        with colocate_with(None, ignore_existing=True), device(value.device):
            return ops.cast(value, self.dtype)

    def read_value(self) -> Tensor:
        value = super().read_value()
        return ops.cast(value, self.dtype) if self._casts() else value

    def sparse_read(self, indices: Any, name: str | None = None) -> Tensor:
        """Gathers the rows at `indices`; the result has shape `indices.shape + self.shape[1:]`."""
        value = super().sparse_read(indices, name)
        return ops.cast(value, self.dtype) if self._casts() else value

    def gather_nd(self, indices: Any, name: str | None = None) -> Tensor:
        """Gathers elements or slices at the indices along the last axis of `indices`."""
        value = super().gather_nd(indices, name)
        return ops.cast(value, self.dtype) if self._casts() else value

    def __repr__(self) -> str:
        return (
            f"<AutoCastVariable '{self.name}' shape={self.shape} dtype={self.dtype.name} "
            f"true_dtype={self._dtype.name}>"
        )


def _without_cast(method: Callable) -> Callable:
    """Wraps a method so that it runs with the variable in its stored dtype."""

    @wraps(method)
    def wrapper(self: Any, *args: Any, **kwargs: Any) -> Any:
        with compute_dtype_scope(None):
            return method(self, *args, **kwargs)

    return wrapper


for _name in (
    *("assign", "_update", "_scatter", "batch_scatter_update", "_strided_slice_assign"),
    *("scatter_nd_sub", "scatter_nd_add", "scatter_nd_update", "count_up_to", "to_proto"),
):
    setattr(AutoCastVariable, _name, _without_cast(getattr(BaseResourceVariable, _name)))


def auto_cast(variable: Any) -> Any:
    """Wraps a resource variable to be read in the compute dtype of the layer being called."""
    if not isinstance(variable, BaseResourceVariable):
        raise ValueError(f"variable must be of type tf.ResourceVariable, but got: {variable}")
    if not variable.dtype.is_floating:
        raise ValueError(
            f"variable must be a floating point variable but has type: {variable.dtype.name}"
        )
    variable.__class__ = AutoCastVariable
    return variable
