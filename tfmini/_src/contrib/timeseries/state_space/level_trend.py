"""Level and trend as a state space model."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.contrib.timeseries.state_space.configuration import StateSpaceModelConfiguration
from tfmini._src.contrib.timeseries.state_space.state_space_model import StateSpaceModel
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.variables.get_variable import get_variable
from tfmini._src.variables.initializers import Zeros
from tfmini._src.variables.variable_scope import variable_scope


class AdderStateSpaceModel(StateSpaceModel):
    """State space model of an observed level with a hidden trend, which is added at each step.

    Args:
      use_level_noise: whether the level has its own noise.
      configuration: a `StateSpaceModelConfiguration` of one value.
    """

    def __init__(
        self,
        use_level_noise: bool = True,
        configuration: Any = StateSpaceModelConfiguration(),  # noqa: B008
    ):
        self.use_level_noise = use_level_noise
        super().__init__(configuration=configuration)

    def get_prior_mean(self) -> Any:
        """Returns the mean of the prior state, [2]: the initial level, and no trend."""
        with variable_scope(self._variable_scope):
            if self._input_statistics is None:
                return super().get_prior_mean()
            mean = self._scale_data(self._input_statistics.series_start_moments.mean)
            start = ops.stack([ops.reduce_mean(mean), 0.0])
            return start + get_variable(
                name="prior_state_mean",
                shape=start.get_shape(),
                initializer=Zeros(),
                dtype=self.dtype,
                trainable=self._configuration.trainable_start_state,
            )

    def transition_to_powers(self, powers: Tensor) -> Tensor:
        """Returns the state transition matrices for step counts [...]: [..., 2, 2]."""
        unpadded = ops.zeros([ops.rank(powers), 2], dtype=dtypes.int32)
        paddings = ops.concat([unpadded, [(0, 1), (1, 0)]], axis=0)
        corner = ops.pad(powers[..., None, None], paddings=paddings)
        identities = ops.eye(num_rows=2, batch_shape=ops.shape(powers), dtype=self.dtype)
        return identities + ops.cast(corner, self.dtype)

    def transition_power_noise_accumulator(self, num_steps: Tensor) -> Tensor:
        """Returns the accumulated state noise for step counts [...]: covariances [..., 2, 2]."""
        num_steps = ops.cast(num_steps, self.dtype)
        step_total = num_steps - 1
        transform = ops.convert_to_tensor(self.get_noise_transform(), self.dtype)
        noise = ops.matmul(transform, self.state_transition_noise_covariance)
        noise = ops.matmul(noise, transform, adjoint_b=True)
        a, b, c, d = ops.unstack(ops.reshape(noise, [-1, 4]), axis=1)
        # 0 + 1 + ... + moves, and the sum of their squares
        triangular = step_total * (step_total + 1) / 2
        squares = triangular * (2 * step_total + 1) / 3
        entries = [
            num_steps * a + triangular * (b + c) + squares * d,
            num_steps * b + triangular * d,
            num_steps * c + triangular * d,
            num_steps * d,
        ]
        flat = ops.stack(axis=1, values=entries)
        return ops.reshape(flat, ops.concat(values=[ops.shape(num_steps), [2, 2]], axis=0))

    def get_state_transition(self) -> Any:
        """Returns the state transition matrix of one step, [2, 2]."""
        return [[1.0, 1.0], [0.0, 1.0]]

    def get_noise_transform(self) -> Any:
        """Returns the matrix from noise to state, [2, 1 or 2]."""
        return [[1.0, 0.0], [0.0, 1.0]] if self.use_level_noise else [[0.0], [1.0]]

    def get_observation_model(self, times: Tensor) -> Any:
        """Returns the observation model, [2]: the level is observed, the trend is not."""
        return ops.constant([1.0, 0.0], dtype=self.dtype)
