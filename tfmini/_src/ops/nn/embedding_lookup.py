"""Embedding lookup in single or partitioned tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.shapes import Dimension
from tfmini._src.graph.convert_to_tensor import convert_n_to_tensor_or_indexed_slices
from tfmini._src.graph.opdef import public
from tfmini._src.graph.scopes import colocate_with, name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops


def _has_handle(part: Any) -> bool:
    """Whether the part is a non-distributed resource variable; strategies read distributed ones completely."""
    return not hasattr(type(part), "device_map") and hasattr(part, "handle")


@public
def embedding_lookup(
    params: TensorLike,
    ids: TensorLike,
    partition_strategy: str = "mod",
    name: str | None = None,
    validate_indices: bool = True,
    max_norm: float | None = None,
) -> Tensor:
    """Looks up rows of an embedding table by id.

    Args:
      params: the table [rows, ...]: a tensor, a variable, a partitioned variable, or a list of
        partitions of nearly equal length.
      ids: an integer tensor of any shape.
      partition_strategy: the assignment of rows to partitions. "mod": row i is in partition i % count;
        "div": partitions contain consecutive rows.
      validate_indices: ignored.
      max_norm: if set, scales rows with a larger Euclidean norm down to this norm.

    Returns:
      A tensor of the shape of `ids` followed by the row shape.

    Raises:
      ValueError: if `params` is empty, or the strategy is unknown.

    Example: `tf.nn.embedding_lookup(table, [[1, 5], [0, 1]])` has shape [2, 2, width].
    """
    return looked_up(params, ids, partition_strategy, name, max_norm, None)


def looked_up(
    params: Any,
    ids: Any,
    partition_strategy: str,
    name: str | None,
    max_norm: float | None,
    transform: Callable[[Tensor], Tensor] | None,
) -> Tensor:
    """`embedding_lookup` that applies `transform`, a row-wise function of [n, ...], on the device of each partition."""
    if params is None:
        raise ValueError("params must be specified")
    if isinstance(params, list | tuple) and not params:
        raise ValueError("Need at least one param")
    if is_partitioned(params):
        params = list(params)
    if not isinstance(params, list):
        params = [params]
    with name_scope(name, "embedding_lookup", params + [ids]) as name:
        if not any(_has_handle(part) for part in params):
            params = convert_n_to_tensor_or_indexed_slices(params, name="params")
        ids = ops.convert_to_tensor(ids, name="ids")
        if len(params) > 1 or (transform and ids.shape.ndims != 1):
            return _lookup_in_parts(params, ids, partition_strategy, name, max_norm, transform)
        with colocate_with(params[0]):
            rows = _clip_rows(ops.gather(params[0], ids, name=name), ids, max_norm)
            if transform:
                rows = transform(rows)
        return ops.identity(rows)


def is_partitioned(params: Any) -> bool:
    """Whether a value has the interface of a partitioned variable; iteration yields the partitions."""
    return hasattr(params, "_get_variable_list")


def _lookup_in_parts(
    parts: list,
    ids: Tensor,
    partition_strategy: str,
    name: str,
    max_norm: float | None,
    transform: Callable[[Tensor], Tensor] | None,
) -> Tensor:
    count = len(parts)
    flat_ids = ops.reshape(ids, [-1])
    positions = ops.range(ops.size(flat_ids))
    if partition_strategy == "mod":
        part_of_id, id_in_part = flat_ids % count, flat_ids // count
    elif partition_strategy == "div":
        part_of_id, id_in_part = _divide(parts, flat_ids)
    else:
        raise ValueError("Unrecognized partition strategy: " + partition_strategy)
    part_of_id = ops.cast(part_of_id, dtypes.int32)
    ids_by_part = ops.dynamic_partition(id_in_part, part_of_id, count)
    places_by_part = ops.dynamic_partition(positions, part_of_id, count)
    looked_up = []
    for part, part_ids in zip(parts, ids_by_part):
        with colocate_with(part):
            rows = ops.gather(part, part_ids)
            looked_up.append(transform(_clip_rows(rows, part_ids, max_norm)) if transform else rows)
    rows = ops.parallel_dynamic_stitch(places_by_part, looked_up, name=name)

    row_shape = (rows if transform else parts[0]).get_shape()[1:]
    for part in [] if transform else parts[1:]:
        row_shape = row_shape.merge_with(part.get_shape()[1:])
    if row_shape.is_fully_defined():
        row_size = row_shape
    elif transform:
        row_size = ops.shape(rows)[1:]
    else:
        with colocate_with(parts[0]):
            shape = ops.shape(parts[0])
        row_size = shape[1:]
    rows = ops.reshape(rows, ops.concat([ops.shape(ids), row_size], 0))
    rows.set_shape(ids.shape.concatenate(row_shape))
    return rows if transform else _clip_rows(rows, ids, max_norm)


def _divide(parts: list, flat_ids: Tensor) -> tuple[Tensor, Tensor]:
    """Returns the partition and row of each id for consecutive rows; the first partitions have one more row."""
    sizes = [Dimension(part.get_shape()[0]) for part in parts]
    total = sum(sizes[1:], sizes[0])
    if total.value:
        rows = ops.constant(total.value, flat_ids.dtype)
    else:
        lengths: list[Any] = []
        for part, size in zip(parts, sizes):
            if size.value is not None:
                lengths.append(size.value)
                continue
            with colocate_with(part):
                lengths.append(ops.shape(part)[0])
        rows = ops.reduce_sum(ops.cast(ops.stack(lengths), flat_ids.dtype))
    share = rows // len(parts)
    extras = rows % len(parts)
    part_of_id = ops.maximum(flat_ids // (share + 1), (flat_ids - extras) // share)
    id_in_part = ops.where(part_of_id < extras, flat_ids % (share + 1), (flat_ids - extras) % share)
    return part_of_id, id_in_part


def _clip_rows(rows: Tensor, ids: Any, max_norm: float | None) -> Tensor:
    """Clips rows to norm `max_norm`; a row spans the axes after the axes of the ids."""
    if max_norm is None:
        return rows
    ids_rank, rows_rank = _static_or_dynamic_rank(ids), _static_or_dynamic_rank(rows)
    if isinstance(ids_rank, int) and isinstance(rows_rank, int):
        axes: Any = list(range(ids_rank, rows_rank))
    else:
        axes = ops.range(ids_rank, rows_rank)
    return ops.clip_by_norm(rows, max_norm, axes=axes)


def _static_or_dynamic_rank(x: Any) -> int | Tensor:
    """Returns the static rank, or the run-time rank if it is unknown or 0, as in TensorFlow."""
    return ops.convert_to_tensor(x).shape.ndims or ops.rank(x)
