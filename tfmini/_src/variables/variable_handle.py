"""Handles of resource variables."""

from __future__ import annotations

from tfmini._src.base import dtypes
from tfmini._src.base.shapes import TensorShape
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import raw


def make_handle(shape: TensorShape, dtype: dtypes.DType, shared_name: str, name: str) -> Tensor:
    """Creates a VarHandleOp whose tensor records the shape, for gradients of gathers."""
    container = get_default_graph()._container
    handle = raw.VarHandleOp(
        dtype=dtype, shape=shape, container=container, shared_name=shared_name, name=name
    )
    handle._handle_data = shape._dims
    return handle
