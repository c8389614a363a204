"""Readers of `tf.contrib.data`: CSV and Example files, SQL and LMDB databases; a record writer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.data.dataset_v1 import make_one_shot_iterator
from tfmini._src.data.experimental import (
    csv_dataset,
    example_datasets,
    tf_record_writer,
)
from tfmini._src.data.experimental.csv_dataset import CsvDatasetV1
from tfmini._src.data.experimental.sql_dataset import SqlDatasetV1
from tfmini._src.data.file_datasets import TFRecordDatasetV1
from tfmini._src.data.source_datasets import KnownSpecDataset
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.graph.type_spec import TensorSpec
from tfmini._src.ops import ops, raw


@deprecated(
    None,
    "Use `tf.data.experimental.make_batched_features_dataset(...)`",
)
def read_batch_features(
    file_pattern: str,
    batch_size: TensorLike,
    features: Mapping[str, Any],
    reader: Callable[..., Any] = TFRecordDatasetV1,
    reader_args: list[Any] | None = None,
    randomize_input: bool = True,
    num_epochs: int | None = None,
    capacity: int = 10000,
) -> Any:
    """Returns the next batch of `tf.data.experimental.make_batched_features_dataset`, a dict of tensors.

    Args:
      file_pattern, batch_size, features, reader, reader_args, num_epochs: as in `make_batched_features_dataset`.
      randomize_input: whether to shuffle files and Examples.
      capacity: number of Examples in the shuffle buffer.

    Returns:
      A dict of tensors and SparseTensors.
    """
    dataset = example_datasets.make_batched_features_dataset(
        file_pattern,
        batch_size,
        features,
        reader=reader,
        reader_args=reader_args,
        shuffle=randomize_input,
        num_epochs=num_epochs,
        shuffle_buffer_size=capacity,
    )
    return make_one_shot_iterator(dataset).get_next()


class LMDBDataset(KnownSpecDataset):
    """Dataset of key-value pairs in LMDB files; only its graph node is supported.

    Args:
      filenames: file names, strings or a tensor of them.

    Raises:
      UnimplementedError (at run time): always.
    """

    def __init__(self, filenames: TensorLike):
        names = ops.convert_to_tensor(filenames, dtype=dtypes.string, name="filenames")
        text = TensorSpec([], dtypes.string)
        self._spec = text, text
        super().__init__(raw.LMDBDataset(names, **self._flat_structure), self._spec)


@deprecated(None, "Use `tf.data.experimental.make_batched_features_dataset(...)`.")
@arguments_of(example_datasets.make_batched_features_dataset)
def make_batched_features_dataset(*args: Any) -> Any:
    """Deprecated alias of `tf.data.experimental.make_batched_features_dataset`."""
    return example_datasets.make_batched_features_dataset(*args)


@deprecated(None, "Use `tf.data.experimental.make_csv_dataset(...)`.")
@arguments_of(csv_dataset.make_csv_dataset, "ignore_errors")
def make_csv_dataset(**kwargs: Any) -> Any:
    """Deprecated alias of `tf.data.experimental.make_csv_dataset`; raises an error for malformed records."""
    return csv_dataset.make_csv_dataset(**kwargs)


class CsvDataset(CsvDatasetV1):
    """Deprecated alias of `tf.data.experimental.CsvDataset`."""

    @deprecated(None, "Use `tf.data.experimental.CsvDataset(...)`.")
    @arguments_of(CsvDatasetV1)
    def __init__(self, *args: Any):
        super().__init__(*args)


class SqlDataset(SqlDatasetV1):
    """Deprecated alias of `tf.data.experimental.SqlDataset`."""

    @deprecated(None, "Use `tf.data.experimental.SqlDataset(...)`.")
    @arguments_of(SqlDatasetV1)
    def __init__(self, *args: Any):
        super().__init__(*args)


class TFRecordWriter(tf_record_writer.TFRecordWriter):
    """Older name of `tf.data.experimental.TFRecordWriter`."""

    @deprecated(None, "Use `tf.data.experimental.TFRecordWriter(...)`.")
    def __init__(self, filename: str, compression_type: str | None = None):
        super().__init__(filename, compression_type)
