"""`tensorflow.python.framework.kernels`: for which ops there are kernels."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import proto
from tfmini._src.graph import element_lookup

__all__ = ["get_all_registered_kernels", "get_registered_kernels_for_op"]


def get_all_registered_kernels() -> Any:
    """A KernelList of the CPU's kernels for all ops that are known, one for each: it takes all dtypes of the op."""
    found = proto.KernelList()
    for name in sorted(element_lookup.registry.keys()):
        found.kernel.extend(get_registered_kernels_for_op(name).kernel)
    return found


def get_registered_kernels_for_op(name: str) -> Any:
    """A KernelList of the CPU's kernel for an op; it is empty if there is no such op, or no kernel."""
    found = proto.KernelList()
    if name in element_lookup.registry and not element_lookup.registry[name].gpu_only:
        found.kernel.add(op=name, device_type="CPU")
    return found
