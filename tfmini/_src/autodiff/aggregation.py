"""Summation of the gradients of a tensor."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.shapes import TensorShape
from tfmini._src.graph.composite_values import IndexedSlices
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.public_functions import ops
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor


class AggregationMethod:
    """Methods by which `tf.gradients` sums the gradients of a tensor: one AddN, pairwise sums, or accumulate_n."""

    ADD_N = 0
    DEFAULT = ADD_N
    EXPERIMENTAL_TREE = 1
    EXPERIMENTAL_ACCUMULATE_N = 2


def aggregate_gradients(
    op: Any, gradients: list[list | Any], gradient_uid: str, method: int | None
) -> list:
    """Returns one gradient per output of `op`: the sum of the gradients received for it; None without any."""
    if method is None:
        method = AggregationMethod.DEFAULT
    if method not in (0, 1, 2):
        raise ValueError(f"Invalid aggregation_method specified {method}.")
    for i, tensor_grads in enumerate(gradients):
        if not isinstance(tensor_grads, list):
            continue
        if any(g is not None and not isinstance(g, Tensor | IndexedSlices) for g in tensor_grads):
            raise TypeError("gradients have to be either all Tensors or all IndexedSlices")
        if len(tensor_grads) < 2:
            gradients[i] = tensor_grads[0] if tensor_grads else None
        elif all(isinstance(g, Tensor) for g in tensor_grads if g is not None):
            gradients[i] = _tensor_sum(op, tensor_grads, gradient_uid, method)
        else:
            gradients[i] = aggregate_indexed_slices(tensor_grads)
    return gradients


def _tensor_sum(op: Any, tensors: list[Tensor], gradient_uid: str, method: int) -> Tensor:
    if method == AggregationMethod.EXPERIMENTAL_ACCUMULATE_N and len(tensors) > 2:
        shape = TensorShape(None)
        for tensor in tensors:
            shape = shape.merge_with(tensor.shape)
        if shape.is_fully_defined():
            return ops.accumulate_n(tensors)
    if method == AggregationMethod.DEFAULT:
        return _sum_by_device(tensors, gradient_uid)
    with name_scope(op.name + "_gradient_sum"):
        total = tensors[0]
        for tensor in tensors[1:]:
            total = ops.add_n([total, tensor])
        return total


def _sum_by_device(tensors: list[Tensor], gradient_uid: str) -> Tensor:
    """Sums the tensors on each device first."""
    tensors_by_device: dict[str, list[Tensor]] = {}
    for tensor in tensors:
        tensors_by_device.setdefault(tensor.device or "", []).append(tensor)
    sums = []
    graph = get_default_graph()
    for device in sorted(tensors_by_device):
        group = tensors_by_device[device]
        with graph._colocate_with_for_gradient(group[0].op, gradient_uid, ignore_existing=True):
            sums.append(ops.add_n(group))
    return ops.add_n(sums)


def aggregate_indexed_slices(gradients: list) -> Any:
    """Concatenates the slices of all gradients; returns a dense sum if any of them is dense."""
    gradients = [g for g in gradients if g is not None]
    if len(gradients) == 1:
        return gradients[0]
    if any(isinstance(g, Tensor) for g in gradients):
        return ops.add_n(gradients)
    slices = [_flatten_slices(g) for g in _with_equal_index_types(gradients)]
    return IndexedSlices(
        ops.concat([s.values for s in slices], axis=0),
        ops.concat([s.indices for s in slices], axis=0),
        slices[0].dense_shape,
    )


def _with_equal_index_types(slices: list[IndexedSlices]) -> list[IndexedSlices]:
    narrow_slices = [s for s in slices if s.indices.dtype == dtypes.int32]
    if not narrow_slices or len(narrow_slices) == len(slices):
        return slices
    return [
        IndexedSlices(s.values, ops.cast(s.indices, dtypes.int64), s.dense_shape)
        if s.indices.dtype == dtypes.int32
        else s
        for s in slices
    ]


def _flatten_slices(slices: IndexedSlices) -> IndexedSlices:
    """Converts nested IndexedSlices to plain IndexedSlices."""
    if isinstance(slices.values, Tensor):
        return slices
    inner = _flatten_slices(slices.values)
    return IndexedSlices(inner.values, ops.gather(slices.indices, inner.indices), inner.dense_shape)
