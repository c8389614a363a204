"""Ops that transfer a tensor between tasks: _Send and _Recv, and their host-memory variants.

Each running step has a `rendezvous`. A send stores its tensor there without blocking; a receive returns an `PendingOp`,
which completes when the tensor arrives.
"""

from __future__ import annotations

from threading import get_ident
from typing import Any

from tfmini._src.base.errors import InternalError
from tfmini._src.graph.opdef import Attr, op
from tfmini._src.ops.operands import ANY
from tfmini._src.ops.pending_ops import STEP_BY_THREAD

_ATTRS: dict[str, Any] = {
    "tensor_name": Attr("string"),
    "send_device": Attr("string"),
    "send_device_incarnation": Attr("int"),
    "recv_device": Attr("string"),
    "client_terminated": False,
}


# Frame and iteration outside of loops.
OUTERMOST = "0:0"


def rendezvous_key(attrs: Any) -> str:
    """Returns a tensor's rendezvous key outside of loops: sender, incarnation, receiver, name, frame and iteration."""
    incarnation = attrs["send_device_incarnation"] & (2**64 - 1)
    names = attrs["send_device"], f"{incarnation:016x}", attrs["recv_device"], attrs["tensor_name"]
    return ";".join((*names, OUTERMOST))


def step_rendezvous(op: Any) -> Any:
    """Returns the rendezvous of this thread's step."""
    step = STEP_BY_THREAD.get(get_ident())
    if step is None or step.rendezvous is None:
        raise InternalError(None, None, f"{op.name} runs outside of a cluster step")
    return step.rendezvous


def key_of_op(op: Any) -> str:
    """Returns the rendezvous key of a _Send or _Recv, computed once."""
    key = op.__dict__.get("_rendezvous_key")
    if key is None:
        key = op.__dict__["_rendezvous_key"] = rendezvous_key(op.attrs)
    return key


def _send(ctx: Any, tensor: Any) -> None:
    op = ctx.op
    step_rendezvous(op).send(key_of_op(op), tensor, ctx.attrs["T"])


def _receive(ctx: Any) -> Any:
    return step_rendezvous(ctx.op).begin_receive(key_of_op(ctx.op))


_dtype: dict[str, Any] = {"tensor_type": Attr("type")}
for _name in ("_Send", "_HostSend"):
    _sending = op(
        _name, "tensor: T ->", stateful=True, retained_inputs=("tensor",), T=ANY, **_ATTRS
    )(_send)
    _sending.differentiable = False
    _sending.through_host = True
for _name in ("_Recv", "_HostRecv"):
    _receiving = op(
        _name,
        "-> tensor: tensor_type",
        differentiable=False,
        through_host=True,
        stateful=True,
        may_wait=True,
        borrowed_result=True,
        **_dtype,
        **_ATTRS,
    )(_receive)
    _receiving.infer(lambda op: None)


@op(
    "_RecvOrDead",
    "-> tensor: tensor_type, is_alive: bool",
    infer=lambda op: [None, ()],
    differentiable=False,
    through_host=True,
    stateful=True,
    may_wait=True,
    borrowed_result=True,
    **_dtype,
    **_ATTRS,
)
def receive_or_dead_op(ctx):
    """Receives a tensor that may be dead, with a flag for a Merge."""
    return step_rendezvous(ctx.op).begin_receive(key_of_op(ctx.op), says_dead=True)


@op(
    "_RecvMany",
    "-> tensors: types",
    infer=lambda op: [None] * len(op.outputs),
    differentiable=False,
    through_host=True,
    stateful=True,
    may_wait=True,
    borrowed_result=True,
    types=Attr("list(type)", minimum=1),
    keys=Attr("list(string)"),
)
def receive_many_op(ctx, *, keys):
    """Receives several tensors from one task in one reply."""
    return step_rendezvous(ctx.op).begin_receive_many(keys)
