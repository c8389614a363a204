"""Readers and reductions that stay in `tf.contrib.data`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.data.dataset import DatasetV2
from tfmini._src.data.dataset_v1 import DatasetV1, make_one_shot_iterator
from tfmini._src.data.experimental.parse_example_and_batched_features import (
    make_batched_features_dataset,
)
from tfmini._src.data.from_tensors_range_zip import Given
from tfmini._src.data.text_line_tf_record import OldParallelInterleaveDataset, TFRecordDatasetV1
from tfmini._src.graph.type_spec import TensorSpec
from tfmini._src.ops import ops, raw


@deprecated(
    None,
    "Use `tf.data.experimental.make_batched_features_dataset(...)`",
)
def read_batch_features(
    file_pattern: Any,
    batch_size: Any,
    features: Any,
    reader: Any = TFRecordDatasetV1,
    reader_args: list | None = None,
    randomize_input: bool = True,
    num_epochs: int | None = None,
    capacity: int = 10000,
) -> Any:
    """The next batch of `tf.data.experimental.make_batched_features_dataset`: tensors by the features' keys.

    Args:
      file_pattern, batch_size, features, reader, reader_args, num_epochs: as there.
      randomize_input: whether files and Examples are shuffled.
      capacity: how many Examples are in the buffer then.

    Returns:
      A dict of tensors and SparseTensors.
    """
    dataset = make_batched_features_dataset(
        file_pattern,
        batch_size,
        features,
        reader=reader,
        reader_args=reader_args,
        shuffle=randomize_input,
        num_epochs=num_epochs,
        shuffle_buffer_size=capacity,
    )
    return make_one_shot_iterator(dataset).get_next()


@deprecated(None, "Use `tf.data.Dataset.reduce(...)`.")
def reduce_dataset(dataset: Any, reducer: Any) -> Any:
    """The last state of a `Reducer` over all elements, which are one group with the key 0.

    Raises:
      TypeError: if it is no dataset.
    """
    if not isinstance(dataset, DatasetV1):
        raise TypeError("`dataset` must be a `tf.data.Dataset` object.")
    return dataset.reduce(reducer.init_func(np.int64(0)), reducer.reduce_func)


@deprecated(None, "Use `tf.contrib.data.parallel_interleave(..., sloppy=True)`.")
def sloppy_interleave(
    map_func: Callable, cycle_length: Any, block_length: Any = 1
) -> Callable[[DatasetV2], Any]:
    """Reads several of the datasets that `map_func` gives in threads, whose order may be another; here it is kept.

    Args:
      map_func, cycle_length, block_length: as those of `tf.data.experimental.parallel_interleave`.

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


class LMDBDataset(Given):
    """The pairs of keys and values of LMDB files: the graph has it, but they are not read here.

    Args:
      filenames: names of files: strings or a tensor of them.

    Raises:
      UnimplementedError: when it runs.
    """

    def __init__(self, filenames: Any):
        names = ops.convert_to_tensor(filenames, dtype=dtypes.string, name="filenames")
        text = TensorSpec([], dtypes.string)
        self._spec = text, text
        super().__init__(raw.LMDBDataset(names, **self._flat_structure), self._spec)
