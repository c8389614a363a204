"""Device registry: device kinds with their own memory, and the devices of a session.

To add a kind, implement `DeviceKind` and `Device` and add the kind to `KINDS` before the first session.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tfmini._src.devices.attributes import DeviceAttributes, local_devices
from tfmini._src.devices.cuda.gpu_kind import GpuKind
from tfmini._src.devices.device import Device, Devices
from tfmini._src.devices.kind import DeviceKind

# By the type in device names.
KINDS: dict[str, DeviceKind] = {GpuKind.name: GpuKind()}

_CPU_PRIORITY = 1


def kind_of(device: str) -> DeviceKind | None:
    """Returns the device kind of a full device name; None for a CPU."""
    return KINDS.get(device.rpartition("device:")[2].partition(":")[0])


def priority_of(device_type: str) -> int:
    """Returns the placement priority of a device type: 1 for a CPU, 0 for an unknown type."""
    if device_type == "CPU":
        return _CPU_PRIORITY
    kind = KINDS.get(device_type)
    return 0 if kind is None else kind.priority


def session_devices(config: Any, task: str) -> dict[str, Device]:
    """Returns a session's devices with their own memory under a ConfigProto (or None), by name below `task`.

    Raises: the errors of `DeviceKind.discover`.
    """
    found: dict[str, Device] = {}
    for kind in KINDS.values():
        found.update(kind.discover(config, task))
    return found


def listed(config: Any, devices: Devices) -> list[DeviceAttributes]:
    """Returns the attributes of a session's devices: the CPUs requested by its ConfigProto, and `devices`."""
    attributes = local_devices(config)
    for kind in KINDS.values() if devices else ():
        attributes += kind.attributes(devices)
    return attributes


def kind_holding(value: Any) -> DeviceKind | None:
    """Returns the device kind whose memory holds a fed value; None for host memory."""
    for kind in KINDS.values():
        if kind.holds(value):
            return kind
    return None


def kinds_among(types: Iterable[str]) -> list[DeviceKind]:
    """Returns the kinds of device types, in order of placement preference."""
    found = [KINDS[name] for name in sorted(types) if name in KINDS]
    return sorted(found, key=lambda kind: -kind.priority)
