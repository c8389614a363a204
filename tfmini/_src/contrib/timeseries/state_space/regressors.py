"""Estimators for state space models."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.contrib.timeseries.head import TimeSeriesRegressionHead
from tfmini._src.contrib.timeseries.regressors import TimeSeriesRegressor
from tfmini._src.contrib.timeseries.state_managers import ChainingStateManager
from tfmini._src.contrib.timeseries.state_space.anomalies import StateInterpolatingAnomalyDetector
from tfmini._src.contrib.timeseries.state_space.configuration import StateSpaceModelConfiguration
from tfmini._src.contrib.timeseries.state_space.state_space_model import StateSpaceModel
from tfmini._src.contrib.timeseries.state_space.structural_ensemble import (
    MultiResolutionStructuralEnsemble,
)

if TYPE_CHECKING:
    from tfmini._src.contrib.timeseries.model import TimeSeriesModel
    from tfmini._src.models.estimator.run_config import RunConfig
    from tfmini._src.train.optimizers.optimizer import Optimizer


class StateSpaceRegressor(TimeSeriesRegressor):
    """An Estimator for a state space model.

    Args:
      model: the model, a `StateSpaceModel`.
      state_manager: provider of the initial state of each batch; by default a `ChainingStateManager`.
      optimizer, model_dir, config, head_type: as in `TimeSeriesRegressor`.

    Raises:
      ValueError: if the model has the wrong type.
    """

    @arguments_of(TimeSeriesRegressor)
    def __init__(self, model: TimeSeriesModel, state_manager: Any, *options: Any):
        if not isinstance(model, StateSpaceModel):
            raise ValueError(
                "StateSpaceRegressor only supports state space models (children of"
                f" StateSpaceModel) in its `model` argument, got {model}."
            )
        if state_manager is None:
            state_manager = ChainingStateManager()
        super().__init__(model, state_manager, *options)


class StructuralEnsembleRegressor(StateSpaceRegressor):
    """An Estimator that models a series as the sum of a level with a trend, cycles and a moving average.

    Args:
      periodicities: cycle length in units of time, possibly fractional, or a list; None for no cycle.
      num_features, exogenous_feature_columns, model_dir, config: as in `ARRegressor`.
      cycle_num_latent_values: number of latent values per cycle, odd, or a list; fewer are smoother.
      moving_average_order: number of previous noise values in the average.
      autoregressive_order: number of previous values in the regression.
      exogenous_update_condition: a function of `times`, integers [batch], and `features`, a dict of tensors [batch,
        ...], that returns the series to which exogenous features are applied, bools [batch]; None for all.
      dtype: the dtype of the model.
      anomaly_prior_probability: prior probability of an anomaly, which is discounted; None to disable anomaly
        detection.
      optimizer: minimizes the loss; by default Adam with a rate of 0.02.
      head_type: head class.

    Raises:
      ValueError: if the numbers of periodicities and latent values differ, or a number of latent values is even.

    Example:
      estimator = tf.contrib.timeseries.StructuralEnsembleRegressor(periodicities=24, num_features=1)
      estimator.train(tf.contrib.timeseries.RandomWindowInputFn(reader, window_size=32, batch_size=4), steps=100)
      evaluation = estimator.evaluate(tf.contrib.timeseries.WholeDatasetInputFn(reader), steps=1)
      input_fn = tf.contrib.timeseries.predict_continuation_input_fn(evaluation, steps=10)
      (row,) = estimator.predict(input_fn)
    """

    def __init__(
        self,
        periodicities: int | Sequence[int],
        num_features: int,
        cycle_num_latent_values: int = 11,
        moving_average_order: int = 4,
        autoregressive_order: int = 0,
        exogenous_feature_columns: Iterable[Any] | None = None,
        exogenous_update_condition: Callable[..., Any] | None = None,
        dtype: DTypeLike = dtypes.float64,
        anomaly_prior_probability: float | None = None,
        optimizer: Optimizer | None = None,
        model_dir: str | None = None,
        config: RunConfig | None = None,
        head_type: Any = TimeSeriesRegressionHead,
    ):
        detector = None
        if anomaly_prior_probability is not None:
            detector = StateInterpolatingAnomalyDetector(
                anomaly_prior_probability=anomaly_prior_probability
            )
        model = MultiResolutionStructuralEnsemble(
            cycle_num_latent_values=cycle_num_latent_values,
            moving_average_order=moving_average_order,
            autoregressive_order=autoregressive_order,
            periodicities=periodicities,
            configuration=StateSpaceModelConfiguration(
                num_features=num_features,
                dtype=dtype,
                filtering_postprocessor=detector,
                exogenous_feature_columns=exogenous_feature_columns,
                exogenous_update_condition=exogenous_update_condition,
            ),
        )
        super().__init__(
            model,
            optimizer=optimizer,
            model_dir=model_dir,
            config=config,
            head_type=head_type,
        )
