"""Reductions that use all devices: `NcclAllReduce`, `HierarchicalCopyAllReduce`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base import logs
from tfmini._src.distribute.cross_device_ops import (
    CrossDeviceOps,
    ReductionToOneDevice,
    all_same_devices,
    destination_device_map,
    same_devices,
)
from tfmini._src.distribute.devices import canonicalize
from tfmini._src.distribute.distributed_values import Mirrored, regroup
from tfmini._src.distribute.reduce_op import ReduceOp
from tfmini._src.graph.composite_values import IndexedSlices
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.scopes import colocate_with, device
from tfmini._src.ops import ops
from tfmini._src.ops.collective.nccl import all_reduce
from tfmini._src.session.list_devices import list_local_devices


class AllReduce(CrossDeviceOps):
    """Base class of all-reduces: sums on all devices at once, with tensors packed into a few large ones.

    Args:
      num_packs: number of packs; 0 disables packing.
    """

    _algorithm = _title = ""

    def __init__(self, num_packs: int = 1):
        if num_packs < 0:
            raise ValueError(f"{self._title} requires num_packs >= 0, but {num_packs} is specified")
        self._num_packs = num_packs
        self._simple = ReductionToOneDevice()
        super().__init__()

    def reduce_implementation(
        self, reduce_op: ReduceOp | str, per_replica_value: object, destinations: object
    ) -> Any:
        if same_devices(per_replica_value, destinations):
            return self._all_reduce_values(reduce_op, [per_replica_value])[0]
        return self._simple.reduce(reduce_op, per_replica_value, destinations)

    def batch_reduce_implementation(
        self, reduce_op: ReduceOp | str, value_destination_pairs: Sequence[tuple[Any, Any]]
    ) -> list[Any]:
        pairs = list(value_destination_pairs)
        if all_same_devices(pairs):
            return self._all_reduce_values(reduce_op, [value for value, _ in pairs])
        return [self.reduce_implementation(reduce_op, v, d) for v, d in pairs]

    def _all_reduce_values(self, reduce_op: Any, values: list) -> list:
        """Returns the sums or means of several values, as mirrored values; IndexedSlices are reduced one by one."""
        sparse = [all(isinstance(v, IndexedSlices) for v in value.values) for value in values]
        dense = [value for value, is_sparse in zip(values, sparse) if not is_sparse]
        results = iter(self._dense(reduce_op, dense) if dense else [])
        slices = [value for value, is_sparse in zip(values, sparse) if is_sparse]
        if slices:
            logs.log_first_n(
                logs.WARN,
                f"Efficient allreduce is not supported for {len(slices)} IndexedSlices",
                10,
            )
        rows = iter(self._simple.batch_reduce(reduce_op, zip(slices, slices)) if slices else [])
        return [next(rows if is_sparse else results) for is_sparse in sparse]

    def _dense(self, reduce_op: Any, values: list) -> list:
        logs.log_first_n(
            logs.INFO,
            f"batch_all_reduce: {len(values)} all-reduces with algorithm = {self._algorithm}, num_packs = "
            f"{self._num_packs}, agg_small_grads_max_bytes = 0 and agg_small_grads_max_group = 10",
            10,
        )
        devices = values[0].devices
        on_device = [[value.values[index] for value in values] for index in range(len(devices))]
        if self._num_packs > 0:
            packs = _Packs(on_device, self._num_packs)
            sums = packs.unpack(self._sums(devices, packs.tensors))
        else:
            sums = self._sums(devices, on_device)
        device_map = destination_device_map(values[0])
        results: list[list] = [[] for _ in values]
        for device_sum in sums:
            for index, total in enumerate(device_sum):
                if reduce_op == ReduceOp.MEAN:
                    with device(total.device):
                        total = total / device_map.num_replicas_in_graph
                results[index].append(total)
        return [regroup(device_map, copies, Mirrored) for copies in results]

    def _sums(self, devices: Sequence[str], on_device: Sequence[Sequence[Any]]) -> list[list]:
        """Returns the sum of each tensor over all devices, on every device."""
        columns = [
            self._sum(devices, index, tensors) for index, tensors in enumerate(zip(*on_device))
        ]
        return [list(sums) for sums in zip(*columns)]

    def _sum(self, devices: Sequence[str], index: int, tensors: Sequence[Any]) -> Sequence[Any]:
        """Returns the sum of one tensor per device, on each device; the index selects the summing devices."""
        raise NotImplementedError


class _Packs:
    """Each device's tensors, concatenated and split into `count` packs, so that few sums are needed."""

    def __init__(self, on_device: list[list[Any]], count: int):
        self.tensors: list[list] = []
        self._shapes: list[list] = []
        self._sizes: list[list] = []
        for values in on_device:
            with colocate_with(values[0]):
                flat = [ops.reshape(value, [-1]) for value in values]
                self._shapes.append([ops.shape(value) for value in values])
                self._sizes.append([ops.size(value) for value in values])
                joined = ops.concat(flat, 0)
                if all(value.shape.is_fully_defined() for value in values):
                    total: Any = sum(value.shape.num_elements() for value in values)
                else:
                    total = ops.size(joined)
                part = total // count
                last = total - part * (count - 1)
                self.tensors.append(ops.split(joined, [*[part] * (count - 1), last]))

    def unpack(self, sums: list[list]) -> list[list]:
        """Splits the summed packs of each device into tensors of the original shapes."""
        results = []
        for packs, shapes, sizes in zip(sums, self._shapes, self._sizes):
            with colocate_with(packs[0]):
                parts = ops.split(ops.concat(list(packs), 0), sizes)
                results.append([ops.reshape(part, shape) for shape, part in zip(shapes, parts)])
        return results


