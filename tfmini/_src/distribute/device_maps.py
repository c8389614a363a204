"""Device maps: placement of per-replica values on devices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from tfmini._src.base.read_only import read_only
from tfmini._src.distribute.devices import canonicalize, current
from tfmini._src.graph.shape_inference import constant_value


class DeviceMap:
    """Base class of device maps: assigns each of several values to a replica and a device.

    Args:
      devices: device names, one per value.
    """

    all_devices: tuple[str, ...] = read_only("Canonical device names.", "_devices")

    def __init__(self, devices: Sequence[str]):
        self._devices = tuple(canonicalize(device) for device in devices)
        if len(set(self._devices)) != len(self._devices):
            raise ValueError(
                f"Duplicate devices in {devices}, after canonicalization: {self._devices}"
            )

    num_logical_devices = 1

    @property
    def num_replicas_in_graph(self) -> int:
        """Number of replicas in this graph, each of which has one value."""
        return len(self._devices)

    @property
    def devices_by_replica(self) -> Any:
        """Devices by replica."""
        return ((device,) for device in self._devices)

    def logical_to_actual_devices(self, logical_device_id: int) -> tuple[str, ...]:
        assert logical_device_id == 0
        return self._devices

    def replica_for_device(self, device: str) -> int | None:
        """Returns the index of the replica on a device, or None."""
        return self._devices.index(device) if device in self._devices else None

    def select_for_current_replica(self, values: Sequence[Any], replica_context: Any) -> Any:
        """Returns the value of a replica context's replica."""
        assert len(values) == len(self._devices)
        replica_id = replica_context.replica_id_in_sync_group
        if not isinstance(replica_id, int):
            replica_id = constant_value(replica_id)
        return values[0 if replica_id is None else int(replica_id)]

    def select_for_device(self, values: Sequence[Any], device: str) -> Any:
        """Returns the value on a device; raises ValueError for a device without a value."""
        assert len(values) == len(self._devices)
        replica_id = self.replica_for_device(device)
        if replica_id is None:
            raise ValueError(
                f"Device {device} not found in {self._devices} (current device {current()})"
            )
        return values[replica_id]


class ReplicaDeviceMap(DeviceMap):
    """Device map with one device per replica."""

    def __str__(self) -> str:
        return f"[{', '.join(self._devices)}]"

    def __repr__(self) -> str:
        return f"ReplicaDeviceMap([{', '.join(map(repr, self._devices))}])"


class SingleDeviceMap(DeviceMap):
    """Device map with one device that belongs to no particular replica."""

    def __init__(self, device: str):
        super().__init__([device])

    @property
    def devices_by_replica(self) -> Any:
        raise ValueError("SingleDeviceMap not indexed by replicas")

    def replica_for_device(self, device: str) -> int | None:
        raise ValueError("SingleDeviceMap not indexed by replicas")

    def select_for_current_replica(self, values: Sequence[Any], replica_context: Any) -> Any:
        assert len(values) == 1
        return values[0]

    def select_for_device(self, values: Sequence[Any], device: str) -> Any:
        assert len(values) == 1
        if device != self._devices[0]:
            raise ValueError(
                f"Device {device} not found in {self._devices} (current device {current()})"
            )
        return values[0]

    def __repr__(self) -> str:
        return f"SingleDeviceMap({self._devices[0]!r})"


class LogicalDeviceSpec(NamedTuple):
    """Destination of a reduction: all devices of a map."""

    device_map: DeviceMap
    logical_device: int
