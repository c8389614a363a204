"""Multi-device iterators, which distribute elements round-robin, and splitting of batches among replicas."""

from __future__ import annotations

import itertools
import os
from collections import deque

import numpy as np

from tfmini._src.base.errors import (
    FailedPreconditionError,
    OutOfRangeError,
    invalid,
)
from tfmini._src.base.locks import make_lock
from tfmini._src.graph.op_traits.handle_kinds import MULTI_DEVICE_ITERATOR, Resource
from tfmini._src.graph.opdef import Attr, op_with_handles
from tfmini._src.graph.shape_inference import with_rank
from tfmini._src.ops.datasets.auto_shard import auto_shard
from tfmini._src.ops.datasets.dataset_value import (
    ELEMENTS,
    SOURCES,
    Dataset,
    Element,
    Iterator,
    Run,
    UnaryDataset,
    handle_shape,
    parse_handle,
    scalar_argument,
    set_declared_types,
    to_string_handle,
)

op = op_with_handles(**SOURCES, multi_device_iterator=MULTI_DEVICE_ITERATOR)

_KIND = "multi_device_iterator"
_numbers = itertools.count()


class _SeveralDevices(Resource):
    """Iterator that distributes its elements round-robin over several devices.

    Elements for slower devices are buffered.
    """

    resource_kind = MULTI_DEVICE_ITERATOR

    def __init__(self, container: str, name: str, count: int):
        self.container = container or "localhost"
        self.name = name
        self.incarnation = 0
        self._queues: list[deque] = [deque() for _ in range(count)]
        self._run: Run | None = None
        self._elements: Iterator | None = None
        self._next = 0
        self._lock = make_lock()

    @property
    def array(self) -> np.ndarray:
        """The container and name, which are the value of a fetched reference."""
        return np.array([os.fsencode(self.container), os.fsencode(self.name)], object)

    def start(self, dataset: Dataset) -> int:
        """Initializes the iterator with a dataset and returns the incarnation number."""
        with self._lock:
            self.end()
            self._run = Run()
            self._elements = dataset.iterate(self._run, "")
            for queue in self._queues:
                queue.clear()
            self._next = 0
            self.incarnation += 1
            return self.incarnation

    def next_element(self, shard: int, incarnation: int) -> Element:
        """Returns the next element for a device.

        Raises:
          OutOfRangeError: at the end.
          InvalidArgumentError: for a different incarnation or an unknown device.
        """
        with self._lock:
            if self._elements is None:
                raise FailedPreconditionError(
                    None, None, "The iterator over several devices has not been initialized."
                )
            if incarnation != self.incarnation:
                invalid(
                    f"Invalid incarnation id. Provided: {incarnation}; Expected: {self.incarnation}"
                )
            if not 0 <= shard < len(self._queues):
                invalid(f"Invalid shard_num {shard} for {len(self._queues)} devices")
            queue = self._queues[shard]
            while not queue:
                element = self._elements.next()
                if element is None:
                    raise OutOfRangeError(None, None, "End of sequence")
                if not self._elements.is_fresh:
                    element = tuple(v.copy() if isinstance(v, np.ndarray) else v for v in element)
                self._queues[self._next].append(element)
                self._next = (self._next + 1) % len(self._queues)
            return queue.popleft()

    def end(self) -> None:
        """Stops the threads of the iterator."""
        run, self._run, self._elements = self._run, None, None
        if run is not None:
            run.close()

    __del__ = end


@op(
    "MultiDeviceIterator",
    "-> handle: resource",
    infer=handle_shape,
    stateful=True,
    devices=Attr("list(string)", minimum=1),
    shared_name=Attr("string"),
    container=Attr("string"),
    **ELEMENTS,
)
def multi_device_iterator_op(ctx):
    attrs = ctx.op.attrs
    shared, count = attrs["shared_name"], len(attrs["devices"])

    def first() -> _SeveralDevices:
        name = shared or f"_{next(_numbers)}_{ctx.op.name}"
        return _SeveralDevices(attrs["container"], name, count)

    if shared:
        resource = ctx.resources.named((_KIND, attrs["container"], shared), first)
    else:  # private to a session
        resource = ctx.resources.node_state(ctx.op, first)
    if not resource.destroyed:
        ctx.resources.named((_KIND, resource.container, resource.name), lambda: resource)
    return resource


