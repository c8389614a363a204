"""Variables shared by a strategy's replicas: values written by replicas are aggregated first."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

from tfmini._src.distribute.device_maps import SingleDeviceMap
from tfmini._src.distribute.distributed_values import DistributedValues
from tfmini._src.distribute.distributed_variable import MirroredVariable, first_copy_property
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.variables.copy_modes import VariableAggregation
from tfmini._src.variables.trackable import VARIABLE_VALUE_KEY


class AggregatingVariable(MirroredVariable):
    """A variable with a single copy for all replicas.

    Args:
      strategy: the strategy that created it.
      variable: the copy.
      aggregation: the aggregation of values written by the replicas.
    """

    is_distributed_variable = False
    _kind = "AggregatingVariable"

    def __init__(self, strategy: Any, variable: Any, aggregation: Any):
        self._distribute_strategy = strategy
        DistributedValues.__init__(self, SingleDeviceMap(variable.device), [variable])
        self._aggregation = aggregation
        variable._aggregating_container = weakref.ref(self)

    def get(self, device: str | None = None) -> Any:
        """Returns the variable itself, for any device."""
        return self._values[0]

    def _closest(self) -> Any:
        return self._values[0]

    op, handle, initializer = map(first_copy_property, ("op", "handle", "initializer"))

    def read_value(self) -> Any:
        return self._values[0].read_value()

    def is_initialized(self, name: str | None = None) -> Any:
        return self._values[0].is_initialized(name)

    def _as_graph_element(self) -> Any:
        return self._values[0]._as_graph_element()

    def _gather_saveables_for_checkpoint(self) -> dict[str, Any]:
        return {VARIABLE_VALUE_KEY: self._values[0]}


def create_aggregating(strategy: Any, next_creator: Callable) -> Callable:
    """Returns a variable creator that adds its variables, instead of their copies, to the collections.

    Raises (the creator):
      ValueError: for an unknown aggregation.
    """

    def create(**kwargs: Any) -> AggregatingVariable:
        aggregation = kwargs.pop("aggregation", VariableAggregation.NONE)
        if not isinstance(aggregation, VariableAggregation):
            raise ValueError(
                f"Invalid variable aggregation mode: {aggregation} for variable: {kwargs['name']}"
            )
        collections = kwargs.pop("collections", None)
        collections = [GraphKeys.GLOBAL_VARIABLES] if collections is None else list(collections)
        variable = next_creator(**{**kwargs, "collections": []})
        aggregating_variable = AggregatingVariable(strategy, variable, aggregation)
        graph = get_default_graph()
        if kwargs.get("trainable", True):
            collections.append(GraphKeys.TRAINABLE_VARIABLES)
            trainable = graph.get_collection_ref(GraphKeys.TRAINABLE_VARIABLES)
            trainable[:] = [item for item in trainable if item is not variable]
        graph.add_to_collections(collections, aggregating_variable)
        return aggregating_variable

    return create
