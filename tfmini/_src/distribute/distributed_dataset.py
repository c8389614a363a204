"""Input of replicas: iterators and datasets that split each batch among the replicas."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.data.dataset import DatasetV2
from tfmini._src.data.element_spec import legacy_classes, legacy_shapes, legacy_types
from tfmini._src.data.experimental.multi_device_iterator import (
    MultiDeviceIterator,
    Rebatched,
    auto_sharded,
    cloned,
)
from tfmini._src.data.options import Options
from tfmini._src.distribute.device_maps import DeviceMap
from tfmini._src.distribute.devices import canonicalize
from tfmini._src.distribute.distributed_values import regroup
from tfmini._src.distribute.input_contexts import InputContext
from tfmini._src.graph.scopes import device
from tfmini._src.ops import ops


class InputWorkers:
    """Assignment of compute devices to the hosts that feed them.

    Args:
      device_map: the devices of the replicas.
      worker_device_pairs: a list of pairs (host, its devices); by default the CPU and all devices.
    """

    def __init__(self, device_map: DeviceMap, worker_device_pairs: Any = None):
        self._device_map = device_map
        if worker_device_pairs is None:
            host = canonicalize("/device:CPU:0")
            worker_device_pairs = [(host, device_map.logical_to_actual_devices(0))]
        self._hosts = tuple(host for host, _ in worker_device_pairs)
        self._fed = tuple(tuple(map(canonicalize, fed)) for _, fed in worker_device_pairs)

    @property
    def device_map(self) -> DeviceMap:
        """The devices of the replicas."""
        return self._device_map

    @property
    def num_workers(self) -> int:
        """Number of hosts."""
        return len(self._hosts)

    @property
    def worker_devices(self) -> tuple[str, ...]:
        """The hosts."""
        return self._hosts

    def on_each_host(self, make: Callable[[int, str, tuple[str, ...]], Any]) -> list:
        """Results of `make(number, host, devices)` for each host, in a block of its device."""
        found = []
        for number, host in enumerate(self._hosts):
            with device(host):
                found.append(make(number, host, self._fed[number]))
        return found

    def input_contexts(self, replicas: int) -> list[InputContext]:
        """Input context of each host's input function."""
        return [
            InputContext(self.num_workers, number, replicas) for number in range(self.num_workers)
        ]


class _OfDataset:
    """One host's part of a distributed iterator over a dataset."""

    def __init__(self, dataset: Any, host: str, devices: Sequence[str]):
        self._host = host
        with device(host):
            self._iterator = MultiDeviceIterator(dataset, devices)

    def get_next_as_list(self) -> list:
        with device(self._host):
            return self._iterator.get_next()

    def get_next(self, where: str) -> Any:
        """The next element of one device."""
        with device(self._host):
            return self._iterator.get_next(where)

    def initialize(self) -> list:
        return [self._iterator.initializer]

    @property
    def element_spec(self) -> Any:
        return self._iterator.element_spec

    @property
    def output_classes(self) -> Any:
        return legacy_classes(self.element_spec)

    @property
    def output_shapes(self) -> Any:
        return legacy_shapes(self.element_spec)

    @property
    def output_types(self) -> Any:
        return legacy_types(self.element_spec)


class _OfFunction:
    """One host's part of a distributed iterator over a function that makes a replica's input."""

    def __init__(self, fn: Callable, host: str, devices: Sequence[str]):
        self._fn, self._host, self._devices = fn, host, devices

    def get_next_as_list(self) -> list:
        with device(self._host):
            return [self._fn() for _ in self._devices]

    def get_next(self, where: str) -> Any:
        with device(self._host):
            return self._fn()

    def initialize(self) -> list:
        return []


class DistributedIterator:
    """Iterator of a strategy: `get_next()` returns one value per replica.

    Example:
      iterator = strategy.make_dataset_iterator(dataset)
      losses = strategy.experimental_run(train_step, iterator)
      session.run(iterator.initialize())
    """

    element_spec: Any = None

    def __init__(self, input_workers: InputWorkers, iterators: Sequence[Any], strategy: Any):
        if not input_workers.worker_devices:
            raise ValueError("Should have at least one worker for input iterator.")
        self._iterators = iterators
        self._input_workers = input_workers
        self._strategy = strategy

    def get_next(self, name: str | None = None) -> Any:
        """The next element, with the values of all replicas at its leaves."""
        found = self._input_workers.on_each_host(
            lambda number, host, devices: self._iterators[number].get_next_as_list()
        )
        return regroup(self._input_workers.device_map, [each for part in found for each in part])

    def next(self) -> Any:
        """The same as `get_next`."""
        return self.get_next()

    def initialize(self) -> Any:
        """The operation that initializes it."""
        return ops.group([op for iterator in self._iterators for op in iterator.initialize()])

    @property
    def initializer(self) -> Any:
        """The operation that initializes it."""
        return self.initialize()

    @property
    def output_classes(self) -> Any:
        """The classes of an element's components, as a structure."""
        return self._iterators[0].output_classes

    @property
    def output_shapes(self) -> Any:
        """The static shapes of an element's components, as a structure."""
        return self._iterators[0].output_shapes

    @property
    def output_types(self) -> Any:
        """The dtypes of an element's components, as a structure."""
        return self._iterators[0].output_types

    def get_iterator(self, worker: str) -> Any:
        """A host's part of the iterator, None if it has none."""
        pairs = zip(self._input_workers.worker_devices, self._iterators)
        return next((iterator for host, iterator in pairs if host == worker), None)


