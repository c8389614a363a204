"""Creates variables with one copy per device, all initialized with the first copy's value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.distribute.device_maps import DeviceMap
from tfmini._src.distribute.distributed_variable import MirroredVariable, SyncOnReadVariable
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.scopes import device
from tfmini._src.ops import ops
from tfmini._src.variables.copy_modes import (
    VariableAggregation,
    VariableSynchronization,
)
from tfmini._src.variables.variable_identity import is_eager

_WRITE_MODES = (VariableSynchronization.ON_WRITE, VariableSynchronization.AUTO)


def create_mirrored(
    strategy: Any, device_map: DeviceMap, next_creator: Callable, **kwargs: Any
) -> Any:
    """Creates a variable with one copy per device: "w", "w/replica_1" ...

    Args:
      strategy: the strategy.
      device_map: the devices.
      next_creator: creates a copy.
      **kwargs: the arguments of `tf.Variable`.

    Raises:
      ValueError: for an unsupported synchronization or aggregation.
    """
    collections = kwargs.pop("collections", None)
    collections = [GraphKeys.GLOBAL_VARIABLES] if collections is None else list(collections)
    kwargs["collections"] = []
    reads = _is_reduced_when_read(kwargs)
    aggregation = kwargs.pop("aggregation", VariableAggregation.NONE)
    if not isinstance(aggregation, VariableAggregation):
        raise ValueError(
            f"Invalid variable aggregation mode: {aggregation} for variable: {kwargs['name']}"
        )
    kwargs.pop("caching_device", None)
    copies: list[Any] = []
    for index, where in enumerate(device_map.logical_to_actual_devices(0)):
        with device(where):
            if index > 0:
                kwargs["initial_value"] = _initial_value_of_copy(copies[0], where)
                kwargs["name"] = f"{copies[0].name.split(':')[0]}/replica_{index}/"
            copies.append(next_creator(**kwargs))
    variable_class = SyncOnReadVariable if reads else MirroredVariable
    result = variable_class(strategy, device_map, copies, aggregation)
    graph = get_default_graph()
    if kwargs.get("trainable", True):
        collections.append(GraphKeys.TRAINABLE_VARIABLES)
        trainable = graph.get_collection_ref(GraphKeys.TRAINABLE_VARIABLES)
        trainable[:] = [v for v in trainable if not any(v is copy for copy in copies)]
    graph.add_to_collections(collections, result)
    return result


def _is_reduced_when_read(kwargs: dict[str, Any]) -> bool:
    """Whether the copies may differ and are reduced only on read."""
    synchronization = kwargs.get("synchronization", VariableSynchronization.ON_WRITE)
    if synchronization == VariableSynchronization.NONE:
        raise ValueError(
            "`NONE` variable synchronization mode is not supported with `Mirrored` distribution strategy. Please "
            f"change the `synchronization` for variable: {kwargs['name']}"
        )
    if synchronization == VariableSynchronization.ON_READ:
        return True
    if synchronization not in _WRITE_MODES:
        raise ValueError(
            f"Invalid variable synchronization mode: {synchronization} for variable: {kwargs['name']}"
        )
    return False


def _initial_value_of_copy(first: Any, where: str) -> Callable:
    """Returns the initial value of a further copy, which is the first copy's."""

    def value() -> Any:
        with device(where):
            return ops.identity(first.value() if is_eager(first) else first.initial_value)

    return value
