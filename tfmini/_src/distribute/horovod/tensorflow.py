"""Horovod's interface: `import horovod.tensorflow as hvd` under the runner.

Each process of a job (`python -m tfmini launch --ranks 4 train.py`) runs the whole script; gradients are averaged over
all processes at each step, and variables are initialized from rank 0:

    hvd.init()
    optimizer = hvd.DistributedOptimizer(tf.train.AdamOptimizer(0.001 * hvd.size()))
    hooks = [hvd.BroadcastGlobalVariablesHook(0)]
    with tf.train.MonitoredTrainingSession(hooks=hooks) as session: ...
"""

from __future__ import annotations

from typing import Any

from tfmini._src.distribute.horovod import basics, elastic
from tfmini._src.distribute.horovod.basics import *  # noqa: F403
from tfmini._src.distribute.horovod.basics import is_homogeneous, local_rank_op, local_size_op
from tfmini._src.distribute.horovod.collectives import (
    Adasum,
    Average,
    Sum,
    allgather,
    allreduce,
    alltoall,
    broadcast,
    broadcast_global_variables,
    broadcast_variables,
    grouped_allreduce,
    join,
)
from tfmini._src.distribute.horovod.compression import Compression
from tfmini._src.distribute.horovod.distributed_optimizer import DistributedOptimizer
from tfmini._src.distribute.horovod.gradient_tape import DistributedGradientTape
from tfmini._src.distribute.horovod.objects import (
    allgather_object,
    broadcast_object,
    broadcast_object_fn,
)
from tfmini._src.distribute.horovod.ops import rank_op, size_op
from tfmini._src.distribute.horovod.sync_batch_normalization import SyncBatchNormalization
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.train.monitored.session_run_hook import SessionRunHook

__all__ = [
    *basics.__all__,
    "Adasum",
    "Average",
    "BroadcastGlobalVariablesHook",
    "Compression",
    "DistributedGradientTape",
    "DistributedOptimizer",
    "Sum",
    "SyncBatchNormalization",
    "allgather",
    "allgather_object",
    "allreduce",
    "alltoall",
    "broadcast",
    "broadcast_global_variables",
    "broadcast_object",
    "broadcast_object_fn",
    "broadcast_variables",
    "elastic",
    "grouped_allreduce",
    "is_homogeneous",
    "join",
    "local_rank_op",
    "local_size_op",
    "rank_op",
    "size_op",
]


class BroadcastGlobalVariablesHook(SessionRunHook):
    """Hook that broadcasts one process's initialized or restored variables to all others.

    Args:
      root_rank: rank of that process.
      device: device of the broadcast.
    """

    def __init__(self, root_rank: int, device: str = ""):
        self._root_rank = root_rank
        self._device = device
        self._operation: Any = None

    def begin(self) -> None:
        """Adds the broadcast to the graph."""
        graph = get_default_graph()
        if self._operation is None or self._operation.graph is not graph:
            with graph.device(self._device or None):
                self._operation = broadcast_global_variables(self._root_rank)

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Runs the broadcast."""
        session.run(self._operation)
