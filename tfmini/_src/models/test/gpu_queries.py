"""GPU availability queries for tests."""

from __future__ import annotations

import importlib.util
from typing import Any

from tfmini._src.session.list_devices import list_local_devices


def is_built_with_cuda() -> bool:
    """Whether CuPy, required by GPU kernels, is installed."""
    return importlib.util.find_spec("cupy") is not None


def is_built_with_rocm() -> bool:
    """Always False, since GPU kernels require CUDA."""
    return False


def is_built_with_gpu_support() -> bool:
    """Whether CuPy, required by GPU kernels, is installed."""
    return is_built_with_cuda()


def is_mkl_enabled() -> bool:
    """Always False, since ops have a single memory layout."""
    return False


def install_stacktrace_handler() -> None:
    """Does nothing, since Python prints tracebacks."""


def is_gpu_available(
    cuda_only: bool = False, min_cuda_compute_capability: tuple[int, int] | None = None
) -> bool:
    """Whether a GPU is available to sessions.

    Args:
      cuda_only: whether to count only CUDA GPUs; no other GPUs are supported.
      min_cuda_compute_capability: minimum (major, minor); None for any.

    Example:
      with tf.device("/gpu:0" if tf.test.is_gpu_available() else "/cpu:0"):
          ...
    """
    return any(
        min_cuda_compute_capability is None
        or _capability(device) >= tuple(min_cuda_compute_capability)
        for device in list_local_devices()
        if device.device_type == "GPU"
    )


def gpu_device_name() -> str:
    """Returns the name of the first GPU, "/device:GPU:0", or ""."""
    for device in list_local_devices():
        if device.device_type == "GPU":
            return device.name
    return ""


def _capability(device: Any) -> tuple[int, ...]:
    """Returns the compute capability from a device description that ends with "compute capability: 9.0"."""
    return tuple(int(part) for part in device.physical_device_desc.rpartition(" ")[2].split("."))
