"""`tf.config.experimental` policies for eager ops: device placement of inputs and synchronous execution."""

from __future__ import annotations

from tfmini._src.session.eager.context import context
from tfmini._src.session.eager.device_policies import (
    DEVICE_PLACEMENT_EXPLICIT,
    DEVICE_PLACEMENT_SILENT,
    DEVICE_PLACEMENT_SILENT_FOR_INT32,
    DEVICE_PLACEMENT_WARN,
)
from tfmini._src.session.eager.enable import ASYNC, SYNC

_POLICIES = {
    "silent": DEVICE_PLACEMENT_SILENT,
    "silent_for_int32": DEVICE_PLACEMENT_SILENT_FOR_INT32,
    "warn": DEVICE_PLACEMENT_WARN,
    "explicit": DEVICE_PLACEMENT_EXPLICIT,
}


def get_device_policy() -> str:
    """Returns the device policy: "silent", "silent_for_int32", "warn" or "explicit"."""
    current = context().device_policy
    return next(name for name, policy in _POLICIES.items() if policy == current)


def set_device_policy(device_policy: str | None) -> None:
    """Sets the policy for eager op inputs on a different device: copy, copy with a warning, or raise.

    Args:
      device_policy: "silent", "silent_for_int32", "warn" or "explicit"; None means "silent".

    Raises:
      ValueError: for an unknown policy.
    """
    if device_policy is not None and device_policy not in _POLICIES:
        raise ValueError(f"Not a valid device policy: {device_policy!r}")
    context().device_policy = _POLICIES[device_policy or "silent"]


def get_synchronous_execution() -> bool:
    """Whether synchronous execution of eager ops is set."""
    return context().execution_mode == SYNC


def set_synchronous_execution(enable: bool | None) -> None:
    """Sets synchronous execution of eager ops; they run in order either way.

    Args:
      enable: None means True.
    """
    context().execution_mode = SYNC if enable or enable is None else ASYNC
