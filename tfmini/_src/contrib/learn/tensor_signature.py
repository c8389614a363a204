"""Signatures of features and labels: dtypes and shapes, shared between graphs."""

from __future__ import annotations

from typing import Any, NamedTuple

from tfmini._src.base.dtypes import DType
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.ops import ops


class Signature(NamedTuple):
    """Dtype and shape of a tensor; the shape is None for sparse tensors."""

    dtype: DType
    shape: Any
    is_sparse: bool

    def __repr__(self) -> str:
        return f"TensorSignature(dtype={self.dtype!r}, shape={self.shape!r}, is_sparse={self.is_sparse!r})"

    def can_replace(self, other: Signature) -> bool:
        """Whether a tensor with this signature can replace the other, regardless of batch size."""
        if self.is_sparse or other.is_sparse:
            both = self.is_sparse and other.is_sparse
            return both and self.dtype.is_compatible_with(other.dtype)
        if not self.dtype.is_compatible_with(other.dtype):
            return False
        if self.shape.ndims is None or other.shape.ndims is None:
            return True
        if self.shape.ndims != other.shape.ndims:
            return False
        return self.shape[1:].is_compatible_with(other.shape[1:]) if self.shape.ndims else True

    def placeholder(self) -> Any:
        """Returns a placeholder with this signature."""
        if self.is_sparse:
            return ops.sparse_placeholder(dtype=self.dtype)
        return ops.placeholder(self.dtype, shape=[None, *self.shape[1:]])


def _signature(tensor: Any) -> Signature:
    if isinstance(tensor, SparseTensor):
        return Signature(tensor.values.dtype, None, True)
    return Signature(tensor.dtype, tensor.get_shape(), False)


def make_signatures(tensors: Any) -> Any:
    """Returns the signatures of a tensor or a dict of tensors; None for None."""
    if isinstance(tensors, dict):
        return {key: _signature(tensor) for key, tensor in tensors.items()}
    return None if tensors is None else _signature(tensors)


def compatible(tensors: Any, signatures: Any) -> bool:
    """Whether tensors match the known signatures; extra tensors are allowed."""
    if isinstance(tensors, dict) != isinstance(signatures, dict):
        return False
    if not isinstance(tensors, dict):
        return _signature(tensors).can_replace(signatures)
    return all(
        key in tensors and _signature(tensors[key]).can_replace(signature)
        for key, signature in signatures.items()
    )


def make_placeholders(signatures: Any) -> Any:
    """Returns placeholders that match the signatures; None if `signatures` is None."""
    if isinstance(signatures, dict):
        return {key: signature.placeholder() for key, signature in signatures.items()}
    return None if signatures is None else signatures.placeholder()
