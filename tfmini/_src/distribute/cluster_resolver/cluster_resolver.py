"""Base class of cluster resolvers, a resolver for a fixed cluster, and a union of resolvers."""

from __future__ import annotations

import abc
from collections import defaultdict
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tfmini._src.base.names.signature import arguments_of
from tfmini._src.base.read_only import read_only
from tfmini._src.cluster.cluster_spec import ClusterSpec
from tfmini._src.graph.graph import Graph
from tfmini._src.session.session import Session

if TYPE_CHECKING:
    from tfmini._src.base import proto


def master_url(address: str, rpc_layer: str | None) -> str:
    """Returns the session target for an address: "grpc://host:port"."""
    return f"{rpc_layer}://{address}" if rpc_layer else address


class ClusterResolver(abc.ABC):
    """Resolver of a cluster's current state.

    Subclasses implement `cluster_spec` and `master`, and set `task_type`, `task_id` and `rpc_layer`.
    """

    if TYPE_CHECKING:
        task_type: Any
        task_id: Any
        rpc_layer: Any

    @abc.abstractmethod
    def cluster_spec(self) -> ClusterSpec:
        """Returns the current cluster."""

    @abc.abstractmethod
    def master(
        self, task_type: str | None = None, task_id: int | None = None, rpc_layer: str | None = None
    ) -> str:
        """Returns the session target of the specified task, by default this one."""

    def num_accelerators(
        self,
        task_type: str | None = None,
        task_id: int | None = None,
        config_proto: proto.ConfigProto | None = None,
    ) -> Any:
        """Returns the number of devices by type; for a single task if both its type and index are given."""
        with Graph().as_default() as graph:
            with Session(self.master(task_type, task_id), graph, config_proto) as session:
                devices = session.list_devices()
        counts: dict[str, int] = defaultdict(int)
        for device in devices:
            named = task_type is not None and task_id is not None
            if not named or f"/job:{task_type}/replica:0/task:{task_id}/" in device.name:
                counts[device.device_type] += 1
        return counts

    @property
    def environment(self) -> Any:
        """TensorFlow's environment, such as "google"; "" if unspecified."""
        return ""


class TaskClusterResolver(ClusterResolver):
    """Base class of resolvers whose tasks manage their own sessions."""

    def master(
        self, task_type: str | None = None, task_id: int | None = None, rpc_layer: str | None = None
    ) -> str:
        """Returns the target of the specified task, by default this one; "" if unknown."""
        task_type = self.task_type if task_type is None else task_type
        task_id = self.task_id if task_id is None else task_id
        if task_type is None or task_id is None:
            return ""
        address = self.cluster_spec().task_address(task_type, task_id)
        return master_url(address, rpc_layer or self.rpc_layer)


def settable(name: str, text: str) -> Any:
    """Makes a property with a getter and a setter."""
    stored = f"_{name}"

    def get(self: Any) -> Any:
        return getattr(self, stored)

    def set_value(self: Any, value: Any) -> None:
        setattr(self, stored, value)

    return property(get, set_value, doc=text)


class SimpleClusterResolver(ClusterResolver):
    """Resolver of a fixed cluster.

    Args:
      cluster_spec: a ClusterSpec.
      master: the session target.
      task_type, task_id: this process's task.
      environment: the value of `environment`.
      num_accelerators: a dict from device type to count.
      rpc_layer: "grpc", or None for addresses without a protocol.

    Raises:
      TypeError: if `cluster_spec` or `master` has another type.
    """

    task_type = settable("task_type", "The job of this process, or None.")
    task_id = settable("task_id", "The number of this process in its job, or None.")
    rpc_layer = settable("rpc_layer", "The protocol, or None.")
    environment: Any = read_only("Environment passed to the constructor.")

    def __init__(
        self,
        cluster_spec: ClusterSpec,
        master: str = "",
        task_type: str | None = None,
        task_id: int | None = None,
        environment: str = "",
        num_accelerators: Mapping[str, int] | None = None,
        rpc_layer: str | None = None,
    ):
        if not isinstance(cluster_spec, ClusterSpec):
            raise TypeError("cluster_spec must be a ClusterSpec.")
        if not isinstance(master, str):
            raise TypeError("master must be a string.")
        self._cluster_spec = cluster_spec
        self._master = master
        self._environment = environment
        self._num_accelerators = num_accelerators
        self.task_type = task_type
        self.task_id = task_id
        self.rpc_layer = rpc_layer

    def cluster_spec(self) -> ClusterSpec:
        """Returns the cluster passed to the constructor."""
        return self._cluster_spec

    def master(
        self, task_type: str | None = None, task_id: int | None = None, rpc_layer: str | None = None
    ) -> str:
        """Returns the target of a task given by type and index, else the constructor's `master`."""
        address = self._master
        if task_type is not None and task_id is not None:
            address = self._cluster_spec.task_address(task_type, task_id)
        return master_url(address, rpc_layer or self.rpc_layer)

    @arguments_of(ClusterResolver.num_accelerators)
    def num_accelerators(self, *task: Any) -> Any:
        """Returns the device counts passed to the constructor, by default an empty dict."""
        return {} if self._num_accelerators is None else self._num_accelerators


