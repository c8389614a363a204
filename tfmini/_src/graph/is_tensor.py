"""`tf.is_tensor`."""

from __future__ import annotations

from tfmini._src.graph.composite_values import (
    CompositeValue,
    IndexedSlices,
    SparseTensor,
)
from tfmini._src.graph.public_functions import public
from tfmini._src.graph.tensor import Tensor


@public
def is_tensor(x: object) -> bool:
    """Whether `x` is a Tensor, SparseTensor, IndexedSlices or variable."""
    if isinstance(x, Tensor | SparseTensor | IndexedSlices):
        return True
    if isinstance(x, CompositeValue):
        return False
    return hasattr(x, "_as_graph_element") and hasattr(x, "dtype")
