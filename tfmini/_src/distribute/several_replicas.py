"""Strategies with several replicas in one graph: each gets a part of the input; results are combined."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base.read_only import read_only
from tfmini._src.distribute.call_for_each_replica import call_for_each_replica
from tfmini._src.distribute.cross_device_ops import CrossDeviceOps, reduce_plain
from tfmini._src.distribute.device_maps import DeviceMap, LogicalDeviceSpec
from tfmini._src.distribute.distributed_values import DistributedValues
from tfmini._src.distribute.worker_inputs import WorkerInputExtended


class SeveralReplicasExtended(WorkerInputExtended):
    """Base class of multi-replica implementations; subclasses set the devices and the input."""

    _device_map: DeviceMap
    _cross_device_ops: CrossDeviceOps
    worker_devices: tuple[str, ...] = read_only(attribute="_device_map.all_devices")
    worker_devices_by_replica: Any = read_only(attribute="_device_map.devices_by_replica")

    def _call_for_each_replica(self, fn: Callable, args: Any, kwargs: Any) -> Any:
        strategy = self._container_strategy()
        return call_for_each_replica(strategy, self._device_map, fn, args, kwargs)

    def _reduce_to(self, reduce_op: Any, value: Any, destinations: Any) -> Any:
        if not isinstance(value, DistributedValues):
            return reduce_plain(reduce_op, self._device_map, value, destinations)
        return self._cross_device_ops.reduce(reduce_op, value, destinations)

    def _batch_reduce_to(self, reduce_op: Any, value_destination_pairs: Any) -> list:
        return self._cross_device_ops.batch_reduce(reduce_op, value_destination_pairs)

    def _broadcast_to(self, tensor: Any, destinations: Any) -> Any:
        if isinstance(tensor, (float, int)):
            return tensor  # no dtype yet
        destinations = destinations or LogicalDeviceSpec(self._device_map, 0)
        return self._cross_device_ops.broadcast(tensor, destinations)

    def _local_results(self, distributed_value: Any) -> tuple:
        if isinstance(distributed_value, DistributedValues):
            return distributed_value.values
        return (distributed_value,)

    @property
    def _num_replicas_in_sync(self) -> int:
        return self._device_map.num_replicas_in_graph
