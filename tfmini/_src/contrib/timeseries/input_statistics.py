"""Means, variances and times of a series, estimated from batches, for scaling in models."""

from __future__ import annotations

from typing import Any, NamedTuple

from tfmini._src.base import dtypes
from tfmini._src.base.nest.structure import flatten, pack_sequence_as
from tfmini._src.contrib.timeseries.feature_keys import TrainEvalFeatures
from tfmini._src.graph.scopes import control_dependencies, device
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.variables.get_variable import get_variable
from tfmini._src.variables.initializers import Ones, Zeros
from tfmini._src.variables.variable_scope import variable_scope


class Moments(NamedTuple):
    """Means and variances, each float [features]."""

    mean: Any
    variance: Any


class InputStatistics(NamedTuple):
    """Statistics of a series: moments of its start and of the whole, start time and length (scalar int64)."""

    series_start_moments: Moments
    overall_feature_moments: Moments
    start_time: Any
    total_observation_count: Any


class _Sums(NamedTuple):
    """Accumulators from which the statistics are computed."""

    max_time_seen: Any
    chunk_count: Any
    inter_observation_duration_sum: Any
    example_count: Any
    overall_feature_sum: Any
    overall_feature_sum_of_squares: Any


def _variable(name: str, dtype: Any, **settings: Any) -> Any:
    return get_variable(name, dtype=dtype, trainable=False, **settings)


class InputStatisticsFromMiniBatch:
    """Statistics stored in variables, which each training batch updates.

    Args:
      num_features: number of values per time step.
      dtype: the dtype of the means.
      starting_variance_window_size: number of initial times for the initial moments.
    """

    def __init__(self, num_features: int, dtype: Any, starting_variance_window_size: int = 16):
        self._num_features = num_features
        self._dtype = dtype
        self._starting_variance_window_size = starting_variance_window_size

    def initialize_graph(self, features: Any, update_statistics: bool = True) -> InputStatistics:
        """Returns the statistics, updated first if the features contain times and values.

        Args:
          features: a dict of tensors, times [batch, window], values [batch, window, features].
          update_statistics: whether to update them.
        """
        times = features.get(TrainEvalFeatures.TIMES)
        values = features.get(TrainEvalFeatures.VALUES)
        with variable_scope("input_statistics", use_resource=True):
            statistics = self._make_statistics()
        with variable_scope("input_statistics_auxiliary", use_resource=True):
            sums = self._make_sums()
        if not update_statistics or times is None or values is None:
            return statistics
        with control_dependencies([self._update(statistics, sums, times, values)]):
            read = pack_sequence_as(
                statistics, [ops.identity(statistic) for statistic in flatten(statistics)]
            )
            # Another worker may have written a later start.
            start = ops.minimum(read.start_time, ops.reduce_min(times))
            return read._replace(start_time=start)

    def _moments(self, mean: str, variance: str) -> Moments:
        shape = [self._num_features]
        return Moments(
            _variable(mean, self._dtype, shape=shape, initializer=Zeros()),
            _variable(variance, self._dtype, shape=shape, initializer=Ones()),
        )

    def _make_statistics(self) -> InputStatistics:
        return InputStatistics(
            self._moments("series_start_mean", "series_start_variance"),
            self._moments("overall_feature_mean", "overall_feature_var"),
            _variable("start_time", dtypes.int64, initializer=dtypes.int64.max),
            _variable("total_observation_count", dtypes.int64, shape=[], initializer=Ones()),
        )

    def _make_sums(self) -> _Sums:
        def zero(name: str, shape: list[int], dtype: Any) -> Any:
            return _variable(name, dtype, shape=shape, initializer=Zeros())

        return _Sums(
            _variable("max_time_seen", dtypes.int64, initializer=dtypes.int64.min),
            zero("chunk_count", [], dtypes.int64),
            zero("inter_observation_duration_sum", [], self._dtype),
            _variable("example_count", dtypes.int64, shape=[]),
            zero("overall_feature_sum", [self._num_features], self._dtype),
            zero("overall_feature_sum_of_squares", [self._num_features], self._dtype),
        )

    def _update(
        self, statistics: InputStatistics, sums: _Sums, times: Tensor, values: Tensor
    ) -> Any:
        """Returns an operation that updates all variables from a batch."""
        values = ops.cast(values, self._dtype)
        latest_update, updates = self._update_sums(sums, times, values)
        with control_dependencies([updates]):
            moments = self._update_moments(statistics.overall_feature_moments, sums)
            start, start_time = self._update_start(statistics, times, values)
            step = sums.inter_observation_duration_sum / ops.cast(sums.chunk_count, self._dtype)
            span = ops.cast(latest_update - start_time + 1, self._dtype)
            count = ops.assign(
                statistics.total_observation_count,
                ops.cast(ops.round(span / step), dtypes.int64),
            )
            return ops.group(*moments, start, start_time, count)

    def _update_sums(self, sums: _Sums, times: Tensor, values: Tensor) -> tuple[Any, Any]:
        """Returns the latest time, and the operation that updates all sums."""
        lengths = ops.reduce_max(times, axis=1) - ops.reduce_min(times, axis=1)
        lengths = ops.cast(lengths, self._dtype)
        steps = lengths / ops.cast(ops.shape(times)[1] - 1, self._dtype)
        with device(sums.max_time_seen.device):
            latest_update = ops.assign(
                sums.max_time_seen, ops.maximum(sums.max_time_seen, ops.reduce_max(times))
            )
        update_ops = [
            (sums.chunk_count, lambda: ops.shape(times, out_type=dtypes.int64)[0]),
            (sums.inter_observation_duration_sum, lambda: ops.reduce_sum(steps)),
            (sums.example_count, lambda: ops.size(times, out_type=dtypes.int64)),
            (sums.overall_feature_sum, lambda: ops.reduce_sum(values, axis=[0, 1])),
            (
                sums.overall_feature_sum_of_squares,
                lambda: ops.reduce_sum(values**2, axis=[0, 1]),
            ),
        ]
        updates = []
        for variable, value in update_ops:
            with device(variable.device):
                updates.append(ops.assign_add(variable, value()))
        return latest_update, ops.group(latest_update, *updates)

    def _update_moments(self, moments: Moments, sums: _Sums) -> tuple[Any, Any]:
        count = ops.cast(sums.example_count, self._dtype)
        mean = sums.overall_feature_sum / count
        update = ops.assign(moments.mean, mean)
        correction = count / (count - 1.0)  # unbiased: the mean is estimated from the sample
        mean_of_squares = sums.overall_feature_sum_of_squares / count
        return update, ops.assign(moments.variance, correction * (mean_of_squares - mean**2))

    def _update_start(
        self, statistics: InputStatistics, times: Tensor, values: Tensor
    ) -> tuple[Any, Any]:
        """Returns the operations that update the start time, and the moments of the start if the batch contains it."""
        earliest_index = ops.cast(ops.argmin(times[:, 0]), dtypes.int32)

        def update() -> Any:
            window = values[earliest_index, : self._starting_variance_window_size]
            mean, variance = ops.moments(window, axes=[0])
            moments = statistics.series_start_moments
            return ops.group(ops.assign(moments.mean, mean), ops.assign(moments.variance, variance))

        with device(statistics.start_time.device):
            # Equal times too: the first batch may have been overwritten.
            start = ops.cond(
                ops.less_equal(times[earliest_index, 0], statistics.start_time), update, ops.no_op
            )
            with control_dependencies([start]):
                first = ops.minimum(statistics.start_time, ops.reduce_min(times))
                return start, ops.assign(statistics.start_time, first)
