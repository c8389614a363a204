"""Fake `pynvml` with the functions tfmini calls, for GPUs in any order; installed in `sys.modules`."""

import uuid
from dataclasses import dataclass, field
from types import SimpleNamespace


@dataclass(eq=False)
class FakeGpu:
    """A GPU as seen by NVML, or a MIG instance.

    index: the slot index, which is also the CuPy emulator's device index. processes: bytes by process id. parts:
    MIG instances by index, None for empty indices.
    """

    index: int = 0
    free: int = 1 << 28
    processes: dict = field(default_factory=dict)
    parts: tuple = ()
    uuid: str = ""

    def __post_init__(self):
        self.uuid = self.uuid or f"GPU-{uuid.UUID(bytes=bytes([self.index + 1] * 16))}"


class FakeNvml:
    """The functions of `pynvml`; broken: without a driver."""

    class NVMLError(Exception):
        pass

    def __init__(self, *physical_gpus, broken=False):
        self.physical_gpus = physical_gpus
        self.broken = broken
        self.begun = self.ended = 0

    def nvmlInit(self):
        if self.broken:
            raise self.NVMLError("Driver Not Loaded")
        self.begun += 1

    def nvmlShutdown(self):
        self.ended += 1

    def nvmlSystemGetDriverVersion(self):
        return b"580.65.06"

    def nvmlDeviceGetCount(self):
        return len(self.physical_gpus)

    def nvmlDeviceGetHandleByIndex(self, index):
        return self.physical_gpus[index]

    def nvmlDeviceGetPciInfo(self, physical):
        return SimpleNamespace(busId=f"00000000:0{physical.index + 1}:00.0".encode())

    def nvmlDeviceGetUUID(self, physical):
        return physical.uuid

    def nvmlDeviceGetMemoryInfo(self, physical):
        return SimpleNamespace(total=1 << 30, free=physical.free)

    def nvmlDeviceGetMigMode(self, physical):
        if not physical.parts:
            raise self.NVMLError("Not Supported")
        return [1, 1]

    def nvmlDeviceGetMaxMigDeviceCount(self, physical):
        return len(physical.parts)

    def nvmlDeviceGetMigDeviceHandleByIndex(self, physical, index):
        if physical.parts[index] is None:
            raise self.NVMLError("Not Found")
        return physical.parts[index]

    def nvmlDeviceGetComputeRunningProcesses(self, physical):
        if physical.processes is None:
            raise self.NVMLError("Insufficient Permissions")
        return [
            SimpleNamespace(pid=p, usedGpuMemory=size) for p, size in physical.processes.items()
        ]
