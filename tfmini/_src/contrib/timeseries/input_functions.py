"""Input functions of a series: the whole series, or windows in random order."""

from __future__ import annotations

import abc
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.shapes import TensorShape
from tfmini._src.contrib.timeseries.feature_keys import TrainEvalFeatures
from tfmini._src.contrib.timeseries.readers import Features, TimeSeriesReader, counter
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.train.input_queues.batch import batch, maybe_shuffle_batch


class TimeSeriesInputFn:
    """Base class of Estimator input functions that cut a reader's series into windows."""

    @abc.abstractmethod
    def create_batch(self) -> Any:
        """Returns features, tensors [batch, window, ...] by name, and None for labels."""

    def __call__(self) -> Any:
        """Returns features, tensors [batch, window, ...] by name, and None for labels."""
        return self.create_batch()


class WholeDatasetInputFn(TimeSeriesInputFn):
    """Input function that returns the whole series, for evaluations from which predictions continue.

    Args:
      time_series_reader: a reader, such as `NumpyReader`.

    Example: `estimator.evaluate(tf.contrib.timeseries.WholeDatasetInputFn(reader), steps=1)`.
    """

    def __init__(self, time_series_reader: TimeSeriesReader):
        self._reader = time_series_reader

    def create_batch(self) -> Any:
        """Returns features, tensors [1, length, ...] by name, and None for labels."""
        features = self._reader.read_full()
        return {name: value[None, ...] for name, value in features.items()}, None


class RandomWindowInputFn(TimeSeriesInputFn):
    """Input function that returns windows of the series in random order, for training.

    Args:
      time_series_reader: a reader, such as `NumpyReader`.
      window_size: number of times per window.
      batch_size: number of windows per batch.
      queue_capacity_multiplier: capacity of the queues in batches.
      shuffle_min_after_dequeue_multiplier: minimum number of batches in the shuffling queue.
      discard_out_of_order: whether to discard windows across the end of the series, where times restart, instead of
        sorting them.
      discard_consecutive_batches_limit: maximum number of consecutive batches with all windows discarded.
      jitter: whether some windows start a record later, so that window positions vary.
      num_threads: number of threads that fill each queue; None for one per window of a batch.
      shuffle_seed: seed of the order, which is deterministic with one thread.

    Raises:
      ValueError: if the series is shorter than a window.

    Example:
      input_fn = tf.contrib.timeseries.RandomWindowInputFn(reader, window_size=16, batch_size=4)
      estimator.train(input_fn, steps=100)
    """

    def __init__(
        self,
        time_series_reader: TimeSeriesReader,
        window_size: int,
        batch_size: int,
        queue_capacity_multiplier: int = 1000,
        shuffle_min_after_dequeue_multiplier: int = 2,
        discard_out_of_order: bool = True,
        discard_consecutive_batches_limit: int = 1000,
        jitter: bool = True,
        num_threads: int | None = 2,
        shuffle_seed: int | None = None,
    ):
        self._reader = time_series_reader
        self._window_size = window_size
        self._reader.check_dataset_size(minimum_dataset_size=window_size)
        self._batch_size = batch_size
        self._capacity = queue_capacity_multiplier * batch_size
        self._least = shuffle_min_after_dequeue_multiplier * batch_size
        self._discard_out_of_order = discard_out_of_order
        self._discard_limit = discard_consecutive_batches_limit
        self._jitter = jitter
        self._num_threads = batch_size if num_threads is None else num_threads
        self._shuffle_seed = shuffle_seed

    def create_batch(self) -> Any:
        """Returns features, tensors [batch_size, window_size, ...] by name, and None for labels."""
        windows = self._windows(self._reader.read())
        times = windows[TrainEvalFeatures.TIMES]
        keep: Any = True
        if self._discard_out_of_order:
            keep = self._order_mask(times)
        else:
            windows = _sort_by_time(windows, times)
        batches = maybe_shuffle_batch(
            windows,
            batch_size=self._batch_size,
            capacity=self._capacity,
            min_after_dequeue=self._least,
            keep_input=keep,
            num_threads=self._num_threads,
            seed=self._shuffle_seed,
            enqueue_many=True,
        )
        return batches, None

    def _windows(self, features: Features) -> Features:
        """Returns a batch of consecutive windows: [batch_size, window_size, ...]."""
        jitter: Any = 0
        if self._jitter:
            jitter = ops.random_uniform(shape=[], maxval=2, dtype=dtypes.int32)
        records = batch(
            features,
            batch_size=self._window_size * self._batch_size + jitter,
            enqueue_many=True,
            capacity=self._capacity * self._window_size,
            num_threads=self._num_threads,
        )
        cut = records
        if self._jitter:
            cut = {key: value[jitter:] for key, value in records.items()}
        shape = [self._batch_size, self._window_size]
        windows = {
            key: ops.reshape(value, ops.concat([shape, ops.shape(value)[1:]], axis=0))
            for key, value in cut.items()
        }
        for key, value in windows.items():
            value.set_shape(TensorShape(shape).concatenate(records[key].get_shape()[1:]))
        return windows

    def _order_mask(self, times: Tensor) -> Tensor:
        """Returns a mask of windows in time order, [batch_size]; too many batches without any raise OutOfRangeError."""
        in_order = ops.reduce_all(times[:, 1:] >= times[:, :-1], axis=1)
        discarded = counter("discarded_windows_limiter")

        def check_order() -> Tensor:
            return ops.cond(
                ops.reduce_any(in_order),
                lambda: ops.assign(discarded, 0),
                lambda: discarded.count_up_to(self._discard_limit),
            )

        limited_indices = ops.cond(
            ops.is_variable_initialized(discarded),
            check_order,
            lambda: ops.constant(0, dtype=dtypes.int64),
        )
        with control_dependencies([limited_indices]):
            return ops.identity(in_order)


def _sort_by_time(windows: Features, times: Tensor) -> Features:
    _, descending = ops.top_k(times, k=ops.shape(times)[-1], sorted=True)
    indices = ops.reverse(descending, axis=[0])
    return {key: ops.gather(params=value, indices=indices) for key, value in windows.items()}
