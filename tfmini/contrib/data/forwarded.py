"""What became `tf.data.experimental`, with a word that says so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from tfmini.data import experimental
from tfmini.names.deprecation import deprecated

_Function = TypeVar("_Function", bound=Callable)


def _older(function: _Function, arguments: str = "...") -> _Function:
    name = function.__name__
    return deprecated(None, f"Use `tf.data.experimental.{name}({arguments})`.")(function)


Counter = _older(experimental.Counter)
choose_from_datasets = _older(experimental.choose_from_datasets)
copy_to_device = _older(experimental.copy_to_device)
dense_to_sparse_batch = _older(experimental.dense_to_sparse_batch)
enumerate_dataset = _older(experimental.enumerate_dataset)
get_single_element = _older(experimental.get_single_element)
group_by_reducer = _older(experimental.group_by_reducer)
group_by_window = _older(experimental.group_by_window)
ignore_errors = _older(experimental.ignore_errors, "")
make_batched_features_dataset = _older(experimental.make_batched_features_dataset)
make_saveable_from_iterator = _older(experimental.make_saveable_from_iterator)
map_and_batch = _older(experimental.map_and_batch)
parallel_interleave = _older(experimental.parallel_interleave)
parse_example_dataset = _older(experimental.parse_example_dataset)
prefetch_to_device = _older(experimental.prefetch_to_device)
rejection_resample = _older(experimental.rejection_resample)
sample_from_datasets = _older(experimental.sample_from_datasets)
scan = _older(experimental.scan)
shuffle_and_repeat = _older(experimental.shuffle_and_repeat)
unbatch = _older(experimental.unbatch, "")
unique = _older(experimental.unique, "")


@deprecated(None, "Use `tf.data.experimental.bucket_by_sequence_length(...)`.")
def bucket_by_sequence_length(
    element_length_func: Callable,
    bucket_boundaries: Any,
    bucket_batch_sizes: Any,
    padded_shapes: Any = None,
    padding_values: Any = None,
    pad_to_bucket_boundary: bool = False,
    no_padding: bool = False,
) -> Any:
    """`tf.data.experimental.bucket_by_sequence_length`, whose smaller batches at the end are never left out."""
    return experimental.bucket_by_sequence_length(
        element_length_func,
        bucket_boundaries,
        bucket_batch_sizes,
        padded_shapes,
        padding_values,
        pad_to_bucket_boundary,
        no_padding,
    )


@deprecated(None, "Use `tf.data.experimental.make_csv_dataset(...)`.")
def make_csv_dataset(
    file_pattern: Any,
    batch_size: Any,
    column_names: Any = None,
    column_defaults: Any = None,
    label_name: str | None = None,
    select_columns: Any = None,
    field_delim: str = ",",
    use_quote_delim: bool = True,
    na_value: str = "",
    header: bool = True,
    num_epochs: int | None = None,
    shuffle: bool = True,
    shuffle_buffer_size: int = 10000,
    shuffle_seed: Any = None,
    prefetch_buffer_size: Any = None,
    num_parallel_reads: int | None = None,
    sloppy: bool = False,
    num_rows_for_inference: int | None = 100,
    compression_type: Any = None,
) -> Any:
    """`tf.data.experimental.make_csv_dataset`, for which a record that is wrong is an error."""
    return experimental.make_csv_dataset(
        file_pattern,
        batch_size,
        column_names,
        column_defaults,
        label_name,
        select_columns,
        field_delim,
        use_quote_delim,
        na_value,
        header,
        num_epochs,
        shuffle,
        shuffle_buffer_size,
        shuffle_seed,
        prefetch_buffer_size,
        num_parallel_reads,
        sloppy,
        num_rows_for_inference,
        compression_type,
    )


class CheckpointInputPipelineHook(experimental.CheckpointInputPipelineHook):
    """`tf.data.experimental.CheckpointInputPipelineHook`."""

    @deprecated(None, "Use `tf.data.experimental.CheckpointInputPipelineHook(...)`.")
    def __init__(self, estimator: Any):
        super().__init__(estimator)


class CsvDataset(experimental.CsvDataset):
    """`tf.data.experimental.CsvDataset`."""

    @deprecated(None, "Use `tf.data.experimental.CsvDataset(...)`.")
    def __init__(
        self,
        filenames: Any,
        record_defaults: Any,
        compression_type: Any = None,
        buffer_size: Any = None,
        header: Any = False,
        field_delim: Any = ",",
        use_quote_delim: Any = True,
        na_value: Any = "",
        select_cols: Any = None,
    ):
        super().__init__(
            filenames,
            record_defaults,
            compression_type,
            buffer_size,
            header,
            field_delim,
            use_quote_delim,
            na_value,
            select_cols,
        )


class RandomDataset(experimental.RandomDataset):
    """`tf.data.experimental.RandomDataset`."""

    @deprecated(None, "Use `tf.data.experimental.RandomDataset(...)`.")
    def __init__(self, seed: Any = None):
        super().__init__(seed)


class Reducer(experimental.Reducer):
    """`tf.data.experimental.Reducer`."""

    @deprecated(None, "Use `tf.data.experimental.Reducer(...)`.")
    def __init__(self, init_func: Callable, reduce_func: Callable, finalize_func: Callable):
        super().__init__(init_func, reduce_func, finalize_func)


class SqlDataset(experimental.SqlDataset):
    """`tf.data.experimental.SqlDataset`."""

    @deprecated(None, "Use `tf.data.experimental.SqlDataset(...)`.")
    def __init__(self, driver_name: Any, data_source_name: Any, query: Any, output_types: Any):
        super().__init__(driver_name, data_source_name, query, output_types)
