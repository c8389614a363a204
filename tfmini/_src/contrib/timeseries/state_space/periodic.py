"""Repeating cycle of values, as a state space model."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.contrib.timeseries.state_space.configuration import StateSpaceModelConfiguration
from tfmini._src.contrib.timeseries.state_space.state_space_model import StateSpaceModel
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops


def leading_ones(tensor: Tensor, size: Any) -> Tensor:
    """Returns the shape [1, ..., 1, size], whose rank is one more than a tensor's."""
    return ops.concat([ops.ones([ops.rank(tensor)], dtype=dtypes.int32), [size]], axis=0)


class CycleStateSpaceModel(StateSpaceModel):
    """State space model of values that repeat after a whole number of steps and sum to 0.

    The state contains the values of a cycle except one, which is minus the sum of the others.

    Args:
      periodicity: number of steps per cycle.
      configuration: a `StateSpaceModelConfiguration` of one value.
    """

    def __init__(
        self,
        periodicity: int,
        configuration: Any = StateSpaceModelConfiguration(),  # noqa: B008
    ):
        self._periodicity = periodicity
        super().__init__(configuration=configuration)

    def get_state_transition(self) -> Any:
        """Returns the state transition matrix of one step, [n, n]."""
        return self.transition_to_powers(ops.ones([], dtype=dtypes.int32))

    def get_noise_transform(self) -> Any:
        """Returns the matrix from noise to state, [n, 1]: noise enters the observed value."""
        one = ops.ones([1], dtype=self.dtype)
        return ops.pad(one, paddings=[(0, self._periodicity - 2)])[..., None]

    def transition_to_powers(self, powers: Tensor) -> Tensor:
        """Returns the state transition matrices for step counts [...]: [..., n, n]."""
        period, dtype = self._periodicity, self.dtype
        powers %= period
        indices = ops.range(period - 1, dtype=powers.dtype)
        indices = ops.reshape(indices, leading_ones(powers, period - 1))
        is_missing = ops.equal(indices + 1, powers[..., None])  # row of the omitted value
        shape = ops.shape(is_missing)
        minus_ones = -ops.ones(shape=shape, dtype=dtype)
        missing_terms = ops.where(is_missing, minus_ones, ops.zeros(shape, dtype=dtype))
        differences = indices[..., None] - indices[..., None, :]
        is_moved = ops.equal(differences % period, powers[..., None, None])
        ones = ops.ones(ops.shape(is_moved), dtype=dtype)
        moved_ones = ops.where(is_moved, ones, ops.zeros(ops.shape(is_moved), dtype=dtype))
        return ops.cast(moved_ones + missing_terms[..., None], dtype)

    def transition_power_noise_accumulator(
        self, num_steps: Tensor, noise_addition_coefficient: Any = 1
    ) -> Tensor:
        """Returns the accumulated state noise for step counts [...]: covariances [..., n, n].

        Args:
          num_steps: number of steps.
          noise_addition_coefficient: number of times the noise of a step is added.
        """
        noise = ops.squeeze(self.state_transition_noise_covariance, axis=[-1, -2])
        period = self._periodicity
        indices = ops.range(period, dtype=num_steps.dtype)
        indices = ops.reshape(indices, leading_ones(num_steps, period))
        offset = (indices - (num_steps[..., None] - 1)) % period
        noise_factor = ops.convert_to_tensor(noise_addition_coefficient, self.dtype)[..., None]
        noise_factor = noise_factor * noise
        # Noise accumulated by each value of the cycle, the last value first.
        added = noise_factor * ops.cast((num_steps[..., None] + offset) // period, dtype=self.dtype)
        diagonal = ops.matrix_diag(added)
        right = [ops.zeros_like(diagonal[..., :-1, 0:1]), -diagonal[..., :-1, 0:-2]]
        above = ops.concat(right, axis=-1)
        lower_rows = [ops.zeros_like(diagonal[..., 0:1, :-1]), -diagonal[..., 0:-2, :-1]]
        under = ops.concat(lower_rows, axis=-2)
        rotated = ops.concat([added[..., -1:], added[..., :-2]], axis=-1)
        return ops.matrix_diag(added[..., :-1] + rotated) + under + above

    def get_observation_model(self, times: Tensor) -> Any:
        """Returns the observation model, [n]: the first value of the state is observed."""
        parts = [
            ops.ones([1], dtype=self.dtype),
            ops.zeros([self._periodicity - 2], dtype=self.dtype),
        ]
        return ops.concat(values=parts, axis=0)
