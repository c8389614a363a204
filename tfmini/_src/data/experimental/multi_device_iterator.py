"""Iterators that distribute elements over devices, and datasets prepared by strategies."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import TensorShape
from tfmini._src.data import dataset_nest
from tfmini._src.data.dataset import DatasetV2
from tfmini._src.data.dataset_v1 import DatasetV1, DatasetV1Adapter, handle_ops
from tfmini._src.data.element_spec import from_legacy, legacy_classes, legacy_shapes, legacy_types
from tfmini._src.data.experimental.optional import get_next_as_optional
from tfmini._src.data.experimental.prefetch_to_device import HANDLE, remote_function
from tfmini._src.data.options import Options
from tfmini._src.data.owned_iterator import OwnedIterator
from tfmini._src.data.registry import function_attr
from tfmini._src.data.source_datasets import KnownSpecDataset
from tfmini._src.data.unary_datasets import UnaryDataset, UnaryUnchangedStructureDataset
from tfmini._src.graph.default_graph import get_default_graph, library_graph
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.scopes import device
from tfmini._src.ops import ops, raw

_numbers = itertools.count()  # numbers the iterators of eager mode


class MultiDeviceIterator:
    """Distributes a dataset over n devices, each of which receives every n-th element.

    Args:
      dataset: the dataset.
      devices: device names.
      max_buffer_size: maximum number of buffered elements per device.
      prefetch_buffer_size: number of elements prefetched to each device.
      source_device: device of the dataset.

    Example:
      iterator = MultiDeviceIterator(dataset, ["/gpu:0", "/gpu:1"])
      first, second = iterator.get_next()
      session.run(iterator.initializer)
    """

    element_spec: Any = read_only(
        "The TypeSpecs of an element's components, in its structure.", "_spec"
    )

    def __init__(
        self,
        dataset: DatasetV2,
        devices: Sequence[str],
        max_buffer_size: int = 1,
        prefetch_buffer_size: int = 1,
        source_device: str = "/cpu:0",
    ):
        options = Options()
        options.experimental_distribute.num_devices = len(devices)
        dataset = dataset.with_options(options)
        source = dataset._apply_options()
        slack = dataset.options().experimental_slack
        self._spec = source.element_spec
        self._devices = list(devices)
        where = ops.convert_to_tensor(source_device)
        with device(source_device):
            resource = raw.MultiDeviceIterator(
                devices=self._devices,
                shared_name=f"multi_device_iterator_{next(_numbers)}"
                if executing_eagerly()
                else "",
                container="",
                **source._flat_structure,
            )
            incarnation_id = raw.MultiDeviceIteratorInit(
                source._variant_tensor, resource, max(max_buffer_size, prefetch_buffer_size)
            )
        parts = []
        for shard, name in enumerate(self._devices):
            with device(name):
                parts.append(_Part(shard, resource, incarnation_id, where, source))
        self._iterators: list[Any] = []
        for part, name in zip(parts, self._devices):
            with device(name):
                copy = part.restart_dataset()
                if prefetch_buffer_size > 0:
                    copy = _prefetch(copy, prefetch_buffer_size, slack)
                plain = _without_rewrites(copy)
                if executing_eagerly():
                    self._iterators.append(OwnedIterator(plain))
                else:
                    self._iterators.append(plain._make_initializable_iterator())
        if not executing_eagerly():
            self._initializer = ops.group(*[iterator.initializer for iterator in self._iterators])

    def get_next(self, device_name: str | None = None) -> Any:
        """Returns the next element of one device, or a list of the next elements of all devices."""
        if device_name is not None:
            return self._iterators[self._devices.index(device_name)].get_next()
        return self._gather_from_all(lambda iterator: iterator.get_next())

    def get_next_as_optional(self) -> list:
        """Returns the next elements of all devices, each a `tf.data.experimental.Optional`."""
        return self._gather_from_all(get_next_as_optional)

    def _gather_from_all(self, get_next: Callable[[Any], Any]) -> list:
        result = []
        for iterator, name in zip(self._iterators, self._devices):
            with device(name):
                result.append(get_next(iterator))
        return result

    @property
    def initializer(self) -> Any:
        """The operation that starts the iterator, which in eager mode has already started."""
        return ops.no_op() if executing_eagerly() else self._initializer


def _prefetch(dataset: Any, size: int, slack: Any) -> Any:
    if slack:
        return _PrefetchedWithSlack(dataset, size)
    return dataset.prefetch(size)


class _PrefetchedWithSlack(UnaryUnchangedStructureDataset):
    def __init__(self, source: Any, size: int):
        self._add(
            raw.PrefetchDataset,
            source,
            ops.convert_to_tensor(size, dtypes.int64, name="buffer_size"),
            slack_period=1,
        )


def _without_rewrites(dataset: Any) -> Any:
    """Returns the dataset as a `DatasetV1` without default rewrites."""
    options = Options()
    options.experimental_optimization.apply_default_optimizations = False
    options.experimental_optimization.autotune = False
    return DatasetV1Adapter(dataset.with_options(options))


class _Part(KnownSpecDataset):
    """The elements of one device, obtained by generator functions that call the iterator on the source device."""

    def __init__(
        self, shard: int, resource: Any, incarnation_id: Any, where: Any, source: DatasetV2
    ):
        string_handle = raw.MultiDeviceIteratorToStringHandle(resource)
        structure = source._flat_structure

        def start() -> list:
            return [string_handle]

        def following(handle: Any) -> list:
            iterator = raw.MultiDeviceIteratorFromStringHandle(handle, **structure)
            return list(
                raw.MultiDeviceIteratorGetNextFromShard(
                    iterator, shard, incarnation_id, **structure
                )
            )

        def end(unused: Any) -> list:
            return [ops.constant(0, dtypes.int64)]

        types = structure["output_types"]
        functions = [
            remote_function("_init_func", "_remote_init_func", start, [], where, [dtypes.string]),
            remote_function("_next_func", "_remote_next_func", following, HANDLE, where, types),
            remote_function(
                "_finalize_func",
                "_remote_finalize_func",
                end,
                HANDLE,
                where,
                [dtypes.int64],
                "unused_string_handle",
            ),
        ]
        functions[1].definition.attr["experimental_ints_on_device"].b = True
        for function in functions:
            function.add_to_graph(library_graph())
        self._parts = functions, structure, source.element_spec
        super().__init__(self._handle(), source.element_spec)

    def _handle(self) -> Any:
        functions, structure, _ = self._parts
        names = [function_attr(function) for function in functions]
        return raw.GeneratorDataset(
            *(function.captured_inputs for function in functions),
            init_func=names[0],
            next_func=names[1],
            finalize_func=names[2],
            **structure,
        )

    def restart_dataset(self) -> KnownSpecDataset:
        """Returns the dataset for another pass, with a new node."""
        return KnownSpecDataset(self._handle(), self._parts[2])


class RebatchDataset(UnaryDataset):
    """Splits each batch into `num_replicas` smaller batches; raises ValueError if the elements are not batches."""

    element_spec: Any = read_only(attribute="_spec")

    def __init__(self, source: DatasetV2, num_replicas: int):
        spec = source.element_spec

        def part(shape: TensorShape) -> TensorShape:
            dims = shape.as_list()
            if not dims:
                raise ValueError(
                    "Input shape should have at least one dimension. Perhaps your input dataset is not batched?"
                )
            size = dims[0]
            is_even = size is not None and size % num_replicas == 0
            return TensorShape([size // num_replicas if is_even else None, *dims[1:]])

        shapes = dataset_nest.map_structure(part, legacy_shapes(spec))
        self._spec = from_legacy(legacy_types(spec), shapes, legacy_classes(spec))
        self._add(raw.RebatchDataset, source, num_replicas=num_replicas)


class AutoShardDataset(UnaryUnchangedStructureDataset):
    """The shard of a dataset that one of several workers reads."""

    def __init__(self, source: DatasetV2, num_workers: int, index: int):
        self._add(raw.AutoShardDataset, source, num_workers=num_workers, index=index)


def auto_sharded(dataset: DatasetV2, num_workers: int, index: int) -> DatasetV2:
    """Returns the shard of one worker, or the whole dataset if sharding is disabled."""
    if not dataset.options().experimental_distribute.auto_shard:
        return dataset
    sharded = AutoShardDataset(dataset, num_workers, index)
    return DatasetV1Adapter(sharded) if isinstance(dataset, DatasetV1) else sharded


def clone_dataset(dataset: DatasetV2) -> DatasetV2:
    """Returns a copy of the dataset's nodes on the current device; the dataset itself in eager mode."""
    if executing_eagerly():
        return dataset
    nodes = set(handle_ops(dataset))
    graph = get_default_graph()

    def copy_node(node: Any) -> Any:
        inputs = [
            copy_node(tensor.op).outputs[0] if tensor.op in nodes else tensor
            for tensor in node.inputs
        ]
        return graph.create_op(
            node.type,
            inputs,
            [tensor.dtype for tensor in node.outputs],
            name=node.name,
            attrs=node.node_def.attr,
            op_def=node.op_def,
        )

    return KnownSpecDataset(copy_node(dataset._variant_tensor.op).outputs[0], dataset.element_spec)
