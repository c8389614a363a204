"""GPUs as a kind of device, discovered through CUDA, with the kernels that TensorFlow registers for GPUs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

import numpy as np

from tfmini._src.base.error_hints import add_hint
from tfmini._src.devices.attributes import DeviceAttributes
from tfmini._src.devices.cuda import discovery, gpu_devices, gpu_kernels, process_gpus
from tfmini._src.devices.device import Device, Devices
from tfmini._src.devices.device_kind import AdoptedFeed, Constraints, DeviceKind, KernelInfo

_Error = TypeVar("_Error", bound=BaseException)
_LEFT_OUT = "The ConfigProto excludes them: device_count={'GPU': 0}."
_CUDA = 2  # kDLCUDA, DLPack's device type


class GpuKind(DeviceKind):
    """The device kind of GPUs discovered through CUDA."""

    name = "GPU"
    priority = 2

    def discover(self, config: Any, task: str) -> dict[str, Device]:
        return dict(process_gpus.session_gpus(config, task))

    def attributes(self, config: Any, devices: Devices) -> list[DeviceAttributes]:
        gpus: Any = {name: device for name, device in devices.items() if device.kind == self.name}
        return gpu_devices.gpu_devices(gpus) if gpus else []

    def kernel_info(self, op: Any) -> KernelInfo | None:
        return gpu_kernels.gpu_kernel_info(op)

    def constraints(self, op_type: str) -> Iterable[Constraints]:
        return [kernel.constraints for kernel in gpu_kernels.op_kernels(op_type)]

    def holds(self, value: Any) -> bool:
        """Whether `__cuda_array_interface__` or DLPack's `__dlpack_device__` reports GPU memory."""
        cls = type(value)
        if cls is np.ndarray or not hasattr(cls, "__dlpack_device__"):
            return hasattr(cls, "__cuda_array_interface__")
        return bool(value.__dlpack_device__()[0] == _CUDA)

    def adopt(self, value: Any, devices: Devices) -> AdoptedFeed:
        """Returns the value as a feed of the GPU whose physical GPU holds its memory, as determined by CuPy."""
        gpus: Any = {name: device for name, device in devices.items() if device.kind == self.name}
        if not gpus:
            return AdoptedFeed("", None, "a GPU")
        array = next(iter(gpus.values())).array_view(value)
        physical = array.device.id
        name = next((name for name, gpu in gpus.items() if gpu.ordinal == physical), "")
        return AdoptedFeed(name, array, f"CUDA device {physical}")

    def absence(self) -> str:
        if discovery.lacks_cuda():
            return "The requested device appears to be a GPU, but CUDA is not enabled."
        return ""

    def with_reason(self, error: _Error, cure: str = "") -> _Error:
        reason = discovery.no_gpu_reason() or _LEFT_OUT
        parts = ("No GPU is available.", reason, cure, "`tfmini devices` lists the devices.")
        return add_hint(error, " ".join(filter(None, parts)))
