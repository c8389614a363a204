"""Batch normalization with mean and variance over all processes' batches."""

from __future__ import annotations

from typing import Any

from tfmini._src.distribute.horovod.basics import is_single_process
from tfmini._src.distribute.horovod.collectives import allreduce
from tfmini._src.graph.collections import add_to_collection
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.nn.layers.keras.batch_normalization import BatchNormalization
from tfmini._src.ops import ops


class SyncBatchNormalization(BatchNormalization):
    """`tf.keras.layers.BatchNormalization` over the batches of all processes, useful for small batches.

    Args:
      fused: must be False.
      **kwargs: the layer's arguments.

    Raises:
      ValueError: if `fused` is true.
    """

    def __init__(self, fused: bool | None = False, **kwargs: Any):
        if fused in (True, None):
            raise ValueError("SyncBatchNormalization does not support fused=True.")
        kwargs["name"] = kwargs.get("name") or "sync_batch_normalization"
        super().__init__(fused=fused, **kwargs)

    def _moments(self, inputs: Any, axes: list[int], keep_dims: bool) -> tuple:
        """Returns mean and variance over all batches, from the means of x and x^2; batches have equal sizes."""
        mean, variance = super()._moments(inputs, axes, keep_dims)
        if is_single_process():
            return mean, variance
        stacked = ops.stack([mean, variance + ops.square(mean)])
        mean, mean_of_square = ops.unstack(allreduce(stacked))
        return mean, mean_of_square - ops.square(mean)

    def call(self, inputs: Any, training: Any = None) -> Any:
        """Returns the normalized inputs; moving average updates are added to UPDATE_OPS."""
        outputs = super().call(inputs, training)
        for update in self.updates:
            add_to_collection(GraphKeys.UPDATE_OPS, update)
        return outputs
