"""Reductions across GPUs: NcclAllReduce, NcclReduce and NcclBroadcast, which only have GPU kernels.

The nodes of an all-reduce, one on each GPU, become one step of the plan (`compiler/passes/collectives.py`). A
reduction to one GPU is an ordinary sum and a broadcast from one GPU an identity; the plan inserts the copies.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base.dtypes import float16, float32, float64, int32, int64
from tfmini._src.base.locks import make_lock
from tfmini._src.graph.opdef import Attr, op, raw
from tfmini._src.graph.scopes import device
from tfmini._src.graph.shape_inference import same_shape
from tfmini._src.graph.tensor import Tensor

_NUMBERS = (float16, float32, float64, int32, int64)
_REDUCTION = Attr("string", allowed=("min", "max", "prod", "sum"))
_UFUNCS = {"min": "minimum", "max": "maximum", "prod": "multiply", "sum": "add"}


_lock = make_lock()
_shared_name_counter = 0


def check_device(tensor: Any, expected: str = "") -> None:
    """Raises ValueError if the tensor has no device or a device other than `expected`."""
    if not tensor.device:
        raise ValueError("Device assignment required for nccl collective ops")
    if expected and expected != tensor.device:
        raise ValueError(f"Expected device {expected}, got {tensor.device}")


@op(
    "NcclAllReduce",
    "input: T -> data: T",
    device_only=True,
    infer=same_shape,
    stateful=True,
    view=True,
    reduction=_REDUCTION,
    T=_NUMBERS,
    num_devices=Attr("int"),
    shared_name=Attr("string"),
)
def nccl_all_reduce_op(xp, value):
    return value  # single member; several members are joined


@nccl_all_reduce_op.gradient
def _(op, grad):
    if op.attrs["reduction"] != "sum":
        raise LookupError("No gradient defined for NcclAllReduce except sum.")
    check_device(grad, op.device)
    with device(op.device):
        shared_name = f"{op.attrs['shared_name']}_grad"
        return raw.NcclAllReduce(
            grad, reduction="sum", num_devices=op.attrs["num_devices"], shared_name=shared_name
        )


@op(
    "NcclReduce",
    "input: num_devices * T -> data: T",
    device_only=True,
    infer=same_shape,
    stateful=True,
    reduction=_REDUCTION,
    T=_NUMBERS,
    num_devices=Attr("int", minimum=1),
)
def nccl_reduce_op(xp, values, *, reduction):
    combine = getattr(xp, _UFUNCS[reduction])
    total = values[0]
    for value in values[1:]:
        total = combine(total, value)
    return total.copy() if len(values) == 1 else total


@nccl_reduce_op.gradient
def _(op, grad):
    if op.attrs["reduction"] != "sum":
        raise LookupError("No gradient defined for NcclReduce except sum.")
    check_device(grad, op.device)
    with device(op.device):
        result = raw.NcclBroadcast(grad, shape=grad.shape)
    return [result] * len(op.inputs)


@op(
    "NcclBroadcast",
    "input: T -> output: T",
    device_only=True,
    infer=same_shape,
    stateful=True,
    view=True,
    T=_NUMBERS,
    shape=Attr("shape"),
)
def nccl_broadcast_op(xp, value):
    return value


@nccl_broadcast_op.gradient
def _(op, grad):
    # The gradients of its readers, one per GPU.
    parts: list[Tensor] = list(grad.op.inputs)
    for part in parts:
        check_device(part)
    with device(op.device):
        return raw.NcclReduce(parts, reduction="sum")


def all_reduce(reduction: str, tensors: Sequence[Tensor]) -> list[Tensor]:
    """Reduces tensors across several GPUs; returns the result on the device of each tensor."""
    global _shared_name_counter
    if not tensors:
        raise ValueError("Must pass >0 tensors to all reduce operations")
    with _lock:
        shared_name = f"c{_shared_name_counter}"
        _shared_name_counter += 1
    results = []
    for tensor in tensors:
        check_device(tensor)
        with device(tensor.device):
            results.append(
                raw.NcclAllReduce(
                    tensor, reduction=reduction, num_devices=len(tensors), shared_name=shared_name
                )
            )
    return results