@op(
    "MultiDeviceIteratorInit",
    "dataset: variant, multi_device_iterator: resource, max_buffer_size: int64 -> incarnation_id: int64",
    infer=handle_shape,
    stateful=True,
)
def multi_device_iterator_init_op(xp, dataset, multi_device_iterator, max_buffer_size):
    return np.int64(multi_device_iterator.start(dataset))


def _component_shapes(op):
    with_rank(op.inputs[0]._dims, 0)
    return list(op.attrs["output_shapes"])


@op(
    "MultiDeviceIteratorGetNextFromShard",
    "multi_device_iterator: resource, shard_num: int32, incarnation_id: int64 -> components: output_types",
    infer=_component_shapes,
    stateful=True,
    may_wait=True,
    **ELEMENTS,
)
def multi_device_iterator_get_next_from_shard_op(
    ctx, multi_device_iterator, shard_num, incarnation_id
):
    values = {"shard_num": shard_num, "incarnation_id": incarnation_id}
    return multi_device_iterator.next_element(
        *[scalar_argument(v, name) for name, v in values.items()]
    )


@op(
    "MultiDeviceIteratorToStringHandle",
    "multi_device_iterator: resource -> string_handle: string",
    infer=handle_shape,
    stateful=True,
)
def multi_device_iterator_to_string_handle_op(xp, multi_device_iterator):
    return to_string_handle(multi_device_iterator)


@op(
    "MultiDeviceIteratorFromStringHandle",
    "string_handle: string -> multi_device_iterator: resource",
    infer=handle_shape,
    stateful=True,
    output_types=Attr("list(type)", [], minimum=0),
    output_shapes=Attr("list(shape)", [], minimum=0),
)
def multi_device_iterator_from_string_handle_op(ctx, string_handle):
    handle = parse_handle(string_handle)
    resource = ctx.resources.lookup((_KIND, handle.container, handle.name))
    if resource is None:
        invalid(f"No multi-device iterator is named {handle.name}")
    return resource


# Batches of replicas --------------------------------------------------------------------------------


class _DividedBatches(Iterator):
    is_fresh = False

    def __init__(self, inner: Iterator, count: int):
        self._inner = inner
        self._count = count
        self._batch: Element = ()
        self._delivered = count  # number of parts of the batch delivered so far

    def next(self) -> Element | None:
        if self._delivered == self._count:
            batch = self._inner.next()
            if batch is None:
                return None
            for index, column in enumerate(batch):
                if not np.ndim(column):
                    invalid(
                        "Cannot rebatch dataset: All components must have at least one dimension. Perhaps your input "
                        f"dataset is not batched? Component {index} is scalar."
                    )
            self._batch, self._delivered = batch, 0
        part = -(-len(self._batch[0]) // self._count)
        rows = slice(self._delivered * part, (self._delivered + 1) * part)
        self._delivered += 1
        return tuple([column[rows] for column in self._batch])


class _RebatchDataset(UnaryDataset):
    """Splits each batch into `count` smaller batches."""

    iterator, token = _DividedBatches, "/Rebatch"


@op(
    "RebatchDataset",
    "input_dataset: variant, num_replicas: int64 -> handle: variant",
    infer=handle_shape,
    **ELEMENTS,
    use_fallback=True,
)
def rebatch_dataset_op(ctx, input_dataset, num_replicas):
    count = scalar_argument(num_replicas, "num_replicas")
    if count <= 0:
        invalid("num_replicas must be greater than zero.")
    return set_declared_types(_RebatchDataset(input_dataset, count), ctx)


@op(
    "AutoShardDataset",
    "input_dataset: variant, num_workers: int64, index: int64 -> handle: variant",
    infer=handle_shape,
    **ELEMENTS,
)
def auto_shard_dataset_op(ctx, input_dataset, num_workers, index):
    count, shard = scalar_argument(num_workers, "num_workers"), scalar_argument(index, "index")
    if count < 1:
        invalid("num_workers must be greater than zero.")
    if not 0 <= shard < count:
        invalid(f"index must be between 0 and {count - 1}")
    if count == 1:
        return input_dataset
    return auto_shard(input_dataset, count, shard)
