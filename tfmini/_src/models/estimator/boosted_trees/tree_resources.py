"""The resources of boosted trees in a graph: an ensemble of trees, and the quantiles of features."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.graph.collections import add_to_collection
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops, raw
from tfmini._src.variables.capturable_resource import TrackableResource
from tfmini._src.variables.resources import register_resource
from tfmini._src.variables.saveable import SaveableObject, SaveSpec


class _Saveable(SaveableObject):
    """Saves tensors under the name of a handle, and restores the resource once it is created."""

    def __init__(
        self, handle: Tensor, create: Any, tensors: dict[str, Tensor], restore: Callable[..., Any]
    ):
        specs = [SaveSpec(tensor, "", handle.name + suffix) for suffix, tensor in tensors.items()]
        super().__init__(handle, specs, handle.name)
        self._create, self._restore = create, restore

    def restore(self, restored_tensors: Sequence[Tensor], restored_shapes: Any) -> Any:
        with control_dependencies([self._create]):
            return self._restore(restored_tensors)


class TreeEnsemble(TrackableResource):
    """An ensemble of trees.

    Args:
      stamp_token: its initial stamp.
      is_local: whether it is the copy of a worker, which is not saved.
      serialized_proto: its initial trees, a serialized TreeEnsemble; none by default.

    Attributes:
      initializer: the operation that creates it.
    """

    def __init__(
        self,
        name: str | None,
        stamp_token: Any = 0,
        is_local: bool = False,
        serialized_proto: Any = "",
    ):
        super().__init__()
        with name_scope(name, "TreeEnsemble") as name:
            handle = raw.BoostedTreesEnsembleResourceHandleOp(shared_name=name, name=name)
            self._resource_handle = handle
            create = raw.BoostedTreesCreateEnsemble(handle, stamp_token, serialized_proto)
            self.initializer = create
            is_initialized = self.is_initialized()
            if not is_local:
                stamp, serialized = self.serialize()
                tensors = {"_stamp": stamp, "_serialized": serialized}
                saveable = _Saveable(handle, create, tensors, lambda read: self.deserialize(*read))
                add_to_collection(GraphKeys.SAVEABLE_OBJECTS, saveable)
            register_resource(handle, create, is_initialized, is_shared=not is_local)

    def is_initialized(self) -> Tensor:
        """Returns whether the ensemble has been created."""
        return raw.IsBoostedTreesEnsembleInitialized(self.resource_handle)

    def get_stamp_token(self) -> Tensor:
        """Returns the stamp."""
        return raw.BoostedTreesGetEnsembleStates(self.resource_handle)[0]

    def serialize(self) -> Any:
        """Returns the stamp and the serialized TreeEnsemble."""
        return raw.BoostedTreesSerializeEnsemble(self.resource_handle)

    def deserialize(self, stamp_token: Any, serialized_proto: Any) -> Any:
        """Returns the operation that replaces the trees."""
        return raw.BoostedTreesDeserializeEnsemble(
            self.resource_handle, stamp_token, serialized_proto
        )

    def get_states(self) -> tuple[Tensor, ...]:
        """Returns the stamp, the numbers of trees, of finished trees and of layers, and the nodes of the last layer."""
        states = raw.BoostedTreesGetEnsembleStates(self.resource_handle)
        names = (
            "stamp_token num_trees num_finalized_trees num_attempted_layers last_layer_nodes_range"
        )
        return tuple(ops.identity(state, name) for state, name in zip(states, names.split()))


class QuantileAccumulator(TrackableResource):
    """The streams of features' values, and the boundaries of their buckets.

    Args:
      epsilon: the error of the quantiles.
      num_streams: the number of features.
      num_quantiles: the number of buckets of each.
    """

    def __init__(self, epsilon: float, num_streams: int, num_quantiles: int, name: str):
        super().__init__()
        self._epsilon, self._streams, self._quantiles = epsilon, num_streams, num_quantiles
        with name_scope(name, "QuantileAccumulator") as name:
            handle = raw.BoostedTreesQuantileStreamResourceHandleOp(shared_name=name, name=name)
            self._resource_handle = handle
            create = raw.BoostedTreesCreateQuantileStreamResource(handle, epsilon, num_streams)
            is_initialized = raw.IsBoostedTreesQuantileStreamResourceInitialized(handle)
        register_resource(handle, create, is_initialized)
        limits = self.get_bucket_boundaries()
        tensors = {f"_bucket_boundaries_{index}": limit for index, limit in enumerate(limits)}
        restore = raw.BoostedTreesQuantileStreamResourceDeserialize
        saveable = _Saveable(handle, create, tensors, lambda read: restore(handle, read))
        add_to_collection(GraphKeys.SAVEABLE_OBJECTS, saveable)

    def add_summaries(self, features: list[Tensor], weights: Tensor) -> Any:
        """Returns the operation that adds the values of a batch."""
        summaries = raw.BoostedTreesMakeQuantileSummaries(features, weights, self._epsilon)
        return raw.BoostedTreesQuantileStreamResourceAddSummaries(self.resource_handle, summaries)

    def flush(self) -> Any:
        """Returns the operation that computes the boundaries."""
        return raw.BoostedTreesQuantileStreamResourceFlush(self.resource_handle, self._quantiles)

    def get_bucket_boundaries(self) -> list[Tensor]:
        """Returns the boundaries of each feature."""
        read = raw.BoostedTreesQuantileStreamResourceGetBucketBoundaries
        return list(read(self.resource_handle, num_features=self._streams))
