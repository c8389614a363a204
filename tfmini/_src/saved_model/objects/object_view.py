"""Objects and functions reachable from a root, numbered as in a SavedModel."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tfmini._src.functions.concrete_function import ConcreteFunction
from tfmini._src.functions.tf_function import Function, function
from tfmini._src.train.object_checkpoint.object_graph import Node, walk
from tfmini._src.variables.auto_trackable import AutoTrackable
from tfmini._src.variables.capturable_resource import CapturableResource
from tfmini._src.variables.trackable import (
    Trackable,
    TrackableReference,
    dependencies,
)

SIGNATURES = "signatures"  # attribute of every SavedModel's root


class ObjectView:
    """Cached dependencies and functions of the objects below `root`; further dependencies can be added."""

    def __init__(self, root: Trackable):
        self.root = root
        self._added_members: dict[int, dict[str, Any]] = {}
        self._functions: dict[int, dict[str, Any]] = {}
        self._kept_objects: list[Any] = []  # kept alive for their `id`
        self._cache: dict[Any, Any] = {}

    def add(self, parent: Any, name: str, value: Any) -> None:
        """Adds a dependency to an object, replacing any dependency with the same name."""
        self._added_members.setdefault(id(parent), {})[name] = value

    def children(self, value: Any) -> Iterator[TrackableReference]:
        """Returns the dependencies of an object; raises ValueError for names reserved by SavedModels."""
        child_values: dict[str, Any] = {}
        if isinstance(value, Trackable):
            child_values.update(value._list_extra_dependencies_for_serialization(self._cache))
        child_values.update(self._added_members.get(id(value), {}))
        names = set()
        for name, child in dependencies(value):
            names.add(name)
            if name in child_values and name != SIGNATURES:
                raise ValueError(
                    f"Error when exporting object {value} of with identifier={value._object_identifier}. The object "
                    f"has an attribute named {name}, which is reserved. List of all reserved attributes: "
                    f"{child_values.keys()}"
                )
            yield TrackableReference(name, child_values.get(name, child))
        for name, child in child_values.items():
            if name not in names:
                yield TrackableReference(name, child)

    def functions(self, value: Any) -> dict[str, Any]:
        """Returns an object's functions by name."""
        if id(value) not in self._functions:
            self._kept_objects.append(value)
            self._functions[id(value)] = _object_functions(value, self._cache)
        return self._functions[id(value)]


def _object_functions(value: Any, cache: dict[Any, Any]) -> dict[str, Any]:
    if isinstance(value, dict):
        return _functions_in(value.items())
    if isinstance(value, list):
        return _functions_in((str(n), item) for n, item in enumerate(value))
    functions = value._list_functions_for_serialization(cache)
    if isinstance(value, CapturableResource):
        return functions or _resource_functions(value)
    if isinstance(value, AutoTrackable):
        return functions | _functions_in((name, _attribute(value, name)) for name in dir(value))
    return functions


def _attribute(value: Any, name: str) -> Any:
    """Returns the value of an attribute, or None for a property that raises, so that saving continues."""
    try:
        return getattr(value, name, None)
    except Exception:
        return None


def _functions_in(items: Any) -> dict[str, Any]:
    return {key: item for key, item in items if isinstance(item, Function | ConcreteFunction)}


def _resource_functions(resource: CapturableResource) -> dict[str, Any]:
    def create() -> Any:
        return resource._create_resource()

    def initialize() -> int:
        resource._initialize()
        return 1

    def destroy() -> int:
        if resource._resource_deleter is not None:
            resource._resource_deleter.destroy_resource()
        return 1

    results = {"_create_resource": create, "_initialize": initialize, "_destroy_resource": destroy}
    return {name: function(fn, input_signature=[], autograph=False) for name, fn in results.items()}


class CapturedConstant:
    """A captured tensor, and the name of its copy in the exported graph."""

    def __init__(self, name: str):
        self.name = name


class NumberedObjects:
    """Nodes of a SavedObjectGraph: objects, optimizer slots, functions and constants, in this order.

    Attributes:
      nodes: all nodes.
      objects: the objects in checkpoint order.
      concrete_functions: the unique traced functions.
      node_ids: node ids, by `id` of a node or captured tensor.
    """

    def __init__(self, view: ObjectView):
        self.view = view
        self.objects: list[Node] = walk(view.root, view.children)
        self.nodes: list[Any] = [node.value for node in self.objects]
        self.node_ids = {id(value): node_id for node_id, value in enumerate(self.nodes)}
        self.concrete_functions: list[ConcreteFunction] = []
        self._traces: dict[int, list[ConcreteFunction]] = {}
        seen = set()
        for value in list(self.nodes):
            for callee in view.functions(value).values():
                if id(callee) not in self.node_ids:
                    self.add(callee)
                for concrete in self.traces(callee):
                    if concrete.name not in seen:
                        seen.add(concrete.name)
                        self.concrete_functions.append(concrete)

    def traces(self, callee: Any) -> list[ConcreteFunction]:
        """Returns the concrete functions of a function."""
        if not isinstance(callee, Function):
            return [callee]
        if id(callee) not in self._traces:
            self._traces[id(callee)] = callee._list_all_concrete_functions_for_serialization()
        return self._traces[id(callee)]

    def add(self, value: Any) -> int:
        """Adds a node and returns its number."""
        self.node_ids[id(value)] = node_id = len(self.nodes)
        self.nodes.append(value)
        return node_id
