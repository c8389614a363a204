"""The GPUs of a process as they appear in device listings, with bus locations and links."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from tfmini._src.base.names.lazy_imports import pathlib
from tfmini._src.devices.attributes import DeviceAttributes, Link, Locality, gpu_incarnation
from tfmini._src.devices.cuda.device import LogicalGpu

if TYPE_CHECKING:
    from pathlib import Path

# TensorFlow's link names and strengths (gpu_device.cc): GPUs of the same physical GPU; physical GPUs with peer access.
_SAME_GPU = ("SAME_DEVICE", 1000)
_PEER = ("StreamExecutor", 1)


def gpu_devices(gpus: Mapping[str, LogicalGpu]) -> list[DeviceAttributes]:
    """Returns the device attributes of the GPUs of a session or task, by full name."""
    return [
        DeviceAttributes(
            name,
            "GPU",
            gpu.limit_bytes,
            gpu_incarnation(index),
            gpu.physical.description,
            _locality(index, list(gpus.values())),
        )
        for index, (name, gpu) in enumerate(gpus.items())
    ]


def _locality(index: int, gpus: list[LogicalGpu]) -> Locality:
    """Returns a GPU's NUMA node and links: to other physical GPUs by index, then to GPUs on the same physical GPU."""
    gpu = gpus[index]
    node = _numa_node(gpu.physical.bus_id)
    runtime = gpu.xp.cuda.runtime
    other_gpus = sorted({other.ordinal for other in gpus} - {gpu.ordinal})
    peers = [
        physical for physical in other_gpus if runtime.deviceCanAccessPeer(gpu.ordinal, physical)
    ]
    nearby_gpus = [
        n for n, other in enumerate(gpus) if other is not gpu and other.physical == gpu.physical
    ]
    links = [Link(physical, *_PEER) for physical in peers] + [
        Link(n, *_SAME_GPU) for n in nearby_gpus
    ]
    return Locality(node + 1, node, tuple(links))


def _numa_node(bus_id: str) -> int:
    """Returns the NUMA node of a physical GPU; 0 if unknown."""
    try:
        text = (_system_directory(bus_id) / "numa_node").read_text()
    except OSError:
        return 0
    return max(0, int(text))


def _system_directory(bus_id: str) -> Path:
    """Returns the sysfs directory of a physical GPU on Linux."""
    return pathlib.Path("/sys/bus/pci/devices") / bus_id
