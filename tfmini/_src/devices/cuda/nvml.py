"""GPU information from NVIDIA's management library (NVML), obtained without starting CUDA; empty if not installed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any


@dataclass(frozen=True)
class ManagedGpu:
    """A GPU, or a MIG instance of one, as NVML reports it.

    uuid: its own id, without the prefix "GPU-" or "MIG-".
    bus_id: PCI bus id in CUDA's format; for a MIG instance, the bus id of its GPU.
    is_part: whether it is a MIG instance.
    processes: ids of its compute processes, with the bytes that each uses, or None if unavailable.
    """

    uuid: str
    bus_id: str
    is_part: bool
    total_bytes: int
    free_bytes: int
    processes: tuple[tuple[int, int | None], ...] = ()


@dataclass(frozen=True)
class NvmlInfo:
    """GPU information from NVML.

    driver: the driver version; "" if unknown.
    physical_gpus: all GPUs, including hidden ones, or their MIG instances; None if unknown.
    """

    driver: str = ""
    physical_gpus: tuple[ManagedGpu, ...] | None = None

    def find_gpu(self, uuid: str, bus_id: str) -> ManagedGpu | None:
        """Returns the GPU with this id; without an id, the unpartitioned GPU with this bus id."""
        physical_gpus = self.physical_gpus or ()
        matches = [physical for physical in physical_gpus if physical.uuid == uuid]
        matches += [
            physical
            for physical in physical_gpus
            if not physical.is_part and physical.bus_id == bus_id
        ]
        return matches[0] if matches else None

    def count_visible(self, entries: list[str] | None) -> int | None:
        """Counts the GPUs that CUDA sees, given the entries of CUDA_VISIBLE_DEVICES; None if NVML cannot tell."""
        if self.physical_gpus is None:
            return None
        # CUDA exposes at most one MIG instance to a process.
        if any(physical.is_part for physical in self.physical_gpus):
            matches = self._find_gpus(entries[0]) if entries else []
            return 1 if len(matches) == 1 and matches[0].is_part else None
        if entries is None:
            return len(self.physical_gpus)
        named: list[ManagedGpu] = []
        for entry in entries:
            matches = self._find_gpus(entry)
            if len(matches) != 1:  # unknown or ambiguous: CUDA stops here
                break
            named += matches
        return len(named) if len(set(named)) == len(named) else None

    def _find_gpus(self, entry: str) -> list[ManagedGpu]:
        physical_gpus = self.physical_gpus or ()
        if entry.isdecimal():
            return list(physical_gpus[int(entry) : int(entry) + 1])
        prefix, _, begin = entry.lower().partition("-")
        return [
            c for c in physical_gpus if c.is_part == (prefix == "mig") and c.uuid.startswith(begin)
        ]


def nvml_info() -> NvmlInfo:
    """Queries NVML through the module `pynvml` of the nvidia-ml-py package."""
    try:
        import pynvml as nvml  # noqa: PLC0415  optional

        nvml.nvmlInit()
    except ImportError:
        return NvmlInfo()
    except nvml.NVMLError:  # there is no driver, or NVML is unavailable in the container
        return NvmlInfo()
    try:
        driver = _as_str(nvml.nvmlSystemGetDriverVersion())
        handles = [nvml.nvmlDeviceGetHandleByIndex(n) for n in range(nvml.nvmlDeviceGetCount())]
        return NvmlInfo(
            driver, tuple(physical for h in handles for physical in _physical_gpus(nvml, h))
        )
    except nvml.NVMLError:
        return NvmlInfo()
    finally:
        nvml.nvmlShutdown()


def _physical_gpus(nvml: ModuleType, handle: Any) -> Iterator[ManagedGpu]:
    """Yields the GPU of a handle, or its MIG instances."""
    bus_id = short_bus_id(_as_str(nvml.nvmlDeviceGetPciInfo(handle).busId))
    parts = list(_mig_instances(nvml, handle))
    for part in parts or [handle]:
        info = nvml.nvmlDeviceGetMemoryInfo(part)
        uuid = _as_str(nvml.nvmlDeviceGetUUID(part)).lower().partition("-")[2]
        sizes = int(info.total), int(info.free)
        yield ManagedGpu(uuid, bus_id, bool(parts), *sizes, _processes(nvml, part))


def _mig_instances(nvml: ModuleType, handle: Any) -> Iterator[Any]:
    """Yields the handles of a GPU's MIG instances, if it is partitioned."""
    try:
        if not nvml.nvmlDeviceGetMigMode(handle)[0]:
            return
    except nvml.NVMLError:  # no MIG support
        return
    for index in range(nvml.nvmlDeviceGetMaxMigDeviceCount(handle)):
        try:
            yield nvml.nvmlDeviceGetMigDeviceHandleByIndex(handle, index)
        except nvml.NVMLError:  # unused MIG index
            continue


def _processes(nvml: ModuleType, handle: Any) -> tuple[tuple[int, int | None], ...]:
    try:
        processes = nvml.nvmlDeviceGetComputeRunningProcesses(handle)
    except nvml.NVMLError:  # no permission
        return ()
    return tuple((process.pid, process.usedGpuMemory) for process in processes)


def other_processes(uuid: str, bus_id: str) -> tuple[tuple[int, int], ...]:
    """Returns the other processes on a GPU, with the bytes that each uses, largest first.

    Returns () if this process is not listed, as in a container, where process ids differ.
    """
    physical = nvml_info().find_gpu(uuid, bus_id)
    processes = {} if physical is None else dict(physical.processes)
    if os.getpid() not in processes:
        return ()
    users = [(pid, size) for pid, size in processes.items() if size and pid != os.getpid()]
    return tuple(sorted(users, key=lambda other: -other[1]))


def short_bus_id(text: str) -> str:
    """Returns a bus id in CUDA's format, given NVML's, whose domain has eight digits: "00000000:3B:00.0"."""
    domain, _, rest = text.partition(":")
    return f"{domain[-4:]}:{rest}".lower()


def _as_str(value: str | bytes) -> str:
    return value.decode() if isinstance(value, bytes) else value
