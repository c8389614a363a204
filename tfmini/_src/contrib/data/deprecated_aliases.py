"""Deprecated aliases of names moved to `tf.data.experimental`, which warn when used."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.data.dataset import DatasetV2
from tfmini._src.data.dataset_v1 import DatasetV1
from tfmini._src.data.experimental import (
    checkpoint_input_pipeline_hook,
    dataset_consumers,
    directed_interleave,
    element_filters,
    element_transformations,
    example_datasets,
    grouping,
    saveable_iterator,
)
from tfmini._src.data.experimental.dense_to_sparse_batch import (
    dense_to_sparse_batch as experimental_dense_to_sparse_batch,
)
from tfmini._src.data.experimental.element_transformations import counter
from tfmini._src.data.experimental.map_and_batch import map_and_batch as experimental_map_and_batch
from tfmini._src.data.experimental.parallel_interleave import (
    parallel_interleave as experimental_parallel_interleave,
)
from tfmini._src.data.experimental.prefetch_to_device import (
    copy_to_device as experimental_copy_to_device,
    prefetch_to_device as experimental_prefetch_to_device,
)
from tfmini._src.data.experimental.random_dataset import RandomDatasetV1
from tfmini._src.data.experimental.rejection_resample import (
    rejection_resample as experimental_rejection_resample,
)
from tfmini._src.data.experimental.shuffle_and_repeat import (
    shuffle_and_repeat as experimental_shuffle_and_repeat,
)
from tfmini._src.data.file_datasets import OldParallelInterleaveDataset
from tfmini._src.graph.tensor import TensorLike

_Function = TypeVar("_Function", bound=Callable)


def _deprecated_alias(function: _Function, arguments: str = "...") -> _Function:
    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    # If the newer name is deprecated too, it warns itself.
    call.__doc__ = inspect.unwrap(function).__doc__
    advice = f"Use `tf.data.experimental.{function.__name__}({arguments})`."
    deprecated_function: Any = deprecated(None, advice)(call)
    deprecated_function.__module__ = __name__  # whichever name is read first
    return deprecated_function


Counter = _deprecated_alias(counter)
choose_from_datasets = _deprecated_alias(directed_interleave.choose_from_datasets)
copy_to_device = _deprecated_alias(experimental_copy_to_device)
dense_to_sparse_batch = _deprecated_alias(experimental_dense_to_sparse_batch)
enumerate_dataset = _deprecated_alias(element_transformations.enumerate_dataset)
get_single_element = _deprecated_alias(dataset_consumers.get_single_element)
group_by_reducer = _deprecated_alias(grouping.group_by_reducer)
group_by_window = _deprecated_alias(grouping.group_by_window)
ignore_errors = _deprecated_alias(element_filters.ignore_errors, "")
make_saveable_from_iterator = _deprecated_alias(saveable_iterator.make_saveable_from_iterator)
map_and_batch = _deprecated_alias(experimental_map_and_batch)
parallel_interleave = _deprecated_alias(experimental_parallel_interleave)
parse_example_dataset = _deprecated_alias(example_datasets.parse_example_dataset)
prefetch_to_device = _deprecated_alias(experimental_prefetch_to_device)
rejection_resample = _deprecated_alias(experimental_rejection_resample)
sample_from_datasets = _deprecated_alias(directed_interleave.sample_from_datasets)
scan = _deprecated_alias(element_transformations.scan)
shuffle_and_repeat = _deprecated_alias(experimental_shuffle_and_repeat)
unbatch = _deprecated_alias(element_transformations.unbatch, "")
unique = _deprecated_alias(element_filters.unique, "")


@deprecated(None, "Use `tf.data.experimental.bucket_by_sequence_length(...)`.")
@arguments_of(grouping.bucket_by_sequence_length, "drop_remainder")
def bucket_by_sequence_length(**kwargs: Any) -> Any:
    """`tf.data.experimental.bucket_by_sequence_length`, but always keeps smaller final batches."""
    return grouping.bucket_by_sequence_length(**kwargs)


class CheckpointInputPipelineHook(checkpoint_input_pipeline_hook.CheckpointInputPipelineHook):
    """Deprecated alias of `tf.data.experimental.CheckpointInputPipelineHook`."""

    @deprecated(None, "Use `tf.data.experimental.CheckpointInputPipelineHook(...)`.")
    def __init__(self, estimator: Any):
        super().__init__(estimator)


class RandomDataset(RandomDatasetV1):
    """Deprecated alias of `tf.data.experimental.RandomDataset`."""

    @deprecated(None, "Use `tf.data.experimental.RandomDataset(...)`.")
    def __init__(self, seed: int | None = None):
        super().__init__(seed)


class Reducer(grouping.Reducer):
    """Deprecated alias of `tf.data.experimental.Reducer`."""

    @deprecated(None, "Use `tf.data.experimental.Reducer(...)`.")
    def __init__(
        self,
        init_func: Callable[..., Any],
        reduce_func: Callable[..., Any],
        finalize_func: Callable[..., Any],
    ):
        super().__init__(init_func, reduce_func, finalize_func)


@deprecated(None, "Use `tf.data.Dataset.reduce(...)`.")
def reduce_dataset(dataset: DatasetV2, reducer: Any) -> Any:
    """Returns the final state of a `Reducer` over all elements, as one group with key 0.

    Raises:
      TypeError: if `dataset` is not a Dataset.
    """
    if not isinstance(dataset, DatasetV1):
        raise TypeError("`dataset` must be a `tf.data.Dataset` object.")
    return dataset.reduce(reducer.init_func(np.int64(0)), reducer.reduce_func)


@deprecated(None, "Use `tf.contrib.data.parallel_interleave(..., sloppy=True)`.")
def sloppy_interleave(
    map_func: Callable[..., Any], cycle_length: TensorLike, block_length: TensorLike = 1
) -> Callable[[DatasetV2], Any]:
    """Interleaves the datasets returned by `map_func`; deterministic here, although the order may vary in TensorFlow.

    Args:
      map_func, cycle_length, block_length: as in `tf.data.experimental.parallel_interleave`.

    Returns:
      A transformation for `Dataset.apply`.
    """
    return lambda dataset: OldParallelInterleaveDataset(
        dataset,
        map_func,
        cycle_length,
        block_length,
        sloppy=True,
        buffer_output_elements=None,
        prefetch_input_elements=None,
    )
