"""Strategies of several replicas in one graph: each gets its part of the input, its results become one value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.distribute.call_for_each_replica import call_for_each_replica
from tfmini._src.distribute.device_maps import DeviceMap, LogicalDeviceSpec
from tfmini._src.distribute.distributed_dataset import (
    DatasetIterator,
    DistributedDataset,
    DistributedDatasetFromFunction,
    InputFunctionIterator,
    InputWorkers,
)
from tfmini._src.distribute.distributed_values import DistributedValues
from tfmini._src.distribute.input_contexts import InputContext
from tfmini._src.distribute.numpy_inputs import SingleDevice, numpy_dataset_on
from tfmini._src.distribute.strategy_extended import StrategyExtended


class SeveralReplicasExtended(StrategyExtended):
    """Base of the implementations with several replicas; a subclass sets where they are, and their input."""

    _device_map: DeviceMap
    _input_workers: InputWorkers
    _host: SingleDevice
    _global_batch_size = True

    def _reductions(self) -> Any:
        """The `CrossDeviceOps` of this strategy."""
        raise NotImplementedError("must be implemented in descendants")

    def _input_contexts(self) -> list[InputContext]:
        return self._input_workers.input_contexts(self._num_replicas_in_sync)

    # Input ---------------------------------------------------------------------------------------

    def _make_dataset_iterator(self, dataset: Any) -> Any:
        strategy, count = self._container_strategy(), self._num_replicas_in_sync
        return DatasetIterator(dataset, self._input_workers, strategy, count)

    def _make_input_fn_iterator(self, input_fn: Callable, replication_mode: Any) -> Any:
        contexts = self._input_contexts()
        strategy = self._container_strategy()
        return InputFunctionIterator(input_fn, self._input_workers, contexts, strategy)

    def _experimental_distribute_dataset(self, dataset: Any) -> Any:
        strategy, count = self._container_strategy(), self._num_replicas_in_sync
        return DistributedDataset(dataset, self._input_workers, strategy, count)

    def _experimental_distribute_datasets_from_function(self, dataset_fn: Callable) -> Any:
        contexts = self._input_contexts()
        strategy = self._container_strategy()
        return DistributedDatasetFromFunction(dataset_fn, self._input_workers, contexts, strategy)

    def _experimental_make_numpy_dataset(self, numpy_input: Any, session: Any) -> Any:
        return numpy_dataset_on(numpy_input, self._host, session)

    # Replicas and values ----------------------------------------------------------------------------

    def _call_for_each_replica(self, fn: Callable, args: Any, kwargs: Any) -> Any:
        strategy = self._container_strategy()
        return call_for_each_replica(strategy, self._device_map, fn, args, kwargs)

    def _broadcast_to(self, tensor: Any, destinations: Any) -> Any:
        if isinstance(tensor, (float, int)):
            return tensor  # which has no dtype yet
        destinations = destinations or LogicalDeviceSpec(self._device_map, 0)
        return self._reductions().broadcast(tensor, destinations)

    def _local_results(self, distributed_value: Any) -> tuple:
        if isinstance(distributed_value, DistributedValues):
            return distributed_value.values
        return (distributed_value,)

    @property
    def _num_replicas_in_sync(self) -> int:
        return self._device_map.num_replicas_in_graph

    @property
    def worker_devices(self) -> tuple[str, ...]:
        return self._device_map.all_devices

    @property
    def worker_devices_by_replica(self) -> Any:
        return self._device_map.devices_by_replica
