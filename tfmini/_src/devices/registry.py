"""The kinds of device with memory of their own, and the devices of a session.

A further kind is a `DeviceKind` and its `Device`, added to `KINDS` before the first session.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tfmini._src.devices.attributes import DeviceAttributes, local_devices
from tfmini._src.devices.device import Device, Devices
from tfmini._src.devices.gpu.gpu_kind import GpuKind
from tfmini._src.devices.kind import DeviceKind

# By the type in device names.
KINDS: dict[str, DeviceKind] = {GpuKind.name: GpuKind()}

_CPU_PRIORITY = 1


def kind_of(device: str) -> DeviceKind | None:
    """The kind of a device of this full name; None for a CPU."""
    return KINDS.get(device.rpartition("device:")[2].partition(":")[0])


def priority_of(device_type: str) -> int:
    """The priority of a type of device in placement: of a CPU 1, of an unknown type 0."""
    if device_type == "CPU":
        return _CPU_PRIORITY
    kind = KINDS.get(device_type)
    return 0 if kind is None else kind.priority


def session_devices(config: Any, task: str) -> dict[str, Device]:
    """The devices with memory of their own of a session under a ConfigProto (or None), by their names below `task`.

    Raises: what `DeviceKind.discover` raises.
    """
    found: dict[str, Device] = {}
    for kind in KINDS.values():
        found.update(kind.discover(config, task))
    return found


def listed(config: Any, devices: Devices) -> list[DeviceAttributes]:
    """The attributes of a session's devices: the CPUs that its ConfigProto asks for, and `devices`."""
    attributes = local_devices(config)
    for kind in KINDS.values() if devices else ():
        attributes += kind.attributes(devices)
    return attributes


def kind_holding(value: Any) -> DeviceKind | None:
    """The kind of device in whose memory a fed value is an array; None for the host's."""
    for kind in KINDS.values():
        if kind.holds(value):
            return kind
    return None


def kinds_among(types: Iterable[str]) -> list[DeviceKind]:
    """The kinds of some device types, those that the placer prefers first."""
    found = [KINDS[name] for name in sorted(types) if name in KINDS]
    return sorted(found, key=lambda kind: -kind.priority)
