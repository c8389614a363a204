"""Checks of a dataset passed to `fit`: whether its source datasets shuffle or batch it."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import logs
from tfmini._src.data import (
    file_datasets,
    function_datasets,
    source_datasets,
    unary_datasets,
)
from tfmini._src.data.dataset_v1 import DatasetV1Adapter

# Datasets that neither shuffle nor batch.
_UNBATCHED_DATASETS = (
    *(
        file_datasets.FixedLengthRecordDatasetV1,
        file_datasets.TextLineDatasetV1,
        file_datasets.TFRecordDatasetV1,
    ),
    *(
        function_datasets.FilterDataset,
        function_datasets.MapDataset,
        function_datasets.ParallelMapDataset,
    ),
    *(
        source_datasets.ConcatenateDataset,
        source_datasets.RangeDataset,
        source_datasets.SparseTensorSliceDataset,
    ),
    *(
        source_datasets.TensorDataset,
        source_datasets.TensorSliceDataset,
        source_datasets.ZipDataset,
    ),
    *(
        unary_datasets.CacheDataset,
        unary_datasets.PrefetchDataset,
        unary_datasets.RepeatDataset,
    ),
    *(
        unary_datasets.SkipDataset,
        unary_datasets.TakeDataset,
        unary_datasets._OptionsDataset,
    ),
)
_UNSHUFFLED_DATASETS = (
    *_UNBATCHED_DATASETS,
    unary_datasets.BatchDataset,
    unary_datasets.PaddedBatchDataset,
    unary_datasets.WindowDataset,
)


def warn_of_order(dataset: Any) -> None:
    """Warns that a dataset is not shuffled if none of its nodes shuffles."""
    if _has_only(dataset, _UNSHUFFLED_DATASETS):
        logs.warning(
            "Expected a shuffled dataset but input dataset `x` is not shuffled. Please invoke `shuffle()` on input "
            "dataset."
        )


def assert_not_shuffled(dataset: Any) -> None:
    """Raises ValueError for a dataset that may be shuffled."""
    if not _has_only(dataset, _UNSHUFFLED_DATASETS):
        raise ValueError("Could not assert that dataset is not shuffled.")


def assert_not_batched(dataset: Any) -> None:
    """Raises ValueError for a dataset whose elements may be batches."""
    if not _has_only(dataset, (*_UNBATCHED_DATASETS, unary_datasets.ShuffleDataset)):
        raise ValueError("Could not assert that dataset is not batched.")


def _has_only(dataset: Any, classes: tuple) -> bool:
    if isinstance(dataset, classes):
        return all(_has_only(source, classes) for source in dataset._inputs())
    return isinstance(dataset, DatasetV1Adapter) and _has_only(dataset._dataset, classes)
