"""Creation of handles for resource variables."""

from __future__ import annotations

import itertools
import weakref
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.shapes import TensorShape
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import raw

_numbers = itertools.count()


def make_handle(shape: TensorShape, dtype: dtypes.DType, shared_name: str, name: str) -> Tensor:
    """Creates a VarHandleOp whose tensor records the shape, for the gradients of gathers."""
    container = get_default_graph()._container
    handle = raw.VarHandleOp(
        dtype=dtype, shape=shape, container=container, shared_name=shared_name, name=name
    )
    handle._handle_data = shape._dims
    return handle


def make_eager_handle(
    variable: Any, shape: TensorShape, dtype: dtypes.DType, scope: str
) -> tuple[Tensor, str]:
    """Creates the handle of an eager variable, numbered in creation order; returns the handle and its shared name."""
    shared_name = f"{scope.removesuffix('/')}_{next(_numbers)}"
    handle = make_handle(shape, dtype, shared_name, scope)
    handle._variable = weakref.ref(variable)
    assert handle._id >= 0
    return handle, shared_name
