"""This process's cluster task, from the environment variable TF_CONFIG.

Its value is JSON: `{"cluster": {job: [address, …]}, "task": {"type": job, "index": number}}`, with the
optional keys `session_master`, `eval_session_master`, `model_dir` and `service`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tfmini._src.cluster.cluster_spec import ClusterSpec


class TaskType:
    """Job names in TF_CONFIG."""

    MASTER = "master"
    PS = "ps"
    WORKER = "worker"
    CHIEF = "chief"
    EVALUATOR = "evaluator"


@dataclass(frozen=True)
class ClusterTask:
    """The cluster task of this process: job, task index and derived settings."""

    cluster_spec: ClusterSpec
    task_type: str
    task_id: int
    global_id_in_cluster: int | None
    master: str
    evaluation_master: str
    is_chief: bool
    num_ps_replicas: int
    num_worker_replicas: int
    service: dict | None


def cluster_task(config: dict[str, Any], under_strategy: bool = False) -> ClusterTask:
    """Returns the task described by a parsed TF_CONFIG.

    under_strategy: whether a strategy is used; the first worker is then the chief of a cluster without one.
    """
    service = config.get("service")
    if service is not None and not isinstance(service, dict):
        raise TypeError(
            f'If "service" is set in TF_CONFIG, it must be a dict. Given {type(service)}'
        )
    cluster, task = ClusterSpec(config.get("cluster", {})), config.get("task", {})
    if not cluster:
        return _single_process_task(config, cluster, task, service)
    chief = TaskType.MASTER if TaskType.MASTER in cluster.jobs else TaskType.CHIEF
    if under_strategy and chief not in cluster.jobs and TaskType.WORKER in cluster.jobs:
        chief = TaskType.WORKER
    if chief == TaskType.MASTER and TaskType.CHIEF in cluster.jobs:
        raise ValueError("If `master` node exists in `cluster`, job `chief` is not supported.")
    job, task_index = _task(cluster, task, chief)
    if job == TaskType.EVALUATOR:
        if chief == TaskType.MASTER:
            raise ValueError(
                "If `master` node exists in `cluster`, task_type `evaluator` is not supported."
            )
        master = config.get("eval_session_master", "")
        return ClusterTask(ClusterSpec({}), job, task_index, None, "", master, False, 0, 0, service)
    return ClusterTask(
        cluster,
        job,
        task_index,
        _global_id(cluster, job, task_index, chief),
        _master(config, cluster, job, task_index),
        "",
        job == chief and task_index == 0,
        _task_count(cluster, TaskType.PS),
        sum(_task_count(cluster, job) for job in {TaskType.WORKER, chief}),
        service,
    )


def _single_process_task(
    config: dict, cluster: ClusterSpec, task: dict, service: dict | None
) -> ClusterTask:
    job, task_index = task.get("type", TaskType.WORKER), int(task.get("index", 0))
    if job != TaskType.WORKER:
        raise ValueError('If "cluster" is not set in TF_CONFIG, task type must be WORKER.')
    if task_index != 0:
        raise ValueError('If "cluster" is not set in TF_CONFIG, task index must be 0.')
    masters = config.get("session_master", ""), config.get("eval_session_master", "")
    return ClusterTask(cluster, job, task_index, 0, *masters, True, 0, 1, service)


def _task(cluster: ClusterSpec, task: dict[str, Any], chief: str) -> tuple[str, int]:
    """Returns the job and task index of this process."""
    if chief not in cluster.jobs:
        raise ValueError(f'If "cluster" is set in TF_CONFIG, it must have one "{chief}" node.')
    if len(cluster.job_tasks(chief)) > 1 and chief != TaskType.WORKER:
        raise ValueError(f'The "cluster" in TF_CONFIG must have only one "{chief}" node.')
    job, task_index = task.get("type"), task.get("index")
    if not job:
        raise ValueError('If "cluster" is set in TF_CONFIG, task type must be set.')
    if task_index is None:
        raise ValueError('If "cluster" is set in TF_CONFIG, task index must be set.')
    task_index = int(task_index)
    if task_index < 0:
        raise ValueError("Task index must be non-negative number.")
    if job == TaskType.EVALUATOR:
        return job, task_index
    note = (
        f"in the cluster_spec:\n{cluster}\n\n"
        "Note that these values may be coming from the TF_CONFIG environment variable."
    )
    if job not in cluster.jobs:
        raise ValueError(f"{job} is not a valid task_type {note}")
    if task_index >= len(cluster.job_tasks(job)):
        raise ValueError(f"{task_index} is not a valid task_id for task_type {job} {note}")
    return job, task_index


def _master(config: dict, cluster: ClusterSpec, job: str, task_index: int) -> str:
    """Returns the session target, which is local if this is the only process."""
    if "session_master" in config:
        return config["session_master"]
    if len(cluster.jobs) == 1 and len(cluster.job_tasks(cluster.jobs[0])) == 1:
        return ""
    return f"grpc://{cluster.job_tasks(job)[task_index]}"


def _task_count(cluster: ClusterSpec, job: str) -> int:
    return len(cluster.as_dict().get(job, []))


def _global_id(cluster: ClusterSpec, job: str, task_index: int, chief: str) -> int:
    """Returns the global index of a task, ordered by chief, other jobs by name, and parameter servers."""
    other_jobs = sorted(set(cluster.jobs) - {chief, TaskType.PS})
    order = [chief, *other_jobs, TaskType.PS]
    return sum(_task_count(cluster, job) for job in order[: order.index(job)]) + task_index
