"""Inference of shuffling and batching from the source datasets of a dataset passed to `fit`."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import logs
from tfmini._src.data import (
    batch_shuffle_repeat,
    from_tensors_range_zip,
    map_filter_interleave,
    text_line_tf_record,
)
from tfmini._src.data.dataset_v1 import DatasetV1Adapter

# Datasets that neither shuffle nor batch.
_PLAIN = (
    *(
        text_line_tf_record.FixedLengthRecordDatasetV1,
        text_line_tf_record.TextLineDatasetV1,
        text_line_tf_record.TFRecordDatasetV1,
    ),
    *(
        map_filter_interleave.FilterDataset,
        map_filter_interleave.MapDataset,
        map_filter_interleave.ParallelMapDataset,
    ),
    *(
        from_tensors_range_zip.ConcatenateDataset,
        from_tensors_range_zip.RangeDataset,
        from_tensors_range_zip.SparseTensorSliceDataset,
    ),
    *(
        from_tensors_range_zip.TensorDataset,
        from_tensors_range_zip.TensorSliceDataset,
        from_tensors_range_zip.ZipDataset,
    ),
    *(
        batch_shuffle_repeat.CacheDataset,
        batch_shuffle_repeat.PrefetchDataset,
        batch_shuffle_repeat.RepeatDataset,
    ),
    *(
        batch_shuffle_repeat.SkipDataset,
        batch_shuffle_repeat.TakeDataset,
        batch_shuffle_repeat._OptionsDataset,
    ),
)
_IN_ORDER = (
    *_PLAIN,
    batch_shuffle_repeat.BatchDataset,
    batch_shuffle_repeat.PaddedBatchDataset,
    batch_shuffle_repeat.WindowDataset,
)


def warn_of_order(dataset: Any) -> None:
    """Warns that a dataset is not shuffled if none of its nodes shuffles."""
    if _consists_of(dataset, _IN_ORDER):
        logs.warning(
            "Expected a shuffled dataset but input dataset `x` is not shuffled. Please invoke `shuffle()` on input "
            "dataset."
        )


def assert_not_shuffled(dataset: Any) -> None:
    """Raises ValueError for a dataset that may be shuffled."""
    if not _consists_of(dataset, _IN_ORDER):
        raise ValueError("Could not assert that dataset is not shuffled.")


def assert_not_batched(dataset: Any) -> None:
    """Raises ValueError for a dataset whose elements may be batches."""
    if not _consists_of(dataset, (*_PLAIN, batch_shuffle_repeat.ShuffleDataset)):
        raise ValueError("Could not assert that dataset is not batched.")


def _consists_of(dataset: Any, classes: tuple) -> bool:
    if isinstance(dataset, classes):
        return all(_consists_of(source, classes) for source in dataset._inputs())
    return isinstance(dataset, DatasetV1Adapter) and _consists_of(dataset._dataset, classes)
