"""`tf.contrib.learn.RunConfig`: where and how an Estimator of `tf.contrib.learn` is run."""

from __future__ import annotations

import json
import os
from typing import Any

from tfmini import proto
from tfmini.estimator import run_config as core
from tfmini.estimator.tasks import TaskType as CoreTaskType

_NOT_TOLD = (
    *("tf_random_seed", "save_summary_steps", "save_checkpoints_steps", "save_checkpoints_secs"),
    *("session_config", "keep_checkpoint_max", "keep_checkpoint_every_n_hours"),
    "log_step_count_steps",
)


class TaskType:
    """The tasks of a cluster."""

    MASTER = "master"
    PS = "ps"
    WORKER = "worker"


class RunConfig(core.RunConfig):
    """What an Estimator is run with; its place in a cluster comes from TF_CONFIG.

    Args:
      master: the address of the server, "" for this process.
      num_cores: how many threads run ops; 0 for as many as there are cores.
      log_device_placement: whether devices are logged.
      gpu_memory_fraction: how much of a GPU's memory is taken.
      tf_random_seed: the seed of the graphs.
      save_summary_steps: how often summaries are written.
      save_checkpoints_secs, save_checkpoints_steps: how often a checkpoint is; by default each 600 seconds.
      keep_checkpoint_max: how many checkpoints are kept.
      keep_checkpoint_every_n_hours: one is kept for good each so many hours.
      log_step_count_steps: how often steps a second are logged.
      protocol: the protocol of servers.
      evaluation_master: the address of the server that evaluates.
      model_dir: the folder of checkpoints and events.
      session_config: a ConfigProto.
      session_creation_timeout_secs: how long to wait for a session.

    Raises:
      ValueError: both ways of saving are given, or a value is out of range.
    """

    _USE_DEFAULT = 0

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
        model_dir: Any = None,
        session_config: Any = None,
        session_creation_timeout_secs: float = 7200,
    ):
        if save_checkpoints_secs == self._USE_DEFAULT:
            save_checkpoints_secs = 600 if save_checkpoints_steps is None else None
        super().__init__(
            model_dir=model_dir,
            tf_random_seed=tf_random_seed,
            save_summary_steps=save_summary_steps,
            save_checkpoints_secs=save_checkpoints_secs,
            save_checkpoints_steps=save_checkpoints_steps,
            session_config=session_config,
            keep_checkpoint_max=keep_checkpoint_max,
            keep_checkpoint_every_n_hours=keep_checkpoint_every_n_hours,
            log_step_count_steps=log_step_count_steps,
            protocol=protocol,
            session_creation_timeout_secs=session_creation_timeout_secs,
        )
        if not self._cluster_spec and self._task_type == CoreTaskType.WORKER:
            self._task_type = None  # type: ignore[assignment]  # as there
        if master is not None:
            self._master = master
        self._evaluation_master = evaluation_master
        self._environment = "local"
        memory = proto.GPUOptions(per_process_gpu_memory_fraction=gpu_memory_fraction)
        self._tf_config = proto.ConfigProto(
            log_device_placement=log_device_placement,
            inter_op_parallelism_threads=num_cores,
            intra_op_parallelism_threads=num_cores,
            gpu_options=memory,
        )

    @staticmethod
    def get_task_id() -> int:
        """The number of the task in TF_CONFIG, 0 without one."""
        task = json.loads(os.environ.get("TF_CONFIG") or "{}").get("task", {})
        return int(task.get("index") or 0)

    @property
    def environment(self) -> str:
        """Where the cluster is: "local"."""
        return self._environment

    @property
    def tf_config(self) -> Any:
        """A ConfigProto of `num_cores`, `log_device_placement` and `gpu_memory_fraction`."""
        return self._tf_config

    def uid(self, whitelist: Any = None) -> str:
        """A text that tells it from other configs.

        Args:
          whitelist: the names of properties that do not count.
        """
        left = {"_" + name for name in (_NOT_TOLD if whitelist is None else whitelist)}
        told = sorted((key, value) for key, value in vars(self).items() if key not in left)
        return ", ".join(f"{key}={value!r}" for key, value in told)
