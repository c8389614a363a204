"""Gathering from ragged tensors by indices, which may be plain, ragged or batched."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.base.shapes import dimension_value
from tfmini._src.devices.host.native.rows import take_rows
from tfmini._src.graph.composite_values import IndexedSlices
from tfmini._src.graph.opdef import Attr, op, public, raw
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.shape_inference import Dims, with_rank, with_rank_at_least
from tfmini._src.ops import ops
from tfmini._src.ops.operands import INDEX, INDEX64, shape_text
from tfmini._src.ops.ragged.ragged_array_ops import expand_dims, tile
from tfmini._src.ops.ragged.ragged_range import range as ragged_range
from tfmini._src.ops.ragged.ragged_tensor import RaggedTensor, match_splits_dtypes
from tfmini._src.ops.ragged.row_partition import is_ragged


@op(
    "RaggedGather",
    "params_nested_splits: PARAMS_RAGGED_RANK * Tsplits, params_dense_values: Tvalues, indices: Tindices "
    "-> output_nested_splits: OUTPUT_RAGGED_RANK * Tsplits, output_dense_values: Tvalues",
    Tvalues=Attr("type"),
    Tindices=INDEX,
    Tsplits=INDEX64,
    PARAMS_RAGGED_RANK=Attr("int", minimum=1),
    OUTPUT_RAGGED_RANK=Attr("int", minimum=0),
)
def ragged_gather_op(xp, splits, values, indices, *, OUTPUT_RAGGED_RANK):
    if np.ndim(indices) + len(splits) - 1 != OUTPUT_RAGGED_RANK:
        invalid(
            f"indices of shape {shape_text(np.shape(indices))} and {len(splits)} splits do not give "
            f"{OUTPUT_RAGGED_RANK} splits"
        )
    if not values.ndim:
        invalid("params.rank must be nonzero")
    indices = np.asarray(indices)
    picked = indices.ravel()
    rows = (splits[0].shape or (1,))[0] - 1
    for position in np.flatnonzero((picked < 0) | (picked >= rows))[:1].tolist():
        where = ",".join(map(str, np.unravel_index(position, indices.shape)))
        where = f"[{where}]" if indices.ndim else ""
        invalid(f"indices{where} = {picked[position]} is not in [0, {rows})")
    splits = [row_splits.ravel() for row_splits in splits]
    for row_splits, inner in zip(splits, (*splits[1:], values)):
        if not row_splits.size:
            invalid("Ragged splits may not be empty")
        if row_splits[0] < 0:
            invalid("Ragged splits must be non-negative")
        if row_splits[-1] > len(inner):
            invalid("Ragged splits must not point past values")
        if (np.diff(row_splits) < 0).any():
            invalid("Ragged splits must be sorted")
    dtype = splits[0].dtype
    result, size = [], 1
    for dim in indices.shape[:-1]:
        size *= dim
        result.append(size)
    outer = [
        np.arange(count + 1, dtype=dtype) * dim for count, dim in zip(result, indices.shape[1:])
    ]
    for row_splits in splits:
        first = row_splits[picked]
        counts = row_splits[picked + 1] - first
        result_ends = np.zeros(len(counts) + 1, dtype)
        np.cumsum(counts, out=result_ends[1:])
        outer.append(result_ends)
        picked = np.repeat(first - result_ends[:-1], counts)
        picked += np.arange(len(picked), dtype=dtype)
    rows_picked = take_rows(values, picked)
    if rows_picked is None:
        rows_picked = values.take(picked, 0)
    return [*outer[indices.ndim == 0 :], rows_picked]


@ragged_gather_op.infer
def _(op) -> list[Dims]:
    *splits, values, indices = op.inputs
    for tensor in splits:
        with_rank(tensor._dims, 1)
    with_rank(indices._dims, len(op.outputs) - len(splits))
    dims = with_rank_at_least(values._dims, 1)
    inner = None if dims is None else (None, *dims[1:])
    return [*[(None,)] * (len(op.outputs) - 1), inner]


@ragged_gather_op.gradient
def _(op, *grads):
    *nested, values, indices = op.inputs
    combined = nested[0]
    for splits in nested[1:]:
        combined = ops.gather(splits, combined)
    flat = ops.reshape(indices, [-1])
    starts = ops.gather(combined, flat)
    positions = ragged_range(starts, ops.gather(combined[1:], flat)).values
    slices = IndexedSlices(grads[-1], positions, ops.shape(values))
    return [*[None] * len(nested), slices, None]


@public(name="ragged_gather")
def gather(
    params: Any,
    indices: Any,
    validate_indices: Any = None,
    axis: Any = 0,
    batch_dims: Any = 0,
    name: str | None = None,
) -> Any:
    """`tf.gather` for ragged tensors: gathers rows of `params` by index."""
    if not isinstance(axis, int) or axis != 0:
        raise ValueError("axis != 0 is not supported for ragged gather yet.")
    if not isinstance(batch_dims, int) or batch_dims != 0:
        raise ValueError("batch_dims != 0 is not supported for ragged gather yet.")
    with name_scope(name, "RaggedGather", [params, indices]):
        params = ops.tensor_or_ragged(params, name="params")
        indices = ops.tensor_or_ragged(indices, name="indices")
        match_splits_dtypes(params, indices)
        if is_ragged(indices):
            return indices.with_values(gather(params, indices.values))
        if not is_ragged(params):
            return ops.gather(params, indices)
        if indices.shape.ndims is None:
            raise ValueError("indices.shape.ndims must be known statically")
        splits, values = raw.RaggedGather(
            params.nested_row_splits,
            params.flat_values,
            indices,
            OUTPUT_RAGGED_RANK=indices.shape.ndims + len(params.nested_row_splits) - 1,
        )
        return RaggedTensor.from_nested_row_splits(values, splits, validate=False)


def gather_nd(params: Any, indices: Any, batch_dims: Any = 0, name: str | None = None) -> Any:
    """`tf.gather_nd` for ragged tensors: gathers elements or slices at the indices in the last dimension."""
    if not isinstance(batch_dims, int) or batch_dims != 0:
        raise ValueError("batch_dims != 0 is not supported for ragged gather yet.")
    if not (is_ragged(params) or is_ragged(indices)):
        return ops.gather_nd(params, indices, name)
    with name_scope(name, "RaggedGatherNd", [params, indices]):
        params = ops.tensor_or_ragged(params, name="params")
        indices = ops.tensor_or_ragged(indices, name="indices")
        match_splits_dtypes(params, indices)
        rank = indices.shape.ndims
        if rank is None:
            raise ValueError("indices.rank be statically known.")
        if rank == 0:
            raise ValueError("indices.rank must be at least 1.")
        if is_ragged(indices) and rank == indices.ragged_rank + 1:
            raise ValueError("The innermost dimension of indices may not be ragged")
        length = dimension_value(indices.shape[-1])
        if length is None:
            raise ValueError("indices.shape[-1] must be statically known.")
        if rank > 2:
            return _gather_nd_of_many(params, indices, rank)
        return _gather_nd_of_rows(params, indices, rank, length)


def _gather_nd_of_many(params: Any, indices: Any, rank: int) -> Any:
    dense = not is_ragged(indices)
    if dense:
        indices = RaggedTensor.from_tensor(
            indices, ragged_rank=rank - 2, row_splits_dtype=params.row_splits.dtype
        )
    result = indices.with_flat_values(gather_nd(params, indices.flat_values))
    if dense and is_ragged(result) and result.ragged_rank == rank - 2:
        return result.to_tensor()
    return result


def _gather_nd_of_rows(params: Any, indices: Any, rank: int, length: int) -> Any:
    if length == 0:
        count = params.ragged_rank + ops.rank(params.flat_values)
        for _ in range(rank - 1):
            params = expand_dims(params, axis=0)
        multiples = ops.concat([ops.shape(indices)[:-1], ops.ones([count], dtypes.int32)], axis=0)
        return tile(params, multiples)
    if length == 1:
        return gather(params, ops.reshape(indices, [-1]))
    indices = ops.cast(indices, params.row_splits.dtype)
    positions = ops.gather(params.row_splits, indices[..., 0])
    positions += indices[..., 1]
    params = params.values
    for dim in range(2, length):
        if not is_ragged(params):
            positions = ops.expand_dims(positions, axis=1)
            positions = ops.concat([positions, indices[..., dim:]], axis=1)
            return ops.gather_nd(params, positions)
        positions = ops.gather(params.row_starts(), positions)
        positions += indices[..., dim]
        params = params.values
    return gather(params, positions)


def batch_gather(params: Any, indices: Any, name: str | None = None) -> Any:
    """`tf.batch_gather` for ragged tensors: the indices in a row select from the same row of `params`."""
    if not (is_ragged(params) or is_ragged(indices)):
        return ops.batch_gather(params, indices, name)
    with name_scope(name, "RaggedBatchGather", [params, indices]):
        params = ops.tensor_or_ragged(params, name="params")
        indices = ops.tensor_or_ragged(indices, name="indices")
        match_splits_dtypes(params, indices)
        rank = indices.shape.ndims
        if rank is None:
            raise ValueError("batch_gather does not allow indices with unknown shape.")
        if rank == 0:
            raise ValueError("indices.rank must be at least 1.")
        if not is_ragged(indices):
            return _batch_gather_dense(params, indices, rank)
        mismatch_message = "batch shape from indices does not match params shape"
        if rank > 2:
            if not is_ragged(params):
                raise ValueError(mismatch_message)
            with control_dependencies([ops.assert_equal(params.row_splits, indices.row_splits)]):
                inner = batch_gather(params.values, indices.values)
                return RaggedTensor.from_row_splits(inner, indices.row_splits, validate=False)
        if not is_ragged(params):
            if params.shape.ndims is not None and params.shape.ndims < 2:
                raise ValueError(mismatch_message)
            params = RaggedTensor.from_tensor(
                params, ragged_rank=1, row_splits_dtype=indices.row_splits.dtype
            )
        counts = indices.row_lengths()
        shifts = ops.repeat(params.row_starts(), counts, axis=0)
        shifted = ops.cast(indices.values, shifts.dtype) + shifts
        picked = gather(params.values, shifted)
        return RaggedTensor.from_row_splits(picked, indices.row_splits, validate=False)


def _batch_gather_dense(params: Any, indices: Any, rank: int) -> Any:
    if rank == 1:
        return gather(params, indices)
    if rank == 2:
        shifts = ops.expand_dims(params.row_starts(), 1)
        return gather(params.values, ops.cast(indices, shifts.dtype) + shifts)
    raise ValueError("batch shape from indices does not match params shape")
