"""Attributes of devices, for listings."""

from __future__ import annotations

import os

from tfmini._src.base import proto
from tfmini._src.base.records import dataclass

# First incarnation number, unique to this process; the device number is added.
FIRST_INCARNATION = int.from_bytes(os.urandom(7), "little") + 1
_FIRST_GPU = 1 << 32  # above all CPU numbers
TASK = "/job:localhost/replica:0/task:0"


@dataclass(frozen=True)
class Link:
    """A link between the memories of two GPUs: target GPU, link type, relative strength."""

    device_id: int
    type: str
    strength: int


@dataclass(frozen=True)
class Locality:
    """The location of a device: bus number (0 if unknown), NUMA node, and links (None for a CPU)."""

    bus_id: int = 0
    numa_node: int = 0
    links: tuple[Link, ...] | None = None


@dataclass(frozen=True)
class DeviceAttributes:
    """The attributes of a device in a session.

    name: in full, "/job:localhost/replica:0/task:0/device:CPU:0".
    device_type: "CPU" or "GPU".
    incarnation: a number that changes when the device's process restarts.
    description: the physical device it maps to, as in the placement log: "device: 0, name: ..."; "" for a CPU.
    locality: the device's location.
    """

    name: str
    device_type: str
    memory_limit_bytes: int
    incarnation: int
    description: str = ""
    locality: Locality = Locality()

    def __repr__(self) -> str:
        limit, incarnation = self.memory_limit_bytes, self.incarnation
        return f"_DeviceAttributes({self.name}, {self.device_type}, {limit}, {incarnation})"


def device_to_attributes(device: DeviceAttributes) -> proto.DeviceAttributes:
    """Converts a device's attributes to a DeviceAttributes message."""
    message = proto.DeviceAttributes(
        name=device.name,
        device_type=device.device_type,
        memory_limit=device.memory_limit_bytes,
        incarnation=device.incarnation,
        physical_device_desc=device.description,
    )
    locality = device.locality
    message.locality.SetInParent()
    message.locality.bus_id, message.locality.numa_node = locality.bus_id, locality.numa_node
    if locality.links is not None:
        message.locality.links.SetInParent()
        for link in locality.links:
            message.locality.links.link.add(
                device_id=link.device_id, type=link.type, strength=link.strength
            )
    return message


def attributes_to_device(attributes: proto.DeviceAttributes) -> DeviceAttributes:
    """Converts a DeviceAttributes message to a device's attributes."""
    locality, links = attributes.locality, None
    if locality.HasField("links"):
        links = tuple(
            Link(link.device_id, link.type, link.strength) for link in locality.links.link
        )
    return DeviceAttributes(
        attributes.name,
        attributes.device_type,
        attributes.memory_limit,
        attributes.incarnation,
        attributes.physical_device_desc,
        Locality(locality.bus_id, locality.numa_node, links),
    )


def gpu_incarnation(index: int) -> int:
    """Returns the incarnation number of GPU `index` in this process."""
    return FIRST_INCARNATION + _FIRST_GPU + index
