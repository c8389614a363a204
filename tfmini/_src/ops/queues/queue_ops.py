"""Queue ops in two forms: with resource handles, and with references for graphs from before 2017.

The run-time value of either handle is the `Queue` itself, which the session owns under its shared name or the
name of its node.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.graph.op_traits.handle_kinds import QUEUE
from tfmini._src.graph.opdef import Attr, op_with_handles
from tfmini._src.graph.shape_inference import Dims, InferenceError, input_value, scalar
from tfmini._src.ops.operands import c_name, dense
from tfmini._src.ops.queues.queue_resource import Queue
from tfmini._src.ops.queues.storage import Fifo, MinHeap, ShuffledStorage

op = op_with_handles(handle=QUEUE)

_FORMS = (("", "Ref(string)"), ("V2", "resource"))
_TYPES = Attr("list(type)", minimum=1)
_SHARING_ATTRS: dict[str, Any] = {"capacity": -1, "container": "", "shared_name": ""}


def _unknown(op: Any) -> list[Dims]:
    return [None for _ in op.outputs]


def _handle_dims(op: Any) -> Dims:
    return () if op.outputs[0].dtype is dtypes.resource else (2,)


def _attr_dims(shapes: Any) -> tuple:
    """Returns the static shapes in an attr."""
    return tuple(None if shape is None else tuple(shape) for shape in shapes)


def _shared_queue(ctx: Any, make: Callable[[str | None, str], Queue]) -> Queue:
    """Returns the queue of a node, which is created on first use; shared queues must match."""
    attrs = ctx.op.attrs
    shared = attrs["shared_name"]

    def first() -> Queue:
        return make(shared or None, ctx.op.name)

    if not shared:
        return ctx.resources.named(("queue", attrs["container"], (ctx.op.name,)), first)
    queue = ctx.resources.named(("queue", attrs["container"], shared), first)
    queue.check_shared(make("", ctx.op.name), ctx.op.type)
    return queue


def _declare_queues(suffix: str, handle: str) -> None:
    signature = f"-> handle: {handle}"
    shapes = Attr("list(shape)", [], minimum=0)

    @op(
        f"FIFOQueue{suffix}",
        signature,
        infer=_handle_dims,
        stateful=True,
        component_types=_TYPES,
        shapes=shapes,
        **_SHARING_ATTRS,
    )
    def fifo_queue_op(ctx):
        attrs = ctx.op.attrs
        return _shared_queue(
            ctx,
            lambda name, node: Queue(
                "FIFOQueue",
                name,
                attrs["component_types"],
                _attr_dims(attrs["shapes"]),
                attrs["capacity"],
                Fifo(),
                node_name=node,
            ),
        )

    @op(
        f"PaddingFIFOQueue{suffix}",
        signature,
        infer=_handle_dims,
        stateful=True,
        component_types=_TYPES,
        shapes=shapes,
        **_SHARING_ATTRS,
    )
    def padding_fifo_queue_op(ctx):
        attrs = ctx.op.attrs
        dims = _attr_dims(attrs["shapes"])
        if len(dims) != len(attrs["component_types"]) or None in dims:
            invalid("shapes must be specified for each component of a PaddingFIFOQueue")
        return _shared_queue(
            ctx,
            lambda name, node: Queue(
                "PaddingFIFOQueue",
                name,
                attrs["component_types"],
                dims,
                attrs["capacity"],
                Fifo(),
                pads=True,
                node_name=node,
            ),
        )

    @op(
        f"PriorityQueue{suffix}",
        signature,
        infer=_handle_dims,
        stateful=True,
        component_types=Attr("list(type)", [], minimum=0),
        shapes=Attr("list(shape)", minimum=0),
        **_SHARING_ATTRS,
    )
    def priority_queue_op(ctx):
        attrs = ctx.op.attrs
        dims = _attr_dims(attrs["shapes"])
        return _shared_queue(
            ctx,
            lambda name, node: Queue(
                "PriorityQueue",
                name,
                (dtypes.int64, *attrs["component_types"]),
                ((), *dims),
                attrs["capacity"],
                MinHeap(),
                node_name=node,
            ),
        )

    @op(
        f"RandomShuffleQueue{suffix}",
        signature,
        infer=_handle_dims,
        stateful=True,
        component_types=_TYPES,
        shapes=shapes,
        capacity=-1,
        min_after_dequeue=0,
        seed=0,
        seed2=0,
        container="",
        shared_name="",
    )
    def random_shuffle_queue_op(ctx):
        attrs = ctx.op.attrs
        seeds = attrs["seed"], attrs["seed2"]
        floor, capacity = attrs["min_after_dequeue"], attrs["capacity"]
        if floor < 0:
            invalid(f"min_after_dequeue {floor} must be >= 0")
        if 0 <= capacity <= floor:
            invalid(f"min_after_dequeue {floor} must be < capacity {capacity}")
        return _shared_queue(
            ctx,
            lambda name, node: Queue(
                "RandomShuffleQueue",
                name,
                attrs["component_types"],
                _attr_dims(attrs["shapes"]),
                attrs["capacity"],
                ShuffledStorage(*seeds),
                floor=floor,
                node_name=node,
                seeds=seeds,
            ),
        )


def _declare_uses(suffix: str, handle: str) -> None:
    stateful = suffix == "V2"
    subject = f"handle: {handle}"
    waits: dict[str, Any] = {"stateful": stateful, "may_wait": True}

    @op(
        f"QueueEnqueue{suffix}",
        f"{subject}, components: Tcomponents ->",
        **waits,
        Tcomponents=_TYPES,
        timeout_ms=-1,
    )
    def queue_enqueue_op(ctx, handle, components):
        return handle.enqueue(_arrays_to_enqueue(ctx, handle, components))

    @op(
        f"QueueEnqueueMany{suffix}",
        f"{subject}, components: Tcomponents ->",
        **waits,
        Tcomponents=_TYPES,
        timeout_ms=-1,
    )
    def queue_enqueue_many_op(ctx, handle, components):
        return handle.enqueue_many(_arrays_to_enqueue(ctx, handle, components))

    @op(
        f"QueueDequeue{suffix}",
        f"{subject} -> components: component_types",
        **waits,
        component_types=_TYPES,
        timeout_ms=-1,
    )
    def queue_dequeue_op(ctx, handle):
        _check_dequeue(ctx, handle)
        return handle.dequeue()

    @op(
        f"QueueDequeueMany{suffix}",
        f"{subject}, n: int32 -> components: component_types",
        **waits,
        component_types=_TYPES,
        timeout_ms=-1,
    )
    def queue_dequeue_many_op(ctx, handle, n):
        _check_dequeue(ctx, handle)
        return handle.dequeue_many(_element_count(n, "DequeueMany"))

    @op(
        f"QueueDequeueUpTo{suffix}",
        f"{subject}, n: int32 -> components: component_types",
        **waits,
        component_types=_TYPES,
        timeout_ms=-1,
    )
    def queue_dequeue_up_to_op(ctx, handle, n):
        _check_dequeue(ctx, handle)
        return handle.dequeue_many(_element_count(n, "DequeueUpTo"), takes_fewer=True)

    @op(f"QueueClose{suffix}", f"{subject} ->", **waits, cancel_pending_enqueues=False)
    def queue_close_op(xp, handle, *, cancel_pending_enqueues):
        return handle.close(cancel_pending_enqueues)

    @op(f"QueueIsClosed{suffix}", f"{subject} -> is_closed: bool", infer=scalar, stateful=stateful)
    def queue_is_closed_op(xp, handle):
        return np.bool_(handle.is_closed)

    @op(f"QueueSize{suffix}", f"{subject} -> size: int32", infer=scalar, stateful=stateful)
    def queue_size_op(xp, handle):
        return np.int32(handle.size)

    if not stateful:
        for opdef in (
            queue_enqueue_op,
            queue_enqueue_many_op,
            queue_dequeue_op,
            queue_dequeue_many_op,
            queue_dequeue_up_to_op,
            queue_close_op,
            queue_size_op,
        ):
            opdef.differentiable = False
    for opdef in (queue_dequeue_op, queue_dequeue_many_op, queue_dequeue_up_to_op):
        opdef.infer(_dequeue_shapes)


def _dequeue_shapes(op: Any) -> list[Dims]:
    """Shape rule that returns unknown shapes, which depend on the queue; raises InferenceError for negative batches."""
    if op.type.startswith("QueueDequeueMany"):
        count = input_value(op, 1)
        if count is not None and np.size(count) == 1 and int(np.ravel(count)[0]) < 0:
            raise InferenceError(f"Input 'n' must be >= 0, but is {int(np.ravel(count)[0])}")
    return _unknown(op)


def _arrays_to_enqueue(ctx: Any, queue: Queue, components: tuple) -> tuple:
    """Converts components to enqueue to arrays that the queue may retain."""
    _check_timeout(ctx)
    values = [dtypes.as_dtype(dense(value).dtype) for value in components]
    if tuple(values) != queue.dtypes:
        _mismatch(ctx, f"{{}}, {_dtype_names(values)}->", f"{{}}, {_dtype_names(queue.dtypes)}->")
    if "components" in ctx.owned:
        return tuple(dense(value) for value in components)
    return tuple(np.array(dense(value)) for value in components)


def _check_dequeue(ctx: Any, queue: Queue) -> None:
    expected = tuple(ctx.attrs["component_types"])
    _check_timeout(ctx)
    if expected != queue.dtypes:
        _mismatch(ctx, f"{{}}->{_dtype_names(expected)}", f"{{}}->{_dtype_names(queue.dtypes)}")


def _check_timeout(ctx: Any) -> None:
    if ctx.attrs["timeout_ms"] != -1:
        invalid("Timeout not supported yet.")


def _mismatch(ctx: Any, have: str, expected: str) -> None:
    handle_type = "resource" if ctx.op.type.endswith("V2") else "string_ref"
    count = "int32" if ctx.op.type.startswith(("QueueDequeueMany", "QueueDequeueUpTo")) else ""
    first = f"{handle_type}, {count}" if count else handle_type
    invalid(f"Signature mismatch, have: {have.format(first)} expected: {expected.format(first)}")


def _dtype_names(types: Any) -> str:
    return ", ".join(c_name(dtype) for dtype in types)


def _element_count(n: Any, op_name: str) -> int:
    if np.size(n) != 1:
        invalid(f"{op_name}Op requires a scalar element count, got shape {list(np.shape(n))}")
    count = int(np.ravel(n)[0])
    if count < 0:
        invalid(f"{op_name}Op requested {count} < 0 elements")
    return count


for _suffix, _handle in _FORMS:
    _declare_queues(_suffix, _handle)
    _declare_uses(_suffix, _handle)
