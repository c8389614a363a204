"""State space models: a hidden state with linear Gaussian dynamics, observed through its values."""

from __future__ import annotations

from typing import Any

from tfmini._src.contrib.layers.fully_connected import fully_connected
from tfmini._src.contrib.timeseries.covariances import (
    clip_covariance,
    transform_to_covariance_matrices,
)
from tfmini._src.contrib.timeseries.state_space.generation import draw_parameters, draw_series
from tfmini._src.contrib.timeseries.state_space.linear_model import LinearModel
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.tensor import Tensor
from tfmini._src.models.estimator.mode_keys import ModeKeys
from tfmini._src.ops import ops
from tfmini._src.variables.variable_scope import variable_scope


class StateSpaceModel(LinearModel):
    """State space model, trained on the likelihood of a Kalman filter's predictions.

    A state is a mean, [batch, n], a covariance, [batch, n, n], and its times, [batch]. Subclasses define its dynamics:
    `get_state_transition`, `get_noise_transform` and `get_observation_model`.

    Args:
      configuration: a `StateSpaceModelConfiguration`.
    """

    def _window_initializer(self, times: Tensor, state: Any) -> None:
        """Precomputes transitions and noise for each distinct time gap in the window."""
        times = ops.convert_to_tensor(times)
        previous_time = ops.convert_to_tensor(state[2])
        intervals = ops.reshape(times[:, 1:] - times[:, :-1], [-1])
        first = ops.maximum(times[:, 0] - previous_time, 0)
        gaps, _ = ops.unique(ops.concat([intervals, first], axis=0))
        self._window_power_sums = self.transition_power_noise_accumulator(gaps)
        self._window_transition_powers = self.transition_to_powers(gaps)
        self._window_gap_sizes = gaps

    def _lookup_window_caches(self, caches: list[Tensor], indices: Tensor) -> list[Tensor]:
        """Returns the rows of the precomputed caches for time gaps `indices`, [batch]: each [batch, n, n]."""
        sizes = self._window_gap_sizes
        both = ops.concat([sizes, ops.cast(indices, sizes.dtype)], axis=0)
        _, positions = ops.unique(both)
        rows_of_caches = []
        for cache in caches:
            rows = ops.gather(cache, positions[-ops.shape(indices)[0] :])
            rows.set_shape(indices.get_shape().concatenate(rows.get_shape()[-2:]))
            rows_of_caches.append(rows)
        return rows_of_caches

    def _imputation_step(self, current_times: Tensor, state: Any) -> Any:
        mean, variance, previous_time = state
        steps = ops.maximum(current_times - previous_time, 0)
        caches = [self._window_transition_powers, self._window_power_sums]
        transition, noise = self._lookup_window_caches(caches, steps)
        mean = self._kalman_filter.predict_state_mean(mean, transition)
        variance = self._kalman_filter.predict_state_var(variance, transition, noise)
        return mean, variance, previous_time + steps

    def _prediction_step(self, current_times: Tensor, state: Any) -> tuple[Any, dict[str, Any]]:
        mean, variance, previous_time = state
        is_moved = ops.Assert(
            ops.reduce_all(ops.less_equal(current_times, previous_time)),
            ["Attempted to predict without imputation"],
        )
        batch, size = current_times.get_shape(), self.num_features
        with control_dependencies([is_moved]):
            seen_mean, seen_variance = self._kalman_filter.observed_from_state(
                state_mean=mean,
                state_var=variance,
                observation_model=self.get_broadcasted_observation_model(current_times),
                observation_noise=self._observation_noise_covariance,
            )
        seen_mean.set_shape(batch.concatenate((size,)))
        seen_variance.set_shape(batch.concatenate((size, size)))
        return (mean, variance, current_times), {"mean": seen_mean, "covariance": seen_variance}

    def _filtering_step(
        self, current_times: Tensor, current_values: Tensor, state: Any, predictions: Any
    ) -> tuple[Any, dict[str, Any]]:
        mean, variance, previous_time = state
        model = self.get_broadcasted_observation_model(current_times)
        is_moved = ops.Assert(
            ops.reduce_all(ops.equal(current_times, previous_time)),
            ["Attempted to perform filtering without imputation/prediction"],
        )
        settings = self._configuration
        with control_dependencies([is_moved]):
            variance = clip_covariance(
                variance,
                settings.filtering_maximum_posterior_variance_ratio,
                settings.filtering_minimum_posterior_variance,
            )
            mean, variance, log_prob = self._kalman_filter.do_filter(
                estimated_state=mean,
                estimated_state_covariance=variance,
                predicted_observation=predictions["mean"],
                predicted_observation_covariance=predictions["covariance"],
                observation=current_values,
                observation_model=model,
                observation_noise=self._observation_noise_covariance,
            )
        filtered = (mean, variance, current_times)
        log_prob.set_shape(current_times.get_shape())
        predictions["loss"] = -log_prob
        predictions["log_likelihood"] = log_prob
        if settings.filtering_postprocessor is None:
            return filtered, predictions
        return settings.filtering_postprocessor.process_filtering_step(
            current_times=current_times,
            current_values=current_values,
            predicted_state=state,
            filtered_state=filtered,
            outputs=predictions,
        )

    def _scale_back_predictions(self, predictions: dict[str, Any]) -> dict[str, Any]:
        predictions["mean"] = self._scale_back_data(predictions["mean"])
        predictions["covariance"] = self._scale_back_variance(predictions["covariance"])
        return predictions

    def _exogenous_input_step(
        self, current_times: Tensor, current_exogenous_regressors: Tensor, state: Any
    ) -> Any:
        if self._configuration.exogenous_noise_decreases:
            state = self._observe_exogenous(current_exogenous_regressors, state)
        if self._configuration.exogenous_noise_increases:
            state = self._add_exogenous(current_exogenous_regressors, state)
        return state

    def _observe_exogenous(self, vectors: Tensor, state: Any) -> Any:
        """Returns the state after observing layers' outputs for exogenous features."""
        mean, variance, previous_time = state
        transition = ops.convert_to_tensor(self.get_state_transition(), dtype=self.dtype)
        size = transition.shape.dims[0].value
        model = ops.eye(size, batch_shape=ops.shape(vectors)[:-1], dtype=self.dtype)
        with variable_scope("exogenous_noise_decreasing_covariance"):
            noise = transform_to_covariance_matrices(vectors, size)
        with variable_scope("exogenous_noise_decreasing_observation"):
            observation = fully_connected(vectors, size, activation_fn=None)
        mean, variance = self._kalman_filter.posterior_from_prior_state(
            prior_state=mean,
            prior_state_var=variance,
            observation=observation,
            observation_model=model,
            predicted_observations=(mean, noise + variance),
            observation_noise=noise,
        )
        return mean, variance, previous_time

    def _add_exogenous(self, vectors: Tensor, state: Any) -> Any:
        """Returns the state with layers' outputs for exogenous features added to its mean and covariance."""
        mean, variance, previous_time = state
        with variable_scope("exogenous_noise_increasing_mean"):
            change = fully_connected(vectors, mean.shape.dims[1].value, activation_fn=None)
        with variable_scope("exogenous_noise_increasing_covariance"):
            noise = transform_to_covariance_matrices(vectors, variance.shape.dims[1].value)
        return mean + change, variance + noise, previous_time

    def _loss_additions(self, times: Tensor, values: Tensor, mode: str) -> Any:
        """Returns the weighted negative log prior of the covariances in training, else 0."""
        if mode != ModeKeys.TRAIN:
            return ops.zeros([], dtype=self.dtype)
        settings, statistics = self._configuration, self._input_statistics
        if statistics is not None and settings.bayesian_prior_weighting:
            weight = 1.0 / ops.cast(statistics.total_observation_count, self.dtype)
        else:
            weight = 1.0 / ops.cast(ops.shape(times)[1], self.dtype)

        def density(covariance: Tensor) -> Tensor:
            prior = settings.covariance_prior_fn(covariance)
            return ops.convert_to_tensor(prior, dtype=self.dtype)

        total = density(self.state_transition_noise_covariance)
        if settings.use_observation_noise and self._observation_noise_covariance is not None:
            total = total + density(self._observation_noise_covariance)
        return -weight * total

    def random_model_parameters(self, seed: int | None = None) -> dict[Any, Any]:
        """Returns random parameters for `generate`: values by tensor.

        Args:
          seed: random seed.

        Raises:
          NotImplementedError: for several values per time step.
        """
        return draw_parameters(self, seed)

    def generate(
        self,
        number_of_series: int,
        series_length: int,
        model_parameters: Any = None,
        seed: int | None = None,
        add_observation_noise: bool | None = None,
    ) -> dict[str, Any]:
        """Generates series from the model, in the default session.

        Args:
          number_of_series: number of series.
          series_length: length of each series.
          model_parameters: a dict that maps parameter tensors to replacement values.
          seed: random seed.
          add_observation_noise: whether to add noise to the state's values; by default according to the configuration.

        Returns:
          A dict: "times", integers [number_of_series, series_length], and "values", floats
          [number_of_series, series_length, 1].

        Raises:
          NotImplementedError: for several values per time step.
        """
        if add_observation_noise is None:
            add_observation_noise = self._configuration.use_observation_noise
        return draw_series(
            self,
            (number_of_series, series_length),
            model_parameters or {},
            seed,
            add_observation_noise,
        )
