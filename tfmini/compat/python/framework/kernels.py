"""`tensorflow.python.framework.kernels`: lists of op kernels."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import proto
from tfmini._src.graph import op_registry

__all__ = ["get_all_registered_kernels", "get_registered_kernels_for_op"]


def get_all_registered_kernels() -> Any:
    """Returns a KernelList of the CPU kernels of all ops, with one kernel per op for all of its dtypes."""
    kernels = proto.KernelList()
    for name in sorted(op_registry.registry.keys()):
        kernels.kernel.extend(get_registered_kernels_for_op(name).kernel)
    return kernels


def get_registered_kernels_for_op(name: str) -> Any:
    """Returns a KernelList of an op's CPU kernel; empty for an unknown op or an op without a kernel."""
    kernels = proto.KernelList()
    if name in op_registry.registry and not op_registry.registry[name].device_only:
        kernels.kernel.add(op=name, device_type="CPU")
    return kernels
