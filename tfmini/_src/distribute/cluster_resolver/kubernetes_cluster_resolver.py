"""Cluster resolver for Kubernetes pods."""

from __future__ import annotations

from typing import Any

from tfmini._src.cluster.cluster_spec import ClusterSpec
from tfmini._src.distribute.cluster_resolver.cluster_resolver import TaskClusterResolver


class KubernetesClusterResolver(TaskClusterResolver):
    """Pods with given labels, each a task at its host's address.

    Args:
      job_to_label_mapping: from job name to a list of label selectors; by default {"worker": ["job-name=tensorflow"]}.
      tf_server_port: port of all tasks.
      rpc_layer: the protocol.
      override_client: Kubernetes API client; by default from the package `kubernetes`, with kubectl's configuration.

    Raises:
      ImportError: without `override_client`, if that package is not installed.
    """

    def __init__(
        self,
        job_to_label_mapping: dict[str, list[str]] | None = None,
        tf_server_port: int = 8470,
        rpc_layer: str = "grpc",
        override_client: Any = None,
    ):
        self._labels = job_to_label_mapping or {"worker": ["job-name=tensorflow"]}
        self._port = tf_server_port
        self._client = override_client or _new_client()
        self.task_type: Any = None
        self.task_id: Any = None
        self.rpc_layer = rpc_layer

    def cluster_spec(self) -> ClusterSpec:
        """Returns the currently running pods.

        Raises:
          RuntimeError: if a pod is not running.
        """
        return ClusterSpec({job: self._addresses(labels) for job, labels in self._labels.items()})

    def _addresses(self, labels: list[str]) -> list[str]:
        addresses = []
        for label in labels:
            pods = self._client.list_pod_for_all_namespaces(label_selector=label).items
            for pod in sorted(pods, key=lambda pod: pod.metadata.name):
                if pod.status.phase != "Running":
                    raise RuntimeError(
                        f'Pod "{pod.metadata.name}" is not running; phase: "{pod.status.phase}"'
                    )
                addresses.append(f"{pod.status.host_ip}:{self._port}")
        return addresses


def _new_client() -> Any:
    try:
        from kubernetes import client, config  # noqa: PLC0415
    except ImportError:
        raise ImportError(
            "The Kubernetes Python client must be installed before using the Kubernetes Cluster Resolver: "
            "pip install kubernetes"
        ) from None
    config.load_kube_config()
    return client.CoreV1Api()
