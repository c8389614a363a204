"""Ops of barriers, whose values arrive component by component."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base.dtypes import as_dtype
from tfmini._src.base.errors import invalid
from tfmini._src.graph.op_traits.handle_kinds import BARRIER
from tfmini._src.graph.opdef import Attr, op_with_handles
from tfmini._src.graph.shape_inference import Dims, merge, scalar, with_rank, with_rank_at_least
from tfmini._src.ops.operands import c_name, dense
from tfmini._src.ops.queues.barrier_resource import Barrier
from tfmini._src.ops.queues.queue_resource import dims_list_text

op = op_with_handles(handle=BARRIER)

_TYPES = Attr("list(type)", minimum=1)


def _unknown(op: Any) -> list[Dims]:
    return [None for _ in op.outputs]


@op(
    "Barrier",
    "-> handle: Ref(string)",
    infer=lambda op: (2,),
    stateful=True,
    component_types=_TYPES,
    shapes=Attr("list(shape)", [], minimum=0),
    capacity=-1,
    container="",
    shared_name="",
)
def barrier_op(ctx):
    attrs = ctx.op.attrs
    types, shared = tuple(attrs["component_types"]), attrs["shared_name"]
    shapes: tuple[Any, ...] = tuple(
        None if dims is None else tuple(dims) for dims in attrs["shapes"]
    )
    if len(shapes) != len(types):
        invalid("All of the component shapes must be specified")
    if attrs["capacity"] != -1:
        invalid(
            "Barrier only accepts capacity=-1.  Feed the inputs to your Barrier through a queue to enforce a limited "
            "capacity."
        )
    key = ("barrier", attrs["container"], shared or (ctx.op.name,))
    barrier = ctx.resources.named(key, lambda: Barrier(shared or None, ctx.op.name, types, shapes))
    subject = f"Shared barrier '{barrier.name}' has component"
    if barrier.dtypes != types:
        have, want = (", ".join(map(c_name, dtype_list)) for dtype_list in (barrier.dtypes, types))
        invalid(f"{subject} types {have} but requested component types were {want}")
    if barrier.shapes != shapes:
        have, want = (dims_list_text(dims) for dims in (barrier.shapes, shapes))
        invalid(f"{subject} shapes {have} but requested component shapes were {want}")
    return barrier


@op(
    "BarrierInsertMany",
    "handle: Ref(string), keys: string, values: T ->",
    may_wait=True,
    T=Attr("type"),
    component_index=Attr("int"),
)
def barrier_insert_many_op(xp, handle, keys, values, *, component_index):
    values = dense(values)
    if component_index >= len(handle.dtypes):
        invalid(
            f"The component ID is out of range {component_index} > num_components (= {len(handle.dtypes)})"
        )
    expected, actual = handle.dtypes[component_index], as_dtype(values.dtype)
    if actual is not expected:
        have, want = (f"string_ref, string, {c_name(dtype)}->" for dtype in (actual, expected))
        invalid(f"Signature mismatch, have: {have} expected: {want}")
    return handle.insert_many(np.asarray(dense(keys), object), component_index, np.asarray(values))


@op(
    "BarrierTakeMany",
    "handle: Ref(string), num_elements: int32 -> indices: int64, keys: string, values: component_types",
    infer=_unknown,
    may_wait=True,
    component_types=_TYPES,
    allow_small_batch=False,
    wait_for_incomplete=False,
    timeout_ms=-1,
)
def barrier_take_many_op(
    xp, handle, num_elements, *, component_types, allow_small_batch, timeout_ms
):
    if timeout_ms != -1:
        invalid("Timeout not supported yet.")
    if np.shape(num_elements):
        invalid("num_elements must be a scalar.")
    if tuple(component_types) != handle.dtypes:
        have, want = (
            ", ".join(["int64", "string", *map(c_name, dtype_list)])
            for dtype_list in (component_types, handle.dtypes)
        )
        invalid(
            f"Signature mismatch, have: string_ref, int32->{have} expected: string_ref, int32->{want}"
        )
    return handle.take_many(int(num_elements), allow_small_batch)


@op("BarrierClose", "handle: Ref(string) ->", may_wait=True, cancel_pending_enqueues=False)
def barrier_close_op(xp, handle, *, cancel_pending_enqueues):
    return handle.close(cancel_pending_enqueues)


@op("BarrierReadySize", "handle: Ref(string) -> size: int32", infer=scalar)
def barrier_ready_size_op(xp, handle):
    return np.int32(handle.ready_size)


@op("BarrierIncompleteSize", "handle: Ref(string) -> size: int32", infer=scalar)
def barrier_incomplete_size_op(xp, handle):
    return np.int32(handle.incomplete_size)


@barrier_insert_many_op.infer
def _(op: Any) -> list:
    keys = with_rank(op.inputs[1]._dims, 1)
    values = with_rank_at_least(op.inputs[2]._dims, 1)
    if values:
        merge(keys, values[:1])
    return []
