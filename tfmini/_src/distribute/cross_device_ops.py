"""`CrossDeviceOps`: reductions and broadcasts across devices, with the simplest implementation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.autodiff.aggregation import aggregate_indexed_slices
from tfmini._src.base import logs
from tfmini._src.distribute.device_maps import LogicalDeviceSpec, SingleDeviceMap
from tfmini._src.distribute.devices import resolve
from tfmini._src.distribute.distributed_values import (
    DistributedValues,
    Mirrored,
    PerReplica,
    regroup,
)
from tfmini._src.distribute.reduce_op import ReduceOp
from tfmini._src.graph.composite_values import IndexedSlices
from tfmini._src.graph.is_tensor import is_tensor
from tfmini._src.graph.scopes import device
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.variables.resource_variable import BaseResourceVariable

# Destinations: a device, or an object placed on devices.
_DESTINATION_TYPES = (DistributedValues, BaseResourceVariable, Tensor, str, LogicalDeviceSpec)


def has_devices(destinations: Any) -> bool:
    """Whether the destinations name a device."""
    if isinstance(destinations, (BaseResourceVariable, Tensor)):
        return bool(destinations.device)
    return bool(destinations)


def check_destinations(destinations: Any) -> None:
    """Raises ValueError if the destinations are empty or invalid."""
    if not isinstance(destinations, _DESTINATION_TYPES):
        raise ValueError(
            "destinations must be one of a `DistributedValues` object, a tf.Variable object, or a device string."
        )
    if not has_devices(destinations):
        raise ValueError("destinations can not be empty")


def destination_devices(destinations: Any) -> tuple[str, ...]:
    """Returns the canonical names of the destinations' devices."""
    if isinstance(destinations, DistributedValues):
        return destinations.devices
    if isinstance(destinations, LogicalDeviceSpec):
        return destinations.device_map.logical_to_actual_devices(destinations.logical_device)
    return (resolve(destinations if isinstance(destinations, str) else destinations.device),)


def destination_device_map(destinations: Any) -> Any:
    """Returns the device map of the destinations."""
    if isinstance(destinations, (DistributedValues, LogicalDeviceSpec)):
        return destinations.device_map
    if isinstance(destinations, str):
        return SingleDeviceMap(resolve(destinations))
    return SingleDeviceMap(destinations.device)


def same_devices(left: Any, right: Any) -> bool:
    """Whether two values or destinations are on the same devices."""
    return set(destination_devices(left)) == set(destination_devices(right))


def all_same_devices(pairs: Sequence[tuple[Any, Any]]) -> bool:
    """Whether all values and destinations of the pairs are on the same devices."""
    first = pairs[0][0]
    return all(same_devices(v, d) and same_devices(v, first) for v, d in pairs)


def copy_to(value: Any, where: str) -> Any:
    """Copies a tensor or IndexedSlices to a device."""
    with device(where):
        if not isinstance(value, IndexedSlices):
            return ops.identity(value)
        return IndexedSlices(
            ops.identity(value.values),
            ops.identity(value.indices),
            ops.identity(value.dense_shape),
        )


def broadcast_to(value: Any, destinations: Any, always_mirrored: bool = False) -> Any:
    """Copies a value to each destination device; returns a plain tensor if there is only one."""
    device_map = destination_device_map(destinations)
    devices = device_map.logical_to_actual_devices(0)
    if len(devices) == 1 and not always_mirrored:
        return copy_to(value, devices[0])
    return regroup(device_map, [copy_to(value, where) for where in devices], Mirrored)


def reduce_plain(reduce_op: Any, device_map: Any, value: Any, destinations: Any) -> Any:
    """Reduces a value that is the same in all replicas.

    Raises:
      ValueError: for a sum over several replicas, which is ambiguous for a single value.
    """
    if isinstance(value, DistributedValues):
        raise ValueError(
            "You are passing a `DistributedValue` to `reduce_non_distributed_value`, which is not allowed."
        )
    if not is_tensor(value) and value == 0:
        return 0
    if reduce_op == ReduceOp.MEAN:
        return value
    check_destinations(destinations)
    if device_map.num_replicas_in_graph != 1:
        raise ValueError(
            f"A non-DistributedValues value {value} cannot be reduced with the given reduce op {reduce_op}."
        )
    return broadcast_to(value, destinations)


def _per_replica(value: Any) -> Any:
    """Wraps a tensor as a PerReplica with one value; returns a PerReplica unchanged."""
    if isinstance(value, (tuple, list)):
        raise ValueError(
            f"Cannot convert `input_tensor` to a `PerReplica` object, got {value!r} but expected a object that is not "
            "a tuple or list."
        )
    if isinstance(value, PerReplica):
        return value
    if not hasattr(value, "device"):
        raise ValueError(
            "Cannot convert `input_tensor` to a `PerReplica` object because it doesn't have device set."
        )
    return PerReplica(SingleDeviceMap(value.device), (value,))


def _checked_pairs(pairs: Any) -> list[tuple[Any, Any]]:
    checked_pairs = []
    for pair in list(pairs):
        if not isinstance(pair, tuple):
            raise ValueError("Each element of `value_destination_pairs` should be a tuple.")
        value, destinations = pair
        checked_pairs.append((_per_replica(value), destinations))
    return checked_pairs


