"""Resources and files captured by functions, recreated when loading an object-based SavedModel."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.read_only import read_only
from tfmini._src.graph.eager.execution_mode import eager_mode, executing_eagerly
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.scopes import device
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.variables.init_scope import init_scope
from tfmini._src.variables.trackable import Trackable


class CapturableResourceDeleter:
    """Calls `destroy_resource_fn`, if any, when garbage-collected; a graph's resource ends with its session."""

    def __init__(self, destroy_resource_fn: Callable[[], Any] | None = None):
        self._destroy_resource = destroy_resource_fn
        self._is_of_graph = not executing_eagerly()

    def destroy_resource(self) -> Any:
        """Destroys the resource."""
        return None if self._destroy_resource is None else self._destroy_resource()

    def __del__(self) -> None:
        # In a graph, this would add nodes that never run, at an arbitrary time, and the graph may be finalized.
        if self._is_of_graph or self._destroy_resource is None or sys.is_finalizing():
            return
        # A new graph leaves the default graph unchanged.
        with Graph().as_default(), eager_mode():
            self._destroy_resource()


class CapturableResource(Trackable):
    """An object with a resource handle, which subclasses create in `_create_resource` and fill in `_initialize`.

    The resource is on `device` ("" for any device) and is destroyed by `deleter`.
    """

    _resource_handle: Any = None
    _resource_device = ""
    _resource_deleter: CapturableResourceDeleter | None = None

    def __init__(self, device: str = "", deleter: CapturableResourceDeleter | None = None):
        self._resource_handle = None
        self._resource_device = device
        self._resource_deleter = deleter or CapturableResourceDeleter()

    def _create_resource(self) -> Any:
        raise NotImplementedError("TrackableResource._create_resource not implemented.")

    def _initialize(self) -> Any:
        pass

    @property
    def resource_handle(self) -> Any:
        """The resource handle, created on first access."""
        if self._resource_handle is None:
            with device(self._resource_device):
                self._resource_handle = self._create_resource()
        return self._resource_handle


class ResourceTracker:
    """Collects the resources created within its scope."""

    def __init__(self) -> None:
        self.resources: list[Any] = []

    def add_resource(self, resource: Any) -> None:
        """Adds a resource."""
        self.resources.append(resource)


class _Trackers(threading.local):
    def __init__(self) -> None:
        self.open: list[ResourceTracker] = []


_trackers = _Trackers()


@contextmanager
def resource_tracker_scope(resource_tracker: ResourceTracker) -> Iterator[None]:
    """Context manager that adds newly created resources to a tracker."""
    _trackers.open.append(resource_tracker)
    try:
        yield
    finally:
        _trackers.open.pop()


class TrackableResource(CapturableResource):
    """A `CapturableResource` that is added to the open tracker scopes."""

    def __init__(self, device: str = "", deleter: CapturableResourceDeleter | None = None):
        for tracker in _trackers.open:
            tracker.add_resource(self)
        super().__init__(device, deleter)


class TrackableAsset(Trackable):
    """A file read by functions, which is copied into SavedModels; `path` is a string or a scalar string tensor."""

    asset_path: Tensor = read_only("The path, a scalar string tensor.", "_path")

    def __init__(self, path: Any):
        with init_scope(), device("CPU"):
            self._path = ops.convert_to_tensor(path, dtype=dtypes.string, name="asset_path")
