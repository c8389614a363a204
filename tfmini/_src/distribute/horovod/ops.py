"""Ops of the Horovod interface: allreduce (also grouped and by Adasum), allgather, broadcast, alltoall, join, ranks.

Each op runs in its own thread, so that processes may reach their nodes in different orders. A group's arrays are
fused into buckets, each exchanged as one. On a GPU, ops accept and return its arrays if the processes connect their
GPUs; otherwise arrays in host memory.
"""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tfmini._src.base.dtypes import float16, float32, float64, int32, int64
from tfmini._src.base.errors import CancelledError, FailedPreconditionError, invalid
from tfmini._src.devices.cuda.active_gpus import ActiveGpus
from tfmini._src.devices.cuda.device import LogicalGpu
from tfmini._src.devices.cuda.host_copies import host_copy
from tfmini._src.distribute.horovod.buffer_pool import ArrayPool
from tfmini._src.distribute.horovod.host_reductions import HostReductions
from tfmini._src.distribute.horovod.nccl_reductions import DeviceReductions
from tfmini._src.distribute.horovod.reductions import buckets
from tfmini._src.distribute.horovod.timeline import record_operation
from tfmini._src.graph.opdef import Attr, op
from tfmini._src.graph.shape_inference import same_shape, scalar
from tfmini._src.ops import ops
from tfmini._src.ops.operands import ANY, dense
from tfmini._src.ops.pending_ops import PendingOp

NUMBERS = (float16, float32, float64, int32, int64)
FLOATS = (float16, float32, float64)
NOT_INITIALIZED = "Horovod has not been initialized; use hvd.init()."
_BUCKET_BYTES = 64 << 20

# This process's operations, from `init()` to `shutdown()`; None for a single process.
running: list[HostReductions | DeviceReductions | None] = []


def reductions() -> Any:
    """Returns this process's collective operations; None for a single process.

    Raises:
      FailedPreconditionError: before `init()`.
    """
    if not running:
        raise FailedPreconditionError(None, None, NOT_INITIALIZED)
    return running[0]


def _in_thread(ctx: Any, activity: str, work: Callable[[], Any]) -> PendingOp:
    """Runs `work` on a thread; the pending op ends with its result or error, or when the step is cancelled.

    activity: the operation's kind, for the timeline.
    """

    def cancel(pending_op: PendingOp) -> None:
        pending_op.end(error=CancelledError(None, None, "Step was cancelled."))

    pending_op = PendingOp(cancel)

    name, rank = ctx.op.name, _own_rank()

    def run() -> None:
        try:
            with record_operation(name, activity, rank):
                result = work()
        except BaseException as error:  # re-raised by the waiting thread
            pending_op.end(error=error)
        else:
            pending_op.end(result)

    threading.Thread(target=run, name="tfmini horovod", daemon=True).start()
    return pending_op


def _copy_operand(group: Any, ctx: Any, tensor: Any) -> tuple[Any, tuple[LogicalGpu, ...]]:
    """Returns a copy of an operand, and its location: a GPU whose arrays the operations accept, or host memory."""
    if not isinstance(group, DeviceReductions) or ctx.array_device is None:
        return np.array(_on_host(dense(tensor))), ()
    with ActiveGpus([ctx.array_device]):
        return tensor.copy(), (ctx.array_device,)


def _on_host(value: Any) -> np.ndarray:
    """Copies an array to host memory from any device."""
    return host_copy(value) if hasattr(value, "__cuda_array_interface__") else np.asarray(value)


@op("HorovodAllreduce", "tensor: T -> sum: T", stateful=True, may_wait=True, T=NUMBERS)
def all_reduce_op(ctx, tensor):
    group = reductions()
    if group is None or (isinstance(group, DeviceReductions) and ctx.array_device is not None):
        value, device_args = _copy_operand(group, ctx, tensor)
    else:
        tensor, device_args = _on_host(tensor), ()
        is_owned = "tensor" in ctx.owned and isinstance(tensor, np.ndarray)
        flat = np.ravel(tensor) if is_owned else group.memory.copy(np.asarray(tensor))
        value = flat.reshape(np.shape(tensor))
    if group is None:
        return value
    return _in_thread(ctx, "ALLREDUCE", lambda: group.sum(ctx.op.name, value, *device_args))