def _stateless(dataset: Any) -> Any:
    options = Options()
    options.experimental_distribute._make_stateless = True
    return dataset.with_options(options)


class _Distributed:
    """Base of distributed datasets."""

    element_spec: Any = None

    def __init__(self, input_workers: InputWorkers, strategy: Any):
        self._input_workers = input_workers
        self._strategy = strategy

    def _iterators(self) -> list:
        raise NotImplementedError

    def make_initializable_iterator(self) -> DistributedIterator:
        """Iterator that gives each replica its part of a batch; run its `initialize()` first."""
        return self._make_initializable_iterator()

    def _make_initializable_iterator(self, shared_name: str | None = None) -> DistributedIterator:
        iterator = DistributedIterator(self._input_workers, self._iterators(), self._strategy)
        iterator.element_spec = self.element_spec
        return iterator

    def make_one_shot_iterator(self) -> DistributedIterator:
        """Not supported: an iterator over several devices has to be initialized."""
        raise ValueError(
            "Cannot create a one shot iterator. Please use `make_initializable_iterator()` instead."
        )

    _make_one_shot_iterator = make_one_shot_iterator

    def __iter__(self) -> Any:
        raise RuntimeError(
            "__iter__() is only supported inside of tf.function or when eager execution is enabled."
        )


class DistributedDataset(_Distributed):
    """A dataset whose batches are divided among the replicas.

    Args:
      dataset: the dataset.
      input_workers: the hosts and devices.
      strategy: the strategy.
      split_batch_by: among how many replicas.
      context: which part of the data these hosts take, where others take the rest.
    """

    def __init__(
        self,
        dataset: Any,
        input_workers: InputWorkers,
        strategy: Any,
        split_batch_by: int = 0,
        context: InputContext | None = None,
    ):
        super().__init__(input_workers, strategy)
        if split_batch_by:
            dataset = Rebatched(dataset, split_batch_by).prefetch(split_batch_by)
        dataset = _stateless(dataset)
        self.element_spec = dataset.element_spec

        def make(number: int, host: str, devices: Any) -> Any:
            part = cloned(dataset).with_options(dataset.options())
            if context is None:
                return auto_sharded(part, input_workers.num_workers, number)
            return auto_sharded(part, context.num_input_pipelines, context.input_pipeline_id)

        self._parts = input_workers.on_each_host(make)

    def _iterators(self) -> list:
        return self._input_workers.on_each_host(
            lambda number, host, devices: _OfDataset(self._parts[number], host, devices)
        )


class DistributedDatasetFromFunction(_Distributed):
    """Distributed dataset whose function is called once per host and yields per-replica batches."""

    def __init__(
        self,
        dataset_fn: Callable,
        input_workers: InputWorkers,
        input_contexts: Sequence[InputContext],
        strategy: Any,
    ):
        super().__init__(input_workers, strategy)
        _check_contexts(input_workers, input_contexts)
        self._dataset_fn, self._contexts = dataset_fn, input_contexts

    def _iterators(self) -> list:
        def make(number: int, host: str, devices: Sequence[str]) -> _OfDataset:
            return _OfDataset(_stateless(self._dataset_fn(self._contexts[number])), host, devices)

        return self._input_workers.on_each_host(make)


def _check_contexts(workers: InputWorkers, contexts: Sequence[InputContext]) -> None:
    if workers.num_workers != len(contexts):
        raise ValueError(
            f"Number of input workers ({workers.num_workers}) is not same as number of input_contexts "
            f"({len(contexts)})"
        )


class DatasetIterator(DistributedIterator):
    """Iterator over a dataset whose batches are divided among the replicas; same arguments as the dataset."""

    def __init__(self, dataset: Any, input_workers: InputWorkers, strategy: Any, *how: Any):
        distributed = DistributedDataset(dataset, input_workers, strategy, *how)
        super().__init__(input_workers, distributed._iterators(), strategy)
        self.element_spec = distributed.element_spec


class InputFunctionIterator(DistributedIterator):
    """Iterator over the results of an input function.

    Raises:
      ValueError: if that is neither a dataset nor a function.
    """

    def __init__(
        self,
        input_fn: Callable,
        input_workers: InputWorkers,
        input_contexts: Sequence[InputContext],
        strategy: Any,
    ):
        _check_contexts(input_workers, input_contexts)

        def make(number: int, host: str, devices: Sequence[str]) -> _OfDataset | _OfFunction:
            result = input_fn(input_contexts[number])
            if isinstance(result, DatasetV2):
                return _OfDataset(result, host, devices)
            if not callable(result):
                raise ValueError("input_fn must return a tf.data.Dataset or a callable.")
            return _OfFunction(result, host, devices)

        super().__init__(input_workers, input_workers.on_each_host(make), strategy)
