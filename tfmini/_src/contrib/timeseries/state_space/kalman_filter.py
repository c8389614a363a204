"""Kalman filters: state estimates, as means and covariances, predicted and corrected by observations."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.contrib.timeseries.log_densities import mvn_tril_log_prob
from tfmini._src.contrib.timeseries.matrices import batch_times_matrix
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops

_UNSTABLE = (
    "This may occur due to numerically unstable filtering when there is a large difference in"
    " posterior variances, or when inferences are near-deterministic. Considering tuning the"
    " 'filtering_maximum_posterior_variance_ratio' or 'filtering_minimum_posterior_variance'"
    " parameters in your StateSpaceModelConfiguration, or tuning the transition matrix."
)


class KalmanFilter:
    """Kalman filter for batches of series.

    Args:
      dtype: the dtype of states.
      simplified_posterior_covariance_computation: whether to use the shorter covariance formula, which does not
        preserve symmetry exactly.
    """

    def __init__(
        self,
        dtype: Any = dtypes.float32,
        simplified_posterior_covariance_computation: bool = False,
    ):
        self.dtype = dtype
        self._is_simplified = simplified_posterior_covariance_computation

    def do_filter(
        self,
        estimated_state: Tensor,
        estimated_state_covariance: Tensor,
        predicted_observation: Tensor,
        predicted_observation_covariance: Tensor,
        observation: Tensor,
        observation_model: Tensor,
        observation_noise: Any,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Returns the state after an observation: means [batch, n], covariances [batch, n, n], log densities [batch].

        Args:
          estimated_state, estimated_state_covariance: the state before, [batch, n] and [batch, n, n].
          predicted_observation, predicted_observation_covariance: the prediction, [batch, m] and [batch, m, m].
          observation: the observed values, [batch, m].
          observation_model: matrices from a state to observations, [batch, m, n].
          observation_noise: the covariance of the observation noise, [m, m] or [batch, m, m].

        Raises:
          InvalidArgumentError (at run time): for predicted covariances that are not finite or have negative variances.
        """
        covariance = predicted_observation_covariance
        symmetric = 0.5 * (covariance + ops.matrix_transpose(covariance))
        symmetric = ops.verify_tensor_all_finite(
            symmetric, f"Predicted observation covariance was not finite. {_UNSTABLE}"
        )
        min_diagonal = ops.reduce_min(ops.matrix_diag_part(symmetric))
        is_valid = ops.Assert(
            min_diagonal >= 0.0,
            [
                f"The predicted observation covariance has a negative diagonal entry. {_UNSTABLE}",
                min_diagonal,
            ],
        )
        with control_dependencies([is_valid]):
            factor = ops.cholesky(symmetric)
        log_prob = mvn_tril_log_prob(predicted_observation, factor, observation)
        mean, variance = self.posterior_from_prior_state(
            prior_state=estimated_state,
            prior_state_var=estimated_state_covariance,
            observation=observation,
            observation_model=observation_model,
            predicted_observations=(predicted_observation, covariance),
            observation_noise=observation_noise,
        )
        return mean, variance, log_prob

    def predict_state_mean(self, prior_state: Tensor, transition_matrices: Tensor) -> Tensor:
        """Returns the predicted means, [batch, n], by transition matrices, [batch, n, n]."""
        return ops.squeeze(ops.matmul(transition_matrices, prior_state[..., None]), axis=[-1])

    def predict_state_var(
        self, prior_state_var: Tensor, transition_matrices: Tensor, transition_noise_sums: Tensor
    ) -> Tensor:
        """Returns the predicted covariances, by transition matrices and with noise; all are [batch, n, n]."""
        transitioned = ops.matmul(transition_matrices, prior_state_var)
        transitioned = ops.matmul(transitioned, transition_matrices, adjoint_b=True)
        return transitioned + transition_noise_sums

    def posterior_from_prior_state(
        self,
        prior_state: Tensor,
        prior_state_var: Tensor,
        observation: Tensor,
        observation_model: Tensor,
        predicted_observations: tuple[Tensor, Tensor],
        observation_noise: Any,
    ) -> tuple[Tensor, Tensor]:
        """Returns the posterior state after an observation: means [batch, n] and covariances [batch, n, n].

        Args:
          prior_state, prior_state_var: the state before.
          observation, observation_model, observation_noise: as in `do_filter`.
          predicted_observations: means and covariances of the predictions.
        """
        observed_mean, observed_var = predicted_observations
        residual = observation - observed_mean
        right = ops.matmul(observation_model, prior_state_var, adjoint_b=True)
        gain = ops.matrix_solve(matrix=observed_var, rhs=right, adjoint=True)  # the transposed gain
        change = ops.matmul(gain, ops.expand_dims(residual, -1), adjoint_a=True)
        mean = prior_state + ops.squeeze(change, axis=[-1])
        observed_gain = ops.matmul(gain, observation_model, adjoint_a=True)
        complement = (
            ops.eye(ops.shape(observed_gain)[1], dtype=observed_gain.dtype)[None] - observed_gain
        )
        if self._is_simplified:
            return mean, ops.matmul(complement, prior_state_var)
        noise = ops.convert_to_tensor(observation_noise)
        variance = ops.matmul(complement, prior_state_var)
        variance = ops.matmul(complement, variance, adjoint_b=True)

        def with_batch() -> Tensor:
            return variance + ops.matmul(ops.matmul(gain, noise, adjoint_a=True), gain)

        def with_matrix() -> Tensor:
            return variance + ops.matmul(batch_times_matrix(gain, noise, adj_x=True), gain)

        rank = noise.get_shape().ndims
        if rank is None:
            is_matrix = ops.equal(ops.rank(noise), 2)
            return mean, ops.cond(is_matrix, with_matrix, with_batch)
        return mean, with_matrix() if rank == 2 else with_batch()

    def observed_from_state(
        self,
        state_mean: Tensor,
        state_var: Tensor,
        observation_model: Tensor,
        observation_noise: Any,
    ) -> tuple[Tensor, Tensor]:
        """Returns the predicted observation of a state: means [batch, m] and covariances [batch, m, m].

        Args:
          state_mean, state_var: the state, [batch, n] and [batch, n, n].
          observation_model, observation_noise: as in `do_filter`.
        """
        rows = ops.expand_dims(state_mean, 1)
        mean = ops.squeeze(ops.matmul(rows, observation_model, adjoint_b=True), axis=[1])
        variance = ops.matmul(observation_model, state_var)
        variance = ops.matmul(variance, observation_model, adjoint_b=True)
        variance += observation_noise
        return mean, variance
