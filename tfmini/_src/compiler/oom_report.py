"""Out-of-memory reports: lists current allocations for `report_tensor_allocations_upon_oom`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from tfmini._src.compiler.program.program import Program
from tfmini._src.devices.device import Device
from tfmini._src.devices.registry import device_kind

# Number of nodes listed by name; one line summarizes the rest.
_MAX_NAMED = 10

HINT = (
    "Hint: If you want to see a list of allocated tensors when OOM happens, add report_tensor_allocations_upon_oom to "
    "RunOptions for current allocation info."
)


def usage_report(program: Program, variables: Mapping[str, object], device: str) -> str:
    """Returns a text report of the step's nodes whose results use memory on `device`, largest first.

    Args: as for `usage`.
    """
    return format_report(usage(program, variables, device), device)


def usage(program: Program, variables: Mapping[str, object], device: str) -> dict[str, int]:
    """Maps node names to the bytes of their results on `device`; slot 3 is `t3` in `variables`, the plan's locals."""
    memory = program.memory
    memory_name = device if device in program.devices else ""
    sizes: dict[str, int] = {}
    seen: set[int] = set()
    for name, slot in _named_slots(program):
        value = variables.get(f"t{slot}")
        arrays = [getattr(value, "array", value)]  # a variable's storage contains an array
        parts = value if isinstance(value, list) else getattr(value, "values", None)
        if isinstance(parts, list):  # a stack or a TensorArray
            arrays = [part for part in parts if isinstance(part, np.ndarray) == (not memory_name)]
        elif memory.get(slot, "") != memory_name:
            continue
        for array in arrays:
            size = getattr(array, "nbytes", 0)
            if size and id(array) not in seen:
                seen.add(id(array))
                sizes[name] = sizes.get(name, 0) + size
    return sizes


def format_report(sizes: Mapping[str, int], device: str) -> str:
    """Formats memory use per holder on a device, largest first."""
    ordered = sorted(sizes.items(), key=lambda item: -item[1])
    lines = [
        f"Current usage from device: {device}, allocator: {device_kind(device).allocator(device)}"
    ]
    lines += [f"  {readable(size)} from {name}" for name, size in ordered[:_MAX_NAMED]]
    remaining = ordered[_MAX_NAMED:]
    if remaining:
        lines.append(
            f"  Remaining {len(remaining)} nodes with {readable(sum(size for _, size in remaining))}"
        )
    return "\n".join(lines)


def other_processes_line(device: Device) -> str:
    """Returns a line on the memory that other processes use on the device's GPU; "" if none or unknown."""
    processes = device.other_processes()
    if not processes:
        return ""
    named = ", ".join(f"{readable(size)} by process {pid}" for pid, size in processes[:_MAX_NAMED])
    return f"\nOther processes use memory of the GPU: {named}."


def _named_slots(program: Program) -> Iterator[tuple[str, int]]:
    """Yields (operation name, slot) for all slots of a program and its loops."""
    for node in program.nodes:
        for slot in node.outputs:
            yield node.origin.name, slot
        if node.kind == "while":
            inner = node.loop.program
            for slot, enter in zip(inner.feeds, inner.fed):
                yield enter.inputs[0].op.name, slot
            yield from _named_slots(inner)


def readable(size: int) -> str:
    """Formats bytes in TensorFlow's style: "512B", "1.50KiB", "381.47MiB"."""
    if size < 1 << 10:
        return f"{size}B"
    value, units = size / 1024, ["KiB", "MiB", "GiB", "TiB"]
    while value >= 1024 and len(units) > 1:
        value /= 1024
        del units[0]
    return f"{value:.2f}{units[0]}"
