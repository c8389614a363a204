"""In-process clusters for tests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tfmini._src.base import proto


def create_local_cluster(
    num_workers: int,
    num_ps: int,
    protocol: str = "grpc",
    worker_config: proto.ConfigProto | None = None,
    ps_config: proto.ConfigProto | None = None,
) -> tuple[list[Any], list[Any]]:
    """Starts a cluster in this process.

    Args:
      num_workers: number of tasks of the job "worker".
      num_ps: number of tasks of the job "ps".
      protocol: "grpc".
      worker_config: a ConfigProto for the workers.
      ps_config: a ConfigProto for the parameter servers.

    Returns:
      (worker servers, parameter servers), as lists of `tf.train.Server` objects.

    Example:
      workers, _ = tf.test.create_local_cluster(num_workers=2, num_ps=1)
      session = tf.Session(workers[0].target)
    """
    from tfmini._src.cluster.free_ports import free_addresses  # noqa: PLC0415
    from tfmini._src.cluster.server import Server  # noqa: PLC0415

    cluster = free_addresses({"worker": num_workers, "ps": num_ps})

    def servers(job: str, config: Any) -> list[Any]:
        task_indices = range(len(cluster[job]))
        return [Server(cluster, job, task_index, protocol, config) for task_index in task_indices]

    return servers("worker", worker_config), servers("ps", ps_config)
