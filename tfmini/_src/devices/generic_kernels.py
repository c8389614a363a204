"""Kernel information for new device types, from TensorFlow's GPU registrations of ops with array module kernels."""

from __future__ import annotations

from tfmini._src.devices.cuda import gpu_kernels
from tfmini._src.devices.device import TypedOp
from tfmini._src.devices.device_kind import KernelInfo


def generic_kernel_info(op: TypedOp) -> KernelInfo | None:
    """Returns information about TensorFlow's GPU kernel for an op; None without it or a device-independent kernel."""
    is_generic = not (op.opdef.device_only or op.opdef.host_or_cuda)
    return gpu_kernels.gpu_kernel_info(op) if is_generic else None


def host_arguments(op: TypedOp) -> frozenset[str]:
    """Returns the inputs and outputs that TensorFlow's GPU kernel keeps in host memory; none without such a kernel."""
    return gpu_kernels.host_arguments(op) or frozenset()
