"""`HostKind`: the device kind of CPUs, which compute with numpy in host memory and need no `Device`."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.errors import NotFoundError
from tfmini._src.devices.attributes import FIRST_INCARNATION, TASK, DeviceAttributes
from tfmini._src.devices.device import Device, Devices
from tfmini._src.devices.device_kind import DeviceKind, KernelInfo

_INFO = KernelInfo(host=frozenset(), cpu_first=False)


class HostKind(DeviceKind):
    """The CPUs of this process: a single one unless `device_count` sets the number."""

    name = "CPU"
    priority = 1
    has_memory = False

    def discover(self, config: Any, task: str) -> dict[str, Device]:
        return {}

    def attributes(self, config: Any, devices: Devices) -> list[DeviceAttributes]:
        """Returns the attributes of the CPUs; raises NotFoundError if `device_count` excludes all of them."""
        count = 1
        if config is not None and self.name in config.device_count:
            count = config.device_count[self.name]
        if count < 1:
            raise NotFoundError(None, None, "No CPU devices are available in this process")
        return [
            DeviceAttributes(f"{TASK}/device:CPU:{i}", self.name, 256 << 20, FIRST_INCARNATION + i)
            for i in range(count)
        ]

    def kernel_info(self, op: Any) -> KernelInfo | None:
        return None if op.opdef.device_only else _INFO

    def allocator(self, device: str) -> str:
        return "cpu"
