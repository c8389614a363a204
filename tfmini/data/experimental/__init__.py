"""tf.data.experimental: transformations for `Dataset.apply`, readers, options, the types of elements."""

from typing import TYPE_CHECKING, Any

from tfmini.data.aggregators import StatsAggregator
from tfmini.data.dataset import AUTOTUNE
from tfmini.data.dataset_v1 import get_structure
from tfmini.data.experimental.applied import counter as Counter
from tfmini.data.experimental.applied import (
    enumerate_dataset,
    from_variant,
    map_and_batch,
    map_and_batch_with_legacy_function,
    parallel_interleave,
    scan,
    shuffle_and_repeat,
    to_variant,
    unbatch,
)
from tfmini.data.experimental.choosing import (
    choose_from_datasets,
    ignore_errors,
    sample_from_datasets,
    take_while,
    unique,
)
from tfmini.data.experimental.csv_datasets import CsvDatasetV1 as CsvDataset
from tfmini.data.experimental.csv_datasets import make_csv_dataset
from tfmini.data.experimental.devices import copy_to_device, prefetch_to_device
from tfmini.data.experimental.features import make_batched_features_dataset, parse_example_dataset
from tfmini.data.experimental.generated import RandomDatasetV1 as RandomDataset
from tfmini.data.experimental.generated import SqlDatasetV1 as SqlDataset
from tfmini.data.experimental.grouping import (
    Reducer,
    bucket_by_sequence_length,
    group_by_reducer,
    group_by_window,
)
from tfmini.data.experimental.optionals import Optional, get_next_as_optional
from tfmini.data.experimental.optionals import OptionalSpec as OptionalStructure
from tfmini.data.experimental.resampling import rejection_resample
from tfmini.data.experimental.saving import make_saveable_from_iterator
from tfmini.data.experimental.sparse_batches import dense_to_sparse_batch
from tfmini.data.experimental.statistics import bytes_produced_stats, latency_stats
from tfmini.data.experimental.structures import ragged_tensor_structure as RaggedTensorStructure
from tfmini.data.experimental.structures import sparse_tensor_structure as SparseTensorStructure
from tfmini.data.experimental.structures import tensor_structure as TensorStructure
from tfmini.data.experimental.whole import (
    INFINITE_CARDINALITY,
    UNKNOWN_CARDINALITY,
    TFRecordWriter,
    cardinality,
    get_single_element,
)
from tfmini.data.options import (
    DistributeOptions,
    MapVectorizationOptions,
    OptimizationOptions,
    StatsOptions,
    ThreadingOptions,
)
from tfmini.data.specs import DatasetSpec as DatasetStructure
from tfmini.graph.specs import TypeSpec as Structure
from tfmini.names.namespaces import namespace as _namespace

if TYPE_CHECKING:
    from tfmini.data.experimental.pipeline_hook import CheckpointInputPipelineHook

__all__ = [
    "AUTOTUNE",
    "CheckpointInputPipelineHook",
    "Counter",
    "CsvDataset",
    "DatasetStructure",
    "DistributeOptions",
    "INFINITE_CARDINALITY",
    "MapVectorizationOptions",
    "OptimizationOptions",
    "Optional",
    "OptionalStructure",
    "RaggedTensorStructure",
    "RandomDataset",
    "Reducer",
    "SparseTensorStructure",
    "SqlDataset",
    "StatsAggregator",
    "StatsOptions",
    "Structure",
    "TFRecordWriter",
    "TensorStructure",
    "ThreadingOptions",
    "UNKNOWN_CARDINALITY",
    "bucket_by_sequence_length",
    "bytes_produced_stats",
    "cardinality",
    "choose_from_datasets",
    "copy_to_device",
    "dense_to_sparse_batch",
    "enumerate_dataset",
    "from_variant",
    "get_next_as_optional",
    "get_single_element",
    "get_structure",
    "group_by_reducer",
    "group_by_window",
    "ignore_errors",
    "latency_stats",
    "make_batched_features_dataset",
    "make_csv_dataset",
    "make_saveable_from_iterator",
    "map_and_batch",
    "map_and_batch_with_legacy_function",
    "parallel_interleave",
    "parse_example_dataset",
    "prefetch_to_device",
    "rejection_resample",
    "sample_from_datasets",
    "scan",
    "shuffle_and_repeat",
    "take_while",
    "to_variant",
    "unbatch",
    "unique",
]


def _load(name: str) -> Any:
    """The hook, which needs watched sessions."""
    from tfmini.data.experimental.pipeline_hook import (  # noqa: PLC0415
        CheckpointInputPipelineHook as Hook,
    )

    return Hook


_namespace(globals(), _load)
