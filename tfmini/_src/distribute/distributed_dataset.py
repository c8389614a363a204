"""Input for replicas: iterators and datasets that split each batch among the replicas."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.errors import OutOfRangeError
from tfmini._src.base.read_only import read_only
from tfmini._src.data import dataset_nest
from tfmini._src.data.dataset import DatasetV2
from tfmini._src.data.element_spec import legacy_classes, legacy_shapes, legacy_types
from tfmini._src.data.experimental.multi_device_iterator import (
    MultiDeviceIterator,
    RebatchDataset,
    auto_sharded,
    clone_dataset,
)
from tfmini._src.data.options import Options
from tfmini._src.distribute.device_maps import DeviceMap
from tfmini._src.distribute.devices import canonicalize
from tfmini._src.distribute.distributed_values import regroup
from tfmini._src.distribute.input_contexts import InputContext
from tfmini._src.graph.composite_values import SparseTensor, SparseTensorSpec
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.scopes import device
from tfmini._src.graph.type_spec import TensorSpec
from tfmini._src.ops import ops
from tfmini._src.ops.ragged.ragged_tensor_spec import RaggedTensorSpec


class InputWorkers:
    """Assignment of compute devices to the hosts that feed them.

    Args:
      device_map: the replicas' devices.
      worker_device_pairs: a list of pairs (host, its devices); by default the CPU with all devices.
    """

    device_map: DeviceMap = read_only("The replicas' devices.")
    worker_devices: tuple[str, ...] = read_only("The hosts.", "_hosts")

    def __init__(self, device_map: DeviceMap, worker_device_pairs: Any = None):
        self._device_map = device_map
        if worker_device_pairs is None:
            host = canonicalize("/device:CPU:0")
            worker_device_pairs = [(host, device_map.logical_to_actual_devices(0))]
        self._hosts = tuple(host for host, _ in worker_device_pairs)
        self._fed_devices = tuple(tuple(map(canonicalize, fed)) for _, fed in worker_device_pairs)

    @property
    def num_workers(self) -> int:
        """Number of hosts."""
        return len(self._hosts)

    def on_each_host(self, make: Callable[[int, str, tuple[str, ...]], Any]) -> list:
        """Returns the results of `make(number, host, devices)` for each host, called in its device block."""
        results = []
        for index, host in enumerate(self._hosts):
            with device(host):
                results.append(make(index, host, self._fed_devices[index]))
        return results

    def input_contexts(self, replicas: int) -> list[InputContext]:
        """Returns the input context of each host's input function."""
        return [
            InputContext(self.num_workers, index, replicas) for index in range(self.num_workers)
        ]


class _DatasetHostIterator:
    """One host's part of a distributed iterator over a dataset."""

    element_spec: Any = read_only(attribute="_iterator.element_spec")

    def __init__(self, dataset: Any, host: str, devices: Sequence[str]):
        self._dataset, self._host, self._devices = dataset, host, devices
        self._iterator = self._start_iterator()

    def _start_iterator(self) -> MultiDeviceIterator:
        with device(self._host):
            return MultiDeviceIterator(self._dataset, self._devices)

    def get_next_as_list(self) -> list:
        with device(self._host):
            return self._iterator.get_next()

    def get_next_as_optional(self) -> tuple[Any, list]:
        """Returns whether the first device has an element, and all devices' elements, of size 0 if exhausted."""
        with device(self._host):
            next_optional = self._iterator.get_next_as_optional()
        values = []
        for name, optional in zip(self._devices, next_optional):
            with device(name):
                empty = functools.partial(_empty, optional.value_structure)
                values.append(ops.cond(optional.has_value(), optional.get_value, empty))
        return next_optional[0].has_value(), values

    def get_next(self, where: str) -> Any:
        """Returns the next element of one device."""
        with device(self._host):
            return self._iterator.get_next(where)

    def initialize(self) -> list:
        if not executing_eagerly():
            return [self._iterator.initializer]
        self._iterator = self._start_iterator()
        return []

    @property
    def output_classes(self) -> Any:
        return legacy_classes(self.element_spec)

    @property
    def output_shapes(self) -> Any:
        return legacy_shapes(self.element_spec)

    @property
    def output_types(self) -> Any:
        return legacy_types(self.element_spec)


_MAY_BE_EMPTY = (TensorSpec, SparseTensorSpec, RaggedTensorSpec)


def _empty(structure: Any) -> Any:
    """Returns an element of TypeSpecs with zero rows: unknown dimensions are 0, else the first one is."""

    def zeros(spec: Any) -> Any:
        if not isinstance(spec, _MAY_BE_EMPTY):
            raise NotImplementedError(
                f"A replica without input has no empty element of {spec}: iterate outside of tf.function"
            )
        if isinstance(spec, RaggedTensorSpec):
            values, *splits = spec._component_specs
            rows = [ops.zeros([1], split.dtype) for split in splits]
            return spec._from_components([zeros(values), *rows])
        sizes = [size or 0 for size in spec.shape.as_list()]
        if sizes and spec.shape.is_fully_defined():
            sizes[0] = 0
        if isinstance(spec, SparseTensorSpec):
            indices = ops.zeros([0, len(sizes)], dtypes.int64)
            return SparseTensor(indices, ops.zeros([0], spec.dtype), sizes)
        return ops.zeros(sizes, spec.dtype)

    return dataset_nest.map_structure(zeros, structure)


