"""`tf.data.experimental.parallel_interleave`, which interleaves datasets that are read in parallel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.data.dataset import Transformation
from tfmini._src.data.file_datasets import OldParallelInterleaveDataset
from tfmini._src.graph.tensor import TensorLike


@deprecated(
    None,
    "Use `tf.data.Dataset.interleave(map_func, cycle_length, block_length, "
    "num_parallel_calls=tf.data.experimental.AUTOTUNE)` instead. If sloppy execution is desired, use "
    "`tf.data.Options.experimental_determinstic`.",
)
def parallel_interleave(
    map_func: Callable[..., Any],
    cycle_length: TensorLike,
    block_length: TensorLike = 1,
    sloppy: TensorLike = False,
    buffer_output_elements: TensorLike | None = None,
    prefetch_input_elements: TensorLike | None = None,
) -> Transformation:
    """Maps each element to a dataset and interleaves the results, which are read in threads.

    Args:
      map_func: a function from an element to a dataset.
      cycle_length: number of datasets open concurrently.
      block_length: number of consecutive elements per dataset.
      sloppy: whether the order may be nondeterministic; ignored, since the order is preserved.
      buffer_output_elements: number of elements prefetched per dataset.
      prefetch_input_elements: number of datasets that TensorFlow opens ahead; only recorded in the graph.

    Returns:
      A transformation for `Dataset.apply`.
    """
    return lambda dataset: OldParallelInterleaveDataset(
        dataset,
        map_func,
        cycle_length,
        block_length,
        sloppy,
        buffer_output_elements,
        prefetch_input_elements,
    )
