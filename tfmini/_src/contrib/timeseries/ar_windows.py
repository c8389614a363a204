"""One window of an `ARModel`: its inputs, and the network that predicts its end."""

from __future__ import annotations

from typing import Any

from tfmini._src.contrib.timeseries.feature_keys import State, TrainEvalFeatures
from tfmini._src.contrib.timeseries.model import TimeSeriesModel
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.variables.variable_scope import variable_scope

_OWN_FEATURES = (TrainEvalFeatures.TIMES, TrainEvalFeatures.VALUES, State.STATE_TUPLE)


class WindowModel(TimeSeriesModel):
    """Base class of models that predict the end of a window from its beginning."""

    input_window_size: int
    output_window_size: int
    window_size: int
    exogenous_size: int
    _buckets: int
    _periodicities: list[int]
    _model_factory: Any
    _model_scope: Any
    _model_instance: Any

    def initialize_graph(self, input_statistics: Any = None) -> None:
        """Builds the network, whose variables are created on first call.

        Args:
          input_statistics: `InputStatistics` of the series for scaling values; None for no scaling.
        """
        super().initialize_graph(input_statistics)
        # The slash re-enters the scope: called inside a loop and outside, with the same variables.
        self._model_scope = variable_scope("model/", use_resource=True)
        self._model_instance = self._model_factory(
            num_features=self.num_features,
            input_window_size=self.input_window_size,
            output_window_size=self.output_window_size,
        )

    def prediction_ops(
        self, times: Tensor, values: TensorLike, exogenous_regressors: TensorLike
    ) -> dict[str, Any]:
        """Returns the predictions for the end of a window: "mean" and "covariance", [batch, output window, features].

        Args:
          times: integers [batch, window].
          values: scaled values of the input window, [batch, input window, features]; ignored if it is empty.
          exogenous_regressors: [batch, window, size], or None.
        """
        self._check_shapes(times, values, exogenous_regressors)
        batch = ops.shape(times)[0]
        past_features: list[Tensor] = []
        future_values: list[Tensor] = []
        known_size = coming_size = 0
        sizes = (self.input_window_size, self.output_window_size)
        if self._periodicities:
            size = self._buckets * len(self._periodicities)
            _, phases = self._compute_time_features(times)
            time_phases = ops.reshape(phases, [batch, self.window_size, size])
            first, last = ops.split(time_phases, sizes, axis=1)
            past_features, future_values = [first], [last]
            known_size = coming_size = size
        if self.input_window_size:
            past = ops.slice(values, [0, 0, 0], [-1, self.input_window_size, -1])
            shape = [batch, self.input_window_size, self.num_features]
            past_features.append(ops.reshape(past, shape))
            known_size += self.num_features
        if self.exogenous_size:
            first, last = ops.split(exogenous_regressors, sizes, axis=1)
            past_features.append(first)
            future_values.append(last)
            known_size += self.exogenous_size
            coming_size += self.exogenous_size
        inputs = ops.concat(past_features, axis=2)
        if future_values:
            outputs = ops.concat(future_values, axis=2)
        else:
            outputs = ops.zeros([batch, self.output_window_size, 0], dtype=self.dtype)
        static_batch = times.get_shape().with_rank(2).as_list()[0]
        inputs.set_shape([static_batch, self.input_window_size, known_size])
        outputs.set_shape([static_batch, self.output_window_size, coming_size])
        return self._output_window_predictions(inputs, outputs)

    def _check_shapes(self, times: Tensor, values: Any, exogenous: Any) -> None:
        times.get_shape().assert_is_compatible_with([None, self.window_size])
        if self.input_window_size:
            expected = [None, self.input_window_size, self.num_features]
            values.get_shape().assert_is_compatible_with(expected)
        if exogenous is not None:
            expected = [None, self.window_size, self.exogenous_size]
            exogenous.get_shape().assert_is_compatible_with(expected)

    def _output_window_predictions(self, inputs: Tensor, outputs: Tensor) -> dict[str, Any]:
        with self._model_scope:
            predictions = self._model_instance(inputs, outputs)
            for value in predictions.values():
                value.set_shape([None, self.output_window_size, self.num_features])
            return predictions

    def _compute_time_features(self, time: Tensor) -> tuple[Tensor, Tensor]:
        """Returns the elapsed periods, and the phase within each one: [batch, window, periods, 1 or buckets].

        Periods are divided into buckets; the value of a time's bucket is the position in it, from 0 to 1; others are 0.
        """
        batch = ops.shape(time)[0]
        shape = [1, 1, len(self._periodicities), 1]
        periods = ops.constant(self._periodicities, shape=shape, dtype=time.dtype)
        time = ops.reshape(time, [batch, -1, 1, 1])
        elapsed = time / self._periodicities
        within = ops.cast(time % periods, self.dtype) * self._buckets
        within = within / ops.cast(periods, self.dtype)
        starts = ops.range(self._buckets, dtype=self.dtype)
        distance_beyond = ops.relu(within - ops.reshape(starts, [1, 1, 1, self._buckets]))
        return elapsed, ops.where_v2(
            distance_beyond < 1.0, distance_beyond, ops.zeros_like(distance_beyond)
        )

    def _exogenous(self, times: Tensor, features: Any) -> Tensor:
        """Returns exogenous features as vectors [batch, window, size], of size 0 if there are none."""
        exogenous = {key: value for key, value in features.items() if key not in _OWN_FEATURES}
        return self._process_exogenous_features(times=times, features=exogenous)

    def _process_exogenous_features(self, times: Tensor, features: Any) -> Tensor:
        embedded = super()._process_exogenous_features(times=times, features=features)
        if embedded is None:
            return ops.zeros(ops.concat([ops.shape(times), ops.constant([0])], axis=0))
        return embedded
