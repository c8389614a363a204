"""Smooth cycle of any length with few latent values, as a state space model."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.contrib.timeseries.state_space.configuration import StateSpaceModelConfiguration
from tfmini._src.contrib.timeseries.state_space.periodic import CycleStateSpaceModel, leading_ones
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops


class ResolutionCycleModel(CycleStateSpaceModel):
    """State space model of a cycle of any length, with a chosen number of latent values.

    Raises the transition of a cycle of integral length, `CycleStateSpaceModel`, to a fractional power by its
    eigenvalues; for integral powers, where the formula is 0 / 0, uses whole steps.

    Args:
      num_latent_values: number of values, an odd number.
      periodicity: the cycle length, possibly fractional.
      near_integer_threshold: distance within which a number counts as an integer.
      configuration: a `StateSpaceModelConfiguration` of one value.

    Raises:
      ValueError: if the number of values is even.
    """

    def __init__(
        self,
        num_latent_values: int,
        periodicity: Any,
        near_integer_threshold: float = 1e-8,
        configuration: Any = StateSpaceModelConfiguration(),  # noqa: B008
    ):
        if num_latent_values % 2 != 1:
            raise ValueError("Only odd numbers of latent values are supported.")
        self._num_latent_values = num_latent_values
        self._true_periodicity = periodicity
        self._near_integer_threshold = near_integer_threshold
        super().__init__(periodicity=num_latent_values, configuration=configuration)

    def _close_to_integer(self, value: Any) -> Tensor:
        value = ops.cast(value, self.dtype)
        return ops.less(ops.abs(value - ops.round(value)), self._near_integer_threshold)

    def _values_per_step(self) -> tuple[Tensor, Tensor]:
        """Returns the number of latent values, and the number of values that one step advances."""
        count = ops.cast(self._num_latent_values, self.dtype)
        return count, count / ops.cast(self._true_periodicity, dtype=self.dtype)

    def transition_to_powers(self, powers: Tensor) -> Tensor:
        """Returns the state transition matrices for step counts [...]: [..., n, n]."""
        count, per_step = self._values_per_step()
        # Exponent of the transition for whole steps.
        powers = ops.cast(powers, self.dtype) * per_step
        factor = (ops.sin(powers * np.pi) / count)[..., None, None]
        size = self._num_latent_values - 1
        indices = ops.reshape(ops.range(size), leading_ones(powers, size))
        floats = ops.cast(indices, self.dtype)
        signs = ops.cast(1 - 2 * (indices % 2), self.dtype)
        row_terms = 1.0 / ops.sin(np.pi / count * (powers[..., None] - floats - 1))
        differences = floats[..., None, :] - floats[..., None]
        column_signs = signs[..., None, :]
        matrix_terms = column_signs / ops.sin(
            np.pi / count * (powers[..., None, None] + differences)
        )
        smooth = factor * signs[..., None] * (row_terms[..., None] + matrix_terms)
        is_integer_power = self._close_to_integer(powers)
        steps = ops.cast(ops.round(powers), dtypes.int64)
        return ops.where(is_integer_power, super().transition_to_powers(steps), smooth)

    def transition_power_noise_accumulator(
        self, num_steps: Tensor, noise_addition_coefficient: Any = 1
    ) -> Tensor:
        """Returns the accumulated state noise for k step counts: covariances [k, n, n]; whole cycles are folded.

        Args:
          num_steps: number of steps.
          noise_addition_coefficient: unused; it follows from the length of the cycle.
        """
        size = self._num_latent_values - 1
        cycle_accumulator = super().transition_power_noise_accumulator

        def folded_steps() -> tuple[Tensor, Tensor]:
            periodicity = ops.cast(self._true_periodicity, self.dtype)
            periodicity = periodicity / ops.cast(self._num_latent_values, self.dtype)
            steps = ops.convert_to_tensor(self._num_latent_values, dtype=num_steps.dtype)
            noise = cycle_accumulator(noise_addition_coefficient=periodicity, num_steps=steps)
            period = ops.cast(self._true_periodicity, num_steps.dtype)
            cycles = ops.cast(num_steps // period, self.dtype)
            times = cycles[..., None, None]
            ones = ops.ones([ops.rank(cycles)], dtype=dtypes.int32)
            shape = ops.concat([ones, ops.shape(noise)], axis=0)
            accumulated = times * ops.reshape(noise, shape)
            return num_steps % period, accumulated

        def unfolded_steps() -> tuple[Tensor, Tensor]:
            shape = ops.concat([ops.shape(num_steps), [size, size]], axis=0)
            return num_steps, ops.zeros(shape, dtype=self.dtype)

        remaining, accumulated = ops.cond(
            self._whole_period_folding(), folded_steps, unfolded_steps
        )
        sums = self._power_sum_array(ops.reduce_max(remaining))
        noise = ops.squeeze(self.state_transition_noise_covariance, axis=[-1, -2])
        return accumulated + noise * ops.gather(sums, indices=remaining)

    def _whole_period_folding(self) -> Tensor:
        """Whether a cycle is a whole number of steps, and not fewer than its latent values."""
        is_integer_power = self._close_to_integer(self._true_periodicity)
        return ops.logical_and(
            is_integer_power, ops.greater_equal(self._true_periodicity, self._num_latent_values)
        )

    def _power_sum_array(self, max_remaining_steps: Tensor) -> Tensor:
        """Returns the covariances of accumulated unit noise after 0, 1, ... steps, [steps + 1, n, n]."""
        count, per_step = self._values_per_step()
        powers = ops.cast(ops.range(max_remaining_steps), self.dtype) * per_step
        indices = ops.range(self._num_latent_values - 1)[None, ...]
        floats = ops.cast(indices, self.dtype)
        from_value = powers[..., None] - floats

        def cosecant(x: Tensor) -> Tensor:
            return 1.0 / ops.sin(np.pi / count * x)

        column = cosecant(from_value) + cosecant(from_value - 1.0)
        products = column[..., None, :] * column[..., None]
        signs = 1 - 2 * ((indices[..., None, :] + indices[..., None]) % 2)
        signs = ops.cast(signs, self.dtype)

        def values_at_poles(x: Tensor) -> tuple[Tensor, Tensor]:
            cycles = x / count
            return self._close_to_integer(cycles), ops.cos(cycles * np.pi)

        is_pole, sign = values_at_poles(powers[..., None] - floats)
        is_next, next_sign = values_at_poles(powers[..., None] - floats - 1)
        either = ops.logical_or(is_pole, is_next)
        limit = ops.where(is_pole, sign, next_sign)
        both = ops.logical_and(either[..., None], either[..., None, :])
        is_integer_power = self._close_to_integer(powers)
        smooth = ops.where(is_integer_power, ops.zeros_like(products), products)
        factor = ops.sin(np.pi * powers) / count
        limits = limit[..., None] * limit[..., None, :]
        limited_sums = ops.where(both, limits, smooth * factor[..., None, None] ** 2)
        return ops.pad(ops.cumsum(signs * limited_sums), [(1, 0), (0, 0), (0, 0)])
