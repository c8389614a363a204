"""Arguments of a strategy's input function: `InputContext`, `InputReplicationMode`."""

from __future__ import annotations

import enum

from tfmini._src.base.read_only import read_only


class InputReplicationMode(enum.Enum):
    """Number of calls of an input function: one per worker."""

    PER_WORKER = "PER_WORKER"


class InputContext:
    """Argument `input_context` of an input function: identifies its share of the input.

    Args:
      num_input_pipelines: number of input pipelines.
      input_pipeline_id: index of this pipeline.
      num_replicas_in_sync: total number of replicas.

    Example:
      def input_fn(context):
          dataset = files.shard(context.num_input_pipelines, context.input_pipeline_id)
          return dataset.batch(context.get_per_replica_batch_size(64))
    """

    num_replicas_in_sync: int = read_only("Total number of replicas.")
    input_pipeline_id: int = read_only("Index of this pipeline.")
    num_input_pipelines: int = read_only("Number of input pipelines.")

    def __init__(
        self,
        num_input_pipelines: int = 1,
        input_pipeline_id: int = 0,
        num_replicas_in_sync: int = 1,
    ):
        self._num_input_pipelines = num_input_pipelines
        self._input_pipeline_id = input_pipeline_id
        self._num_replicas_in_sync = num_replicas_in_sync

    def get_per_replica_batch_size(self, global_batch_size: int) -> int:
        """Returns the batch size per replica; raises ValueError if the global one does not divide evenly."""
        if global_batch_size % self._num_replicas_in_sync != 0:
            raise ValueError(
                f"The `global_batch_size` {global_batch_size!r} is not divisible by `num_replicas_in_sync` "
                f"{self._num_replicas_in_sync!r} "
            )
        return global_batch_size // self._num_replicas_in_sync
