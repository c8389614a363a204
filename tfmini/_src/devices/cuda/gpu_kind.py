"""GPUs as a kind of device: discovered through CUDA, with the kernels that TensorFlow registers for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from tfmini._src.base.error_hints import with_hint
from tfmini._src.base.names.late_imports import pathlib
from tfmini._src.devices.attributes import DeviceAttributes, Link, Locality, gpu_incarnation
from tfmini._src.devices.cuda import discovery, gpu_kernels, process_gpus
from tfmini._src.devices.device import Device, Devices
from tfmini._src.devices.device_kind import AdoptedFeed, Constraints, DeviceKind, KernelFacts

if TYPE_CHECKING:
    from pathlib import Path

    from tfmini._src.devices.cuda.device import LogicalGpu

# TensorFlow's link names and strengths (gpu_device.cc): GPUs of the same card; cards with peer access.
_SAME_CARD = ("SAME_DEVICE", 1000)
_PEER = ("StreamExecutor", 1)

_Error = TypeVar("_Error", bound=BaseException)
_LEFT_OUT = "The ConfigProto excludes them: device_count={'GPU': 0}."
_CUDA = 2  # kDLCUDA, DLPack's device type


class GpuKind(DeviceKind):
    """The GPUs that CUDA shows."""

    name = "GPU"
    priority = 2

    def discover(self, config: Any, task: str) -> dict[str, Device]:
        return dict(process_gpus.session_gpus(config, task))

    def attributes(self, config: Any, devices: Devices) -> list[DeviceAttributes]:
        gpus: Any = {name: device for name, device in devices.items() if device.kind == self.name}
        return _gpu_devices(gpus) if gpus else []

    def facts(self, op: Any) -> KernelFacts | None:
        return gpu_kernels.gpu_facts(op)

    def constraints(self, op_type: str) -> Iterable[Constraints]:
        return [kernel.constraints for kernel in gpu_kernels.kernels_of(op_type)]

    def holds(self, value: Any) -> bool:
        """Whether `__cuda_array_interface__` or DLPack's `__dlpack_device__` reports GPU memory."""
        cls = type(value)
        if cls is np.ndarray or not hasattr(cls, "__dlpack_device__"):
            return hasattr(cls, "__cuda_array_interface__")
        return bool(value.__dlpack_device__()[0] == _CUDA)

    def adopt(self, value: Any, devices: Devices) -> AdoptedFeed:
        """The GPU on the card of the memory, as determined by CuPy."""
        gpus: Any = {name: device for name, device in devices.items() if device.kind == self.name}
        if not gpus:
            return AdoptedFeed("", None, "a GPU")
        array = next(iter(gpus.values())).array_view(value)
        card = array.device.id
        name = next((name for name, gpu in gpus.items() if gpu.ordinal == card), "")
        return AdoptedFeed(name, array, f"CUDA device {card}")

    def absence(self) -> str:
        if discovery.lacks_cuda():
            return "The requested device appears to be a GPU, but CUDA is not enabled."
        return ""

    def with_reason(self, error: _Error, cure: str = "") -> _Error:
        why = discovery.no_card_reason() or _LEFT_OUT
        parts = ("No GPU is available.", why, cure, "`tfmini devices` lists the devices.")
        return with_hint(error, " ".join(filter(None, parts)))


def _gpu_devices(gpus: Mapping[str, LogicalGpu]) -> list[DeviceAttributes]:
    """Device attributes of the GPUs of a session or task, by full name."""
    return [
        DeviceAttributes(
            name,
            "GPU",
            gpu.limit_bytes,
            gpu_incarnation(index),
            gpu.card.description,
            _locality(index, list(gpus.values())),
        )
        for index, (name, gpu) in enumerate(gpus.items())
    ]


def _locality(index: int, gpus: list[LogicalGpu]) -> Locality:
    """A GPU's NUMA node and links: to other cards by index, then to GPUs on its card."""
    gpu = gpus[index]
    node = _numa_node(gpu.card.bus_id)
    runtime = gpu.xp.cuda.runtime
    other_cards = sorted({other.ordinal for other in gpus} - {gpu.ordinal})
    peers = [card for card in other_cards if runtime.deviceCanAccessPeer(gpu.ordinal, card)]
    beside = [n for n, other in enumerate(gpus) if other is not gpu and other.card == gpu.card]
    links = [Link(card, *_PEER) for card in peers] + [Link(n, *_SAME_CARD) for n in beside]
    return Locality(node + 1, node, tuple(links))


def _numa_node(bus_id: str) -> int:
    """A card's NUMA node; 0 if unknown."""
    try:
        text = (_system_directory(bus_id) / "numa_node").read_text()
    except OSError:
        return 0
    return max(0, int(text))


def _system_directory(bus_id: str) -> Path:
    """Linux's sysfs folder of a card."""
    return pathlib.Path("/sys/bus/pci/devices") / bus_id
