"""The devices of this process, as `Session.list_devices` and `device_lib.list_local_devices` give them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfmini._src.base import proto
from tfmini._src.devices.device import Device, local_devices
from tfmini._src.devices.gpu.process_gpus import session_gpus

if TYPE_CHECKING:
    from tfmini._src.devices.gpu.device import LogicalGpu


def with_gpus(config: proto.ConfigProto | None, gpus: dict[str, LogicalGpu]) -> list[Device]:
    """The devices of a session: its CPUs and `gpus`."""
    listed = local_devices(config)
    for name, gpu in gpus.items():
        listed.append(Device(name, "GPU", gpu.limit_bytes, 0, gpu.card.description))
    return listed


def list_local_devices(
    session_config: proto.ConfigProto | None = None,
) -> list[proto.DeviceAttributes]:
    """The devices that a session of this process gets.

    Args:
      session_config: a `ConfigProto`, whose memory options count if no session has been made yet.

    Returns:
      a list of DeviceAttributes messages: `name` ("/device:GPU:0"), `device_type`, `memory_limit` in bytes,
      `incarnation`, `physical_device_desc` (for a GPU: its card's name, bus id, compute capability).

    Example:
      [d.name for d in device_lib.list_local_devices() if d.device_type == "GPU"]
    """
    result = []
    for device in with_gpus(session_config, session_gpus(session_config, "")):
        attributes = proto.DeviceAttributes(
            name="/device:" + device.name.rpartition("device:")[2],
            device_type=device.device_type,
            memory_limit=device.memory_limit_bytes,
            incarnation=device.incarnation,
            physical_device_desc=device.description,
        )
        attributes.locality.SetInParent()
        result.append(attributes)
    return result
