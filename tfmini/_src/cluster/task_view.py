"""A session's view of a task: device names, incarnations, and channels to other tasks.

Most sessions use the names of the server's own cluster. A session whose ConfigProto has a `cluster_def` defines its own
cluster, with other names for the same servers.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from tfmini._src.cluster.grpc_channel import Channels
from tfmini._src.devices.attributes import TASK, DeviceAttributes
from tfmini._src.devices.device import Devices


@dataclass(eq=False)
class TaskView:
    """A session's view of a task.

    name: "/job:worker/replica:0/task:0".
    attached: devices with their own memory, by full name.
    channels: to other tasks of the session's cluster.
    """

    name: str
    devices: list[DeviceAttributes]
    attached: Devices
    channels: Channels
    incarnations: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        self.incarnations = {device.name: device.incarnation for device in self.devices}

    def renamed(self, name: str, addresses: Mapping[str, str]) -> TaskView:
        """Returns the same task under another name, among tasks at `addresses`."""
        return TaskView(
            name,
            rename_devices(self.devices, name),
            {
                _rename_device(full, name): attached_devices
                for full, attached_devices in self.attached.items()
            },
            Channels(dict(addresses)),
        )


def rename_devices(devices: list[DeviceAttributes], task: str) -> list[DeviceAttributes]:
    """Returns the devices renamed to a task's name."""
    return [replace(device, name=_rename_device(device.name, task)) for device in devices]


def _rename_device(name: str, task: str) -> str:
    return task + name[name.rindex("/device:") :]


def device_for_task(device: DeviceAttributes, task: str) -> DeviceAttributes:
    """Returns a device of this process under its task's name, with its own incarnation."""
    name = device.name.replace(TASK, task) if device.name.startswith(TASK) else device.name
    return replace(device, name=name, incarnation=secrets.randbits(63) | 1)
