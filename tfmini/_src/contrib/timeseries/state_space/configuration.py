"""Settings of a state space model."""

from __future__ import annotations

from typing import Any, NamedTuple

from tfmini._src.base import dtypes
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.contrib.timeseries.covariances import log_noninformative_covariance_prior


class _Settings(NamedTuple):
    num_features: int = 1
    use_observation_noise: bool = True
    dtype: Any = dtypes.float32
    covariance_prior_fn: Any = log_noninformative_covariance_prior
    bayesian_prior_weighting: bool = True
    filtering_postprocessor: Any = None
    trainable_start_state: bool = False
    exogenous_noise_increases: bool = True
    exogenous_noise_decreases: bool = False
    exogenous_feature_columns: Any = None
    exogenous_update_condition: Any = None
    filtering_maximum_posterior_variance_ratio: float = 1e6
    filtering_minimum_posterior_variance: float = 0.0
    transition_covariance_initial_log_scale_bias: float = -5.0
    static_unrolling_window_size_threshold: int | None = None


class StateSpaceModelConfiguration(_Settings):
    """Settings of a state space model, a named tuple.

    Args:
      num_features: number of values per time step.
      use_observation_noise: whether observations contain noise.
      dtype: the dtype of states and values.
      covariance_prior_fn: the log density of a prior over covariances, added to the loss.
      bayesian_prior_weighting: whether the prior has less weight for longer series.
      filtering_postprocessor: a `FilteringStepPostprocessor` that changes states after observations, or None.
      trainable_start_state: whether the state before the first time is trainable.
      exogenous_noise_increases: whether exogenous features move the state and add to its covariance.
      exogenous_noise_decreases: whether exogenous features are observations of the state.
      exogenous_feature_columns: their feature columns.
      exogenous_update_condition: condition of exogenous updates, as in `SequentialTimeSeriesModel`.
      filtering_maximum_posterior_variance_ratio: maximum ratio of the largest to the smallest variance of a state.
      filtering_minimum_posterior_variance: the lower bound of each variance.
      transition_covariance_initial_log_scale_bias: the logarithm of the initial transition noise relative to
        observations.
      static_unrolling_window_size_threshold: maximum length of unrolled windows; None to always use loops.
    """

    @arguments_of(_Settings.__new__)
    def __new__(
        _cls, exogenous_feature_columns: Any, **kwargs: Any
    ) -> StateSpaceModelConfiguration:
        """Creates the settings; same arguments as the class."""
        columns = [] if exogenous_feature_columns is None else exogenous_feature_columns
        return super().__new__(_cls, exogenous_feature_columns=columns, **kwargs)
