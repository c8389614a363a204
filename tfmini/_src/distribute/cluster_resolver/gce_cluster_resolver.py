"""Cluster resolver for Google Compute Engine instance groups."""

from __future__ import annotations

from typing import Any

from tfmini._src.cluster.cluster_spec import ClusterSpec
from tfmini._src.distribute.cluster_resolver.cluster_resolver import TaskClusterResolver, settable


class GCEClusterResolver(TaskClusterResolver):
    """Resolver for a Compute Engine instance group: each running instance is a task, at its internal address.

    Args:
      project, zone, instance_group: names of the project, zone and group.
      port: port of all tasks.
      task_type: job of all tasks.
      task_id: index of this task.
      rpc_layer: the protocol.
      credentials: API credentials, by default the machine's.
      service: the API, as returned by `googleapiclient.discovery.build("compute", "v1")`.

    Raises:
      ImportError: without `service`, if the package `google-api-python-client` is not installed.
    """

    def __init__(
        self,
        project: str,
        zone: str,
        instance_group: str,
        port: int,
        task_type: str = "worker",
        task_id: int = 0,
        rpc_layer: str = "grpc",
        credentials: Any = "default",
        service: Any = None,
    ):
        self._location = {"project": project, "zone": zone}
        self._group = instance_group
        self._port = port
        self._service = service or _new_service(None if credentials == "default" else credentials)
        self._task_type = task_type
        self.task_id = task_id
        self.rpc_layer = rpc_layer

    task_id = settable("task_id", "The number of this instance.")
    rpc_layer = settable("rpc_layer", "The protocol.")

    @property
    def task_type(self) -> Any:
        """Job of the instances; read-only."""
        return self._task_type

    @task_type.setter
    def task_type(self, task_type: str) -> None:
        raise RuntimeError(
            "You cannot reset the task_type of the GCEClusterResolver after it has been created."
        )

    def cluster_spec(self) -> ClusterSpec:
        """Returns the currently running instances, by address."""
        groups, instances = self._service.instanceGroups(), self._service.instances()
        request = groups.listInstances(
            **self._location,
            instanceGroups=self._group,
            body={"instanceState": "RUNNING"},
            orderBy="name",
        )
        addresses = []
        while request is not None:
            response = request.execute()
            for item in response["items"]:
                name = item["instance"].rpartition("/")[2]
                details = instances.get(**self._location, instance=name).execute()
                addresses.append(f"{details['networkInterfaces'][0]['networkIP']}:{self._port}")
            request = groups.listInstances_next(
                previous_request=request, previous_response=response
            )
        return ClusterSpec({self._task_type: sorted(addresses)})


def _new_service(credentials: Any) -> Any:
    try:
        from googleapiclient import discovery  # noqa: PLC0415
    except ImportError:
        raise ImportError(
            "googleapiclient must be installed before using the GCE cluster resolver: "
            "pip install google-api-python-client"
        ) from None
    return discovery.build("compute", "v1", credentials=credentials)
