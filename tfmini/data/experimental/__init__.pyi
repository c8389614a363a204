from tfmini._src.data.dataset import AUTOTUNE as AUTOTUNE
from tfmini._src.data.experimental.checkpoint_input_pipeline_hook import CheckpointInputPipelineHook as CheckpointInputPipelineHook
from tfmini._src.data.experimental.element_transformations import counter as _Counter; Counter = _Counter
from tfmini._src.data.experimental.csv_dataset import CsvDatasetV1 as _CsvDataset; CsvDataset = _CsvDataset
from tfmini.data import DatasetSpec as _DatasetStructure; DatasetStructure = _DatasetStructure
from tfmini._src.data.options import DistributeOptions as DistributeOptions
from tfmini._src.data.experimental.dataset_consumers import INFINITE_CARDINALITY as INFINITE_CARDINALITY
from tfmini._src.data.options import MapVectorizationOptions as MapVectorizationOptions
from tfmini._src.data.options import OptimizationOptions as OptimizationOptions
from tfmini._src.data.experimental.optional import Optional as Optional
from tfmini import OptionalSpec as _OptionalStructure; OptionalStructure = _OptionalStructure
from tfmini._src.data.experimental.tensor_structure import ragged_tensor_structure as _RaggedTensorStructure; RaggedTensorStructure = _RaggedTensorStructure
from tfmini._src.data.experimental.random_dataset import RandomDatasetV1 as _RandomDataset; RandomDataset = _RandomDataset
from tfmini._src.data.experimental.grouping import Reducer as Reducer
from tfmini._src.data.experimental.tensor_structure import sparse_tensor_structure as _SparseTensorStructure; SparseTensorStructure = _SparseTensorStructure
from tfmini._src.data.experimental.sql_dataset import SqlDatasetV1 as _SqlDataset; SqlDataset = _SqlDataset
from tfmini._src.data.stats_aggregator import StatsAggregator as StatsAggregator
from tfmini._src.data.options import StatsOptions as StatsOptions
from tfmini import TypeSpec as _Structure; Structure = _Structure
from tfmini._src.data.experimental.tf_record_writer import TFRecordWriter as TFRecordWriter
from tfmini._src.data.experimental.tensor_structure import tensor_structure as _TensorStructure; TensorStructure = _TensorStructure
from tfmini._src.data.options import ThreadingOptions as ThreadingOptions
from tfmini._src.data.experimental.dataset_consumers import UNKNOWN_CARDINALITY as UNKNOWN_CARDINALITY
from tfmini._src.data.experimental.grouping import bucket_by_sequence_length as bucket_by_sequence_length
from tfmini._src.data.experimental.stats import bytes_produced_stats as bytes_produced_stats
from tfmini._src.data.experimental.dataset_consumers import cardinality as cardinality
from tfmini._src.data.experimental.directed_interleave import choose_from_datasets as choose_from_datasets
from tfmini._src.data.experimental.prefetch_to_device import copy_to_device as copy_to_device
from tfmini._src.data.experimental.dense_to_sparse_batch import dense_to_sparse_batch as dense_to_sparse_batch
from tfmini._src.data.experimental.element_transformations import enumerate_dataset as enumerate_dataset
from tfmini._src.data.experimental.variants import from_variant as from_variant
from tfmini._src.data.experimental.optional import get_next_as_optional as get_next_as_optional
from tfmini._src.data.experimental.dataset_consumers import get_single_element as get_single_element
from tfmini._src.data.dataset_v1 import get_structure as get_structure
from tfmini._src.data.experimental.grouping import group_by_reducer as group_by_reducer
from tfmini._src.data.experimental.grouping import group_by_window as group_by_window
from tfmini._src.data.experimental.element_filters import ignore_errors as ignore_errors
from tfmini._src.data.experimental.stats import latency_stats as latency_stats
from tfmini._src.data.experimental.example_datasets import make_batched_features_dataset as make_batched_features_dataset
from tfmini._src.data.experimental.csv_dataset import make_csv_dataset as make_csv_dataset
from tfmini._src.data.experimental.saveable_iterator import make_saveable_from_iterator as make_saveable_from_iterator
from tfmini._src.data.experimental.map_and_batch import map_and_batch as map_and_batch
from tfmini._src.data.experimental.map_and_batch import map_and_batch_with_legacy_function as map_and_batch_with_legacy_function
from tfmini._src.data.experimental.parallel_interleave import parallel_interleave as parallel_interleave
from tfmini._src.data.experimental.example_datasets import parse_example_dataset as parse_example_dataset
from tfmini._src.data.experimental.prefetch_to_device import prefetch_to_device as prefetch_to_device
from tfmini._src.data.experimental.rejection_resample import rejection_resample as rejection_resample
from tfmini._src.data.experimental.directed_interleave import sample_from_datasets as sample_from_datasets
from tfmini._src.data.experimental.element_transformations import scan as scan
from tfmini._src.data.experimental.shuffle_and_repeat import shuffle_and_repeat as shuffle_and_repeat
from tfmini._src.data.experimental.element_filters import take_while as take_while
from tfmini._src.data.experimental.variants import to_variant as to_variant
from tfmini._src.data.experimental.element_transformations import unbatch as unbatch
from tfmini._src.data.experimental.element_filters import unique as unique
