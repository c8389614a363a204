"""Fake `pynvml` with the functions tfmini calls, for GPUs in any order; installed in `sys.modules`."""

import uuid
from dataclasses import dataclass, field
from types import SimpleNamespace


@dataclass(eq=False)
class Card:
    """A GPU as seen by NVML, or a MIG instance.

    number: the slot number, which is also the CuPy emulator's device number. processes: bytes by process id. parts:
    MIG instances by index, None for empty indices.
    """

    number: int = 0
    free: int = 1 << 28
    processes: dict = field(default_factory=dict)
    parts: tuple = ()
    uuid: str = ""

    def __post_init__(self):
        self.uuid = self.uuid or f"GPU-{uuid.UUID(bytes=bytes([self.number + 1] * 16))}"


class FakeNvml:
    """The functions of `pynvml`; broken: without a driver."""

    class NVMLError(Exception):
        pass

    def __init__(self, *cards, broken=False):
        self.cards = cards
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
        return len(self.cards)

    def nvmlDeviceGetHandleByIndex(self, index):
        return self.cards[index]

    def nvmlDeviceGetPciInfo(self, card):
        return SimpleNamespace(busId=f"00000000:0{card.number + 1}:00.0".encode())

    def nvmlDeviceGetUUID(self, card):
        return card.uuid

    def nvmlDeviceGetMemoryInfo(self, card):
        return SimpleNamespace(total=1 << 30, free=card.free)

    def nvmlDeviceGetMigMode(self, card):
        if not card.parts:
            raise self.NVMLError("Not Supported")
        return [1, 1]

    def nvmlDeviceGetMaxMigDeviceCount(self, card):
        return len(card.parts)

    def nvmlDeviceGetMigDeviceHandleByIndex(self, card, index):
        if card.parts[index] is None:
            raise self.NVMLError("Not Found")
        return card.parts[index]

    def nvmlDeviceGetComputeRunningProcesses(self, card):
        if card.processes is None:
            raise self.NVMLError("Insufficient Permissions")
        return [SimpleNamespace(pid=p, usedGpuMemory=size) for p, size in card.processes.items()]
