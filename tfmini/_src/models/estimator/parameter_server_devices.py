"""Placement of an Estimator's nodes in a cluster with parameter servers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.cluster.device_setter import STANDARD_PS_OPS, replica_device_setter


def parameter_server_devices(config: Any, ps_ops: Sequence[str] = STANDARD_PS_OPS) -> Any:
    """Returns a device function that assigns variables to parameter servers round-robin, and other nodes to this task.

    Args:
      config: the RunConfig.
      ps_ops: op types placed on parameter servers.

    Returns:
      The function, or None without parameter servers.
    """
    if config.num_ps_replicas <= 0:
        return None
    worker = f"/job:{config.task_type}/task:{config.task_id}" if config.task_type else "/job:worker"
    return replica_device_setter(
        config.num_ps_replicas,
        worker_device=worker,
        merge_devices=True,
        ps_ops=list(ps_ops),
        cluster=config.cluster_spec,
    )
