"""`tf.data.experimental.shuffle_and_repeat`, which shuffles with one buffer for all epochs."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.data.dataset import DatasetV2, Transformation
from tfmini._src.data.seeds import seed_tensors
from tfmini._src.data.unary_datasets import (
    UnaryUnchangedStructureDataset,
    int64,
)
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.ops import raw


@deprecated(
    None,
    "Use `tf.data.Dataset.shuffle(buffer_size, seed)` followed by `tf.data.Dataset.repeat(count)`. Static tf.data "
    "optimizations will take care of using the fused implementation.",
)
def shuffle_and_repeat(
    buffer_size: TensorLike, count: TensorLike | None = None, seed: int | None = None
) -> Transformation:
    """Shuffles and repeats with one buffer for all epochs, as in `dataset.shuffle(...).repeat(...)`.

    Args:
      buffer_size, seed: as in `Dataset.shuffle`.
      count: as in `Dataset.repeat`.

    Returns:
      A transformation for `Dataset.apply`.
    """
    return lambda dataset: _ShuffleAndRepeat(dataset, buffer_size, count, seed)


class _ShuffleAndRepeat(UnaryUnchangedStructureDataset):
    def __init__(self, input_dataset: DatasetV2, buffer_size: Any, count: Any, seed: Any):
        size = int64(buffer_size, "buffer_size")
        times = int64(-1 if count is None else count, "count")
        seeds = seed_tensors(seed)
        self._add(raw.ShuffleAndRepeatDataset, input_dataset, size, *seeds, times)
