"""Eager device policies: copy inputs on the wrong device silently, copy with a warning, or raise."""

from __future__ import annotations

from collections.abc import Sequence

from tfmini._src.base import dtypes, logs
from tfmini._src.base.errors import invalid
from tfmini._src.graph.eager.eager_tensor import EagerTensor
from tfmini._src.graph.opdef import OpDef
from tfmini._src.session.eager.context import DEFAULT_DEVICE, context

DEVICE_PLACEMENT_EXPLICIT = 0
DEVICE_PLACEMENT_WARN = 1
DEVICE_PLACEMENT_SILENT = 2
DEVICE_PLACEMENT_SILENT_FOR_INT32 = 3

_CURE = (
    "Tensors can be copied explicitly using .gpu() or .cpu() methods, or transparently copied by using "
    "tf.enable_eager_execution(device_policy=tfe.DEVICE_PLACEMENT_SILENT). Copying tensors between devices may slow "
    "down your model"
)


def apply_device_policy(
    opdef: OpDef,
    name: str | None,
    inputs: Sequence[EagerTensor],
    copied: Sequence[tuple[int, str]],
) -> None:
    """Warns or raises InvalidArgumentError about `copied` inputs, each (index, target memory or "" for the host)."""
    policy = context().device_policy
    if policy == DEVICE_PLACEMENT_SILENT:
        return
    for index, memory in copied:
        tensor = inputs[index]
        if policy == DEVICE_PLACEMENT_SILENT_FOR_INT32 and tensor.dtype is dtypes.int32:
            continue
        expected = memory or DEFAULT_DEVICE
        mismatch = (
            f"input #{index} was expected to be on {expected} but is actually on {tensor.device}"
        )
        if policy == DEVICE_PLACEMENT_WARN:
            logs.warning(
                f"before computing {opdef.name} {mismatch}. This triggers a copy which can be slow."
            )
            continue
        where = f"[Op:{opdef.name}]" + (f" name: {name}" if name else "")
        invalid(
            f"Tensors on conflicting devices: cannot compute {opdef.name} as {mismatch}. {_CURE} {where}"
        )
