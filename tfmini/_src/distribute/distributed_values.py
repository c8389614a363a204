"""Distributed values: per-replica results of replica functions, and mirrored values, equal everywhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.base.nest.structure import map_structure
from tfmini._src.base.read_only import read_only
from tfmini._src.distribute.device_maps import DeviceMap
from tfmini._src.distribute.devices import canonicalize, current
from tfmini._src.distribute.strategy_context import get_replica_context
from tfmini._src.graph.is_tensor import is_tensor
from tfmini._src.graph.replica_modes import update_device
from tfmini._src.graph.scopes import control_dependencies, device
from tfmini._src.graph.tensor import Tensor
from tfmini._src.graph.type_spec import type_spec_from_value
from tfmini._src.ops import ops


class DistributedValues:
    """One value per device of a device map.

    Args:
      device_map: the devices.
      values: the values, in device order.
      logical_device: 0.
    """

    device_map: DeviceMap = read_only("The devices and replicas.")
    values: tuple[Any, ...] = read_only("All values.")
    logical_device: int = read_only()

    def __init__(self, device_map: DeviceMap, values: Sequence[Any], logical_device: Any = None):
        assert isinstance(device_map, DeviceMap)
        self._device_map = device_map
        self._values = tuple(values)
        self._logical_device = 0 if logical_device is None else logical_device

    def get(self, device: str | None = None) -> Any:
        """Returns the value on a device; by default the current replica's, or the value on the device being updated."""
        if device is None:
            replica = get_replica_context()
            if replica is not None:
                return self._device_map.select_for_current_replica(self._values, replica)
            device = update_device()
            if device is None:
                return self._get_cross_replica()
        return self._device_map.select_for_device(self._values, canonicalize(device))

    def _get_cross_replica(self) -> Any:
        raise AttributeError("_get_cross_replica")

    @property
    def primary(self) -> Any:
        """The first value."""
        return self._values[0]

    @property
    def devices(self) -> tuple[str, ...]:
        """The devices."""
        return self._device_map.logical_to_actual_devices(self._logical_device)

    @property
    def is_tensor_like(self) -> bool:
        """Whether all values are tensors."""
        return all(is_tensor(value) for value in self._values)

    def _describe(self, show: Callable[[Any], str]) -> str:
        pairs = zip(self.devices, self._values)
        lines = [f"  {n} {where}: {show(value)}" for n, (where, value) in enumerate(pairs)]
        return f"{type(self).__name__}:{{\n" + ",\n".join(lines) + "\n}"

    def __str__(self) -> str:
        return self._describe(str)

    def __repr__(self) -> str:
        return self._describe(repr)


class PerReplica(DistributedValues):
    """One value per replica, for example its loss."""

    @property
    def _type_spec(self) -> PerReplicaSpec:
        specs = [type_spec_from_value(value) for value in self._values]
        return PerReplicaSpec(specs, self._device_map, self._logical_device)

    def _to_components(self) -> tuple[Any, ...]:
        return self._values


class PerReplicaSpec:
    """TypeSpec of a PerReplica, consisting of its values' specs."""

    _component_specs: tuple[Any, ...] = read_only(attribute="_value_specs")

    def __init__(self, value_specs: Sequence[Any], device_map: DeviceMap, logical_device: int):
        self._value_specs = tuple(value_specs)
        self._device_map = device_map
        self._logical_device = logical_device

    value_type = PerReplica

    def _to_components(self, value: PerReplica) -> tuple[Any, ...]:
        replica = get_replica_context()
        if replica is not None and replica.num_replicas_in_sync > 1:
            raise ValueError(
                "Flattening a PerReplica to components is not supported in replica context."
            )
        return value._values

    def _from_components(self, tensor_list: Sequence[Any]) -> PerReplica:
        return PerReplica(self._device_map, tensor_list, self._logical_device)


