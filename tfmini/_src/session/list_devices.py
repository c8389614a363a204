"""The devices of this process, as `Session.list_devices` and `device_lib.list_local_devices` give them."""

from __future__ import annotations

from dataclasses import replace

from tfmini._src.base import proto
from tfmini._src.devices.attributes import attributes_of
from tfmini._src.devices.registry import listed, session_devices


def list_local_devices(
    session_config: proto.ConfigProto | None = None,
) -> list[proto.DeviceAttributes]:
    """The devices that a session of this process gets.

    Args:
      session_config: a `ConfigProto`, whose memory options count if no session has been made yet.

    Returns:
      a list of DeviceAttributes messages: `name` ("/device:CPU:0"), `device_type`, `memory_limit` in bytes,
      `incarnation`, `physical_device_desc` (the card's name, bus id, compute capability), `locality` (its bus and
      NUMA node, and the devices whose memory it reads).

    Example:
      [d.name for d in device_lib.list_local_devices() if d.device_type != "CPU"]
    """
    devices = listed(session_config, session_devices(session_config, ""))
    return [
        attributes_of(replace(device, name="/device:" + device.name.rpartition("device:")[2]))
        for device in devices
    ]
