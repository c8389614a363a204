"""Datasets split among workers: by file if they read files, otherwise by element."""

from __future__ import annotations

from tfmini._src.ops.datasets.dataset_value import Dataset
from tfmini._src.ops.datasets.rewrites import copy_types
from tfmini._src.ops.datasets.sequence_transformations import Shard
from tfmini._src.ops.datasets.shuffle import Shuffle

# The op types of tensorflow/core/grappler/optimizers/data/auto_shard.cc.
_READERS = {
    "FixedLengthRecordDataset",
    "FixedLengthRecordDatasetV2",
    "TextLineDataset",
    "TFRecordDataset",
}
_INTERLEAVING = {
    "ExperimentalParallelInterleaveDataset",
    "FlatMapDataset",
    "InterleaveDataset",
    "ParallelInterleaveDataset",
    "ParallelInterleaveDatasetV2",
}
_MULTIPLE_INPUTS = {"ConcatenateDataset", "ZipDataset"}
_PASS_THROUGH = {
    "BatchDataset",
    "BatchDatasetV2",
    "CacheDataset",
    "CacheDatasetV2",
    "ExperimentalMapAndBatchDataset",
    "FilterDataset",
    "MapAndBatchDataset",
    "MapDataset",
    "ModelDataset",
    "OptimizeDataset",
    "PaddedBatchDataset",
    "PaddedBatchDatasetV2",
    "ParallelMapDataset",
    "PrefetchDataset",
    "RepeatDataset",
    "ShardDataset",
    "ShuffleAndRepeatDataset",
    "ShuffleDataset",
    "ShuffleDatasetV2",
    "SkipDataset",
    "TakeDataset",
    "WindowDataset",
}


def auto_shard(dataset: Dataset, count: int, index: int) -> Dataset:
    """Returns the elements that the worker with this index reads, of `count` workers.

    Workers read different files if all elements come from files that a dataset names, for example the elements of a
    `TFRecordDataset`; otherwise a worker reads every `count`-th element.
    """
    sharded = _shard_files(dataset, count, index)
    return _shard(dataset, count, index) if sharded is None else sharded


def _shard(dataset: Dataset, count: int, index: int) -> Dataset:
    return copy_types(Shard(dataset, count, index, min_elements=True), dataset)


def _shard_files(dataset: Dataset, count: int, index: int) -> Dataset | None:
    """Returns the dataset with a shard of its files, None if not all elements are from files."""
    inputs: list[Dataset] = []
    if dataset.op_type in _INTERLEAVING and dataset.functions[0].reads_files(
        _READERS, _INTERLEAVING
    ):
        inputs.append(_shard_in_order(dataset.inputs[0], count, index))
    elif dataset.op_type in _PASS_THROUGH or dataset.op_type in _MULTIPLE_INPUTS:
        for source in dataset.inputs:
            sharded = _shard_files(source, count, index)
            if sharded is None:
                return None
            inputs.append(sharded)
    else:
        return None
    return copy_types(dataset.with_inputs(inputs), dataset)


def _shard_in_order(files: Dataset, count: int, index: int) -> Dataset:
    """Returns a shard of file names before they are shuffled, so that no two workers read a file, and shuffles it."""
    shuffles: list[Dataset] = []
    sharded = _shard(_without_shuffles(files, shuffles), count, index)
    return copy_types(shuffles[-1].with_inputs([sharded]), files) if shuffles else sharded


def _without_shuffles(dataset: Dataset, shuffles: list[Dataset]) -> Dataset:
    """Removes datasets that shuffle, and appends them to `shuffles`."""
    if isinstance(dataset, Shuffle):
        shuffles.append(dataset)
        return _without_shuffles(dataset.source, shuffles)
    inputs = [_without_shuffles(source, shuffles) for source in dataset.inputs]
    return copy_types(dataset.with_inputs(inputs), dataset)
