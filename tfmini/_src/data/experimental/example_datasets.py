"""Datasets of Examples, parsed in batches."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.shapes import TensorShape
from tfmini._src.data import registry
from tfmini._src.data.dataset import AUTOTUNE, DatasetV2
from tfmini._src.data.dataset_v1 import DatasetV1Adapter
from tfmini._src.data.element_spec import legacy_shapes, legacy_types
from tfmini._src.data.experimental.csv_dataset import interleave_files
from tfmini._src.data.experimental.shuffle_files import shuffle_and_repeat_dataset
from tfmini._src.data.file_datasets import TFRecordDatasetV1
from tfmini._src.data.unary_datasets import RestructuringDataset
from tfmini._src.graph.composite_values import SparseTensorSpec
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.graph.type_spec import TensorSpec
from tfmini._src.ops import raw
from tfmini._src.ops.parsing.feature_specs import (
    FixedLenFeature,
    FixedLenSequenceFeature,
    SparseFeature,
    VarLenFeature,
    combine_sparse_features,
    default_tensors,
    prepend_item_axis,
    raw_features,
)
from tfmini._src.ops.queues.reader import ReaderBase

_FEATURE_CLASSES = (VarLenFeature, SparseFeature, FixedLenFeature, FixedLenSequenceFeature)


def parse_example_dataset(
    features: Mapping[str, Any], num_parallel_calls: TensorLike = 1
) -> Callable[[DatasetV2], Any]:
    """Parses batches of serialized Examples.

    Args:
      features: a dict from keys to FixedLenFeature, VarLenFeature, SparseFeature or FixedLenSequenceFeature.
      num_parallel_calls: number of batches that TensorFlow parses in parallel; only recorded in the graph.

    Returns:
      A transformation for `Dataset.apply` from string vectors to dicts of tensors and SparseTensors.

    Raises:
      ValueError: if `features` is empty.
      TypeError: when applied to another dataset.
    """
    if features is None:
        raise ValueError(f"Missing: features was {features}.")

    def _apply_fn(dataset: DatasetV2) -> Any:
        parsed: Any = _ParseExample(dataset, features, num_parallel_calls)
        if any(isinstance(feature, SparseFeature) for feature in features.values()):
            parsed = parsed.map(
                lambda x: combine_sparse_features(features, x),
                num_parallel_calls=num_parallel_calls,
            )
        return parsed

    return _apply_fn


class _ParseExample(RestructuringDataset):
    def __init__(self, input_dataset: DatasetV2, features: Mapping[str, Any], calls: Any):
        input_spec = input_dataset.element_spec
        if not (
            isinstance(input_spec, TensorSpec)
            and input_spec.is_compatible_with(TensorSpec([None], dtypes.string))
        ):
            raise TypeError("Input dataset should be a dataset of vectors of strings")
        parsed = raw_features(prepend_item_axis(features), _FEATURE_CLASSES)
        if not (parsed.dense_keys or parsed.sparse_keys):
            raise ValueError("Must provide at least one sparse key or dense key")
        defaults = default_tensors(parsed)
        rows = legacy_shapes(input_spec)
        spec: dict[str, Any] = {}
        for key, dtype, shape in zip(parsed.dense_keys, parsed.dense_types, parsed.dense_shapes):
            spec[key] = TensorSpec(rows.concatenate(TensorShape(shape)), dtype)
        for key, dtype in zip(parsed.sparse_keys, parsed.sparse_types):
            spec[key] = SparseTensorSpec(rows.concatenate([None]), dtype)
        self._spec = spec
        self._add(
            raw.ParseExampleDataset,
            input_dataset,
            calls,
            defaults,
            sparse_keys=parsed.sparse_keys,
            dense_keys=parsed.dense_keys,
            sparse_types=parsed.sparse_types,
            dense_shapes=parsed.dense_shapes,
        )


def make_batched_features_dataset(
    file_pattern: str,
    batch_size: TensorLike,
    features: Mapping[str, Any],
    reader: Any = TFRecordDatasetV1,
    label_key: str | None = None,
    reader_args: list[Any] | None = None,
    num_epochs: int | None = None,
    shuffle: bool = True,
    shuffle_buffer_size: int = 10000,
    shuffle_seed: int | None = None,
    prefetch_buffer_size: int | None = None,
    reader_num_threads: int | None = None,
    parser_num_threads: int | None = None,
    sloppy_ordering: bool = False,
    drop_final_batch: bool = False,
) -> Any:
    """Returns a dataset of batches of Examples from files, as dicts of features.

    Args:
      file_pattern: file name patterns, as strings or a string tensor.
      batch_size: number of Examples per batch.
      features: a dict from keys to features, as in `tf.parse_example`.
      reader: `reader(filename, *reader_args)` returns the dataset of a file.
      label_key: feature to return separately from the dict.
      reader_args: additional arguments of `reader`.
      num_epochs: number of passes over the data; None for no limit.
      shuffle: whether to shuffle files and Examples.
      shuffle_buffer_size, shuffle_seed: as in `Dataset.shuffle`.
      prefetch_buffer_size: number of batches to prefetch; automatic by default.
      reader_num_threads: number of files to read in parallel; by default one.
      parser_num_threads: number of batches that TensorFlow parses in parallel, by default 2; only recorded in
        the graph.
      sloppy_ordering: whether the order may be nondeterministic; ignored, since the order is preserved.
      drop_final_batch: whether to drop a smaller last batch.

    Returns:
      A dataset of dicts, or of pairs of a dict and the label.

    Raises:
      TypeError: if `reader` is a `tf.ReaderBase`.
      ValueError: if `label_key` is not a feature.
    """
    readers = 1 if reader_num_threads is None else reader_num_threads
    parsers = 2 if parser_num_threads is None else parser_num_threads
    prefetch_count = AUTOTUNE if prefetch_buffer_size is None else prefetch_buffer_size
    dataset = registry.base().list_files(file_pattern, shuffle=shuffle, seed=shuffle_seed)
    if isinstance(reader, type) and issubclass(reader, ReaderBase):
        raise TypeError(
            "The `reader` argument must return a `Dataset` object. `tf.ReaderBase` subclasses are not supported. For "
            "example, pass `tf.data.TFRecordDataset` instead of `tf.TFRecordReader`."
        )
    args = reader_args or []
    dataset = interleave_files(
        dataset, lambda filename: reader(filename, *args), readers, sloppy_ordering
    )
    if legacy_types(dataset.element_spec) == (dtypes.string, dtypes.string):
        dataset = registry.create(
            "MapDataset", dataset, lambda _, v: v, use_inter_op_parallelism=False
        )
    dataset = shuffle_and_repeat_dataset(
        dataset, num_epochs, shuffle, shuffle_buffer_size, shuffle_seed
    )
    dataset = dataset.batch(batch_size, drop_remainder=drop_final_batch or num_epochs is None)
    dataset = dataset.apply(parse_example_dataset(features, num_parallel_calls=parsers))
    if label_key:
        if label_key not in features:
            raise ValueError(
                f"The `label_key` provided ({label_key!r}) must be one of the `features` keys."
            )
        dataset = dataset.map(lambda x: (x, x.pop(label_key)))
    return DatasetV1Adapter(dataset.prefetch(prefetch_count))
