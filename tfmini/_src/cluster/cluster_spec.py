"""A cluster's jobs, tasks and task addresses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tfmini._src.base import proto


class ClusterSpec:
    """A cluster's jobs and the address of each of their tasks.

    Args:
      cluster: a dict from job name to a list of addresses, or to a dict from task index to address; a ClusterDef; or a
        ClusterSpec.

    Raises:
      TypeError: for any other type, or if a job name or an address is not a string.

    Example: `tf.train.ClusterSpec({"ps": ["a:2222"], "worker": ["b:2222", "c:2222"]})`.
    """

    def __init__(self, cluster: ClusterSpec | proto.ClusterDef | Mapping[str, Any]):
        if isinstance(cluster, ClusterSpec):
            cluster = cluster.as_cluster_def()
        if isinstance(cluster, dict):
            self._jobs = {name: _number_tasks(name, tasks) for name, tasks in cluster.items()}
            self._message = _message(self._jobs)
        elif isinstance(cluster, proto.ClusterDef):
            self._jobs = {job.name: dict(job.tasks.items()) for job in cluster.job}
            self._message = proto.ClusterDef.FromString(cluster.SerializeToString())
        else:
            raise TypeError(
                "`cluster` must be a dictionary mapping one or more job names to lists of network addresses, or a "
                "`ClusterDef` protocol buffer"
            )

    def __bool__(self) -> bool:
        return bool(self._jobs)

    def __eq__(self, other: object) -> bool:
        return self._jobs == (other._jobs if isinstance(other, ClusterSpec) else other)

    def __hash__(self) -> int:
        return id(self)

    def __str__(self) -> str:
        jobs = sorted(self.as_dict().items())
        return "ClusterSpec({" + ", ".join(f"{name!r}: {tasks!r}" for name, tasks in jobs) + "})"

    def __repr__(self) -> str:
        return str(self)

    @property
    def jobs(self) -> list[str]:
        """The job names."""
        return list(self._jobs)

    def as_dict(self) -> dict[str, Any]:
        """Returns the addresses by job: a list, or a dict by task index if indices are missing."""
        return {name: self._list_tasks(tasks) for name, tasks in self._jobs.items()}

    @staticmethod
    def _list_tasks(tasks: Mapping[int, str]) -> Any:
        task_indices = sorted(tasks)
        is_dense = bool(task_indices) and task_indices[-1] + 1 == len(task_indices)
        listed = {task_index: tasks[task_index] for task_index in task_indices}
        return list(listed.values()) if is_dense else listed

    def as_cluster_def(self) -> Any:
        """Returns the ClusterDef message."""
        return self._message

    def num_tasks(self, job_name: str) -> int:
        """Returns the number of tasks of a job; raises ValueError if there is no such job."""
        return len(self._job(job_name))

    def task_indices(self, job_name: str) -> list[int]:
        """Returns the indices of a job's tasks, in order; raises ValueError if there is no such job."""
        return sorted(self._job(job_name))

    def task_address(self, job_name: str, task_index: int) -> str:
        """Returns the address of a task; raises ValueError if there is no such job or task."""
        job = self._job(job_name)
        if task_index not in job:
            raise ValueError(f"No task with index {task_index!r} in job {job_name!r}")
        return job[task_index]

    def job_tasks(self, job_name: str) -> list[str | None]:
        """Returns the addresses of a job, None for missing indices; raises ValueError if there is no such job."""
        job = self._job(job_name)
        addresses: list[str | None] = [None] * (max(job) + 1)
        for task_index, address in job.items():
            addresses[task_index] = address  # TensorFlow, too, counts negative indices from the end
        return addresses

    def _job(self, name: str) -> dict[int, str]:
        if name not in self._jobs:
            raise ValueError(f"No such job in cluster: {name!r}")
        return self._jobs[name]


def _number_tasks(name: Any, tasks: Any) -> dict[int, str]:
    if isinstance(tasks, list | tuple):
        return dict(enumerate(tasks))
    if isinstance(tasks, dict):
        return dict(tasks)
    raise TypeError(
        f"The tasks for job {name!r} must be a list or a dictionary from integers to strings."
    )


def _message(jobs: dict[str, dict[int, str]]) -> Any:
    message = proto.ClusterDef()
    for name, tasks in sorted(jobs.items()):
        if not isinstance(name, str | bytes):
            raise TypeError(f"Job name {name!r} must be bytes or unicode")
        job = message.job.add(name=name)
        for task_index, address in sorted(tasks.items()):
            if not hasattr(task_index, "__index__"):
                type_name = type(task_index).__name__
                raise TypeError(f"{task_index!r} has type {type_name}, but expected one of: int")
            if not isinstance(address, str | bytes):
                raise TypeError(f"Task address {address!r} must be bytes or unicode")
            job.tasks[task_index] = address
    return message
