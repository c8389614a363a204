"""`MultiWorkerMirroredStrategy`: replicas on several workers' devices, with one session per worker."""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.base.names.signature import arguments_of
from tfmini._src.cluster.cluster_spec import ClusterSpec
from tfmini._src.distribute.cluster_resolver.tfconfig_cluster_resolver import (
    TFConfigClusterResolver,
)
from tfmini._src.distribute.cross_device_ops import CrossDeviceOps, divide
from tfmini._src.distribute.devices import local_devices
from tfmini._src.distribute.distributed_values import DistributedValues, Mirrored, PerReplica
from tfmini._src.distribute.distributed_variable import SyncOnReadVariable
from tfmini._src.distribute.horovod import basics, collectives
from tfmini._src.distribute.horovod.ranks import RankInfo
from tfmini._src.distribute.input_contexts import InputContext
from tfmini._src.distribute.mirrored_strategy import MirroredExtended
from tfmini._src.distribute.numpy_inputs import SingleDevice
from tfmini._src.distribute.reduce_op import ReduceOp
from tfmini._src.distribute.strategy import Strategy
from tfmini._src.graph.composite_values import IndexedSlices
from tfmini._src.graph.is_tensor import is_tensor
from tfmini._src.graph.scopes import device
from tfmini._src.ops import ops
from tfmini._src.variables.copy_modes import VariableAggregation


class CollectiveCommunication(enum.Enum):
    """Implementations of gradient reduction. All are equivalent in tfmini: NCCL if available."""

    AUTO = "AUTO"
    RING = "RING"
    NCCL = "NCCL"


class MultiWorkerMirroredStrategy(Strategy):
    """`MirroredStrategy` over all devices of all workers in TF_CONFIG.

    Each worker runs the same script, with its own graph and session. Initial values are broadcast from the first
    worker; gradients are summed over all replicas.

    communication: a `CollectiveCommunication`; no effect.
    """

    def __init__(self, communication: CollectiveCommunication = CollectiveCommunication.AUTO):
        super().__init__(MultiWorkerMirroredExtended(self, communication))


class MultiWorkerMirroredExtended(MirroredExtended):
    """Implementation of `MultiWorkerMirroredStrategy`."""

    experimental_between_graph = True
    _rank_info = RankInfo(0, ())

    def __init__(
        self,
        container_strategy: Any,
        communication: CollectiveCommunication,
        gpus: int | None = None,
    ):
        if not isinstance(communication, CollectiveCommunication):
            raise ValueError(
                "`communication` must be an instance of `tf.distribute.experimental.CollectiveCommunication`."
            )
        resolver = TFConfigClusterResolver()
        super().__init__(container_strategy, local_devices(gpus))
        self.experimental_enable_get_next_as_optional = False
        self._set_ranks(resolver.cluster_spec(), resolver.task_type, resolver.task_id)

    def _set_ranks(self, cluster: ClusterSpec, task_type: str | None, task_id: int | None) -> None:
        """Stores the workers' addresses, and this worker's index; an evaluator runs alone."""
        jobs = cluster.as_dict()
        if task_type not in ("chief", "worker"):
            return
        addresses = (*jobs.get("chief", ()), *jobs.get("worker", ()))
        rank = int(task_id or 0) + (len(jobs.get("chief", ())) if task_type == "worker" else 0)
        if len(addresses) > 1:
            self._rank_info, self._connects_workers = RankInfo(rank, addresses), True
            self.should_checkpoint = self.should_save_summary = rank == 0
            self._cross_device_ops = WorkerReductions(self._cross_device_ops)

    @arguments_of(MirroredExtended._configure)
    def _configure(
        self, session_config: Any, cluster_spec: Any, task_type: Any, task_id: Any
    ) -> None:
        if cluster_spec and not self._connects_workers:
            self._set_ranks(ClusterSpec(cluster_spec), task_type, task_id)
        super()._configure(session_config)

    def _scope(self, strategy: Any) -> Any:
        if self._connects_workers:
            basics.connect(self._rank_info)
        return super()._scope(strategy)

    # Input ---------------------------------------------------------------------------------------

    def _input_contexts(self) -> list[InputContext]:
        rank_info = self._rank_info
        return [InputContext(rank_info.size, rank_info.rank, self._num_replicas_in_sync)]

    def _context_of_datasets(self) -> InputContext | None:
        return self._input_contexts()[0]

    # Variables and values ------------------------------------------------------------------------

    def _create_variable(self, next_creator: Callable, **kwargs: Any) -> Any:
        if self._connects_workers and not isinstance(kwargs.get("colocate_with"), SingleDevice):
            initial, dtype = kwargs["initial_value"], kwargs.get("dtype")

            def from_first_worker() -> Any:
                value = initial() if callable(initial) else initial
                return collectives.broadcast(ops.convert_to_tensor(value, dtype), 0)

            kwargs["initial_value"] = from_first_worker
        return super()._create_variable(next_creator, **kwargs)

    def read_var(self, v: Any) -> Any:
        """Reads a variable in cross-replica context; an independently updated one is read on this worker only."""
        if not isinstance(v, SyncOnReadVariable) or not self._connects_workers:
            return super().read_var(v)
        copies = [copy.read_value() for copy in v.values]
        if v._aggregation == VariableAggregation.ONLY_FIRST_REPLICA:
            return copies[0]
        total = ops.add_n(copies)
        is_mean = v._aggregation == VariableAggregation.MEAN
        return divide(total, len(copies)) if is_mean else total

    def _reduce_to(self, reduce_op: Any, value: Any, destinations: Any) -> Any:
        if not self._connects_workers or isinstance(value, Mirrored):
            return super()._reduce_to(reduce_op, value, destinations)
        if not is_tensor(value) and not isinstance(value, (DistributedValues, IndexedSlices)):
            if reduce_op == ReduceOp.MEAN or value == 0:
                return value
            value = ops.convert_to_tensor(value)
        return self._cross_device_ops.reduce(reduce_op, value, destinations)

    @property
    def _num_replicas_in_sync(self) -> int:
        return self._device_map.num_replicas_in_graph * self._rank_info.size


class WorkerReductions(CrossDeviceOps):
    """Reductions over all workers' replicas, first within each worker and then across workers.

    local: the reductions within a worker.
    """

    def __init__(self, local: CrossDeviceOps):
        self.local = local

    def reduce(self, reduce_op: Any, per_replica_value: Any, destinations: Any) -> Any:
        return self.batch_reduce(reduce_op, [(per_replica_value, destinations)])[0]

    def batch_reduce(self, reduce_op: Any, value_destination_pairs: Any) -> list:
        pairs = list(value_destination_pairs)
        totals: Sequence[Any] = self.local.batch_reduce(ReduceOp.SUM, pairs)
        with device("/cpu:0"):
            sums = collectives.grouped_allreduce(
                [t.primary if isinstance(t, DistributedValues) else t for t in totals],
                op=collectives.Sum,
            )
        if reduce_op == ReduceOp.MEAN:
            sums = [divide(t, _replicas(v)) for t, (v, _) in zip(sums, pairs)]
        return [self.broadcast(t, destinations) for t, (_, destinations) in zip(sums, pairs)]


def _replicas(value: Any) -> int:
    local = len(value.values) if isinstance(value, PerReplica | SyncOnReadVariable) else 1
    return local * basics.size()
