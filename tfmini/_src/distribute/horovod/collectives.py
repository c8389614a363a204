"""Collective operations on tensors: sums and means, gathers, broadcasts, row exchanges.

Every process of the job must run them, under the same names.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base.dtypes import int32
from tfmini._src.distribute.horovod.basics import size
from tfmini._src.distribute.horovod.compression import Compression
from tfmini._src.distribute.horovod.ops import (
    adasum_op,
    all_gather_op,
    all_reduce_op,
    all_to_all_op,
    broadcast_op,
    grouped_all_reduce_op,
    join_op,
    size_op,
)
from tfmini._src.graph.composite_values import IndexedSlices
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.ops import ops
from tfmini._src.variables.collections import global_variables

Average, Sum, Adasum = 0, 1, 2


def reduction(average: bool | None, op: int | None) -> int:
    """Returns Average, Sum or Adasum, according to the arguments of an allreduce.

    Raises:
      ValueError: if both are given, or for an unknown operation.
      NotImplementedError: for Adasum, if the number of processes is not a power of 2.
    """
    if op is None:
        return Average if average is None or average else Sum
    if average is not None:
        raise ValueError("The op parameter supersedes average. Please provide only one of them.")
    if op not in (Average, Sum, Adasum):
        raise ValueError(f"op is {op!r}: it must be hvd.Average, hvd.Sum or hvd.Adasum")
    if op == Adasum and size() & (size() - 1):
        raise NotImplementedError("Running Adasum with non-power of 2 ranks is not supported yet.")
    return op


def is_sparse(tensor: Any) -> bool:
    """Whether a tensor is given as IndexedSlices."""
    return isinstance(tensor, IndexedSlices)


def _scale(tensor: Any, factor: float) -> Any:
    return tensor if factor == 1.0 else tensor * ops.cast(factor, tensor.dtype.base_dtype)


def _divide(tensor: Any, count: Any) -> Any:
    if tensor.dtype.base_dtype.is_integer:
        return tensor // ops.cast(count, tensor.dtype)
    return tensor / ops.cast(count, tensor.dtype)


def allreduce(
    tensor: Any,
    average: bool | None = None,
    device_dense: str = "",
    device_sparse: str = "",
    compression: Any = Compression.none,
    op: int | None = None,
    prescale_factor: float = 1.0,
    postscale_factor: float = 1.0,
    name: str | None = None,
) -> Any:
    """Returns the mean or sum of a tensor over all processes; every process must run it.

    Args:
      tensor: a Tensor or convertible value, float or int; or IndexedSlices, whose rows are gathered.
      average: whether to return the mean, the default; alternative to `op`.
      device_dense, device_sparse: devices of the operation.
      compression: `hvd.Compression.fp16` sends floats as float16.
      op: `hvd.Average`, `hvd.Sum` or, for dense floats of 2, 4, 8... processes, `hvd.Adasum`.
      prescale_factor, postscale_factor: factors applied to a dense tensor before and after the reduction.

    Returns:
      A Tensor of the same shape and dtype; or IndexedSlices with the rows of all processes.

    Raises:
      ValueError: if both `average` and `op` are given.
      NotImplementedError: for Adasum of IndexedSlices, or if the number of processes is not a power of 2.

    Example: `mean_loss = hvd.allreduce(loss)`.
    """
    reduce_type = reduction(average, op)
    if isinstance(tensor, IndexedSlices):
        if reduce_type == Adasum:
            raise NotImplementedError(
                "The Adasum reduction does not currently support sparse tensors. As a workaround please pass "
                "sparse_as_dense=True to DistributedOptimizer"
            )
        with get_default_graph().device(device_sparse or None):
            values, indices = allgather(tensor.values), allgather(tensor.indices)
            if reduce_type == Average:
                values = _divide(values, size_op())
            return IndexedSlices(values, indices, dense_shape=tensor.dense_shape)
    with get_default_graph().device(device_dense or None):
        sent, context = compression.compress(ops.convert_to_tensor(tensor))
        reduce = adasum_op if reduce_type == Adasum else all_reduce_op
        reduced = reduce(_scale(sent, prescale_factor), name=name)
        reduced = compression.decompress(_scale(reduced, postscale_factor), context)
        return _divide(reduced, size_op()) if reduce_type == Average else reduced


def grouped_allreduce(
    tensors: Sequence[Any],
    average: bool | None = None,
    device_dense: str = "",
    device_sparse: str = "",
    compression: Any = Compression.none,
    op: int | None = None,
    prescale_factor: float = 1.0,
    postscale_factor: float = 1.0,
) -> list[Any]:
    """Returns the means or sums of several tensors, in order; takes the arguments of `allreduce`.

    Dense tensors of the same dtype are fused into buckets of at most HOROVOD_FUSION_THRESHOLD bytes (64 MB).
    """
    reduce_type = reduction(average, op)
    results: list[Any] = [None] * len(tensors)
    indices_by_dtype: dict[Any, list[int]] = {}
    for index, tensor in enumerate(tensors):
        if reduce_type == Adasum or is_sparse(tensor):  # Adasum processes each tensor separately
            results[index] = allreduce(
                tensor,
                None,
                device_dense,
                device_sparse,
                compression,
                reduce_type,
                prescale_factor,
                postscale_factor,
            )
        else:
            indices_by_dtype.setdefault(tensor.dtype.base_dtype, []).append(index)
    for indices in indices_by_dtype.values():
        with get_default_graph().device(device_dense or None):
            pairs = [compression.compress(tensors[index]) for index in indices]
            totals = grouped_all_reduce_op([_scale(sent, prescale_factor) for sent, _ in pairs])
            reduced = [
                compression.decompress(_scale(total, postscale_factor), context)
                for total, (_, context) in zip(totals, pairs)
            ]
            if reduce_type == Average:
                count = size_op()
                reduced = [_divide(total, count) for total in reduced]
        for index, total in zip(indices, reduced):
            results[index] = total
    return results


def allgather(tensor: Any, name: str | None = None) -> Any:
    """Concatenates all processes' tensors along the first axis, whose lengths may differ.

    tensor: a tensor of rank 1 or more.
    """
    return all_gather_op(ops.convert_to_tensor(tensor), name=name)


def broadcast(tensor: Any, root_rank: int, name: str | None = None) -> Any:
    """Returns the tensor of the process `root_rank`; its shape and dtype must be the same everywhere."""
    return broadcast_op(ops.convert_to_tensor(tensor), root_rank=root_rank, name=name)


def alltoall(tensor: Any, splits: Any = None, name: str | None = None) -> Any:
    """Sends rows of a tensor to each process; returns the rows that all processes sent to this one, in rank order.

    Args:
      tensor: a tensor of rank 1 or more; all dimensions but the first must agree.
      splits: number of rows for each rank, int32; by default equal.

    Example: with `splits=[1, 2]` the first row goes to rank 0 and the next two to rank 1.
    """
    rows = ops.convert_to_tensor([] if splits is None else splits, dtype=int32)
    return all_to_all_op(ops.convert_to_tensor(tensor), rows, name=name)


def join() -> Any:
    """Returns an operation that completes once all processes run it; meanwhile this process adds zeros to sums.

    Processes with different numbers of batches thus end together. Means still divide by the number of all processes.
    Until then, operations other than sums and means fail.
    """
    return join_op()


def broadcast_variables(variables: Sequence[Any], root_rank: int) -> Any:
    """Returns an operation that assigns to variables their values on the process `root_rank`."""
    return ops.group(*[var.assign(broadcast(var, root_rank)) for var in variables])


def broadcast_global_variables(root_rank: int) -> Any:
    """Returns an operation that assigns to all global variables their values on the process `root_rank`.

    Raises:
      RuntimeError: in eager mode.
    """
    if executing_eagerly():
        raise RuntimeError(
            "hvd.broadcast_global_variables() does not support eager execution. "
            "Please use `hvd.broadcast_variables(<model/optimizer variables>)` instead."
        )
    return broadcast_variables(global_variables(), root_rank)
