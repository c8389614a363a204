"""Dataset ops under earlier experimental names, which occur in older graphs."""

from __future__ import annotations

from dataclasses import replace

from tfmini._src.graph.opdef import registry

PREFIX = "Experimental"
NAMES = (
    "AssertNextDataset",
    "BytesProducedStatsDataset",
    "CSVDataset",
    "ChooseFastestDataset",
    "DatasetCardinality",
    "DatasetToTFRecord",
    "DenseToSparseBatchDataset",
    "DirectedInterleaveDataset",
    "GroupByReducerDataset",
    "GroupByWindowDataset",
    "IgnoreErrorsDataset",
    "IteratorGetDevice",
    "LMDBDataset",
    "LatencyStatsDataset",
    "MapAndBatchDataset",
    "MapDataset",
    "MatchingFilesDataset",
    "MaxIntraOpParallelismDataset",
    "NonSerializableDataset",
    "ParallelInterleaveDataset",
    "ParseExampleDataset",
    "PrivateThreadPoolDataset",
    "RandomDataset",
    "ScanDataset",
    "SetStatsAggregatorDataset",
    "SleepDataset",
    "SlidingWindowDataset",
    "SqlDataset",
    "StatsAggregatorHandle",
    "StatsAggregatorSummary",
    "TakeWhileDataset",
    "ThreadPoolDataset",
    "ThreadPoolHandle",
    "UnbatchDataset",
    "UniqueDataset",
)

for _name in NAMES:
    registry[PREFIX + _name] = replace(registry[_name], name=PREFIX + _name)
