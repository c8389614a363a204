"""Vector autoregressive moving average (VARMA) models in state space form."""

from __future__ import annotations

from typing import Any

from tfmini._src.contrib.timeseries.covariances import variable_covariance_matrix
from tfmini._src.contrib.timeseries.state_space.configuration import StateSpaceModelConfiguration
from tfmini._src.contrib.timeseries.state_space.state_space_model import StateSpaceModel
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.variables.get_variable import get_variable
from tfmini._src.variables.initializers import Zeros
from tfmini._src.variables.variable_scope import variable_scope


class VARMA(StateSpaceModel):
    """VARMA model: values are linear in past values and past noise.

    Args:
      autoregressive_order: number of previous values in the regression.
      moving_average_order: number of previous noise values in the average.
      configuration: a `StateSpaceModelConfiguration`.
    """

    def __init__(
        self,
        autoregressive_order: int,
        moving_average_order: int,
        configuration: Any = StateSpaceModelConfiguration(),  # noqa: B008
    ):
        self.ar_order = autoregressive_order
        self.ma_order = moving_average_order
        self.state_num_blocks = max(autoregressive_order, moving_average_order + 1)
        super().__init__(configuration=configuration)
        self.state_dimension = self.state_num_blocks * self.num_features

    def _define_parameters(self, observation_transition_tradeoff_log: Any = None) -> None:
        size = self.num_features
        with variable_scope(self._variable_scope):
            self.ar_coefs = get_variable(
                name="ar_coefs",
                shape=[size, size, self.ar_order],
                dtype=self.dtype,
                initializer=Zeros(),
            )
            identity = ops.eye(size, dtype=self.dtype)[None, :, :]
            self.ma_coefs = get_variable(
                name="ma_coefs",
                initializer=ops.tile(identity, [self.ma_order, 1, 1]),
                dtype=self.dtype,
            )
        super()._define_parameters(observation_transition_tradeoff_log)

    def get_state_transition(self) -> Any:
        """Returns the state transition matrix of one step, [n, n]."""
        blocks, size = self.state_num_blocks, self.num_features
        padded = ops.pad(self.ar_coefs, [[0, 0], [0, 0], [0, blocks - self.ar_order]])
        first = ops.reshape(padded, [size, self.state_dimension])
        identity = ops.eye((blocks - 1) * size, dtype=self.dtype)
        return ops.concat([first, ops.pad(identity, [[0, 0], [0, size]])], axis=0)

    def get_noise_transform(self) -> Any:
        """Returns the matrix from noise to state, [n, features]."""
        blocks, size = self.state_num_blocks, self.num_features
        padded = ops.pad(self.ma_coefs, [[blocks - 1 - self.ma_order, 0], [0, 0], [0, 0]])
        past = ops.reshape(padded, [(blocks - 1) * size, size], name="noise_transform")
        return ops.concat([past, ops.eye(size, dtype=self.dtype)], axis=0)

    def get_observation_model(self, times: Tensor) -> Any:
        """Returns the observation model, [features, n]."""
        blocks, size = self.state_num_blocks, self.num_features
        name = "observation_model"
        identity = ops.eye(size, dtype=self.dtype)
        if self.ar_order > self.ma_order or blocks < 2:
            return ops.pad(identity, [[0, 0], [0, size * (blocks - 1)]], name=name)
        first = ops.pad(identity, [[0, 0], [0, size * (blocks - 2)]])
        return ops.concat([first, ops.eye(size, dtype=self.dtype)], axis=1, name=name)

    def get_state_transition_noise_covariance(
        self, minimum_initial_variance: float = 1e-5
    ) -> Tensor:
        """Returns the noise covariance of a step, [features, features]; its initial variance is bounded below."""
        scale: Any = 0.0
        if self._input_statistics is not None:
            variance = self._scale_variance(self._input_statistics.series_start_moments.variance)
            scale = ops.log(ops.maximum(ops.reduce_mean(variance), minimum_initial_variance))
        transform = ops.convert_to_tensor(self.get_noise_transform(), dtype=self.dtype)
        size = transform.shape.dims[1].value
        return variable_covariance_matrix(
            size, "state_transition_noise", dtype=self.dtype, initial_overall_scale_log=scale
        )
