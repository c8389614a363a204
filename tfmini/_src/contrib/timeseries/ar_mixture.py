"""Autoregressive models that treat some values as anomalies."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.names.signature import arguments_of
from tfmini._src.contrib.timeseries.ar_model import ARModel
from tfmini._src.contrib.timeseries.log_densities import cauchy_log_prob, normal_log_prob
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.variables.get_variable import get_variable
from tfmini._src.variables.initializers import Zeros


class AnomalyMixtureARModel(ARModel):
    """An `ARModel` whose values follow a mixture of the predicted distribution and anomalies around it.

    Args:
      periodicities, input_window_size, output_window_size, num_features, prediction_model_factory, num_time_buckets,
        exogenous_feature_columns: as in `ARModel`.
      anomaly_prior_probability: prior probability of an anomaly, between 0 and 1.
      anomaly_distribution: distribution of anomalies around predictions: `GAUSSIAN_ANOMALY` or `CAUCHY_ANOMALY`.
    """

    GAUSSIAN_ANOMALY = "gaussian"
    CAUCHY_ANOMALY = "cauchy"

    @arguments_of(ARModel, "loss")
    def __init__(
        self,
        periodicities: Any,
        anomaly_prior_probability: float,
        prediction_model_factory: Any,
        anomaly_distribution: str | None = GAUSSIAN_ANOMALY,
        **settings: Any,
    ):
        assert 0.0 < anomaly_prior_probability < 1.0
        assert anomaly_distribution in (self.GAUSSIAN_ANOMALY, self.CAUCHY_ANOMALY)
        self._anomaly_prior_probability = anomaly_prior_probability
        self._anomaly_distribution = anomaly_distribution
        settings["prediction_model_factory"] = prediction_model_factory
        super().__init__(periodicities, **settings)

    def prediction_ops(
        self, times: Tensor, values: Any, exogenous_regressors: Any
    ) -> dict[str, Any]:
        """Returns the predictions of `ARModel`, plus "anomaly_params": the variance or scale of anomalies, a scalar."""
        predicted = super().prediction_ops(times, values, exogenous_regressors)
        log_scale = get_variable(
            "anomaly_log_param", shape=[], dtype=self.dtype, initializer=Zeros()
        )
        predicted["anomaly_params"] = ops.exp(log_scale)
        return predicted

    def _anomaly_log_prob(self, targets: Tensor, predicted: Any) -> Tensor:
        mean, scale = predicted["mean"], predicted["anomaly_params"]
        if self._anomaly_distribution == self.CAUCHY_ANOMALY:
            return cauchy_log_prob(targets, scale, mean)
        sigma = ops.sqrt(ops.maximum(scale, 1e-5))
        return normal_log_prob(targets, sigma, mean)

    def loss_op(self, targets: Tensor, prediction_ops: Any) -> Tensor:
        """Returns the mean loss of predictions, a scalar; same arguments as in `ARModel`."""
        mean, covariance = prediction_ops["mean"], prediction_ops["covariance"]
        sigma = ops.sqrt(ops.maximum(covariance, 1e-5))
        usual = normal_log_prob(targets, sigma, mean)
        usual += ops.log(1 - self._anomaly_prior_probability)
        anomaly_log_prob = self._anomaly_log_prob(targets, prediction_ops)
        anomaly_log_prob += ops.log(self._anomaly_prior_probability)
        smaller_log_prob, larger_log_prob = (
            ops.minimum(usual, anomaly_log_prob),
            ops.maximum(usual, anomaly_log_prob),
        )
        mixture_log_prob = larger_log_prob + ops.log(
            1 + ops.exp(smaller_log_prob - larger_log_prob)
        )
        loss = -ops.reduce_sum(mixture_log_prob)
        return loss / ops.cast(ops.reduce_prod(ops.shape(targets)), self.dtype)
