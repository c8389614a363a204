"""DynamicPartition, which distributes rows over several tensors, and DynamicStitch, which merges them."""

from __future__ import annotations

from itertools import accumulate
from typing import Any

import numpy as np

from tfmini._src.base.errors import invalid
from tfmini._src.devices.cuda.device_constants import cache_on_repeat
from tfmini._src.devices.cuda.gather_scatter import gather, reduce_segments
from tfmini._src.devices.host.native.rows import partition_rows, set_rows, stitch, take_rows
from tfmini._src.graph.composite_values import IndexedSlices
from tfmini._src.graph.opdef import Attr, op, public, raw
from tfmini._src.graph.shape_inference import (
    Dims,
    input_value,
    merge,
    merge_dim,
    with_rank_at_least,
)
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.bounds import describe_outside_index
from tfmini._src.ops.operands import ANY, dense, shape_text
from tfmini._src.ops.ragged_dispatch import accepts_ragged


def _dims_after_prefix(dims: Dims, prefix: tuple) -> Dims:
    """Returns the dimensions after `prefix`; raises an error unless `dims` starts with it."""
    with_rank_at_least(dims, len(prefix))
    if dims is None:
        return None
    for size, expected in zip(dims, prefix):
        merge_dim(size, expected)
    return dims[len(prefix) :]


@op(
    "DynamicPartition",
    "data: T, partitions: int32 -> outputs: num_partitions*T",
    host_or_cuda=True,
    num_partitions=Attr("int", minimum=1),
    T=ANY,
)
def dynamic_partition_op(xp, data, partitions, *, num_partitions):
    data = dense(data)
    rows = _partitioned_rows(data, partitions)
    flat = partitions.reshape(-1)
    sorted_rows = partition_rows(rows, flat, num_partitions)
    if sorted_rows is not None:
        return _split_parts(*sorted_rows)
    try:
        sizes = np.bincount(flat, minlength=num_partitions)
    except ValueError:  # some are negative
        sizes = np.empty(0, int)
    if len(sizes) != num_partitions and (
        problem := describe_outside_index(partitions, num_partitions)
    ):
        invalid("partitions" + problem.removeprefix("indices"))
    narrow_dtype = np.min_scalar_type(num_partitions)  # NumPy radix-sorts small integers
    ordered = _rows_at(rows, flat.astype(narrow_dtype).argsort(kind="stable"))
    return _split_parts(ordered, sizes)


def _split_parts(ordered: np.ndarray, sizes: np.ndarray) -> tuple[np.ndarray, ...]:
    ends = list(accumulate(sizes.tolist()))
    return tuple([ordered[start:end] for start, end in zip([0, *ends], ends)])


def _rows_at(rows: np.ndarray, positions: np.ndarray) -> np.ndarray:
    rows_taken = take_rows(rows, positions) if rows.ndim > 1 else None
    return rows.take(positions, 0) if rows_taken is None else rows_taken


@dynamic_partition_op.on_gpu
def _(gpu, data, partitions, *, num_partitions):
    """Synchronizes only once, to read the sizes. Rows with an out-of-range partition are dropped."""
    xp = gpu.xp
    rows, flat = _partitioned_rows(data, partitions), partitions.reshape(-1)
    ones = xp.ones(flat.size, np.int32)
    counts = gpu.receive(gpu.send(reduce_segments(xp, "add", ones, flat, num_partitions, 0)))
    is_outside = (flat < 0) | (flat >= num_partitions)
    order = xp.argsort(xp.where(is_outside, num_partitions, flat), kind="stable")
    ordered = gather(xp, rows, order)
    ends = np.cumsum(counts).tolist()
    return tuple([ordered[start:end] for start, end in zip([0, *ends], ends)])


def _partitioned_rows(data: Any, partitions: Any) -> Any:
    if data.shape[: partitions.ndim] != partitions.shape:
        invalid(
            "data.shape must start with partitions.shape, got data.shape = "
            f"{shape_text(data.shape)}, partitions.shape = {shape_text(partitions.shape)}"
        )
    return data.reshape(partitions.size, *data.shape[partitions.ndim :])


@dynamic_partition_op.infer
def _(op) -> list[Dims]:
    data, partitions = op.inputs[0]._dims, op.inputs[1]._dims
    inner = None if partitions is None else _dims_after_prefix(data, partitions)
    return [None if inner is None else (None, *inner)] * len(op.outputs)


@dynamic_partition_op.gradient
def _(op, *grads):
    data, indices = op.inputs
    count = op.attrs["num_partitions"]
    prefix = ops.shape(indices)
    positions = ops.reshape(ops.range(ops.reduce_prod(prefix)), prefix)
    parts = ops.dynamic_partition(positions, indices, count)
    stitched = ops.dynamic_stitch(parts, list(grads))
    return ops.reshape(stitched, ops.shape(data)), None


@public
@accepts_ragged("data", "partitions", bound=True)
def dynamic_partition(
    data: TensorLike, partitions: TensorLike, num_partitions: int, name: str | None = None
) -> list[Tensor]:
    """Partitions the rows of `data` into `num_partitions` tensors.

    Args:
      data: a tensor whose shape starts with the shape of `partitions`.
      partitions: int32 tensor, the output index of each row.
      num_partitions: the number of outputs.

    Returns:
      A list of tensors, each with rows in input order.

    Raises:
      InvalidArgumentError (when run): if an element of `partitions` is out of range.
    """
    return raw.DynamicPartition(data, partitions, num_partitions=num_partitions, name=name)


