"""devices: the record of a device, and the CPUs of this process."""

from __future__ import annotations

import os
from typing import Any

from tfmini._src.base.errors import NotFoundError
from tfmini._src.base.records import dataclass

# What tells this process's devices from those of another: with a device's number added.
_START = int.from_bytes(os.urandom(7), "little") + 1
TASK = "/job:localhost/replica:0/task:0"


@dataclass(frozen=True)
class Device:
    """A device of a session.

    name: in full, "/job:localhost/replica:0/task:0/device:CPU:0".
    device_type: "CPU" or "GPU".
    memory_limit_bytes: what may be allocated on it.
    incarnation: a number that changes when its process starts again.
    description: the physical device behind it, as the placement log maps it: "device: 0, name: ..."; "" for a CPU.
    """

    name: str
    device_type: str
    memory_limit_bytes: int
    incarnation: int
    description: str = ""

    def __repr__(self) -> str:
        limit, number = self.memory_limit_bytes, self.incarnation
        return f"_DeviceAttributes({self.name}, {self.device_type}, {limit}, {number})"


def local_devices(config: Any) -> list[Device]:
    """The CPUs of this process under a ConfigProto (or None): one unless `device_count` asks for more."""
    count = 1
    if config is not None and "CPU" in config.device_count:
        count = config.device_count["CPU"]
    if count < 1:
        raise NotFoundError(None, None, "No CPU devices are available in this process")
    return [Device(f"{TASK}/device:CPU:{i}", "CPU", 256 << 20, _START + i) for i in range(count)]
