"""Autoregressive models, which predict the end of each window from its beginning."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.contrib.timeseries.ar_predictions import Forecast
from tfmini._src.contrib.timeseries.ar_windows import WindowModel
from tfmini._src.contrib.timeseries.feature_keys import TrainEvalFeatures
from tfmini._src.contrib.timeseries.log_densities import normal_log_prob
from tfmini._src.contrib.timeseries.model import ModelOutputs
from tfmini._src.contrib.timeseries.window_networks import FlatPredictionModel
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.models.estimator.mode_keys import ModeKeys
from tfmini._src.ops import ops

_TIMES, _VALUES = TrainEvalFeatures.TIMES, TrainEvalFeatures.VALUES


class ARModel(WindowModel):
    """Linear or nonlinear autoregressive model, which predicts the end of each window from its beginning.

    Its inputs are the values at `input_window_size` times and the phase of each time in each period: a period is
    divided into `num_time_buckets` features; the bucket containing the time is set to the offset in it, others to 0.

    Args:
      periodicities: cycle length in units of time, or a list of lengths; [] or None for no cycles.
      input_window_size: number of input times; 0 to predict from the time only.
      output_window_size: number of predicted time steps.
      num_features: number of values per time step.
      prediction_model_factory: returns the network, a `tf.keras.Model`, for `num_features`, `input_window_size` and
        `output_window_size`. It is called with the features of the input and output windows, floats
        [batch, window, size], and returns a dict: "mean" and "covariance", [batch, output window, features].
      num_time_buckets: number of buckets per period.
      loss: `ARModel.NORMAL_LIKELIHOOD_LOSS`, or `ARModel.SQUARED_LOSS`, which leaves covariances untrained.
      exogenous_feature_columns: feature columns of the exogenous features of both windows.

    Example:
      model = tf.contrib.timeseries.ARModel(24, input_window_size=10, output_window_size=2, num_features=1)
      estimator = tf.contrib.timeseries.TimeSeriesRegressor(model)
    """

    SQUARED_LOSS = "squared_loss"
    NORMAL_LIKELIHOOD_LOSS = "normal_likelihood_loss"

    def __init__(
        self,
        periodicities: Any,
        input_window_size: int,
        output_window_size: int,
        num_features: int,
        prediction_model_factory: Callable[..., Any] = FlatPredictionModel,
        num_time_buckets: int = 10,
        loss: str = NORMAL_LIKELIHOOD_LOSS,
        exogenous_feature_columns: Iterable[Any] | None = None,
    ):
        self._model_factory = prediction_model_factory
        self.input_window_size = input_window_size
        self.output_window_size = output_window_size
        self.window_size = input_window_size + output_window_size
        self.loss = loss
        super().__init__(num_features, exogenous_feature_columns)
        self.exogenous_size = 0
        if exogenous_feature_columns is not None:
            self.exogenous_size = self._get_exogenous_embedding_shape()[-1]
        assert num_time_buckets > 0
        self._buckets = int(num_time_buckets)
        if not isinstance(periodicities, list | tuple):
            periodicities = [periodicities] if periodicities else []
        self._periodicities = [int(period) for period in periodicities]
        assert all(period > 0 for period in self._periodicities)
        assert self._periodicities or input_window_size
        assert output_window_size > 0

    def get_start_state(self) -> Any:
        """Returns the zero state: times, values and exogenous features of an input window."""
        size = self.input_window_size
        return (
            ops.zeros([size], dtype=dtypes.int64),
            ops.zeros([size, self.num_features], dtype=self.dtype),
            ops.zeros([size, self.exogenous_size], dtype=self.dtype),
        )

    def random_model_parameters(self, seed: int | None = None) -> None:
        """Returns None; random parameters are unsupported."""

    def generate(
        self,
        number_of_series: int,
        series_length: int,
        model_parameters: object = None,
        seed: int | None = None,
    ) -> None:
        """Returns None; generation is unsupported."""

    def loss_op(self, targets: Tensor, prediction_ops: Mapping[str, Any]) -> Tensor:
        """Returns the mean loss of predictions, a scalar.

        Args:
          targets: the values, [batch, output window, features].
          prediction_ops: the result of `prediction_ops`.
        """
        mean = prediction_ops["mean"]
        if self.loss == ARModel.NORMAL_LIKELIHOOD_LOSS:
            sigma = ops.sqrt(ops.maximum(prediction_ops["covariance"], 1e-5))
            # The deviation of the prediction from its target, the density the other way round.
            loss = -ops.reduce_sum(normal_log_prob(targets, sigma, mean))
        else:
            assert self.loss == ARModel.SQUARED_LOSS, self.loss
            loss = ops.reduce_sum(ops.squared_difference(mean, targets))
        return loss / ops.cast(ops.reduce_prod(ops.shape(targets)), loss.dtype)

    def predict(self, features: TensorLike) -> dict[str, Any]:
        """Returns the predictions after a state: "mean" and "covariance", floats [batch, window, features].

        Args:
          features: tensors by name: "times", integers [batch, window]; "start_tuple", the state: times, values and
            exogenous features, [batch, length, ...], at least one input window long; exogenous features [batch,
            window, ...].
        """
        if not self._graph_initialized:
            self.initialize_graph()
        with_covariances = self.loss != ARModel.SQUARED_LOSS
        mean, covariance = Forecast(self, features, with_covariances).run()
        if covariance is None:
            covariance = ops.ones_like(mean)
        mean = self._scale_back_data(mean)
        return {"mean": mean, "covariance": self._scale_back_variance(covariance)}

    def get_batch_loss(self, features: Mapping[str, Any], mode: str, state: object) -> ModelOutputs:
        """Returns the model outputs for a batch: for one window in training, for consecutive windows in evaluation.

        Args:
          features: tensors by name: "times", integers [batch, window]; "values", floats [batch, window, features];
            exogenous features [batch, window, ...].
          mode: TRAIN or EVAL of `tf.estimator.ModeKeys`.
          state: preceding times, values and exogenous features, [batch, input window, ...].

        Raises:
          ValueError: for any other window length or mode.
        """
        features = {name: ops.convert_to_tensor(value) for name, value in features.items()}
        times = features[_TIMES]
        exogenous = self._exogenous(times, features)
        if mode == ModeKeys.TRAIN:
            return self._window_outputs(features, mode, exogenous)
        if mode == ModeKeys.EVAL:
            return self._all_windows(features, exogenous, state)
        raise ValueError(f"Unknown mode '{mode}' passed to get_batch_loss.")

    def _window_outputs(self, features: Any, mode: str, exogenous: Tensor) -> ModelOutputs:
        """Returns the model outputs for one window."""
        times = ops.cast(features[_TIMES], dtypes.int64)
        values = observed_values = ops.cast(features[_VALUES], dtype=self.dtype)
        exogenous = ops.cast(exogenous, dtype=self.dtype)
        self._check_window(times)
        values = self._scale_data(values)
        window, size = self.input_window_size, self.output_window_size
        first_values = values[:, :window, :] if window > 0 else None
        predicted = self.prediction_ops(times, first_values, exogenous)
        mean, covariance = predicted["mean"], predicted["covariance"]
        targets = ops.slice(values, [0, window, 0], [-1, -1, -1])
        targets.get_shape().assert_is_compatible_with(mean.get_shape())
        if mode == ModeKeys.EVAL and self.loss == ARModel.SQUARED_LOSS:
            targets = self._scale_back_data(targets)
            loss = self.loss_op(targets, {"mean": self._scale_back_data(mean)})
        else:
            loss = self.loss_op(targets, predicted)
        mean = self._scale_back_data(mean)
        covariance = self._scale_back_variance(covariance)
        end = (times[:, -window:], values[:, -window:, :], exogenous[:, -window:, :])
        observed_values = observed_values[:, -size:]
        predictions = {"mean": mean, "covariance": covariance, "observed": observed_values}
        return ModelOutputs(loss, end, predictions, times[:, -size:])

    def _check_window(self, times: Tensor) -> None:
        if not times.get_shape().is_compatible_with([None, self.window_size]):
            raise ValueError(
                f"ARModel with input_window_size={self.input_window_size} and output_window_size="
                f"{self.output_window_size} expects feature '{_TIMES}' to have shape (batch_size,"
                f" {self.window_size}) (for any batch_size), but got shape {times.get_shape()}."
                " If you are using RandomWindowInputFn, set"
                f" window_size={self.window_size} or adjust the input_window_size and"
                " output_window_size arguments to ARModel."
            )

    def _all_windows(self, features: Any, exogenous: Tensor, state: Any) -> ModelOutputs:
        """Returns the model outputs for a whole series: consecutive output windows, aligned to its last time."""
        times = features[_TIMES]
        self._check_length(times)
        size = self.output_window_size
        count = (ops.shape(times)[1] - self.input_window_size) // size
        length = count * size
        crop = length + self.input_window_size
        features = {name: value[:, -crop:] for name, value in features.items()}

        def body(iteration: Tensor, *collected: Any) -> tuple:
            start = iteration * size
            window = {
                name: value[:, start : start + self.window_size] for name, value in features.items()
            }
            chunk = exogenous[:, start : start + self.window_size]
            outputs = self._window_outputs(window, ModeKeys.EVAL, chunk)
            results = [outputs.loss, *(outputs.predictions[k] for k in ("mean", "covariance"))]
            next_iteration = iteration + 1
            return next_iteration, *(
                a.write(iteration, result) for a, result in zip(collected, results)
            )

        arrays = [ops.TensorArray(dtype=self.dtype, size=count) for _ in range(3)]
        _, losses, means, covariances = ops.while_loop(
            lambda iteration, *_: iteration < count, body, [0, *arrays]
        )
        values = ops.cast(features[_VALUES], dtype=self.dtype)
        shape = [ops.shape(times)[0], size * count, self.num_features]
        end = self._end_state(state, times, values, exogenous)
        loss = ops.reduce_mean(losses.stack(), axis=0)

        def join_windows(windows: Any) -> Tensor:
            return ops.reshape(ops.transpose(windows.stack(), [1, 0, 2, 3]), shape)

        predictions = {"mean": join_windows(means), "covariance": join_windows(covariances)}
        predictions["observed"] = values[:, -length:]
        return ModelOutputs(loss, end, predictions, times[:, -length:])

    def _check_length(self, times: Tensor) -> None:
        times.get_shape().assert_has_rank(2)
        length = times.get_shape().as_list()[1]
        if length is not None and length < self.window_size:
            raise ValueError(
                "ARModel requires a window of at least input_window_size + output_window_size to"
                f" evaluate on (input_window_size={self.input_window_size}, output_window_size="
                f"{self.output_window_size}, and got shape {times.get_shape()} for feature"
                f" '{_TIMES}' (batch size, window size))."
            )

    def _end_state(self, state: Any, times: Tensor, values: Tensor, exogenous: Tensor) -> Any:
        """Returns the last input window of the concatenated state and series."""
        size = self.input_window_size
        if size == 0:
            return state
        new_times = ops.concat([state[0], ops.cast(times, dtype=dtypes.int64)], axis=1)[:, -size:]
        new_times.set_shape((None, size))
        both = ops.concat([state[1], self._scale_data(values)], axis=1)
        new_values = both[:, -size:, :]
        new_values.set_shape((None, size, self.num_features))
        new_exogenous = ops.concat([state[2], exogenous], axis=1)[:, -size:, :]
        new_exogenous.set_shape((None, size, self.exogenous_size))
        return new_times, new_values, new_exogenous