class _FunctionHostIterator:
    """One host's part of a distributed iterator over a function that creates a replica's input."""

    def __init__(self, fn: Callable, host: str, devices: Sequence[str]):
        self._fn, self._host, self._devices = fn, host, devices

    def get_next_as_list(self) -> list:
        with device(self._host):
            return [self._fn() for _ in self._devices]

    def get_next_as_optional(self) -> tuple[Any, list]:
        return ops.constant(True), self.get_next_as_list()

    def get_next(self, where: str) -> Any:
        with device(self._host):
            return self._fn()

    def initialize(self) -> list:
        return []


class DistributedIterator:
    """Iterator of a strategy: `get_next()` returns one value per replica.

    In eager mode it is already initialized: `next` returns the elements, and `initialize` restarts it.

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
        """Returns the next element, with all replicas' values at its leaves."""
        if self._ends_unevenly():
            return self._next_padded()
        elements = self._input_workers.on_each_host(
            lambda index, host, devices: self._iterators[index].get_next_as_list()
        )
        return self.regroup(elements)

    def _ends_unevenly(self) -> bool:
        """Whether final elements that only some of the replicas receive are returned."""
        extended = self._strategy.extended
        if not getattr(extended, "experimental_enable_get_next_as_optional", False):
            return False
        datasets = [
            iterator for iterator in self._iterators if isinstance(iterator, _DatasetHostIterator)
        ]
        specs = [
            spec for dataset in datasets for spec in dataset_nest.flatten(dataset.element_spec)
        ]
        shapes = [
            shape for dataset in datasets for shape in dataset_nest.flatten(dataset.output_shapes)
        ]
        is_static = all(shape.is_fully_defined() for shape in shapes)
        return not is_static and all(isinstance(spec, _MAY_BE_EMPTY) for spec in specs)

    def following(self) -> tuple[Any, list[list]]:
        """Returns whether each replica has an element, a scalar bool, and the elements by host."""
        parts = self._input_workers.on_each_host(
            lambda index, host, devices: self._iterators[index].get_next_as_optional()
        )
        has_value = functools.reduce(ops.logical_or, [has_value for has_value, _ in parts])
        return has_value, [values for _, values in parts]

    def _next_padded(self) -> Any:
        has_value, values = self.following()

        def host_values(index: int, host: str, devices: Sequence[str]) -> list:
            return [
                self._value_or_error(has_value, value, index, name)
                for name, value in zip(devices, values[index])
            ]

        return self.regroup(self._input_workers.on_each_host(host_values))

    def _value_or_error(self, has_value: Any, value: Any, index: int, name: str) -> Any:
        """Returns a value, or at the end the out-of-range error of one more `get_next`."""
        past_end = functools.partial(self._iterators[index].get_next, name)
        with device(name):
            return ops.cond(has_value, lambda: value, past_end)

    def regroup(self, values_by_host: list[list]) -> Any:
        """Returns an element with all replicas' values at its leaves."""
        return regroup(self._input_workers.device_map, [v for part in values_by_host for v in part])

    def __next__(self) -> Any:
        try:
            return self.get_next()
        except OutOfRangeError:
            raise StopIteration from None

    def next(self) -> Any:
        """Same as `next(iterator)`: `get_next()`, but raises StopIteration at the end."""
        return self.__next__()

    def initialize(self) -> Any:
        """Returns the initializer operation; in eager mode, restarts the iterator."""
        return ops.group([op for iterator in self._iterators for op in iterator.initialize()])

    @property
    def initializer(self) -> Any:
        """The initializer operation."""
        return self.initialize()

    @property
    def output_classes(self) -> Any:
        """Classes of an element's components, as a structure."""
        return self._iterators[0].output_classes

    @property
    def output_shapes(self) -> Any:
        """Static shapes of an element's components, as a structure."""
        return self._iterators[0].output_shapes

    @property
    def output_types(self) -> Any:
        """Dtypes of an element's components, as a structure."""
        return self._iterators[0].output_types

    def get_iterator(self, worker: str) -> Any:
        """Returns a host's part of the iterator, or None."""
        pairs = zip(self._input_workers.worker_devices, self._iterators)
        return next((iterator for host, iterator in pairs if host == worker), None)


def _stateless(dataset: Any) -> Any:
    options = Options()
    options.experimental_distribute._make_stateless = True
    return dataset.with_options(options)


