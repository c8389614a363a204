"""`tf.contrib.learn.RunConfig`: runtime configuration of `tf.contrib.learn` Estimators."""

from __future__ import annotations

import json
import os
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

from tfmini._src.base import logs, proto
from tfmini._src.base.names.deprecation import deprecated, warn_of_experiment
from tfmini._src.base.read_only import read_only
from tfmini._src.cluster.cluster_spec import ClusterSpec
from tfmini._src.models.estimator import run_config as core

_EXCLUDED_FIELDS = (
    *("tf_random_seed", "save_summary_steps", "save_checkpoints_steps", "save_checkpoints_secs"),
    *("session_config", "keep_checkpoint_max", "keep_checkpoint_every_n_hours"),
    "log_step_count_steps",
)


class Environment:
    """Names of cluster environments."""

    CLOUD = "cloud"
    GOOGLE = "google"
    LOCAL = "local"


class TaskType:
    """Names of cluster tasks."""

    MASTER = "master"
    PS = "ps"
    WORKER = "worker"


class ClusterConfig:
    """Task of this process in a cluster, from the environment variable TF_CONFIG.

    Its value is JSON: `{"cluster": {job: [address, ...]}, "task": {"type": job, "index": number}, "environment":
    "cloud"}`. Without a master, the first worker is the chief.

    Args:
      master: target of training sessions; None for the task's address.
      evaluation_master: target of evaluation sessions.

    Raises:
      ValueError: if the cluster lacks the task.
    """

    cluster_spec: ClusterSpec = read_only("The ClusterSpec; empty for a single process.")
    evaluation_master: str = read_only("Target of evaluation sessions.")
    is_chief: bool = read_only("Whether this process initializes variables and saves checkpoints.")
    master: str = read_only("Target of training sessions.")
    num_ps_replicas: int = read_only("The number of parameter servers.")
    num_worker_replicas: int = read_only("The number of workers, including the master.")
    task_id: int = read_only("The index of the task in its job.")
    task_type: Any = read_only("Job name of this process; None for a single process.")
    environment: str = read_only('Kind of cluster machines; "local" by default.')

    def __init__(self, master: str | None = None, evaluation_master: str | None = None):
        config = json.loads(os.environ.get("TF_CONFIG") or "{}")
        self._task_type = config.get("task", {}).get("type")
        self._task_id = self.get_task_id()
        self._cluster_spec = ClusterSpec(config.get("cluster", {}))
        if master is None:
            master = _address(self._cluster_spec, self._task_type, self._task_id)
        self._master = master
        jobs = self._cluster_spec.as_dict()
        self._num_ps_replicas = len(jobs.get("ps", []))
        self._num_worker_replicas = len(jobs.get("worker", [])) + len(jobs.get("master", []))
        self._environment = config.get("environment", Environment.LOCAL)
        chief = TaskType.MASTER if self._environment == Environment.CLOUD else TaskType.WORKER
        self._is_chief = self._task_id == 0 and self._task_type in (None, chief)
        self._evaluation_master = evaluation_master or ""

    @staticmethod
    def get_task_id() -> int:
        """Returns the task index in TF_CONFIG, 0 without one."""
        task = json.loads(os.environ.get("TF_CONFIG") or "{}").get("task", {})
        return int(task.get("index") or 0)


def _address(cluster: ClusterSpec, task_type: Any, task_id: int) -> str:
    """Returns the target of a task: "" in a single-task cluster, or without a task type."""
    jobs = cluster.jobs
    if not task_type or not cluster or (len(jobs) == 1 and len(cluster.job_tasks(jobs[0])) == 1):
        return ""
    if task_type not in jobs:
        raise ValueError(
            f"{task_type} is not a valid task_type in the cluster_spec:\n{cluster}\n\nNote that these values may be "
            "coming from the TF_CONFIG environment variable."
        )
    addresses = cluster.job_tasks(task_type)
    if not 0 <= task_id < len(addresses):
        raise ValueError(
            f"{task_id} is not a valid task_id for task_type {task_type} in the cluster_spec:\n{cluster}\n\nNote that "
            "these value may be coming from the TF_CONFIG environment variable."
        )
    return f"grpc://{addresses[task_id]}"