def add_values(values: Sequence[Any], add: Callable) -> Any:
    """Returns the sum of tensors, or concatenation of IndexedSlices."""
    if not any(isinstance(value, IndexedSlices) for value in values):
        return add(values)
    return aggregate_indexed_slices(list(values))


def divide(value: Any, count: int) -> Any:
    """Divides a tensor, or the values of IndexedSlices, by a number."""
    if isinstance(value, IndexedSlices):
        return IndexedSlices(value.values / count, value.indices, value.dense_shape)
    return value / count


class CrossDeviceOps:
    """Reductions and broadcasts across devices; subclasses define the two `..._implementation` methods.

    Example: `tf.distribute.MirroredStrategy(cross_device_ops=tf.distribute.HierarchicalCopyAllReduce())`.
    """

    def reduce(
        self, reduce_op: ReduceOp | str, per_replica_value: Any, destinations: object
    ) -> Any:
        """Reduces the replicas' values to one.

        Args:
          reduce_op: a `tf.distribute.ReduceOp`.
          per_replica_value: the replicas' values.
          destinations: distributed values, a variable, a tensor or a device; determines the result's placement.

        Raises:
          ValueError: for invalid destinations.
        """
        if not isinstance(per_replica_value, DistributedValues):
            per_replica_value = _per_replica(per_replica_value)
        check_destinations(destinations)
        values = per_replica_value.values
        if len(values) == 1 and same_devices(per_replica_value, destinations):
            return regroup(per_replica_value.device_map, values, Mirrored)
        return self.reduce_implementation(reduce_op, per_replica_value, destinations)

    def batch_reduce(self, reduce_op: ReduceOp | str, value_destination_pairs: Any) -> list[Any]:
        """Applies `reduce` to several pairs (values, destinations)."""
        pairs = _checked_pairs(value_destination_pairs)
        for _, destinations in pairs:
            check_destinations(destinations)
        if pairs and len(pairs[0][0].values) == 1 and all_same_devices(pairs):
            return [regroup(value.device_map, value.values, Mirrored) for value, _ in pairs]
        return self.batch_reduce_implementation(reduce_op, pairs)

    def broadcast(self, tensor: TensorLike, destinations: object) -> Any:
        """Copies a tensor to all destination devices."""
        check_destinations(destinations)
        return self.broadcast_implementation(tensor, destinations)

    def reduce_implementation(
        self, reduce_op: ReduceOp | str, per_replica_value: object, destinations: object
    ) -> Any:
        """Implements `reduce`, with checked arguments."""
        raise NotImplementedError("_reduce method must be implemented in descendants.")

    def batch_reduce_implementation(
        self, reduce_op: ReduceOp | str, value_destination_pairs: Sequence[tuple[Any, Any]]
    ) -> list[Any]:
        """Implements `batch_reduce`, with checked arguments."""
        raise NotImplementedError("_batch_reduce method must be implemented in descendants.")

    def broadcast_implementation(self, tensor: TensorLike, destinations: object) -> Any:
        """Implements `broadcast`, with checked arguments."""
        return broadcast_to(tensor, destinations, always_mirrored=True)


class ReductionToOneDevice(CrossDeviceOps):
    """Copies all values to one device, reduces them there, and copies the result back.

    Args:
      reduce_to_device: the device; by default the first destination.
      accumulation_fn: adds a list of tensors; by default `tf.add_n`.
    """

    def __init__(
        self, reduce_to_device: str | None = None, accumulation_fn: Callable[..., Any] | None = None
    ):
        self.reduce_to_device = reduce_to_device
        self.accumulation_fn = accumulation_fn or ops.add_n
        super().__init__()

    def reduce_implementation(
        self, reduce_op: ReduceOp | str, per_replica_value: object, destinations: object
    ) -> Any:
        devices = destination_devices(
            destinations if has_devices(destinations) else per_replica_value
        )
        where = self.reduce_to_device or devices[0]
        logs.log_first_n(logs.INFO, f"Reduce to {where} then broadcast to {devices!r}.", 10)
        return self.broadcast(
            self._reduce_values(reduce_op, per_replica_value, where), destinations
        )

    def _reduce_values(self, reduce_op: Any, per_replica_value: Any, where: str) -> Any:
        values = per_replica_value.values
        if not values:
            raise ValueError("`per_replica_value` must be non-empty")
        if len(values) == 1 and values[0].device == where:
            return values[0]
        with device(where):
            total = add_values(values, self.accumulation_fn)
            if reduce_op == ReduceOp.MEAN:
                return divide(total, len(values))
        if reduce_op != ReduceOp.SUM:
            raise ValueError("`reduce_op` must be Reduce.SUM or Reduce.MEAN.")
        return total

    def batch_reduce_implementation(
        self, reduce_op: ReduceOp | str, value_destination_pairs: Sequence[tuple[Any, Any]]
    ) -> list[Any]:
        return [
            self.reduce_implementation(reduce_op, value, destinations)
            for value, destinations in value_destination_pairs
        ]
