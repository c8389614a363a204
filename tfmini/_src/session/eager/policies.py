"""Policies of eager ops, by `tf.config.experimental`: inputs on other devices are copied, and ops run in order."""

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
    """The policy that was set: "silent", "silent_for_int32", "warn" or "explicit"."""
    current = context().device_policy
    return next(name for name, policy in _POLICIES.items() if policy == current)


def set_device_policy(device_policy: str | None) -> None:
    """Sets the policy for inputs of eager ops on another device: copied, with a warning, or refused.

    Args:
      device_policy: "silent", "silent_for_int32", "warn" or "explicit"; None is "silent".

    Raises:
      ValueError: for another policy.
    """
    if device_policy is not None and device_policy not in _POLICIES:
        raise ValueError(f"Not a valid device policy: {device_policy!r}")
    context().device_policy = _POLICIES[device_policy or "silent"]


def get_synchronous_execution() -> bool:
    """Whether eager ops are to run one after the other."""
    return context().execution_mode == SYNC


def set_synchronous_execution(enable: bool | None) -> None:
    """Sets whether eager ops are to run one after the other: here they do either way.

    Args:
      enable: None is True.
    """
    context().execution_mode = SYNC if enable or enable is None else ASYNC
