"""Views as NumPy expressions, which a plan evaluates instead of calling a kernel.

@squeeze_op.indexing
def _(view):
    return ".squeeze()" if view.is_reshape else ""
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from tfmini._src.base.dtypes import DType, resource, variant
from tfmini._src.base.records import dataclass
from tfmini._src.graph.attributes import Attrs
from tfmini._src.graph.shape_inference import Dims

_MAX_CONTIGUOUS_COPY_ELEMENTS = 1 << 14  # maximum elements that NumPy copies in constant time


@dataclass(frozen=True)
class StaticView:
    """Properties of a view that are known at compile time.

    dims, result: static shapes of the array and of the view; dtype: the array's.
    operands: values of the constant inputs, by name; attrs: the node's.
    """

    dims: Dims
    result: Dims
    dtype: DType
    operands: Mapping[str, Any]
    attrs: Attrs

    @property
    def is_static(self) -> bool:
        """Whether both shapes are known and have at least one axis."""
        if self.dtype in (resource, variant) or self.dtype._is_ref_dtype:
            return False
        return all(dims and None not in dims for dims in (self.dims, self.result))

    @property
    def is_reshape(self) -> bool:
        """Whether the shapes are known and of equal size, and the kernel is no faster on a transposed array."""
        if not self.is_static:
            return False
        size = math.prod(self.result)  # type: ignore[arg-type]
        return size == math.prod(self.dims) and size <= _MAX_CONTIGUOUS_COPY_ELEMENTS  # type: ignore[arg-type]
