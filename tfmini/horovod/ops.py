"""The nodes: HorovodAllreduce, HorovodGroupedAllreduce, HorovodAllgather, HorovodBroadcast.

Each runs in a thread of its own, so that processes may come to their nodes in different orders. A group's arrays are
put into buckets, each of which is one exchange.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini.dtypes import float16, float32, float64, int32, int64
from tfmini.errors import CancelledError, FailedPreconditionError, InvalidArgumentError
from tfmini.graph.inference import scalar, unchanged
from tfmini.graph.opdef import Attr, op, ops, raw
from tfmini.horovod.message_passing import MpiReductions
from tfmini.horovod.reductions import Reductions, buckets
from tfmini.ops.attempts import Attempt
from tfmini.ops.operands import ANY, dense

NUMBERS = (float16, float32, float64, int32, int64)
_BUCKET_BYTES = 64 << 20

# This process's, from `init()` to `shutdown()`: None with one process.
running: list[Reductions | MpiReductions | None] = []


def reductions() -> Reductions | MpiReductions | None:
    """This process's operations with others; None if there are no others.

    Raises:
      FailedPreconditionError: before `init()`.
    """
    if not running:
        raise FailedPreconditionError(
            None, None, "Horovod has not been initialized; use hvd.init()."
        )
    return running[0]


def _in_thread(work: Callable[[], Any]) -> Attempt:
    """What ends with the result of `work`, or its error; a step that is cancelled goes on without it."""

    def cancel(attempt: Attempt) -> None:
        attempt.end(error=CancelledError(None, None, "Step was cancelled."))

    attempt = Attempt(cancel)

    def run() -> None:
        try:
            result = work()
        except BaseException as error:  # raised again by the thread that waits
            attempt.end(error=error)
        else:
            attempt.end(result)

    threading.Thread(target=run, name="tfmini horovod", daemon=True).start()
    return attempt


@op("HorovodAllreduce", "tensor: T -> sum: T", stateful=True, may_wait=True, T=NUMBERS)
def all_reduce_op(ctx, tensor):
    found = reductions()
    if found is None:
        return np.array(tensor)
    is_owned = "tensor" in ctx.owned and isinstance(tensor, np.ndarray)
    flat = np.ravel(tensor) if is_owned else found.memory.copy(np.asarray(tensor))
    values = flat.reshape(np.shape(tensor))
    return _in_thread(lambda: found.sum(ctx.op.name, values).reshape(values.shape))


@op(
    "HorovodGroupedAllreduce",
    "tensors: num_tensors * T -> sum: num_tensors * T",
    stateful=True,
    may_wait=True,
    num_tensors=Attr("int", minimum=1),
    T=NUMBERS,
)
def grouped_all_reduce_op(ctx, tensors):
    found = reductions()
    if found is None:
        return tuple(np.array(tensor) for tensor in tensors)
    threshold = int(os.environ.get("HOROVOD_FUSION_THRESHOLD", "") or _BUCKET_BYTES)
    groups = buckets([tensor.nbytes for tensor in tensors], threshold)
    shapes, dtype = [np.shape(tensor) for tensor in tensors], np.asarray(tensors[0]).dtype
    flat = []
    for group in groups:
        together = found.memory.empty(sum(int(np.size(tensors[n])) for n in group), dtype)
        flat.append(np.concatenate([np.reshape(tensors[n], -1) for n in group], out=together))

    def work() -> tuple[np.ndarray, ...]:
        results: list[Any] = [None] * len(shapes)
        for number, group in enumerate(groups):
            total = found.sum(f"{ctx.op.name} bucket {number}", flat[number])
            first = 0
            for each in group:
                last = first + int(np.prod(shapes[each]))
                results[each] = total[first:last].reshape(shapes[each])
                first = last
        return tuple(results)

    return _in_thread(work)


@op("HorovodAllgather", "tensor: T -> output: T", stateful=True, may_wait=True, T=ANY)
def all_gather_op(ctx, tensor):
    found = reductions()
    value = np.array(tensor)
    if not value.ndim:
        raise InvalidArgumentError(None, None, "A scalar cannot be gathered: it has no first axis")
    return value if found is None else _in_thread(lambda: found.gather(ctx.op.name, value))


@op(
    "HorovodBroadcast",
    "tensor: T -> output: T",
    stateful=True,
    may_wait=True,
    T=ANY,
    root_rank=Attr("int"),
)
def broadcast_op(ctx, tensor, *, root_rank):
    found = reductions()
    value = np.array(dense(tensor))
    size = 1 if found is None else found.size
    if not 0 <= root_rank < size:
        text = f"root_rank is {root_rank}, and there are {size} processes"
        raise InvalidArgumentError(None, None, text)
    if found is None:
        return value
    return _in_thread(lambda: found.broadcast(ctx.op.name, value, root_rank))


@op("HorovodSize", "-> size: int32", stateful=True)
def size_op(xp):
    """How many processes there are, when it runs."""
    found = reductions()
    return np.int32(1 if found is None else found.size)


all_reduce_op.infer(unchanged)
broadcast_op.infer(unchanged)
size_op.infer(scalar)
grouped_all_reduce_op.infer(lambda op: [tensor._dims for tensor in op.inputs])
all_gather_op.infer(
    lambda op: None if op.inputs[0]._dims is None else (None, *op.inputs[0]._dims[1:])
)
for _declared in (
    all_reduce_op,
    grouped_all_reduce_op,
    all_gather_op,
    broadcast_op,
):
    _declared.compute_on_host()
size_op.not_differentiable()


@all_reduce_op.gradient
def _(op, grad):
    return raw.HorovodAllreduce(grad)


@grouped_all_reduce_op.gradient
def _(op, *grads):
    return raw.HorovodGroupedAllreduce(list(grads))


@all_gather_op.gradient
def _(op, grad):
    """The part of the sum of all gradients that belongs to this process."""
    length = ops.shape(op.inputs[0])[:1]
    lengths = raw.HorovodAllgather(length)
    before = ops.reduce_sum(lengths[: _own_rank()])
    return raw.HorovodAllreduce(grad)[before : before + length[0]]


@broadcast_op.gradient
def _(op, grad):
    total = raw.HorovodAllreduce(grad)
    return total if _own_rank() == op.attrs["root_rank"] else total * 0


def _own_rank() -> int:
    found = reductions()
    return 0 if found is None else found.rank