class Delegate(DistributedValues):
    """Distributed values that behave like the current replica's: operators and attributes are forwarded to it."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name in ("_values", "_device_map"):
            raise AttributeError(name)
        if name[0] == "_" and get_replica_context() is None and update_device() is None:
            raise AttributeError(name)  # looking up a private name must not add a read node
        return getattr(self.get(), name)

    def _get_as_operand(self) -> Any:
        return self.get()


def _delegate(operator: str) -> None:
    def method(self: Delegate, *args: Any) -> Any:
        return getattr(self._get_as_operand(), operator)(*args)

    method.__name__ = operator
    setattr(Delegate, operator, method)


for _operator in sorted(Tensor.OVERLOADABLE_OPERATORS - {"__eq__", "__ne__"}):
    _delegate(_operator)


class Mirrored(Delegate):
    """A value equal on all devices."""

    def _get_cross_replica(self) -> Any:
        replica_id = self._device_map.replica_for_device(canonicalize(current()))
        return self.primary if replica_id is None else self._values[replica_id]

    def _as_graph_element(self) -> Any:
        value = self.get()
        convert = getattr(value, "_as_graph_element", None)
        return convert() if callable(convert) else value


# Structures of values -------------------------------------------------------------------------------


def regroup(device_map: DeviceMap, values: Sequence[Any], wrap: Any = PerReplica) -> Any:
    """Merges the replicas' structures into one, with distributed values at its leaves.

    Args:
      device_map: the replicas' devices.
      values: one structure per replica, all with the same nesting of lists, tuples and dicts.
      wrap: creates a leaf from the map and the values. Identical objects are unchanged, and a variable's copies become
        the variable.
    """
    assert len(values) == device_map.num_replicas_in_graph
    first: Any = values[0]
    remaining = values[1:]
    if isinstance(first, (list, tuple)):
        sequence_class: Any = list if isinstance(first, list) else tuple
        assert all(isinstance(v, sequence_class) and len(v) == len(first) for v in remaining)
        parts = [
            regroup(device_map, tuple(v[index] for v in values), wrap)
            for index in range(len(first))
        ]
        if sequence_class is list:
            return parts
        make: Any = getattr(first, "_make", tuple)
        return make(parts)
    if isinstance(first, dict):
        assert all(isinstance(v, dict) and set(v) == set(first) for v in remaining)
        return {key: regroup(device_map, tuple(v[key] for v in values), wrap) for key in first}
    container = distributed_container(first)
    if all(value is first for value in remaining) and (
        container is None or is_distributed_variable(first)
    ):
        return first
    if container is not None:
        assert all(distributed_container(value) is container for value in remaining)
        return container
    return wrap(device_map, values)


def distributed_container(value: Any) -> Any:
    """Returns the distributed variable of a variable copy; None for other values."""
    if is_distributed_variable(value):
        return None
    reference = getattr(value, "_distributed_container", None)
    return reference() if callable(reference) else None


def is_distributed_variable(value: Any) -> bool:
    """Whether a value is a variable with a copy per device."""
    return isinstance(value, Delegate) and getattr(type(value), "is_distributed_variable", False)


def select_replica(replica_id: int, structured: Any) -> Any:
    """Returns the structure with distributed values replaced by one replica's."""
    return map_structure(
        lambda x: x.values[replica_id] if isinstance(x, DistributedValues) else x, structured
    )


def select_device_mirrored(where: str, structured: Any) -> Any:
    """Returns the structure with mirrored values replaced by one device's; raises TypeError for other such values."""

    def select(value: Any) -> Any:
        if not isinstance(value, DistributedValues):
            return value
        if not isinstance(value, Mirrored):
            raise TypeError(
                f"Expected value to be mirrored across replicas: {value} in {structured}."
            )
        return value.get(where)

    return map_structure(select, structured)


def update_regroup(extended: Any, device_map: DeviceMap, updates: Sequence, group: bool) -> Any:
    """Returns the results of an update on each device, or a single operation that groups them."""
    if not group:
        regrouped = regroup(device_map, updates, Mirrored)
        return map_structure(extended._local_results, regrouped)

    def group_values(device_map: DeviceMap, values: Sequence[Any]) -> Any:
        if len(values) == 1:
            return Mirrored(device_map, values)
        all_done = ops.group(values)
        if not all(is_tensor(value) for value in values):
            return all_done
        waiting = []
        for value, where in zip(values, device_map.logical_to_actual_devices(0)):
            with device(where), control_dependencies([all_done]):
                waiting.append(ops.identity(value))
        return Mirrored(device_map, waiting)

    return regroup(device_map, updates, group_values)


def value_container(value: Any) -> Any:
    """Returns the distributed variable of a variable copy; any other value itself."""
    container = distributed_container(value)
    return value if container is None else container
