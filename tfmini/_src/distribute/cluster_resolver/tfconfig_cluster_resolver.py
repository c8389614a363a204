"""Cluster resolver for the environment variable TF_CONFIG."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from tfmini._src.base.names.signature import arguments_of
from tfmini._src.base.read_only import read_only
from tfmini._src.cluster.cluster_spec import ClusterSpec
from tfmini._src.distribute.cluster_resolver.cluster_resolver import ClusterResolver, master_url

if TYPE_CHECKING:
    pass


def _config() -> dict[str, Any]:
    return json.loads(os.environ.get("TF_CONFIG", "{}"))


def _config_value(key: str, convert: type, text: str) -> Any:
    """Makes a property that returns the explicitly set value, else the one in TF_CONFIG."""

    def get(self: Any) -> Any:
        value = self._given[key]
        if value is None:
            config = _config()
            value = (config if key == "rpc_layer" else config.get("task", {})).get(key)
        return None if value is None else convert(value)

    def set_value(self: Any, value: Any) -> None:
        self._given[key] = value

    return property(get, set_value, doc=text)


class TFConfigClusterResolver(ClusterResolver):
    """Cluster and task of this process from TF_CONFIG, which is read on each call.

    Args:
      task_type, task_id, rpc_layer: override the values in TF_CONFIG.
      environment: the value of `environment`.

    Example:
      os.environ["TF_CONFIG"] = '{"cluster": {"worker": ["a:1", "b:1"]}, "task": {"type": "worker", "index": 1}}'
      TFConfigClusterResolver(rpc_layer="grpc").master()  # "grpc://b:1"
    """

    environment: Any = read_only("Environment passed to the constructor.")

    def __init__(
        self,
        task_type: str | None = None,
        task_id: int | None = None,
        rpc_layer: str | None = None,
        environment: str | None = None,
    ):
        self._given: dict[str, Any] = {
            "type": task_type,
            "index": task_id,
            "rpc_layer": rpc_layer,
        }
        self._environment = environment

    task_type = _config_value("type", str, "The job of this process, None if it is not specified.")
    task_id = _config_value("index", int, "The index of this process in its job, or None.")
    rpc_layer = _config_value("rpc_layer", str, 'The protocol, "grpc" or None.')

    @arguments_of(ClusterResolver.num_accelerators)
    def num_accelerators(self, task_type: Any, task_id: Any, config_proto: Any) -> Any:
        """Returns the number of devices of each type on a task, by default this one."""
        task_type = self.task_type if task_type is None else task_type
        task_id = self.task_id if task_id is None else task_id
        return super().num_accelerators(task_type, task_id, config_proto)

    def cluster_spec(self) -> ClusterSpec:
        """Returns the cluster; empty if TF_CONFIG does not define one."""
        return ClusterSpec(_config().get("cluster", {}))

    def master(
        self, task_type: str | None = None, task_id: int | None = None, rpc_layer: str | None = None
    ) -> str:
        """Returns the target of a task, by default this one.

        `session_master` in TF_CONFIG takes precedence; the target is "" for a one-task cluster.
        """
        session_master = _config().get("session_master")
        if session_master is not None:
            return session_master
        cluster = self.cluster_spec()
        if sum(len(cluster.task_indices(job)) for job in cluster.jobs) <= 1:
            return ""
        task_type = self.task_type if task_type is None else task_type
        task_id = self.task_id if task_id is None else task_id
        return master_url(cluster.task_address(task_type, task_id), self.rpc_layer)
