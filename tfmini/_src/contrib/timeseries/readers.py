"""Readers of a series: from arrays, and the base class of file readers."""

from __future__ import annotations

import abc
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.contrib.timeseries.feature_keys import TrainEvalFeatures
from tfmini._src.contrib.timeseries.series_arrays import canonical
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.tensor import Tensor
from tfmini._src.models.estimator.inputs.numpy_input_fn import numpy_input_fn
from tfmini._src.ops import ops
from tfmini._src.train.input_queues.input_producer import string_input_producer
from tfmini._src.variables.variable import Variable

Features = dict[str, Any]


def counter(name: str) -> Any:
    """Returns a local int64 counter variable, initialized to 0."""
    start = ops.constant(0, dtype=dtypes.int64)
    return Variable(start, trainable=False, collections=[GraphKeys.LOCAL_VARIABLES], name=name)


def _count_read(variable: Any, limit: int) -> Tensor:
    """Increments the variable if it is initialized; raises OutOfRangeError beyond the limit."""
    return ops.cond(
        ops.is_variable_initialized(variable),
        lambda: variable.count_up_to(limit),
        lambda: ops.constant(0, dtype=dtypes.int64),
    )


class TimeSeriesReader:
    """Interface of readers, which return a series as tensors by feature name for an input function to cut."""

    def check_dataset_size(self, minimum_dataset_size: int) -> None:
        """Checks the number of records, if known; raises ValueError if there are fewer than the minimum."""

    @abc.abstractmethod
    def read(self) -> Features:
        """Reads consecutive records; returns tensors [records, ...] by feature name."""

    @abc.abstractmethod
    def read_full(self) -> Features:
        """Returns all records: tensors [records, ...] by feature name."""


class NumpyReader(TimeSeriesReader):
    """Reads a series from arrays, which are fed rather than stored as constants.

    Args:
      data: a dict of arrays. "times": integers [length]; "values": numbers [length] or [length, features]; others
        [length, ...].
      read_num_records_hint: number of records read at a time.

    Raises:
      ValueError: if times or values are missing, or shapes are incompatible.

    Example:
      reader = tf.contrib.timeseries.NumpyReader({"times": np.arange(100), "values": np.sin(np.arange(100.0))})
      input_fn = tf.contrib.timeseries.RandomWindowInputFn(reader, window_size=10, batch_size=4)
    """

    def __init__(self, data: Any, read_num_records_hint: int = 4096):
        self._features = canonical(data, require_single_batch=True)
        self._read_num_records_hint = read_num_records_hint

    def check_dataset_size(self, minimum_dataset_size: int) -> None:
        """Checks the number of records; raises ValueError if there are fewer than the minimum."""
        size = self._features[TrainEvalFeatures.TIMES].shape[1]
        if size < minimum_dataset_size:
            raise ValueError(
                f"A TimeSeriesInputFn is configured to create windows of size {minimum_dataset_size},"
                f" but only {size} records were available in the dataset. Either decrease the window"
                " size or provide more records."
            )

    def read(self) -> Features:
        """Reads consecutive records; returns tensors [records, ...] by feature name."""
        series = {key: np.squeeze(value, axis=0) for key, value in self._features.items()}
        return numpy_input_fn(series, None, self._read_num_records_hint, None, shuffle=False)()

    def read_full(self) -> Features:
        """Returns all records: tensors [length, ...] by feature name."""
        # A queue element is a whole series.
        series = numpy_input_fn(self._features, None, 1, None, shuffle=False, queue_capacity=2)()
        return {key: ops.squeeze(value, axis=0) for key, value in series.items()}


class ReaderBaseTimeSeriesParser(TimeSeriesReader):
    """Base class of file readers; subclasses provide the reader and parse its records.

    Args:
      filenames: a file name, or a list of them.
      read_num_records_hint: number of records read at a time.
    """

    def __init__(self, filenames: Any, read_num_records_hint: int = 4096):
        self._filenames = filenames
        self._read_num_records_hint = read_num_records_hint

    @abc.abstractmethod
    def _get_reader(self) -> Any:
        """Returns the reader of records, a `tf.ReaderBase`."""

    @abc.abstractmethod
    def _process_records(self, lines: Tensor) -> Features:
        """Parses records, strings [records], into tensors [records, ...]."""

    def _get_filename_queue(self, epoch_limit: int) -> tuple[Any, Any]:
        """Returns a file name queue that ends after `epoch_limit` epochs without a record, and its epoch counter."""
        epochs = counter("epoch_limiter")
        names = ops.reshape(ops.convert_to_tensor(self._filenames), [-1])
        with control_dependencies([_count_read(epochs, epoch_limit)]):
            names = ops.identity(names)
        return string_input_producer(names, shuffle=False, capacity=1), epochs

    def read(self) -> Features:
        """Reads consecutive records; returns tensors [records, ...] by feature name."""
        queue, epochs = self._get_filename_queue(epoch_limit=self._read_num_records_hint)
        reader = self._get_reader()
        with control_dependencies([ops.assign(epochs, 0)]):
            _, records = reader.read_up_to(queue, self._read_num_records_hint)
        return self._process_records(records)

    def read_full(self) -> Features:
        """Returns all records, reread in each step: tensors [records, ...] by feature name."""
        reader = self._get_reader()
        queue, epochs = self._get_filename_queue(epoch_limit=2)
        with control_dependencies([ops.assign(epochs, 0)]):
            first_key, first_value = reader.read_up_to(queue, 1)

        def should_continue(key: Tensor, *_: Any) -> Tensor:
            return ops.not_equal(ops.squeeze(key, axis=0), ops.squeeze(first_key, axis=0))

        def body(_: Tensor, value: Tensor, count: Tensor, collected: Any) -> tuple:
            next_key, next_value = reader.read_up_to(queue, 1)
            next_key.set_shape([1])  # one record at a time
            next_value.set_shape([1])
            return next_key, next_value, count + 1, collected.write(count, value)

        start = [ops.constant([""]), first_value, 0]
        collected = ops.TensorArray(dtype=dtypes.string, size=0, dynamic_size=True)
        records = ops.while_loop(should_continue, body, [*start, collected])[-1].concat()
        with control_dependencies([records]):
            reset = reader.reset()
        with control_dependencies([reset]):
            records = ops.identity(records)
        return self._process_records(records)
