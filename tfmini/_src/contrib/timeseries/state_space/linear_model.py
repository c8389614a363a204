"""Linear model of a hidden state: transitions, noise, observations."""

from __future__ import annotations

import abc
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.contrib.timeseries.covariances import variable_covariance_matrix
from tfmini._src.contrib.timeseries.matrices import matrix_to_powers, power_sums_tensor
from tfmini._src.contrib.timeseries.sequential_model import SequentialTimeSeriesModel
from tfmini._src.contrib.timeseries.state_space.configuration import StateSpaceModelConfiguration
from tfmini._src.contrib.timeseries.state_space.kalman_filter import KalmanFilter
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.variables.get_variable import get_variable, get_variable_scope
from tfmini._src.variables.variable_scope import variable_scope


class LinearModel(SequentialTimeSeriesModel):
    """Base class of linear models of a hidden state.

    Subclasses define the state transition, x' = `get_state_transition()` x, the part of it that receives noise,
    `get_noise_transform()` e, and the observation, `get_observation_model(times)` x.
    """

    _configuration: StateSpaceModelConfiguration

    def __init__(self, configuration: StateSpaceModelConfiguration):
        self._configuration = configuration
        postprocessor = configuration.filtering_postprocessor
        extra_names = [] if postprocessor is None else postprocessor.output_names
        super().__init__(
            train_output_names=["mean", "covariance", "log_likelihood", *extra_names],
            predict_output_names=["mean", "covariance"],
            num_features=configuration.num_features,
            normalize_features=True,
            dtype=configuration.dtype,
            exogenous_feature_columns=configuration.exogenous_feature_columns,
            exogenous_update_condition=configuration.exogenous_update_condition,
            static_unrolling_window_size_threshold=(
                configuration.static_unrolling_window_size_threshold
            ),
        )
        self._kalman_filter: Any = None
        self.prior_state_mean: Any = None
        self.prior_state_var: Any = None
        self.state_transition_noise_covariance: Any = None
        self._observation_noise_covariance: Any = None
        self._observation_transition_tradeoff_log_scale: Any = None
        self._variable_scope = get_variable_scope()

    @abc.abstractmethod
    def get_state_transition(self) -> Any:
        """Returns the state transition matrix of one step, [n, n]."""

    @abc.abstractmethod
    def get_noise_transform(self) -> Any:
        """Returns the matrix from noise to state, [n, noises]."""

    @abc.abstractmethod
    def get_observation_model(self, times: Tensor) -> Any:
        """Returns the observation matrix: [n], [features, n], or one per time [batch]: [batch, features, n]."""

    def get_broadcasted_observation_model(self, times: Tensor) -> Tensor:
        """Returns the observation matrices at times [batch]: [batch, features, n]."""
        model = ops.convert_to_tensor(self.get_observation_model(times), dtype=self.dtype)
        shape = model.get_shape().with_rank_at_least(1).with_rank_at_most(3)
        if shape.ndims is None:
            has_batch = ops.Assert(ops.equal(ops.rank(model), 3), [ops.shape(model)])
            with control_dependencies([has_batch]):
                return ops.identity(model)
        if shape.ndims == 1:
            row = ops.reshape(tensor=model, shape=[1, 1, -1])
            model = ops.tile(row, [ops.shape(times)[0], self.num_features, 1])
        elif shape.ndims == 2:
            matrix = ops.expand_dims(model, axis=0)
            model = ops.tile(matrix, [ops.shape(times)[0], 1, 1])
        model.get_shape().assert_has_rank(3)
        return model

    def get_features_for_timesteps(self, timesteps: Tensor) -> Tensor:
        """Returns features derived only from times [n]; by default none, [n, 0]."""
        return ops.zeros([ops.shape(timesteps)[0], 0], dtype=self.dtype)

    def transition_to_powers(self, powers: Tensor) -> Tensor:
        """Returns the state transition matrices for k step counts: [k, n, n]."""
        transition = ops.convert_to_tensor(self.get_state_transition(), dtype=self.dtype)
        return matrix_to_powers(transition, powers)

    def transition_power_noise_accumulator(self, num_steps: Tensor) -> Tensor:
        """Returns the accumulated state noise for k step counts: covariances [k, n, n]."""
        transform = ops.convert_to_tensor(self.get_noise_transform(), self.dtype)
        noise = ops.matmul(transform, self.state_transition_noise_covariance)
        noise = ops.matmul(noise, transform, transpose_b=True)
        size = ops.reduce_max(num_steps) + 1
        transition = ops.convert_to_tensor(self.get_state_transition(), dtype=self.dtype)
        sums = power_sums_tensor(size, transition, noise)
        return ops.gather(sums, indices=num_steps)

    def _variable_observation_transition_tradeoff_log(self) -> Any:
        bias = self._configuration.transition_covariance_initial_log_scale_bias
        return get_variable(
            name="observation_transition_tradeoff_log_scale",
            initializer=ops.constant(-bias, dtype=self.dtype),
            dtype=self.dtype,
        )

    def _define_parameters(self, observation_transition_tradeoff_log: Any = None) -> None:
        """Creates the transition parameters; ensembles pass a shared noise tradeoff to their members."""
        with variable_scope(self._variable_scope):
            if observation_transition_tradeoff_log is None:
                tradeoff = self._variable_observation_transition_tradeoff_log()
            else:
                tradeoff = observation_transition_tradeoff_log
            self._observation_transition_tradeoff_log_scale = tradeoff
            self.state_transition_noise_covariance = self.get_state_transition_noise_covariance()

    def _set_input_statistics(self, input_statistics: Any = None) -> None:
        super().initialize_graph(input_statistics)

    def initialize_graph(self, input_statistics: Any = None) -> None:
        """Creates the parameters of the model.

        Args:
          input_statistics: `InputStatistics` of the series for scaling values; None for no scaling.
        """
        self._set_input_statistics(input_statistics=input_statistics)
        self._define_parameters()
        with variable_scope(self._variable_scope):
            self._observation_noise_covariance = ops.convert_to_tensor(
                self.get_observation_noise_covariance(), dtype=self.dtype
            )
        self._kalman_filter = KalmanFilter(dtype=self.dtype)
        self.prior_state_mean, self.prior_state_var = self._make_priors()

    def _make_priors(self) -> tuple[Any, Any]:
        """Returns the prior state: mean, [n], and covariance, [n, n]."""
        covariance = self.get_prior_covariance()
        return self.get_prior_mean(), covariance

    def get_prior_covariance(self) -> Tensor:
        """Returns the covariance of the prior state, [n, n]."""
        with variable_scope(self._variable_scope):
            transition = ops.convert_to_tensor(self.get_state_transition())
            size = transition.get_shape().dims[0].value
            if not self._configuration.trainable_start_state:
                return ops.eye(size, dtype=self.dtype)
            covariance = variable_covariance_matrix(size, "prior_state_var", dtype=self.dtype)
            if self._input_statistics is None:
                return covariance
            variance = self._scale_variance(self._input_statistics.series_start_moments.variance)
            return covariance * ops.maximum(ops.reduce_max(variance), 1.0)

    def get_prior_mean(self) -> Any:
        """Returns the mean of the prior state, [n]."""
        with variable_scope(self._variable_scope):
            transition = ops.convert_to_tensor(self.get_state_transition(), dtype=self.dtype)
            return get_variable(
                name="prior_state_mean",
                shape=[transition.get_shape().dims[0].value],
                dtype=self.dtype,
                trainable=self._configuration.trainable_start_state,
            )

    def get_start_state(self) -> Any:
        """Returns the prior state: mean, [n], covariance, [n, n], and time."""
        if self._input_statistics is not None:
            start = self._input_statistics.start_time
        else:
            start = ops.zeros([], dtype=dtypes.int64)
        return self.prior_state_mean, self.prior_state_var, start - 1

    def get_state_transition_noise_covariance(
        self, minimum_initial_variance: float = 1e-5
    ) -> Tensor:
        """Returns the covariance of the noise of a step, [noises, noises]; its initial variance is bounded below."""
        transform = ops.convert_to_tensor(self.get_noise_transform(), dtype=self.dtype)
        size = transform.get_shape().dims[1].value
        scale: Any = 0.0
        if self._input_statistics is not None:
            variance = self._scale_variance(self._input_statistics.series_start_moments.variance)
            mean = ops.reduce_mean(variance)
            count = ops.cast(self._input_statistics.total_observation_count, self.dtype)
            scale = ops.log(ops.maximum(mean / count, minimum_initial_variance))
        scale -= self._observation_transition_tradeoff_log_scale
        return variable_covariance_matrix(
            size, "state_transition_noise", dtype=self.dtype, initial_overall_scale_log=scale
        )

    def get_observation_noise_covariance(self, minimum_initial_variance: float = 1e-5) -> Tensor:
        """Returns the covariance of observation noise, [features, features]; its initial variance is bounded below."""
        name = "observation_noise_covariance"
        if not self._configuration.use_observation_noise:
            shape = [self.num_features, self.num_features]
            return ops.zeros(shape=shape, name=name, dtype=self.dtype)
        variance = None
        if self._input_statistics is not None:
            variance = self._scale_variance(self._input_statistics.series_start_moments.variance)
            variance = ops.maximum(variance, minimum_initial_variance)
        return variable_covariance_matrix(
            self.num_features,
            name,
            self.dtype,
            variance,
            self._observation_transition_tradeoff_log_scale,
        )
