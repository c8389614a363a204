"""`make_tf_record_dataset`, which reads batches of records from many files."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.data import registry
from tfmini._src.data.dataset import AUTOTUNE
from tfmini._src.data.experimental.shuffle_files import shuffle_and_repeat_dataset
from tfmini._src.data.file_datasets import TFRecordDatasetV1

_DEFAULT_PARALLEL_READS = 24


def make_tf_record_dataset(
    file_pattern: Any,
    batch_size: int,
    parser_fn: Callable | None = None,
    num_epochs: int | None = None,
    shuffle: bool = True,
    shuffle_buffer_size: int | None = None,
    shuffle_seed: Any = None,
    prefetch_buffer_size: int | None = None,
    num_parallel_reads: int | None = None,
    num_parallel_parser_calls: int | None = None,
    drop_final_batch: bool = False,
) -> Any:
    """Returns a dataset of batches of records from TFRecord files.

    Args:
      file_pattern: file name patterns, as strings or a string tensor.
      batch_size: number of records per batch.
      parser_fn: a function from a record to an element; by default the record itself.
      num_epochs: number of passes over the data; None for no limit.
      shuffle: whether to shuffle files and records.
      shuffle_buffer_size: as in `Dataset.shuffle`, by default 10000.
      shuffle_seed: seed of the shuffles.
      prefetch_buffer_size: number of batches to prefetch; automatic by default.
      num_parallel_reads: number of files to read in parallel, by default 24.
      num_parallel_parser_calls: number of records parsed in parallel; by default `batch_size`.
      drop_final_batch: whether to drop a smaller last batch.
    """
    files = registry.base().list_files(file_pattern, shuffle=shuffle, seed=shuffle_seed)
    reads = _DEFAULT_PARALLEL_READS if num_parallel_reads is None else num_parallel_reads
    dataset: Any = TFRecordDatasetV1(files, num_parallel_reads=reads)
    size = 10000 if shuffle_buffer_size is None else shuffle_buffer_size
    dataset = shuffle_and_repeat_dataset(dataset, num_epochs, shuffle, size, shuffle_seed)
    if parser_fn is not None:
        calls = batch_size if num_parallel_parser_calls is None else num_parallel_parser_calls
        dataset = dataset.map(parser_fn, num_parallel_calls=calls)
    dataset = dataset.batch(batch_size, drop_remainder=drop_final_batch or num_epochs is None)
    prefetch_count = AUTOTUNE if prefetch_buffer_size is None else prefetch_buffer_size
    return dataset if prefetch_count == 0 else dataset.prefetch(prefetch_count)