class _DistributedDataset:
    """Base class of distributed datasets."""

    element_spec: Any = None

    def __init__(self, input_workers: InputWorkers, strategy: Any):
        self._input_workers = input_workers
        self._strategy = strategy

    def _iterators(self) -> list:
        raise NotImplementedError

    def make_initializable_iterator(self) -> DistributedIterator:
        """Returns an iterator that gives each replica its part of a batch; run its `initialize()` first.

        Raises:
          ValueError: in eager mode, where iterators need no initialization.
        """
        return self._make_initializable_iterator()

    def _make_initializable_iterator(self, shared_name: str | None = None) -> DistributedIterator:
        if executing_eagerly():
            raise ValueError(
                "Cannot create initializable iterator in Eager mode. Please use `iter()` instead."
            )
        return self._iterator()

    def _iterator(self) -> DistributedIterator:
        iterator = DistributedIterator(self._input_workers, self._iterators(), self._strategy)
        iterator.element_spec = self.element_spec
        return iterator

    def make_one_shot_iterator(self) -> DistributedIterator:
        """Returns the iterator for eager mode.

        Raises:
          ValueError: in graph mode, as iterators over several devices require initialization.
        """
        if not executing_eagerly():
            raise ValueError(
                "Cannot create a one shot iterator. Please use `make_initializable_iterator()` instead."
            )
        return self._iterator()

    _make_one_shot_iterator = make_one_shot_iterator

    def _in_graph(self) -> Callable[[], tuple[Any, Callable]]:
        """Returns the functions for a loop in the graph: whether there is a next element, and its getter."""
        iterator = iter(self)

        def following() -> tuple[Any, Callable]:
            has_value, values = iterator.following()
            return has_value, lambda: iterator.regroup(values)

        return following

    def __iter__(self) -> DistributedIterator:
        if not executing_eagerly() and not get_default_graph().building_function:
            raise RuntimeError(
                "__iter__() is only supported inside of tf.function or when eager execution is enabled."
            )
        return self._iterator()


class DistributedDataset(_DistributedDataset):
    """A dataset whose batches are split among the replicas.

    Args:
      dataset: the dataset.
      input_workers: hosts and devices.
      strategy: the strategy.
      split_batch_by: number of parts per batch.
      context: these hosts' share of the data, if other processes read the rest.
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
            dataset = RebatchDataset(dataset, split_batch_by).prefetch(split_batch_by)
        dataset = _stateless(dataset)
        self.element_spec = dataset.element_spec

        def make(index: int, host: str, devices: Any) -> Any:
            part = clone_dataset(dataset).with_options(dataset.options())
            if context is None:
                return auto_sharded(part, input_workers.num_workers, index)
            return auto_sharded(part, context.num_input_pipelines, context.input_pipeline_id)

        self._parts = input_workers.on_each_host(make)

    def _iterators(self) -> list:
        return self._input_workers.on_each_host(
            lambda index, host, devices: _DatasetHostIterator(self._parts[index], host, devices)
        )


class DistributedDatasetFromFunction(_DistributedDataset):
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
        def make(index: int, host: str, devices: Sequence[str]) -> _DatasetHostIterator:
            return _DatasetHostIterator(
                _stateless(self._dataset_fn(self._contexts[index])), host, devices
            )

        return self._input_workers.on_each_host(make)


def _check_contexts(workers: InputWorkers, contexts: Sequence[InputContext]) -> None:
    if workers.num_workers != len(contexts):
        raise ValueError(
            f"Number of input workers ({workers.num_workers}) is not same as number of input_contexts "
            f"({len(contexts)})"
        )


class DatasetIterator(DistributedIterator):
    """Iterator over a dataset whose batches are split among the replicas; same arguments as the dataset."""

    def __init__(
        self, dataset: Any, input_workers: InputWorkers, strategy: Any, *dataset_args: Any
    ):
        distributed = DistributedDataset(dataset, input_workers, strategy, *dataset_args)
        super().__init__(input_workers, distributed._iterators(), strategy)
        self.element_spec = distributed.element_spec


class InputFunctionIterator(DistributedIterator):
    """Iterator over the result of an input function.

    Raises:
      ValueError: if the result is neither a dataset nor a function.
    """

    def __init__(
        self,
        input_fn: Callable,
        input_workers: InputWorkers,
        input_contexts: Sequence[InputContext],
        strategy: Any,
    ):
        _check_contexts(input_workers, input_contexts)

        def make(
            index: int, host: str, devices: Sequence[str]
        ) -> _DatasetHostIterator | _FunctionHostIterator:
            result = input_fn(input_contexts[index])
            if isinstance(result, DatasetV2):
                return _DatasetHostIterator(result, host, devices)
            if not callable(result):
                raise ValueError("input_fn must return a tf.data.Dataset or a callable.")
            return _FunctionHostIterator(result, host, devices)

        super().__init__(input_workers, input_workers.on_each_host(make), strategy)
