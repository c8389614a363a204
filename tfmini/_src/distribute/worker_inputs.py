"""Input for strategies whose hosts feed their devices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.distribute.distributed_dataset import (
    DatasetIterator,
    DistributedDataset,
    DistributedDatasetFromFunction,
    InputFunctionIterator,
    InputWorkers,
)
from tfmini._src.distribute.input_contexts import InputContext
from tfmini._src.distribute.numpy_inputs import SingleDevice, numpy_dataset
from tfmini._src.distribute.strategy_extended import StrategyExtended


class WorkerInputExtended(StrategyExtended):
    """Base class of strategy implementations that have input workers; subclasses set `_input_workers`."""

    _input_workers: InputWorkers
    _host: SingleDevice
    _global_batch_size = True
    _divides_batches = True

    def _input_contexts(self) -> list[InputContext]:
        return self._input_workers.input_contexts(self._num_replicas_in_sync)

    def _context_of_datasets(self) -> InputContext | None:
        """Returns this process's share of a dataset, if other processes read the rest."""
        return None

    def _distribute(self, make: Callable, dataset: Any) -> Any:
        count = self._num_replicas_in_sync if self._divides_batches else 0
        strategy, context = self._container_strategy(), self._context_of_datasets()
        return make(dataset, self._input_workers, strategy, count, context)

    def _from_function(self, make: Callable, function: Callable) -> Any:
        strategy = self._container_strategy()
        return make(function, self._input_workers, self._input_contexts(), strategy)

    def _make_dataset_iterator(self, dataset: Any) -> Any:
        return self._distribute(DatasetIterator, dataset)

    def _make_input_fn_iterator(self, input_fn: Callable, replication_mode: Any) -> Any:
        return self._from_function(InputFunctionIterator, input_fn)

    def _experimental_distribute_dataset(self, dataset: Any) -> Any:
        return self._distribute(DistributedDataset, dataset)

    def _experimental_distribute_datasets_from_function(self, dataset_fn: Callable) -> Any:
        return self._from_function(DistributedDatasetFromFunction, dataset_fn)

    def _experimental_make_numpy_dataset(self, numpy_input: Any, session: Any) -> Any:
        return numpy_dataset(numpy_input, self._host, session)
