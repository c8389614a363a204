"""Detection of datasets given to `fit` that are certain not to be shuffled."""

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

_IN_ORDER = (
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
        batch_shuffle_repeat.BatchDataset,
        batch_shuffle_repeat.CacheDataset,
        batch_shuffle_repeat.PaddedBatchDataset,
    ),
    *(
        batch_shuffle_repeat.PrefetchDataset,
        batch_shuffle_repeat.RepeatDataset,
        batch_shuffle_repeat.SkipDataset,
    ),
    *(
        batch_shuffle_repeat.TakeDataset,
        batch_shuffle_repeat.WindowDataset,
        batch_shuffle_repeat._OptionsDataset,
    ),
)


def warn_of_order(dataset: Any) -> None:
    """Warns that a dataset is not shuffled, if none of its nodes can shuffle."""
    if _is_in_order(dataset):
        logs.warning(
            "Expected a shuffled dataset but input dataset `x` is not shuffled. Please invoke `shuffle()` on input "
            "dataset."
        )


def _is_in_order(dataset: Any) -> bool:
    if isinstance(dataset, _IN_ORDER):
        return all(map(_is_in_order, dataset._inputs()))
    return isinstance(dataset, DatasetV1Adapter) and _is_in_order(dataset._dataset)
