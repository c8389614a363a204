"""Postprocessing of filtering steps in state space models, to discount anomalous observations."""

from __future__ import annotations

import abc
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.nest.structure import flatten, pack_sequence_as
from tfmini._src.contrib.timeseries.covariances import entropy_matched_cauchy_scale
from tfmini._src.contrib.timeseries.log_densities import cauchy_log_prob
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops


class FilteringStepPostprocessor(abc.ABC):
    """Interface of postprocessors that alter a step's state and outputs after an observation."""

    @abc.abstractmethod
    def process_filtering_step(
        self,
        current_times: Tensor,
        current_values: Tensor,
        predicted_state: Any,
        filtered_state: Any,
        outputs: dict[str, Any],
    ) -> tuple[Any, dict[str, Any]]:
        """Returns the altered state and outputs.

        Args:
          current_times: integers [batch].
          current_values: the observation, [batch, features].
          predicted_state: the state before the observation.
          filtered_state: the state after it.
          outputs: the outputs of the step: "mean", "covariance", "loss", "log_likelihood".
        """

    @property
    @abc.abstractmethod
    def output_names(self) -> list[str]:
        """Names of the outputs that the postprocessor adds."""


def cauchy_alternative_to_gaussian(
    current_times: Tensor, current_values: Tensor, outputs: dict[str, Any]
) -> Tensor:
    """Returns the log-likelihood of observations as anomalies: Cauchy log densities around the predictions, [batch]."""
    scale = entropy_matched_cauchy_scale(outputs["covariance"])
    densities = cauchy_log_prob(loc=outputs["mean"], scale=scale, x=current_values)
    return ops.reduce_sum(densities, axis=1)


def interpolate(first: Any, second: Any, weight: Tensor) -> Any:
    """Returns the interpolation of two states, with weight [batch] on the first; integer parts must be equal."""

    def between(first_value: Tensor, other: Tensor) -> Tensor:
        assert first_value.dtype == other.dtype, (first_value, other)
        if not first_value.dtype.is_floating:
            with control_dependencies([ops.assert_equal(first_value, other)]):
                return ops.identity(first_value)
        size = ops.shape(weight)
        ones = ops.ones([ops.rank(first_value) - 1], dtype=dtypes.int32)
        padded = ops.reshape(tensor=weight, shape=ops.concat([size, ones], 0))
        mixture = padded * first_value + (1.0 - padded) * other
        mixture.set_shape(first_value.get_shape())
        return mixture

    parts = [
        between(first_value, other) for first_value, other in zip(flatten(first), flatten(second))
    ]
    return pack_sequence_as(first, parts)


class StateInterpolatingAnomalyDetector(FilteringStepPostprocessor):
    """Discounts observations in proportion to how likely they are anomalies.

    The state is interpolated between the states before and after an observation; the output "anomaly_score" is the log
    odds of an anomaly.

    Args:
      anomaly_log_likelihood: a function of `current_times`, `current_values` and `outputs` that returns the
        log-likelihoods of the observations if they are anomalies, [batch].
      anomaly_prior_probability: prior probability of an anomaly.
      responsibility_scaling: how sharply the state follows the odds.
    """

    output_names = ["anomaly_score"]

    def __init__(
        self,
        anomaly_log_likelihood: Any = cauchy_alternative_to_gaussian,
        anomaly_prior_probability: float = 0.01,
        responsibility_scaling: float = 1.0,
    ):
        self._anomaly_log_likelihood = anomaly_log_likelihood
        self._anomaly_prior_probability = anomaly_prior_probability
        self._responsibility_scaling = responsibility_scaling

    def process_filtering_step(
        self,
        current_times: Tensor,
        current_values: Tensor,
        predicted_state: Any,
        filtered_state: Any,
        outputs: dict[str, Any],
    ) -> tuple[Any, dict[str, Any]]:
        """Interpolates between the states before and after the observation; adds output "anomaly_score", [batch]."""
        likelihood = self._anomaly_log_likelihood(
            current_times=current_times, current_values=current_values, outputs=outputs
        )
        prior = ops.convert_to_tensor(self._anomaly_prior_probability, dtype=current_values.dtype)
        as_anomaly = likelihood + ops.log(prior)
        regular_log_prob = outputs["log_likelihood"] + ops.log(1.0 - prior)
        odds = as_anomaly - regular_log_prob
        weight = ops.sigmoid(-self._responsibility_scaling * odds)
        state = interpolate(filtered_state, predicted_state, weight)
        mixture_prob = weight * regular_log_prob + (1.0 - weight) * as_anomaly
        outputs["loss"] = -mixture_prob
        outputs["anomaly_score"] = odds
        return state, outputs
