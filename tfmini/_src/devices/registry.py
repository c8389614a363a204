"""Device registry: the device kinds, with the host's first, and the devices of a session.

To add a kind, implement `DeviceKind` and `Device` and add the kind to `KINDS` before the first session.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tfmini._src.devices.attributes import DeviceAttributes
from tfmini._src.devices.cuda.gpu_kind import GpuKind
from tfmini._src.devices.device import HOST, Device, Devices
from tfmini._src.devices.device_kind import DeviceKind
from tfmini._src.devices.host.host_kind import HostKind

_HOST_KIND = HostKind()
# By device type, as in device names.
KINDS: dict[str, DeviceKind] = {HostKind.name: _HOST_KIND, GpuKind.name: GpuKind()}


def device_kind(device: str) -> DeviceKind:
    """Returns the device kind of a full device name; the host's kind for an unknown device."""
    return KINDS.get(device.rpartition("device:")[2].partition(":")[0], _HOST_KIND)


def memory_space(device: str) -> str:
    """Returns the memory space of a device: its own space, named after the device, or the host's."""
    return device if device_kind(device).has_memory else HOST


def placement_priority(device_type: str) -> int:
    """Returns the placement priority of a device type; 0 for an unknown type."""
    kind = KINDS.get(device_type)
    return 0 if kind is None else kind.priority


def session_devices(config: Any, task: str) -> dict[str, Device]:
    """Returns a session's devices with their own memory under a ConfigProto (or None), by name below `task`.

    Raises: the errors of `DeviceKind.discover`.
    """
    devices: dict[str, Device] = {}
    for kind in KINDS.values():
        devices.update(kind.discover(config, task))
    return devices


def listed(config: Any, devices: Devices) -> list[DeviceAttributes]:
    """Returns the attributes of a session's devices: the CPUs requested by its ConfigProto, and `devices`."""
    return [device for kind in KINDS.values() for device in kind.attributes(config, devices)]


def find_holding_kind(value: Any) -> DeviceKind | None:
    """Returns the device kind whose memory holds a fed value; None for host memory."""
    for kind in KINDS.values():
        if kind.holds(value):
            return kind
    return None


def preferred_kinds(types: Iterable[str]) -> list[DeviceKind]:
    """Returns the kinds of device types in order of placement preference, with the host's kind always last."""
    kinds = [KINDS[name] for name in sorted({*types, HostKind.name}) if name in KINDS]
    return sorted(kinds, key=lambda kind: -kind.priority)
