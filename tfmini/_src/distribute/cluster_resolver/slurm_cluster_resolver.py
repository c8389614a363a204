"""Cluster resolver for the nodes of a Slurm job."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING, Any

from tfmini._src.base.names.signature import arguments_of
from tfmini._src.cluster.cluster_spec import ClusterSpec
from tfmini._src.distribute.cluster_resolver.cluster_resolver import TaskClusterResolver

if TYPE_CHECKING:
    pass


class SlurmClusterResolver(TaskClusterResolver):
    """Tasks under Slurm, `tasks_per_node` on each node, assigned to jobs in job name order.

    Args:
      jobs: a dict from job name to number of tasks; the total is the number of tasks started by Slurm or mpirun.
      port_base: port of a node's first task; the others get the following ports.
      gpus_per_node, gpus_per_task: number of GPUs per node and per task.
      tasks_per_node: by default from SLURM_NTASKS_PER_NODE.
      auto_set_gpu: whether to set CUDA_VISIBLE_DEVICES to this process's GPUs.
      rpc_layer: the protocol.

    Raises:
      RuntimeError: if the task counts differ, or there are too few GPUs.
    """

    def __init__(
        self,
        jobs: dict[str, int],
        port_base: int = 8888,
        gpus_per_node: int = 1,
        gpus_per_task: int = 1,
        tasks_per_node: int | None = None,
        auto_set_gpu: bool = True,
        rpc_layer: str = "grpc",
    ):
        start = "OMPI_COMM_WORLD_" if "OMPI_COMM_WORLD_RANK" in os.environ else "SLURM_"
        rank, count = ("RANK", "SIZE") if start.startswith("OMPI") else ("PROCID", "NTASKS")
        self._rank = int(os.environ[start + rank])
        if tasks_per_node is None:
            if "SLURM_NTASKS_PER_NODE" not in os.environ:
                raise RuntimeError("Neither `tasks_per_node` or SLURM_NTASKS_PER_NODE is set.")
            tasks_per_node = int(os.environ["SLURM_NTASKS_PER_NODE"])
        if tasks_per_node * gpus_per_task > gpus_per_node:
            raise RuntimeError("Requested more GPUs per node then available.")
        if sum(jobs.values()) != int(os.environ[start + count]):
            raise RuntimeError("Requested more tasks then assigned tasks.")
        self._jobs = dict(sorted(jobs.items()))
        self._port_base = port_base
        self._tasks_per_node = tasks_per_node
        self._gpus_per_node = gpus_per_node
        self._gpus_per_task = gpus_per_task
        self._auto_set_gpu = auto_set_gpu
        self.task_type: Any = None
        self.task_id: Any = None
        self.rpc_layer = rpc_layer

    def _resolve_hostnames(self) -> list[str]:
        """Returns the node names."""
        return subprocess.check_output(["scontrol", "show", "hostname"], text=True).split()

    def cluster_spec(self) -> ClusterSpec:
        """Returns the cluster; sets `task_type` and `task_id`, and selects the GPUs visible to this process."""
        positions = range(self._tasks_per_node)
        addresses = [
            f"{host}:{self._port_base + n}" for host in self._resolve_hostnames() for n in positions
        ]
        jobs, start = {}, 0
        for job, count in self._jobs.items():
            jobs[job] = addresses[start : start + count]
            if start <= self._rank < start + count:
                self.task_type, self.task_id = job, self._rank - start
            start += count
        if self._auto_set_gpu:
            first = self._rank % self._tasks_per_node * self._gpus_per_task
            gpus = range(first, first + self._gpus_per_task)
            os.environ["CUDA_VISIBLE_DEVICES"] = ",".join(map(str, gpus))
        return ClusterSpec(jobs)

    def get_task_info(self) -> tuple[Any, Any]:
        """Returns the job and index of this process; both are None before the first call of `cluster_spec`."""
        return self.task_type, self.task_id

    @arguments_of(TaskClusterResolver.num_accelerators)
    def num_accelerators(self, *task: Any) -> Any:
        """Returns the GPUs per node, as passed to the constructor."""
        return {"GPU": self._gpus_per_node}