def _first_ones(name: str, text: str) -> Any:
    """Makes a property of a union: the explicitly set value, else the first resolver's."""
    stored = f"_{name}"

    def get(self: Any) -> Any:
        return getattr(self, stored) or getattr(self._resolvers[0], name)

    def set_value(self: Any, value: Any) -> None:
        setattr(self, stored, value)

    return property(get, set_value, doc=text)


class UnionClusterResolver(ClusterResolver):
    """Union of several resolvers' clusters; everything else comes from the first one.

    Args:
      *args: the resolvers.
      **kwargs: `rpc_layer`, `task_type`, `task_id`, overriding the first resolver's.

    Raises:
      TypeError: if an argument is not a resolver.
      ValueError: without resolvers, or for other keywords.
    """

    task_type = _first_ones("task_type", "The job of this process, or None.")
    task_id = _first_ones("task_id", "The number of this process in its job, or None.")
    rpc_layer = _first_ones("rpc_layer", "The protocol, or None.")

    def __init__(self, *args: ClusterResolver, **kwargs: Any):
        options = {key: kwargs.pop(key, None) for key in ("rpc_layer", "task_type", "task_id")}
        if kwargs:
            raise ValueError(f"Unexpected kwargs provided {kwargs!r}")
        if not args:
            raise ValueError("At least one ClusterResolver is required.")
        if not all(isinstance(resolver, ClusterResolver) for resolver in args):
            raise TypeError("All arguments must be a sub-class of `ClusterResolver.`")
        self._resolvers = args
        self._rpc_layer: str | None = options["rpc_layer"]
        self.task_type = options["task_type"]
        self.task_id = options["task_id"]

    def cluster_spec(self) -> ClusterSpec:
        """Returns all tasks: concatenated per job, or merged by index if a resolver's indices have gaps.

        Raises:
          KeyError: if two resolvers have the same task when merging by index.
        """
        jobs: dict[str, list[Any]] = {}
        for resolver in self._resolvers:
            for job, tasks in resolver.cluster_spec().as_dict().items():
                jobs.setdefault(job, []).append(tasks)
        merged: dict[str, Any] = {}
        for job, parts in jobs.items():
            if all(isinstance(tasks, list) for tasks in parts):
                merged[job] = [address for tasks in parts for address in tasks]
                continue
            addresses: dict[int, str] = {}
            for tasks in parts:
                numbered = dict(enumerate(tasks)) if isinstance(tasks, list) else tasks
                if twice := set(numbered) & set(addresses):
                    raise KeyError(
                        f"Duplicate keys detected when merging two ClusterSpecs: {twice!r}"
                    )
                addresses.update(numbered)
            merged[job] = addresses
        return ClusterSpec(merged)

    def master(
        self, task_type: str | None = None, task_id: int | None = None, rpc_layer: str | None = None
    ) -> str:
        """Returns a task's target, by type and index, with the union's protocol; else the first resolver's master."""
        if task_type is not None and task_id is not None:
            address = self.cluster_spec().task_address(task_type, task_id)
            return master_url(address, rpc_layer or self._rpc_layer)
        return self._resolvers[0].master(rpc_layer=rpc_layer)

    @arguments_of(ClusterResolver.num_accelerators)
    def num_accelerators(self, *task: Any) -> Any:
        """Returns the first resolver's device counts."""
        return self._resolvers[0].num_accelerators(*task)

    @property
    def environment(self) -> Any:
        """The first resolver's environment."""
        return self._resolvers[0].environment
