"""`tf.train.replica_device_setter`: variables on parameter servers in rotation, everything else on the worker."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tfmini._src.base import logs, proto
from tfmini._src.cluster.cluster_spec import ClusterSpec
from tfmini._src.graph.device_spec import DeviceSpec

# Op types whose state belongs on parameter servers: variables and mutable tables.
STANDARD_PS_OPS = (
    *("Variable", "VariableV2", "AutoReloadVariable", "MutableHashTable", "MutableHashTableV2"),
    *("MutableHashTableOfTensors", "MutableHashTableOfTensorsV2", "MutableDenseHashTable"),
    *("MutableDenseHashTableV2", "VarHandleOp", "BoostedTreesEnsembleResourceHandleOp"),
    *("BoostedTreesQuantileStreamResourceHandleOp", "ResourceConditionalAccumulator"),
)


class RoundRobin:
    """Strategy that picks the parameter servers in rotation."""

    def __init__(self, num_tasks: int):
        self._num_tasks = num_tasks
        self._next = 0

    def __call__(self, op: Any) -> int:
        task = self._next
        self._next = (task + 1) % self._num_tasks
        return task


class ReplicaDevices:
    """Chooses each node's device; pass its `device_function` to `tf.device`."""

    def __init__(
        self,
        ps_device: str,
        worker_device: str,
        merge_devices: bool,
        ps_ops: Sequence[str],
        ps_strategy: Callable[[Any], int],
    ):
        self._ps_device = ps_device
        self._worker_device = worker_device
        self._merges = merge_devices
        self._ps_ops = ps_ops
        self._strategy = ps_strategy

    def device_function(self, op: Any) -> str:
        """Returns the device string of an operation; parts that the operation already specifies take precedence."""
        if op.device and not self._merges:
            return op.device
        requested = DeviceSpec.from_string(op.device or "")
        op_type = op.op if isinstance(op, proto.NodeDef) else op.type
        if not self._ps_device or op_type not in self._ps_ops:
            worker = DeviceSpec.from_string(self._worker_device or "")
            return worker.make_merged_spec(requested).to_string()
        server = DeviceSpec.from_string(self._ps_device)
        if server.job and requested.job in (None, "", server.job):
            server = server.replace(task=self._strategy(op))
        return server.make_merged_spec(requested).to_string()


def replica_device_setter(
    ps_tasks: int = 0,
    ps_device: str = "/job:ps",
    worker_device: str = "/job:worker",
    merge_devices: bool = True,
    cluster: ClusterSpec | proto.ClusterDef | Mapping[str, Any] | None = None,
    ps_ops: Sequence[str] | None = None,
    ps_strategy: Callable[[Any], int] | None = None,
) -> Callable[[Any], str] | None:
    """Returns a device function for between-graph replication: puts variables on parameter servers.

    Args:
      ps_tasks: number of parameter servers, if `cluster` is not given.
      ps_device: the parameter server job; "" for none.
      worker_device: the device of all other nodes.
      merge_devices: whether to fill in missing parts of a node's device; otherwise partial devices are left unchanged.
      cluster: a ClusterSpec, or an argument to construct one.
      ps_ops: op types placed on parameter servers, by default variables and mutable tables.
      ps_strategy: function from an operation to a parameter server index; by default round-robin.

    Returns:
      A function for `tf.device`; None (no effect) without parameter servers.

    Raises:
      TypeError: if `cluster` is not convertible to a ClusterSpec or `ps_strategy` is not callable.

    Example:
      with tf.device(tf.train.replica_device_setter(cluster=cluster, worker_device="/job:worker/task:1")):
          weights = tf.Variable(tf.zeros([784, 10]))  # on /job:ps/task:0
    """
    if cluster is not None:
        tasks = ClusterSpec(cluster).as_dict().get(DeviceSpec.from_string(ps_device).job or "")
        if tasks is None:
            return None
        ps_tasks = len(tasks)
    if ps_tasks == 0:
        return None
    if not merge_devices:
        logs.warning(
            "DEPRECATION: It is recommended to set merge_devices=true in replica_device_setter"
        )
    strategy = RoundRobin(ps_tasks) if ps_strategy is None else ps_strategy
    if not callable(strategy):
        raise TypeError("ps_strategy must be callable")
    op_types = list(STANDARD_PS_OPS) if ps_ops is None else ps_ops
    replica_devices = ReplicaDevices(ps_device, worker_device, merge_devices, op_types, strategy)
    return replica_devices.device_function
