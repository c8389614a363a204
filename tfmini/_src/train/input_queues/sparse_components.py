"""SparseTensors in batches: queues contain handles of tensors stored in the session."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.records import dataclass
from tfmini._src.base.shapes import Dimension, as_dimension
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.ops import ops
from tfmini._src.ops.sparse.sparse_tensors_map import (
    add_many_sparse_to_tensors_map,
    add_sparse_to_tensors_map,
    take_many_sparse_from_tensors_map,
)

_ADDS = ("AddSparseToTensorsMap", "AddManySparseToTensorsMap")


@dataclass(frozen=True, eq=False)
class Origin:
    """The origin of a component: the storing operation and the stored rank; both None for dense tensors."""

    map_op: Any = None
    rank: Any = None

    @property
    def is_sparse(self) -> bool:
        return self.map_op is not None

    def __str__(self) -> str:
        return f"[SparseMetaData({self.is_sparse}, {self.map_op.name}, {self.rank})]"

    def can_share_queue(self, other: Origin) -> bool:
        """Whether components of both origins can share a queue."""
        if not self.is_sparse or not other.is_sparse:
            return self.is_sparse == other.is_sparse
        return self.map_op is other.map_op and self.rank.is_compatible_with(other.rank)


def store(
    tensors: list, enqueue_many: bool, keep: Any, map_ops: list | None = None
) -> tuple[list, list[Origin]]:
    """Converts tensors to queue components, which are handles for SparseTensors; also returns their origins.

    Args:
      keep: a bool Tensor that tells whether to store the example, or which rows to store.
      map_ops: for each component, the storing operation whose map to share.
    """
    shared = map_ops or [None] * len(tensors)
    handles = [_component(t, enqueue_many, keep, s) for t, s in zip(tensors, shared)]
    origins = []
    for tensor, handle, map_op in zip(tensors, handles, shared):
        if not isinstance(tensor, SparseTensor):
            origins.append(Origin())
            continue
        rank = as_dimension(tensor.dense_shape.shape.with_rank(1)[0])
        origins.append(Origin(map_op or _storing_op(handle), rank - 1 if enqueue_many else rank))
    components = [
        ops.expand_dims(handle, [-1]) if origin.is_sparse else handle
        for handle, origin in zip(handles, origins)
    ]
    return components, origins


def _component(tensor: Any, enqueue_many: bool, keep: Any, map_op: Any) -> Any:
    """Returns the queue component of a tensor: the tensor if dense, else its handle; -1 if it is dropped."""
    if not isinstance(tensor, SparseTensor):
        return tensor
    name = map_op.name if map_op else None
    if keep.shape.ndims == 1:
        retained = ops.gather(keep, tensor.indices[:, 0])
        return add_many_sparse_to_tensors_map(ops.sparse_retain(tensor, retained), shared_name=name)
    if not enqueue_many:
        return ops.smart_cond(
            keep,
            lambda: add_sparse_to_tensors_map(tensor, shared_name=name),
            lambda: ops.constant(-1, dtypes.int64),
        )
    handles = ops.smart_cond(
        keep,
        lambda: add_many_sparse_to_tensors_map(tensor, shared_name=name),
        lambda: -1 * ops.ones(ops.shape(tensor)[0:1], dtypes.int64),
    )
    handles.set_shape([None])
    return handles


def _storing_op(handle: Any) -> Any:
    """Returns the storing operation of a handle, looking through the Merge of a conditional."""
    add_ops = [i.op for i in handle.op.inputs if i.op.type in _ADDS]
    return add_ops[0] if add_ops else handle.op


def store_lists(lists: Sequence[list], enqueue_many: bool, keep: Any) -> tuple[list, list[Origin]]:
    """Same as `store`, for examples from several sources that share maps."""
    first, origins = store(lists[0], enqueue_many, keep)
    components = [first]
    for tensors in lists[1:]:
        next_origins, other_origins = store(
            tensors, enqueue_many, keep, [o.map_op for o in origins]
        )
        if len(origins) != len(other_origins) or not all(
            a.can_share_queue(b) for a, b in zip(origins, other_origins)
        ):
            raise ValueError(f"Inconsistent SparseTensors list: {lists[0]} vs. {tensors}")
        for own_origin, other in zip(origins, other_origins):
            if own_origin.is_sparse:
                own_origin.rank.merge_with(other.rank)
        components.append(next_origins)
    return components, origins


def restore(dequeued: Any, origins: list[Origin]) -> Any:
    """Replaces dequeued handles by their SparseTensors."""
    components = dequeued if isinstance(dequeued, list | tuple) else (dequeued,)
    tensors = [
        take_many_sparse_from_tensors_map(
            sparse_map_op=origin.map_op,
            sparse_handles=ops.squeeze(tensor, [1]),
            rank=_dimension_value(origin.rank + 1),
        )
        if origin.is_sparse
        else tensor
        for tensor, origin in zip(components, origins)
    ]
    if any(origin.is_sparse for origin in origins):
        # A dequeue takes all components, so the indices of the others have left the queue.
        values = [t.values if isinstance(t, SparseTensor) else t for t in tensors]

        def behind(tensor: Any) -> Any:
            return ops.with_dependencies(values, tensor)

        tensors = [
            SparseTensor(behind(t.indices), behind(t.values), behind(t.dense_shape))
            if isinstance(t, SparseTensor)
            else behind(t)
            for t in tensors
        ]
    return tensors if isinstance(dequeued, list | tuple) else tensors[0]


def _dimension_value(size: Any) -> int | None:
    return size.value if isinstance(size, Dimension) else size
