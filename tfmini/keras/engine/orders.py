"""Whether a dataset that `fit` takes is known to give its examples in the same order each time."""

from __future__ import annotations

from typing import Any

from tfmini import logs
from tfmini.data import mapped, readers, sources, transformations
from tfmini.data.dataset_v1 import DatasetV1Adapter

_IN_ORDER = (
    *(readers.FixedLengthRecordDatasetV1, readers.TextLineDatasetV1, readers.TFRecordDatasetV1),
    *(mapped.FilterDataset, mapped.MapDataset, mapped.ParallelMapDataset),
    *(sources.ConcatenateDataset, sources.RangeDataset, sources.SparseTensorSliceDataset),
    *(sources.TensorDataset, sources.TensorSliceDataset, sources.ZipDataset),
    *(
        transformations.BatchDataset,
        transformations.CacheDataset,
        transformations.PaddedBatchDataset,
    ),
    *(transformations.PrefetchDataset, transformations.RepeatDataset, transformations.SkipDataset),
    *(transformations.TakeDataset, transformations.WindowDataset, transformations._OptionsDataset),
)


def warn_of_order(dataset: Any) -> None:
    """Says that a dataset is not shuffled, if it is made of nothing that could do so."""
    if _is_in_order(dataset):
        logs.warning(
            "Expected a shuffled dataset but input dataset `x` is not shuffled. Please invoke `shuffle()` on input "
            "dataset."
        )


def _is_in_order(dataset: Any) -> bool:
    if isinstance(dataset, _IN_ORDER):
        return all(map(_is_in_order, dataset._inputs()))
    return isinstance(dataset, DatasetV1Adapter) and _is_in_order(dataset._dataset)