@op(
    "HorovodGroupedAllreduce",
    "tensors: num_tensors * T -> sum: num_tensors * T",
    infer=lambda op: [tensor._dims for tensor in op.inputs],
    stateful=True,
    may_wait=True,
    num_tensors=Attr("int", minimum=1),
    T=NUMBERS,
)
def grouped_all_reduce_op(ctx, tensors):
    job = reductions()
    gpu = ctx.array_device if isinstance(job, DeviceReductions) else None
    if gpu is None:
        tensors = [_on_host(tensor) for tensor in tensors]
    if job is None:
        return tuple(np.array(tensor) for tensor in tensors)
    threshold = int(os.environ.get("HOROVOD_FUSION_THRESHOLD", "") or _BUCKET_BYTES)
    groups = buckets([tensor.nbytes for tensor in tensors], threshold)
    shapes = [tuple(tensor.shape) for tensor in tensors]
    device_args: tuple[LogicalGpu, ...] = ()
    if gpu is None:
        flat = [_concatenate([tensors[n] for n in group], job.memory) for group in groups]
    else:
        device_args = (gpu,)
        with ActiveGpus([gpu]):
            flat = [gpu.xp.concatenate([tensors[n].reshape(-1) for n in group]) for group in groups]

    def work() -> Any:
        return _split_buckets(job.sum_all(ctx.op.name, flat, shapes, *device_args), groups, shapes)

    return _in_thread(ctx, "ALLREDUCE", work)


@grouped_all_reduce_op.gradient
def _(op, *grads):
    return grouped_all_reduce_op(list(grads))


def _concatenate(tensors: Sequence[np.ndarray], memory: ArrayPool) -> np.ndarray:
    """Concatenates arrays of one dtype into a flat array."""
    result = memory.empty(sum(tensor.size for tensor in tensors), tensors[0].dtype)
    return np.concatenate([np.reshape(tensor, -1) for tensor in tensors], out=result)


def _split_buckets(
    totals: Sequence[Any],
    groups: Sequence[Sequence[int]],
    shapes: Sequence[tuple[int, ...]],
) -> tuple[Any, ...]:
    """Splits each bucket's sum into its tensors."""
    results: list[Any] = [None] * len(shapes)
    for total, group in zip(totals, groups):
        first = 0
        for index in group:
            last = first + math.prod(shapes[index])
            results[index] = total[first:last].reshape(shapes[index])
            first = last
    return tuple(results)


@op("HorovodAllgather", "tensor: T -> output: T", stateful=True, may_wait=True, T=ANY)
def all_gather_op(ctx, tensor):
    group = reductions()
    value, device_args = _copy_operand(group, ctx, tensor)
    if not value.ndim:
        invalid("Cannot gather a scalar: it has no first axis")
    if group is None:
        return value
    return _in_thread(ctx, "ALLGATHER", lambda: group.gather(ctx.op.name, value, *device_args))


@op(
    "HorovodBroadcast",
    "tensor: T -> output: T",
    infer=same_shape,
    stateful=True,
    may_wait=True,
    T=ANY,
    root_rank=Attr("int"),
)
def broadcast_op(ctx, tensor, *, root_rank):
    group, size = reductions(), _job_size()
    value, device_args = _copy_operand(group, ctx, tensor)
    if not 0 <= root_rank < size:
        text = f"root_rank is {root_rank}, but there are {size} processes"
        invalid(text)
    if group is None:
        return value
    return _in_thread(
        ctx, "BROADCAST", lambda: group.broadcast(ctx.op.name, value, root_rank, *device_args)
    )


@op(
    "HorovodAdasum", "tensor: T -> sum: T", infer=same_shape, stateful=True, may_wait=True, T=FLOATS
)
def adasum_op(ctx, tensor):
    group = reductions()
    value = np.array(_on_host(dense(tensor)))
    if group is None:
        return value
    return _in_thread(ctx, "ADASUM", lambda: group.adasum(ctx.op.name, value))


