"""The logical GPUs of a session and their memory limits, as configured by a ConfigProto.

The rules and messages are from TensorFlow's GPU device factory (gpu_device.cc).
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import Any

from tfmini._src.base import proto
from tfmini._src.base.errors import UnimplementedError, UnknownError, invalid
from tfmini._src.base.records import dataclass
from tfmini._src.devices.cuda.discovery import PhysicalGpu

_MIB = 1 << 20
_NUMBER = r"\s*-?[0-9]+\s*"


@dataclass(frozen=True)
class Share:
    """A logical GPU: a physical GPU, a memory limit, and whether memory is allocated on demand or all at once."""

    physical: PhysicalGpu
    limit_bytes: int
    grows: bool


def logical_gpus(
    config: Any, physical_gpus: tuple[PhysicalGpu, ...], free_bytes: Callable[[PhysicalGpu], int]
) -> list[Share]:
    """Returns the logical GPUs of a ConfigProto (or None), in order.

    Args:
      config: `device_count["GPU"]`, and in `gpu_options`: `visible_device_list`, `per_process_gpu_memory_fraction`,
        `allow_growth`, `experimental.virtual_devices`.
      physical_gpus: the visible physical GPUs.
      free_bytes: function that returns the number of free bytes of a physical GPU.

    Raises:
      InvalidArgumentError: for an invalid fraction or list of physical GPUs.
      UnimplementedError: for a fraction above 1, which requests unified memory.
      UnknownError: for virtual devices on more physical GPUs than there are.
    """
    count = requested_count(config)
    if not physical_gpus or not count:
        return []
    options = proto.GPUOptions() if config is None else config.gpu_options
    listed = _visible_gpus(options.visible_device_list, physical_gpus)
    expected = min(count, len(listed)) if count > 0 else len(listed)
    _check_fraction(options)
    may_grow = _grows(options.allow_growth)
    fraction = options.per_process_gpu_memory_fraction
    virtual = options.experimental.virtual_devices
    if not virtual:
        return [
            Share(physical, _limit(physical, fraction, free_bytes), may_grow)
            for physical in listed[:expected]
        ]
    _check_virtual_devices(options, expected, len(listed))
    result = []
    for physical, split in zip(listed, virtual):
        limits = [int(mib) * _MIB for mib in split.memory_limit_mb]
        result += [
            Share(physical, limit, may_grow)
            for limit in limits or [_limit(physical, 0.0, free_bytes)]
        ]
    return result


def requested_count(config: proto.ConfigProto | None) -> int:
    """Returns `device_count["GPU"]` of a ConfigProto or None; negative for all GPUs."""
    return -1 if config is None else config.device_count.get("GPU", -1)


def _check_fraction(options: Any) -> None:
    fraction = options.per_process_gpu_memory_fraction
    if not fraction >= 0:
        invalid(
            f"per_process_gpu_memory_fraction must not be negative, but it is {fraction}",
        )
    if fraction > 1 or options.experimental.use_unified_memory:
        raise UnimplementedError(
            None,
            None,
            f"per_process_gpu_memory_fraction={fraction}: fractions above 1 require unified "
            "memory, which tfmini does not support. Use a fraction up to 1.",
        )


def _grows(requested: bool) -> bool:
    """Whether to allocate memory on demand: `allow_growth`, unless overridden by TF_FORCE_GPU_ALLOW_GROWTH."""
    growth_setting = os.environ.get("TF_FORCE_GPU_ALLOW_GROWTH", "")
    return {"true": True, "false": False}.get(growth_setting, requested)


def _limit(physical: PhysicalGpu, fraction: float, free_bytes: Callable[[PhysicalGpu], int]) -> int:
    """Returns a process's memory limit on a GPU; without a fraction, all free memory except a system reserve."""
    if fraction:
        return int(physical.total_bytes * fraction)
    free = free_bytes(physical)
    system = 225 * _MIB if free < 1 << 31 else max(300 * _MIB, int(free * 0.05))
    return free - system if system < free else free


def _visible_gpus(text: str, physical_gpus: tuple[PhysicalGpu, ...]) -> list[PhysicalGpu]:
    """Returns the physical GPUs in `visible_device_list`, in order; all GPUs if it is empty."""
    if not text:
        return list(physical_gpus)
    listed: list[PhysicalGpu] = []
    for part in text.split(","):
        if re.fullmatch(_NUMBER, part) is None:
            invalid(
                f"Could not parse entry in 'visible_device_list': '{part}'. visible_device_list = {text}",
            )
        index = int(part)
        if not 0 <= index < len(physical_gpus):
            invalid(
                f"'visible_device_list' listed an invalid GPU id '{index}' but visible device count is "
                f"{len(physical_gpus)}",
            )
        if physical_gpus[index] in listed:
            invalid(f"visible_device_list contained a duplicate entry: {text}")
        listed.append(physical_gpus[index])
    return listed


def _check_virtual_devices(options: Any, expected: int, listed: int) -> None:
    count = len(options.experimental.virtual_devices)
    if options.per_process_gpu_memory_fraction:
        invalid(
            "It's invalid to set per_process_gpu_memory_fraction when virtual_devices is set.",
        )
    for split in options.experimental.virtual_devices:
        if any(not mib >= 0 for mib in split.memory_limit_mb):
            invalid(
                f"memory_limit_mb of a virtual device must not be negative: {list(split.memory_limit_mb)}",
            )
    if expected < count:
        raise UnknownError(
            None,
            None,
            "Not enough GPUs to create virtual devices. "
            f"num_gpus_to_use: {expected} #virtual_devices: {count}",
        )
    if options.visible_device_list and listed != count:
        invalid(
            "The number of GPUs in visible_device_list doesn't match the number of elements in the virtual_devices "
            f"list. #GPUs in visible_device_list: {listed} virtual_devices.size(): {count}",
        )
    if listed != count:
        raise UnknownError(
            None,
            None,
            "The number of valid GPUs doesn't match the number of elements in the virtual_devices list. "
            f"#valid GPUs: {listed} virtual_devices.size(): {count}",
        )
