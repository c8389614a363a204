"""Functions for element types that predate TypeSpec."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.shapes.tensor_shape import ShapeLike
from tfmini._src.graph.composite_values import SparseTensorSpec
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.graph.type_spec import TensorSpec
from tfmini._src.ops.ragged.ragged_tensor_spec import RaggedTensorSpec


@deprecated(None, "Use `tf.TensorSpec` instead.")
def tensor_structure(dtype: DTypeLike, shape: ShapeLike) -> TensorSpec:
    """Returns `tf.TensorSpec(shape, dtype)`."""
    return TensorSpec(shape, dtype)


@deprecated(None, "Use `tf.SparseTensorSpec` instead.")
def sparse_tensor_structure(dtype: DTypeLike, shape: ShapeLike) -> SparseTensorSpec:
    """Returns `tf.SparseTensorSpec(shape, dtype)`."""
    return SparseTensorSpec(shape, dtype)


@deprecated(None, "Use `tf.RaggedTensorSpec` instead.")
def ragged_tensor_structure(dtype: DTypeLike, shape: TensorLike, ragged_rank: Any) -> Any:
    """Returns `tf.RaggedTensorSpec(shape, dtype, ragged_rank)`."""
    return RaggedTensorSpec(shape, dtype, ragged_rank)
