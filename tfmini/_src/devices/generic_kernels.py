"""Kernel facts for new device kinds: TensorFlow's GPU registrations, of the ops with kernels for any array module."""

from __future__ import annotations

from tfmini._src.devices.cuda import gpu_kernels
from tfmini._src.devices.device import TypedOp
from tfmini._src.devices.device_kind import KernelFacts


def generic_facts(op: TypedOp) -> KernelFacts | None:
    """The facts of TensorFlow's GPU kernel for an op; None without one, or without a kernel that runs on any device."""
    is_generic = not (op.opdef.device_only or op.opdef.host_or_cuda)
    return gpu_kernels.gpu_facts(op) if is_generic else None


def host_arguments(op: TypedOp) -> frozenset[str]:
    """The inputs and outputs that TensorFlow's GPU kernel takes in host memory; none without such a kernel."""
    return gpu_kernels.host_arguments(op) or frozenset()
