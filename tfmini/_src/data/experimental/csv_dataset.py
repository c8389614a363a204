"""Datasets of CSV records, or batches of them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.data import registry
from tfmini._src.data.dataset import AUTOTUNE
from tfmini._src.data.dataset_v1 import DatasetV1Adapter
from tfmini._src.data.experimental.csv_columns import Layout, file_names, opener, sorted_columns
from tfmini._src.data.experimental.element_filters import (
    ignore_errors as without_errors,
)
from tfmini._src.data.experimental.shuffle_files import shuffle_and_repeat_dataset
from tfmini._src.data.file_datasets import OldParallelInterleaveDataset
from tfmini._src.data.options import Options
from tfmini._src.data.source_datasets import KnownSpecDataset
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.graph.type_spec import TensorSpec
from tfmini._src.ops import ops, raw

_TYPES = (dtypes.float32, dtypes.float64, dtypes.int32, dtypes.int64, dtypes.string)
_BUFFER = 4 * 1024 * 1024


def _as_default(value: Any) -> Any:
    """Converts a dtype to an empty default, which makes the field required; returns other values unchanged."""
    # An integer may also be a dtype enum.
    if not isinstance(value, Tensor | np.ndarray) and value in _TYPES:
        return ops.constant([], dtype=value)
    return value


class CsvDatasetV1(DatasetV1Adapter):
    """The records of CSV files (RFC 4180), each as a tuple of scalars.

    Args:
      filenames: file names, as strings or a string tensor.
      record_defaults: for each column, a default, as a tensor of one value, or the dtype (float32, float64, int32,
        int64 or string) of a column without missing fields.
      compression_type: "", "ZLIB" or "GZIP".
      buffer_size: size of the read buffer in bytes; recorded in the graph, otherwise unused.
      header: whether to skip the first record of each file.
      field_delim: field delimiter, one character.
      use_quote_delim: whether fields may be quoted.
      na_value: additional string that represents a missing value.
      select_cols: indices of the columns to read, in order; by default all.

    Raises:
      InvalidArgumentError: at run time, for an invalid record; reading can continue with the next record.

    Example: `tf.data.experimental.CsvDataset("prices.csv", [tf.float32, [""], tf.int32], header=True)`.
    """

    def __init__(
        self,
        filenames: TensorLike,
        record_defaults: Sequence[Any],
        compression_type: TensorLike | None = None,
        buffer_size: TensorLike | None = None,
        header: TensorLike = False,
        field_delim: TensorLike = ",",
        use_quote_delim: TensorLike = True,
        na_value: TensorLike = "",
        select_cols: Sequence[int] | None = None,
    ):
        names = ops.convert_to_tensor(filenames, dtype=dtypes.string, name="filenames")
        compression = _tensor_or_default(compression_type, "", dtypes.string, "compression_type")
        columns = [_as_default(value) for value in record_defaults]
        defaults = [
            ops.convert_to_tensor(value, name=f"record_defaults_{index}")
            for index, value in enumerate(columns)
        ]
        spec = tuple(TensorSpec([], default.dtype) for default in defaults)
        settings = (
            _tensor_or_default(buffer_size, _BUFFER, dtypes.int64, "buffer_size"),
            ops.convert_to_tensor(header, dtype=dtypes.bool, name="header"),
            ops.convert_to_tensor(field_delim, dtype=dtypes.string, name="field_delim"),
            ops.convert_to_tensor(use_quote_delim, dtype=dtypes.bool, name="use_quote_delim"),
            ops.convert_to_tensor(na_value, dtype=dtypes.string, name="na_value"),
            _tensor_or_default(select_cols, [], dtypes.int64, "select_cols"),
        )
        handle = raw.CSVDataset(
            names, compression, *settings, defaults, output_shapes=[()] * len(spec)
        )
        super().__init__(KnownSpecDataset(handle, spec))


def _tensor_or_default(value: Any, default: Any, dtype: Any, name: str) -> Any:
    if value is None:
        return ops.constant(default, dtype=dtype, name=name)
    return ops.convert_to_tensor(value, dtype=dtype, name=name)


def make_csv_dataset(
    file_pattern: str,
    batch_size: TensorLike,
    column_names: Any = None,
    column_defaults: Sequence[Any] | None = None,
    label_name: str | None = None,
    select_columns: Any = None,
    field_delim: str = ",",
    use_quote_delim: bool = True,
    na_value: str = "",
    header: bool = True,
    num_epochs: int | None = None,
    shuffle: bool = True,
    shuffle_buffer_size: int = 10000,
    shuffle_seed: int | None = None,
    prefetch_buffer_size: int | None = None,
    num_parallel_reads: int | None = None,
    sloppy: bool = False,
    num_rows_for_inference: int | None = 100,
    compression_type: str | None = None,
    ignore_errors: bool = False,
) -> Any:
    """Returns a dataset of batches of CSV records, each a dict from column names to vectors.

    Args:
      file_pattern: file name patterns, a string or a list of strings.
      batch_size: number of records per batch.
      column_names: column names; by default read from the first row of the files.
      column_defaults: for each selected column, a dtype or a default, as in `CsvDataset`; if omitted, dtypes are
        inferred from the first rows, with the defaults 0 and "".
      label_name: column to return separately from the dict.
      select_columns: indices or names of the columns to read; by default all.
      field_delim, use_quote_delim, na_value, header, compression_type: as in `CsvDataset`.
      num_epochs: number of passes over the data; None for no limit.
      shuffle: whether to shuffle files and records.
      shuffle_buffer_size, shuffle_seed: as in `Dataset.shuffle`.
      prefetch_buffer_size: number of batches to prefetch; automatic by default.
      num_parallel_reads: number of files to read in parallel; by default one.
      sloppy: whether the order may be nondeterministic; ignored, since the order is preserved.
      num_rows_for_inference: number of rows used to infer dtypes; None for all.
      ignore_errors: whether to skip invalid records.

    Returns:
      A dataset of dicts, or of pairs of a dict and the label.

    Raises:
      ValueError: if columns do not match the files.

    Example: `tf.data.experimental.make_csv_dataset("titanic*.csv", 32, label_name="survived", num_epochs=1)`.
    """
    reads = 1 if num_parallel_reads is None else num_parallel_reads
    prefetch_count = AUTOTUNE if prefetch_buffer_size is None else prefetch_buffer_size
    files = file_names(file_pattern)
    dataset = registry.base().from_tensor_slices(files)
    if shuffle:
        dataset = dataset.shuffle(len(files), shuffle_seed)
    layout: Any = None
    if column_names is None or column_defaults is None:
        layout = Layout(field_delim, use_quote_delim, header, opener(compression_type))
    if column_names is None:
        if not header:
            raise ValueError("Cannot infer column names without a header line.")
        column_names = layout.names(files)
    if len(column_names) != len(set(column_names)):
        raise ValueError("Cannot have duplicate column names.")
    if select_columns is not None:
        select_columns = sorted_columns(select_columns, column_names)
    if column_defaults is not None:
        column_defaults = [_as_default(value) for value in column_defaults]
    else:
        column_defaults = layout.defaults(
            files, len(column_names), na_value, num_rows_for_inference, select_columns
        )
    if select_columns is not None and len(column_defaults) != len(select_columns):
        raise ValueError("If specified, column_defaults and select_columns must have same length.")
    if select_columns is not None and len(column_names) > len(select_columns):
        column_names = [column_names[index] for index in select_columns]
    if label_name is not None and label_name not in column_names:
        raise ValueError("`label_name` provided must be one of the columns.")

    def filename_to_dataset(filename: Any) -> Any:
        rows: Any = CsvDatasetV1(
            filename,
            record_defaults=column_defaults,
            field_delim=field_delim,
            use_quote_delim=use_quote_delim,
            na_value=na_value,
            select_cols=select_columns,
            header=header,
            compression_type=compression_type,
        )
        return rows.apply(without_errors()) if ignore_errors else rows

    def map_fn(*columns: Any) -> Any:
        features = OrderedDict(zip(column_names, columns))
        if label_name is not None:
            label = features.pop(label_name)
            return features, label
        return features

    dataset = interleave_files(dataset, filename_to_dataset, reads, sloppy)
    dataset = shuffle_and_repeat_dataset(
        dataset, num_epochs, shuffle, shuffle_buffer_size, shuffle_seed
    )
    dataset = dataset.batch(batch_size=batch_size, drop_remainder=num_epochs is None)
    dataset = registry.create("MapDataset", dataset, map_fn, use_inter_op_parallelism=False)
    return DatasetV1Adapter(dataset.prefetch(prefetch_count))


def interleave_files(dataset: Any, read: Any, reads: int, sloppy: bool) -> Any:
    """Interleaves the datasets returned by `read`, for `reads` files at a time."""
    if reads == AUTOTUNE:
        options = Options()
        options.experimental_deterministic = not sloppy
        return dataset.interleave(read, num_parallel_calls=reads).with_options(options)
    return dataset.apply(lambda files: OldParallelInterleaveDataset(files, read, reads, 1, sloppy))