class RunConfig(ClusterConfig, core.RunConfig):
    """Runtime configuration of an Estimator, with the cluster and task in TF_CONFIG.

    Args:
      master: server address, "" for this process.
      num_cores: number of op threads; 0 for the number of cores.
      log_device_placement: whether to log devices.
      gpu_memory_fraction: fraction of GPU memory to use.
      tf_random_seed: graph-level random seed.
      save_summary_steps: steps between summaries.
      save_checkpoints_secs, save_checkpoints_steps: interval between checkpoints; by default 600 seconds.
      keep_checkpoint_max: number of checkpoints to keep.
      keep_checkpoint_every_n_hours: interval in hours at which a checkpoint is kept permanently.
      log_step_count_steps: interval in steps at which steps per second are logged.
      protocol: server protocol.
      evaluation_master: address of the evaluation server.
      model_dir: directory of checkpoints and event files.
      session_config: a ConfigProto.
      session_creation_timeout_secs: timeout of session creation in seconds.

    Raises:
      ValueError: if the directory in TF_CONFIG differs, or its cluster lacks its task.
    """

    tf_config: Any = read_only(
        "A ConfigProto of `num_cores`, `log_device_placement` and `gpu_memory_fraction`."
    )
    _USE_DEFAULT = 0

    @deprecated(
        None,
        "When switching to tf.estimator.Estimator, use tf.estimator.RunConfig instead.",
    )
    def __init__(
        self,
        master: str | None = None,
        num_cores: int = 0,
        log_device_placement: bool = False,
        gpu_memory_fraction: float = 1,
        tf_random_seed: int | None = None,
        save_summary_steps: int = 100,
        save_checkpoints_secs: Any = _USE_DEFAULT,
        save_checkpoints_steps: int | None = None,
        keep_checkpoint_max: int = 5,
        keep_checkpoint_every_n_hours: float = 10000,
        log_step_count_steps: int = 100,
        protocol: str | None = None,
        evaluation_master: str = "",
        model_dir: str | None = None,
        session_config: proto.ConfigProto | None = None,
        session_creation_timeout_secs: float = 7200,
    ):
        ClusterConfig.__init__(self, master, evaluation_master)
        self._train_distribute = None
        self._eval_distribute = None
        self._experimental_max_worker_delay_secs = None
        self._device_fn = None
        memory = proto.GPUOptions(per_process_gpu_memory_fraction=gpu_memory_fraction)
        self._tf_config = proto.ConfigProto(
            log_device_placement=log_device_placement,
            inter_op_parallelism_threads=num_cores,
            intra_op_parallelism_threads=num_cores,
            gpu_options=memory,
        )
        self._tf_random_seed = tf_random_seed
        self._save_summary_steps = save_summary_steps
        if save_checkpoints_secs == self._USE_DEFAULT:
            save_checkpoints_secs = 600 if save_checkpoints_steps is None else None
        self._save_checkpoints_secs = save_checkpoints_secs
        self._log_step_count_steps = log_step_count_steps
        self._protocol = protocol
        self._session_config = session_config
        self._save_checkpoints_steps = save_checkpoints_steps
        self._keep_checkpoint_max = keep_checkpoint_max
        self._keep_checkpoint_every_n_hours = keep_checkpoint_every_n_hours
        self._model_dir = _model_dir(model_dir)
        self._session_creation_timeout_secs = session_creation_timeout_secs

    def uid(self, whitelist: Sequence[str] | None = None) -> str:
        """Returns a string that identifies this config.

        Args:
          whitelist: names of properties to ignore.
        """
        warn_of_experiment("RunConfig.uid", "learn.python.learn.estimators.run_config")
        excluded = {"_" + name for name in (_EXCLUDED_FIELDS if whitelist is None else whitelist)}
        settings = {key: value for key, value in vars(self).items() if key not in excluded}
        if "_cluster_spec" in settings:
            settings["_cluster_spec"] = OrderedDict(sorted(self._cluster_spec.as_dict().items()))
        return ", ".join(f"{key}={settings[key]!r}" for key in sorted(settings))


def _model_dir(value: Any) -> Any:
    model_dir = json.loads(os.environ.get("TF_CONFIG") or "{}").get("model_dir")
    if model_dir is not None:
        if value is not None and model_dir != value:
            raise ValueError(
                "`model_dir` provided in RunConfig construct, if set, must have the same value as the model_dir in "
                f'TF_CONFIG. model_dir: {value}\nTF_CONFIG["model_dir"]: {model_dir}.\n'
            )
        logs.info("Using model_dir in TF_CONFIG: %s", model_dir)
    return value or model_dir