def _stitch(xp: Any, indices: tuple, data: tuple) -> Any:
    data = tuple([dense(d) for d in data])
    inner = data[0].shape[indices[0].ndim :]
    count = 0
    for i, (positions, part) in enumerate(zip(indices, data)):
        if part.shape[: positions.ndim] != positions.shape:
            invalid(
                f"data[{i}].shape = {shape_text(part.shape)} does not start with "
                f"indices[{i}].shape = {shape_text(positions.shape)}"
            )
        if part.shape[positions.ndim :] != inner:
            invalid(
                f"Need data[0].shape[{indices[0].ndim}:] = data[{i}].shape[{positions.ndim}:], got "
                f"data[0].shape = {shape_text(data[0].shape)}, data[{i}].shape = "
                f"{shape_text(part.shape)}, indices[0].shape = {shape_text(indices[0].shape)}, "
                f"indices[{i}].shape = {shape_text(positions.shape)}"
            )
        if positions.size and xp is not np:
            count = max(count, int(positions.max()) + 1)
    if xp is np:
        return _stitch_rows(indices, data, inner)
    result = xp.zeros((count, *inner), data[0].dtype)
    for positions, part in zip(indices, data):
        if count and positions.size and positions.min() < 0:
            _raise_index_error(positions)
        row_ids, rows = positions.reshape(-1), part.reshape(positions.size, *inner)
        last = _last_of_each(row_ids)  # writes all rows at once
        if last is not None:
            row_ids, rows = row_ids[last], rows[cache_on_repeat(xp, last)]
        row_ids = cache_on_repeat(xp, row_ids)
        if count:
            result[row_ids] = rows
    return result


def _raise_index_error(positions: Any) -> None:
    invalid(f"indices[{int((positions.ravel() < 0).argmax())}] is out of range")


def _stitch_rows(indices: tuple, data: tuple, inner: tuple) -> np.ndarray:
    """Merges the rows of all parts on the host."""
    stitched = stitch(indices, data, inner)
    if stitched is not None:
        return stitched
    row_ids = np.concatenate([positions.reshape(-1) for positions in indices])
    count = int(row_ids.max()) + 1 if row_ids.size else 0
    result = np.zeros((max(count, 0), *inner), data[0].dtype)
    if result.dtype == object:
        result.fill(b"")
    if count > 0:
        if row_ids.min() < 0:
            _raise_index_error(next(positions for positions in indices if (positions < 0).any()))
        parts = zip(indices, data)
        rows = np.concatenate([part.reshape(positions.size, *inner) for positions, part in parts])
        if not set_rows(result, row_ids, rows):
            result[row_ids] = rows
    return result


def _last_of_each(row_ids: Any) -> Any:
    """Returns the last index of each distinct number, in the order of the numbers; None if no number repeats."""
    if not row_ids.size or np.bincount(row_ids).max() == 1:
        return None
    _, last = np.unique(row_ids[::-1], return_index=True)
    return len(row_ids) - 1 - last


_SIGNATURE = "indices: N*int32, data: N*T -> merged: T"


@op("DynamicStitch", _SIGNATURE, sized_by_values=True, N=Attr("int", minimum=1), T=ANY)
def dynamic_stitch_op(xp, indices, data):
    return _stitch(xp, indices, data)


@op("ParallelDynamicStitch", _SIGNATURE, sized_by_values=True, N=Attr("int", minimum=1), T=ANY)
def parallel_dynamic_stitch_op(xp, indices, data):
    return _stitch(xp, indices, data)


@dynamic_stitch_op.infer
@parallel_dynamic_stitch_op.infer
def _(op) -> Dims:
    count = op.attrs["N"]
    inner: Dims = None
    for indices, part in zip(op.inputs[:count], op.inputs[count:]):
        if indices._dims is not None:
            inner = merge(inner, _dims_after_prefix(part._dims, indices._dims))
    values = [input_value(op, i) for i in range(count)]
    if inner is None:
        return None
    if any(value is None for value in values):
        return (None, *inner)
    highest = max((int(v.max()) for v in values if v is not None and v.size), default=0)
    return (max(highest, 0) + 1, *inner)


@dynamic_stitch_op.gradient
@parallel_dynamic_stitch_op.gradient
def _(op, grad):
    count = op.attrs["N"]
    if isinstance(grad, IndexedSlices):
        rows = ops.shape(op.outputs[0])[0]
        grad = ops.unsorted_segment_sum(grad.values, grad.indices, rows)
    return [None] * count + [ops.gather(grad, indices) for indices in op.inputs[:count]]


def _lists(indices: Any, data: Any, op_name: str) -> None:
    for name, value in (("indices", indices), ("data", data)):
        if not isinstance(value, list | tuple):
            raise TypeError(
                f"Expected list for '{name}' argument to '{op_name}' Op, not {value!r}."
            )
    if len(indices) != len(data):
        raise ValueError(
            f"List argument 'data' to '{op_name}' Op with length {len(data)} must match length "
            f"{len(indices)} of argument 'indices'."
        )


@public
def dynamic_stitch(indices: Any, data: Any, name: str | None = None) -> Tensor:
    """Interleaves rows of several tensors: row `indices[m][i]` of the result is `data[m][i]`.

    Args:
      indices: a list of int32 tensors.
      data: a list of the same length; the shape of each tensor starts with the shape of its indices.

    Returns:
      A tensor with one row per index up to the maximum; the last row wins for a repeated index.

    Raises:
      ValueError: if the list lengths or shapes do not match.
    """
    _lists(indices, data, "dynamic_stitch")
    return raw.DynamicStitch(indices, data, name=name)


@public
def parallel_dynamic_stitch(indices: Any, data: Any, name: str | None = None) -> Tensor:
    """`dynamic_stitch` for indices that do not repeat."""
    _lists(indices, data, "parallel_dynamic_stitch")
    return raw.ParallelDynamicStitch(indices, data, name=name)
