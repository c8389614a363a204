"""Sparse tensors stored in a session by handle, so that they can pass through queues."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.base.locks import make_lock
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.opdef import op, raw
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.scopes import colocate_with
from tfmini._src.graph.shape_inference import Dims, checked_ranks, with_rank
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops.operands import ANY, c_name, check_not_negative, shape_text
from tfmini._src.ops.sparse.sparse_indices import as_sparse, check_order, check_parts, check_sizes

_SPARSE_INPUTS = "sparse_indices: int64, sparse_values: T, sparse_shape: int64"
_SPARSE_OUTPUTS = "sparse_indices: int64, sparse_values: dtype, sparse_shape: int64"

# Indices, values and shape.
Parts = tuple[Any, Any, Any]


class SparseTensorsMap:
    """Sparse tensors by handle, each of which can be taken only once."""

    def __init__(self, name: str):
        self.name = name
        self._lock = make_lock()
        self._handles = itertools.count()
        self._kept: dict[int, Parts] = {}

    def add(self, parts: Parts) -> int:
        with self._lock:
            handle = next(self._handles)
            self._kept[handle] = parts
        return handle

    def take(self, handles: list[int]) -> list[Parts]:
        with self._lock:
            parts = []
            for handle in handles:
                if handle not in self._kept:
                    invalid(f"Unable to find SparseTensor: {handle} in map: {self.name}")
                parts.append(self._kept.pop(handle))
            return parts


def _named_map(ctx: Any) -> SparseTensorsMap:
    attrs = ctx.op.attrs
    name = attrs["shared_name"] or ctx.op.name
    key = ("sparse tensors", attrs["container"], name)
    return ctx.resources.named(key, lambda: SparseTensorsMap(name))


def _infer_parts(op: Any) -> None:
    with_rank(op.inputs[0]._dims, 2)
    with_rank(op.inputs[1]._dims, 1)
    with_rank(op.inputs[2]._dims, 1)


@op(
    "AddSparseToTensorsMap",
    f"{_SPARSE_INPUTS} -> sparse_handle: int64",
    stateful=True,
    T=ANY,
    container="",
    shared_name="",
)
def add_sparse_to_tensors_map_op(ctx, positions, values, shape):
    check_parts(positions, values, shape)
    check_not_negative(shape.tolist())
    check_sizes(positions, values, shape)
    return np.int64(_named_map(ctx).add((positions.copy(), values.copy(), shape.copy())))


@add_sparse_to_tensors_map_op.infer
def _(op) -> Dims:
    _infer_parts(op)
    return ()


@op(
    "AddManySparseToTensorsMap",
    f"{_SPARSE_INPUTS} -> sparse_handles: int64",
    stateful=True,
    T=ANY,
    container="",
    shared_name="",
)
def add_many_sparse_to_tensors_map_op(ctx, positions, values, shape):
    check_parts(positions, values, shape)
    if shape.size < 2:
        invalid(f"Rank of input SparseTensor should be > 1, but saw rank: {shape.size}")
    check_sizes(positions, values, shape)
    check_order(np, positions, shape)
    store, count = _named_map(ctx), int(shape[0])
    ends = np.searchsorted(positions[:, 0], np.arange(count + 1))
    handles = np.empty(count, np.int64)
    # As in TensorFlow, empty rows get their handles last.
    for i in sorted(range(count), key=lambda i: ends[i] == ends[i + 1]):
        row = slice(ends[i], ends[i + 1])
        handles[i] = store.add((positions[row, 1:].copy(), values[row].copy(), shape[1:].copy()))
    return handles


@add_many_sparse_to_tensors_map_op.infer
def _(op) -> Dims:
    _infer_parts(op)
    return (None,)


@op(
    "TakeManySparseFromTensorsMap",
    f"sparse_handles: int64 -> {_SPARSE_OUTPUTS}",
    infer=checked_ranks(1, result=[(None, None), (None,), (None,)]),
    stateful=True,
    dtype=ANY,
    container="",
    shared_name="",
)
def take_many_sparse_from_tensors_map_op(ctx, sparse_handles):
    handles, dtype = sparse_handles, ctx.attrs["dtype"]
    if np.ndim(handles) != 1:
        invalid(f"sparse_handles should be a vector but received shape {shape_text(handles.shape)}")
    if not handles.size:
        invalid("Must have at least 1 serialized SparseTensor, but input matrix has 0 rows")
    parts = _named_map(ctx).take(handles.tolist())
    sizes = parts[0][2]
    for i, (_, values, shape) in enumerate(parts):
        label = f"SparseTensor[{i}]"
        stored_dtype = dtypes.as_dtype(values.dtype)
        if stored_dtype is not dtype:
            expected, actual = c_name(dtype), c_name(stored_dtype)
            invalid(
                f"Requested SparseTensor of type {expected} but {label}.values.dtype() == {actual}"
            )
        if shape.size != sizes.size:
            invalid(
                f"Inconsistent rank across SparseTensors: rank prior to {label} was: {sizes.size + 1} "
                f"but rank of {label} is: {shape.size + 1}"
            )
        sizes = np.maximum(sizes, shape)
    rows = [np.full((len(positions), 1), i, np.int64) for i, (positions, _, _) in enumerate(parts)]
    merged_rows = [np.concatenate([row, parts[0]], axis=1) for row, parts in zip(rows, parts)]
    full_shape = np.concatenate([np.array([len(parts)], np.int64), sizes])
    return (
        np.concatenate(merged_rows),
        np.concatenate([values for _, values, _ in parts]),
        full_shape,
    )


def add_sparse_to_tensors_map(
    sp_input: Any,
    container: str | None = None,
    shared_name: str | None = None,
    name: str | None = None,
) -> Tensor:
    """Stores a SparseTensor until it is taken; returns its handle as a scalar int64 Tensor.

    Args:
      sp_input: a SparseTensor.
      container, shared_name: the map in which to store it; by default a map private to the node.
    """
    x = as_sparse(sp_input)
    return raw.AddSparseToTensorsMap(
        x.indices, x.values, x.dense_shape, container=container, shared_name=shared_name, name=name
    )


def add_many_sparse_to_tensors_map(
    sp_input: Any,
    container: str | None = None,
    shared_name: str | None = None,
    name: str | None = None,
) -> Tensor:
    """Stores each row of a SparseTensor [n, ...]; returns the handles as an int64 Tensor [n]."""
    x = as_sparse(sp_input)
    return raw.AddManySparseToTensorsMap(
        x.indices, x.values, x.dense_shape, container=container, shared_name=shared_name, name=name
    )


def take_many_sparse_from_tensors_map(
    sparse_map_op: Any, sparse_handles: Any, rank: int | None = None, name: str | None = None
) -> SparseTensor:
    """Removes stored SparseTensors by handle and stacks them along a new first axis.

    Args:
      sparse_map_op: the operation that returned the handles.
      sparse_handles: int64 Tensor [n].
      rank: the rank of the result, if known.

    Raises:
      TypeError: if the operation does not store SparseTensors.
    """
    if not isinstance(sparse_map_op, Operation):
        raise TypeError("sparse_map_op be an Operation")
    op_types = ("AddSparseToTensorsMap", "AddManySparseToTensorsMap")
    if sparse_map_op.type not in op_types:
        raise TypeError(
            "sparse_map_op must be one of AddSparseToTensorsMap or AddSparseToTensorsMap. Instead, found "
            f"`{sparse_map_op.type}`."
        )
    attrs = sparse_map_op.attrs
    with colocate_with(sparse_map_op):
        positions, values, shape = raw.TakeManySparseFromTensorsMap(
            sparse_handles,
            dtype=attrs["T"],
            container=attrs["container"],
            shared_name=attrs["shared_name"] or sparse_map_op.name,
            name=name,
        )
    positions.set_shape([None, rank])
    shape.set_shape([rank])
    return SparseTensor(positions, values, shape)
