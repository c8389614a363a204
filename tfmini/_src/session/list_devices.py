"""`device_lib.list_local_devices`: lists this process's devices."""

from __future__ import annotations

from dataclasses import replace

from tfmini._src.base import proto
from tfmini._src.devices.attributes import device_to_attributes
from tfmini._src.devices.registry import listed, session_devices


def list_local_devices(
    session_config: proto.ConfigProto | None = None,
) -> list[proto.DeviceAttributes]:
    """Lists the devices available to sessions of this process.

    Args:
      session_config: a `ConfigProto`; its memory options apply if no session has been created yet.

    Returns:
      A list of DeviceAttributes messages: `name` ("/device:CPU:0"), `device_type`, `memory_limit` in bytes,
      `incarnation`, `physical_device_desc` (hardware name, bus ID, compute capability), `locality` (bus, NUMA node and
      peer-access links).

    Example:
      [d.name for d in device_lib.list_local_devices() if d.device_type != "CPU"]
    """
    devices = listed(session_config, session_devices(session_config, ""))
    return [
        device_to_attributes(
            replace(device, name="/device:" + device.name.rpartition("device:")[2])
        )
        for device in devices
    ]