@op(
    "HorovodAlltoall",
    "tensor: T, splits: int32 -> output: T",
    stateful=True,
    may_wait=True,
    T=ANY,
)
def all_to_all_op(ctx, tensor, splits):
    """Returns the rows that all processes send to this one; `splits` has row counts per rank, or is empty if equal."""
    group = reductions()
    value, size = np.array(_on_host(dense(tensor))), _job_size()
    if not value.ndim:
        invalid("Cannot split a scalar: it has no first axis")
    rows = _row_counts(_on_host(splits).tolist(), len(value), size)
    if group is None:
        return value
    parts = np.split(value, np.cumsum(rows)[:-1])
    return _in_thread(ctx, "ALLTOALL", lambda: group.all_to_all(ctx.op.name, parts))


def _row_counts(splits: list[int], length: int, size: int) -> list[int]:
    """Returns the number of rows for each of `size` processes, `length` in total."""
    if not splits:
        if length % size:
            text = f"{length} rows cannot be split evenly among {size} processes: pass splits"
            invalid(text)
        return [length // size] * size
    if len(splits) != size or min(splits) < 0 or sum(splits) != length:
        text = f"splits are {splits}: they must be {size} row counts that sum to {length}"
        invalid(text)
    return splits


@op("HorovodJoin", "", stateful=True, may_wait=True)
def join_op(ctx):
    group = reductions()
    return () if group is None else _in_thread(ctx, "JOIN", lambda: group.join() or ())


def number_op(name: str, value_fn: Callable[[], int]) -> Any:
    """Declares an op that returns, at run time, a number of this process in its job."""

    def kernel(xp):
        reductions()  # raises an error outside of a job
        return np.int32(value_fn())

    return op(name, "-> number: int32", infer=scalar, differentiable=False, stateful=True)(kernel)


def _own_rank() -> int:
    group = reductions()
    return 0 if group is None else group.rank


def _job_size() -> int:
    group = reductions()
    return 1 if group is None else group.size


rank_op = number_op("HorovodRank", _own_rank)
size_op = number_op("HorovodSize", _job_size)
all_reduce_op.infer(same_shape)
for _declared in (all_gather_op, all_to_all_op):
    _declared.infer(
        lambda op: None if op.inputs[0]._dims is None else (None, *op.inputs[0]._dims[1:])
    )
for _declared in (all_reduce_op, grouped_all_reduce_op, all_gather_op, broadcast_op):
    _declared.through_host = True  # within a loop; otherwise, device arrays:
    _declared.take_device_arrays(lambda gpu: isinstance(running and running[0], DeviceReductions))
for _declared in (adasum_op, all_to_all_op, join_op):
    _declared.through_host = True


@all_reduce_op.gradient
def _(op, grad):
    return all_reduce_op(grad)


@all_gather_op.gradient
def _(op, grad):
    """Returns this process's slice of the sum of all gradients."""
    length = ops.shape(op.inputs[0])[:1]
    lengths = all_gather_op(length)
    row_offset = ops.reduce_sum(lengths[: _own_rank()])
    return all_reduce_op(grad)[row_offset : row_offset + length[0]]


@broadcast_op.gradient
def _(op, grad):
    total = all_reduce_op(grad)
    return total if _own_rank() == op.attrs["root_rank"] else total * 0


@adasum_op.gradient
def _(op, grad):
    return adasum_op(grad)


@all_to_all_op.gradient
def _(op, grad):
    """Returns the gradient's rows, sent back to their origin."""
    tensor, splits = op.inputs
    size = size_op()
    equal_sizes = ops.fill(ops.expand_dims(size, 0), ops.shape(tensor)[0] // size)
    sent = ops.cond(ops.equal(ops.size(splits), 0), lambda: equal_sizes, lambda: splits)
    received = all_to_all_op(sent, ops.fill(ops.expand_dims(size, 0), 1))
    return all_to_all_op(grad, received), None