class NcclAllReduce(AllReduce):
    """Sums on all GPUs by NCCL.

    Args:
      num_packs: number of packs; 0 disables packing.

    Raises:
      ValueError: if `num_packs` is negative.
    """

    _algorithm, _title = "nccl", "NCCL all-reduce"

    def _all_reduce_values(self, reduce_op: Any, values: list) -> list:
        if executing_eagerly():  # one op at a time, but NCCL's ops wait for each other
            return self._simple.batch_reduce(reduce_op, zip(values, values))
        return super()._all_reduce_values(reduce_op, values)

    def _sum(self, devices: Sequence[str], index: int, tensors: Sequence[Any]) -> Sequence[Any]:
        return all_reduce("sum", tensors)


class HierarchicalCopyAllReduce(AllReduce):
    """Sums in two groups of devices, then between the two, by copies: for GPUs connected by two switches.

    Args:
      num_packs: number of packs; 0 disables packing.

    Raises:
      ValueError: if `num_packs` is negative.
    """

    _algorithm, _title = "hierarchical_copy", "HierarchicalCopy"

    def _sum(self, devices: Sequence[str], index: int, tensors: Sequence[Any]) -> Sequence[Any]:
        half = len(devices) // 2
        main = [index % len(devices)]
        main.append((main[0] + half) % len(devices))
        begin = (0, half) if main[0] < half else (half, 0)
        parts = []
        for position, first in zip(main, begin):
            with device(devices[position]):
                parts.append(ops.add_n(tensors[first : first + half]))
        with device(devices[main[0]]):
            total = ops.add_n(parts)
        copies = []
        for position in main:
            with device(devices[position]):
                copies.append(ops.identity(total))
        results = []
        for position, where in enumerate(devices):
            with device(where):
                is_near = (main[0] < half) == (position < half)
                results.append(ops.identity(copies[0 if is_near else 1]))
        return results


def best_for(devices: Sequence[str], session_config: Any = None) -> CrossDeviceOps:
    """Returns the best reduction for the devices: NCCL if all are GPUs."""
    requested = {canonicalize(where) for where in devices}
    local_names = {local.name for local in list_local_devices(session_config)}
    used = {name for name in local_names if canonicalize(name) in requested}
    if len(used) != len(requested):
        missing = requested - {canonicalize(name) for name in used}
        logs.warning(
            "Some requested devices in `tf.distribute.Strategy` are not visible to TensorFlow: %s",
            ",".join(sorted(missing)),
        )
        return ReductionToOneDevice()
    if any("gpu" not in name.lower() for name in used):
        logs.warning(
            "There is non-GPU devices in `tf.distribute.Strategy`, not using nccl allreduce."
        )
        return ReductionToOneDevice()
    return NcclAllReduce(num_packs=1)
