"""Estimators for time series models."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.contrib.timeseries.ar_mixture import AnomalyMixtureARModel
from tfmini._src.contrib.timeseries.ar_model import ARModel
from tfmini._src.contrib.timeseries.head import OneShotPredictionHead, TimeSeriesRegressionHead
from tfmini._src.contrib.timeseries.input_statistics import InputStatisticsFromMiniBatch
from tfmini._src.contrib.timeseries.serving_inputs import parsing_receiver, raw_receiver
from tfmini._src.contrib.timeseries.state_managers import (
    FilteringOnlyStateManager,
    PassthroughStateManager,
)
from tfmini._src.contrib.timeseries.window_networks import FlatPredictionModel, LSTMPredictionModel
from tfmini._src.models.estimator.canned.optimizer_by_name import create_optimizer
from tfmini._src.models.estimator.estimator import Estimator
from tfmini._src.train.optimizers.adagrad import AdagradOptimizer
from tfmini._src.train.optimizers.adam import AdamOptimizer

if TYPE_CHECKING:
    from tfmini._src.models.estimator.run_config import RunConfig
    from tfmini._src.train.optimizers.optimizer import Optimizer


class TimeSeriesRegressor(Estimator):
    """An Estimator for a time series model.

    Its input functions return "times", integers [batch, window], "values", floats [batch, window, features], and
    exogenous features [batch, window, ...]: use `RandomWindowInputFn` for training, `WholeDatasetInputFn` for
    evaluation and `predict_continuation_input_fn` for prediction.

    Args:
      model: the model, such as an `ARModel`.
      state_manager: provider of the initial state of each batch; the default depends on the model.
      optimizer: minimizes the loss; by default Adam with a rate of 0.02.
      model_dir: directory of checkpoints and event files.
      config: a `tf.estimator.RunConfig`.
      head_type: head class; `OneShotPredictionHead` exports a single, stateless signature.

    Example:
      model = tf.contrib.timeseries.ARModel(24, input_window_size=10, output_window_size=2, num_features=1)
      estimator = tf.contrib.timeseries.TimeSeriesRegressor(model)
      estimator.train(tf.contrib.timeseries.RandomWindowInputFn(reader, window_size=12, batch_size=8), steps=100)
    """

    def __init__(
        self,
        model: Any,
        state_manager: Any = None,
        optimizer: Optimizer | None = None,
        model_dir: str | None = None,
        config: RunConfig | None = None,
        head_type: Any = TimeSeriesRegressionHead,
    ):
        if state_manager is None:
            is_windowed = isinstance(model, ARModel)
            state_manager = (
                FilteringOnlyStateManager() if is_windowed else PassthroughStateManager()
            )
        self._model = model
        head = head_type(
            model=model,
            state_manager=state_manager,
            optimizer=AdamOptimizer(0.02) if optimizer is None else optimizer,
            input_statistics_generator=InputStatisticsFromMiniBatch(
                dtype=model.dtype, num_features=model.num_features
            ),
        )
        super().__init__(head.create_estimator_spec, model_dir, config)

    def build_one_shot_parsing_serving_input_receiver_fn(
        self,
        filtering_length: int,
        prediction_length: int,
        default_batch_size: int | None = None,
        values_input_dtype: DTypeLike | None = None,
        truncate_values: bool = False,
    ) -> Callable[[], Any]:
        """Returns an input function for serving serialized `tf.train.Example`s with `OneShotPredictionHead`.

        An example contains "times", integers [filtering_length + prediction_length], "values", numbers
        [filtering_length, features], and exogenous features of all times.

        Args:
          filtering_length: number of times with values.
          prediction_length: number of predicted times after them.
          default_batch_size: number of examples per batch; None for any number.
          values_input_dtype: the dtype of values in examples, float32, the default, or int64.
          truncate_values: whether examples contain values for all times, of which only the first are used.

        Returns:
          A function that returns a `tf.estimator.export.ServingInputReceiver`.

        Raises:
          ValueError: when called, for an exogenous feature of variable length.
        """
        return parsing_receiver(
            self._model,
            filtering_length,
            prediction_length,
            default_batch_size,
            dtypes.float32 if values_input_dtype is None else values_input_dtype,
            truncate_values,
        )

    def build_raw_serving_input_receiver_fn(
        self, default_batch_size: int | None = None, default_series_length: int | None = None
    ) -> Callable[[], Any]:
        """Returns an input function for serving arrays: times, values, exogenous features and parts of a state.

        Args:
          default_batch_size: number of series per batch; None for any number.
          default_series_length: number of times per series; None for any number.

        Returns:
          A function that returns a `tf.estimator.export.ServingInputReceiver`.
        """
        return raw_receiver(self._model, default_batch_size, default_series_length)


class ARRegressor(TimeSeriesRegressor):
    """An Estimator for an autoregressive model, `ARModel` with dense layers.

    Args:
      periodicities: cycle length in units of time, or a list of lengths.
      input_window_size: number of input time steps.
      output_window_size: number of predicted times; training windows contain both.
      num_features: number of values per time step.
      exogenous_feature_columns: feature columns of the exogenous features.
      num_time_buckets: number of buckets per cycle.
      loss: `ARModel.NORMAL_LIKELIHOOD_LOSS` or `ARModel.SQUARED_LOSS`.
      hidden_layer_sizes: hidden layer sizes; None for a linear model.
      anomaly_prior_probability: prior probability of an anomaly, between 0 and 1; None for a model without anomalies.
      anomaly_distribution: distribution of anomalies around predictions, "gaussian" or "cauchy".
      optimizer: minimizes the loss; by default Adagrad with a rate of 0.1.
      model_dir: directory of checkpoints and event files.
      config: a `tf.estimator.RunConfig`.

    Raises:
      ValueError: for an anomaly distribution without a probability, or with any other loss.

    Example:
      estimator = tf.contrib.timeseries.ARRegressor(24, input_window_size=10, output_window_size=2, num_features=1)
      estimator.train(tf.contrib.timeseries.RandomWindowInputFn(reader, window_size=12, batch_size=8), steps=100)
      evaluation = estimator.evaluate(tf.contrib.timeseries.WholeDatasetInputFn(reader), steps=1)
    """

    def __init__(
        self,
        periodicities: int | Sequence[int],
        input_window_size: int,
        output_window_size: int,
        num_features: int,
        exogenous_feature_columns: Iterable[Any] | None = None,
        num_time_buckets: int = 10,
        loss: str = ARModel.NORMAL_LIKELIHOOD_LOSS,
        hidden_layer_sizes: Sequence[int] | None = None,
        anomaly_prior_probability: float | None = None,
        anomaly_distribution: str | None = None,
        optimizer: Optimizer | None = None,
        model_dir: str | None = None,
        config: RunConfig | None = None,
    ):
        settings: dict[str, Any] = {
            "periodicities": periodicities,
            "input_window_size": input_window_size,
            "output_window_size": output_window_size,
            "num_features": num_features,
            "prediction_model_factory": functools.partial(
                FlatPredictionModel, hidden_layer_sizes=hidden_layer_sizes
            ),
            "num_time_buckets": num_time_buckets,
            "exogenous_feature_columns": exogenous_feature_columns,
        }
        if anomaly_prior_probability is None:
            if anomaly_distribution is not None:
                raise ValueError(
                    "anomaly_prior_probability is required if anomaly_distribution is specified."
                )
            model = ARModel(loss=loss, **settings)
        elif loss != ARModel.NORMAL_LIKELIHOOD_LOSS:
            raise ValueError(
                "AnomalyMixtureARModel only supports ar_model.ARModel.NORMAL_LIKELIHOOD_LOSS for"
                " its loss argument."
            )
        else:
            model = AnomalyMixtureARModel(
                anomaly_prior_probability=anomaly_prior_probability,
                anomaly_distribution=anomaly_distribution,
                **settings,
            )
        if optimizer is None:
            optimizer = AdagradOptimizer(0.1)
        super().__init__(model, FilteringOnlyStateManager(), optimizer, model_dir, config)


class LSTMAutoRegressor(TimeSeriesRegressor):
    """An Estimator for an autoregressive model with LSTMs, exported with a single, stateless signature.

    Args:
      periodicities, input_window_size, output_window_size, model_dir, num_features, loss, config: as in `ARRegressor`.
      extra_feature_columns: feature columns of the exogenous features.
      num_timesteps: number of buckets per cycle.
      num_units: the size of each LSTM.
      optimizer: an Optimizer, its name (with learning rate 0.01), or a function that returns it.
    """

    def __init__(
        self,
        periodicities: Any,
        input_window_size: int,
        output_window_size: int,
        model_dir: Any = None,
        num_features: int = 1,
        extra_feature_columns: Any = None,
        num_timesteps: int = 10,
        loss: str = ARModel.NORMAL_LIKELIHOOD_LOSS,
        num_units: int = 128,
        optimizer: Any = "Adam",
        config: Any = None,
    ):
        optimizer = create_optimizer(optimizer, learning_rate=0.01)
        model = ARModel(
            periodicities=periodicities,
            input_window_size=input_window_size,
            output_window_size=output_window_size,
            num_features=num_features,
            prediction_model_factory=functools.partial(LSTMPredictionModel, num_units=num_units),
            num_time_buckets=num_timesteps,
            loss=loss,
            exogenous_feature_columns=extra_feature_columns,
        )
        super().__init__(
            model,
            FilteringOnlyStateManager(),
            optimizer,
            model_dir,
            config,
            OneShotPredictionHead,
        )
