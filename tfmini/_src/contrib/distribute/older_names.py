"""`tf.contrib.distribute`: Estimator configs, servers, and older names of contexts."""

from __future__ import annotations

import json
import os
from typing import Any, NamedTuple

from tfmini._src.base import proto
from tfmini._src.cluster.cluster_spec import ClusterSpec
from tfmini._src.cluster.server import Server
from tfmini._src.distribute.strategy_context import get_strategy, in_cross_replica_context
from tfmini._src.graph.replica_modes import update_device_scope


class DistributeConfig(NamedTuple):
    """Strategies for `tf.estimator.RunConfig(experimental_distribute=...)`.

    train_distribute, eval_distribute: strategies, or None.
    remote_cluster: must be None.
    """

    train_distribute: Any = None
    eval_distribute: Any = None
    remote_cluster: Any = None


def run_standard_tensorflow_server(session_config: proto.ConfigProto | None = None) -> Server:
    """Starts the server of the task named by TF_CONFIG.

    Args:
      session_config: a ConfigProto with the server's devices.

    Raises:
      ValueError: if TF_CONFIG lacks this task, or its cluster lacks both chief and workers.

    Example: `tf.contrib.distribute.run_standard_tensorflow_server().join()` runs a parameter server.
    """
    config = json.loads(os.environ.get("TF_CONFIG", "{}"))
    for name in ("cluster", "task"):
        if name not in config:
            raise ValueError(f'"{name}" is not found in TF_CONFIG.')
    task = config["task"]
    if "type" not in task:
        raise ValueError('"task_type" is not found in the `task` part of TF_CONFIG.')
    cluster = ClusterSpec(config["cluster"])
    if not {"chief", "worker"} & set(cluster.jobs):
        raise ValueError("You must have `chief` or `worker` jobs in the `cluster_spec`.")
    return Server(
        cluster,
        job_name=task["type"],
        task_index=int(task.get("index", 0)),
        protocol=config.get("rpc_layer", "grpc"),
        config=session_config or proto.ConfigProto(),
    )


def get_cross_replica_context() -> Any:
    """Returns the current strategy if outside of its replicas, else None."""
    return get_strategy() if in_cross_replica_context() else None


class UpdateContext:
    """Context manager for updating variables on a device."""

    def __init__(self, device: str):
        self._block = update_device_scope(device)

    def __enter__(self) -> None:
        self._block.__enter__()

    def __exit__(self, exception_type: Any, exception_value: Any, traceback: Any) -> None:
        self._block.__exit__(exception_type, exception_value, traceback)
