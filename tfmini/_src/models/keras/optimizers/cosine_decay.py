"""Learning rate schedules based on a cosine, for `tf.keras.experimental`."""

from __future__ import annotations

from tfmini._src.graph.tensor import TensorLike
from tfmini._src.models.keras.optimizers.learning_rate_schedule import DecaySchedule, schedule
from tfmini._src.train.optimizers.learning_rate_decay import (
    cosine_decay,
    cosine_decay_restarts,
    linear_cosine_decay,
    noisy_linear_cosine_decay,
)


@schedule
class CosineDecay(DecaySchedule):
    """Decays the rate from `initial_learning_rate` to `alpha` times that, along half a cosine of `decay_steps` steps.

    Args:
      initial_learning_rate: rate at step 0.
      decay_steps: number of steps of the decay.
      alpha: final rate as a fraction of the initial rate.
    """

    initial_learning_rate: TensorLike
    decay_steps: TensorLike
    alpha: TensorLike = 0.0
    name: str | None = None

    _decay = cosine_decay


@schedule
class CosineDecayRestarts(DecaySchedule):
    """Repeats half cosines (SGDR), each `t_mul` times as long and `m_mul` times as high as the previous one.

    Args:
      initial_learning_rate: rate at step 0.
      first_decay_steps: length of the first period in steps.
      t_mul, m_mul: ratios of successive lengths, and of successive heights.
      alpha: final rate of a period as a fraction of its initial rate.
    """

    initial_learning_rate: TensorLike
    first_decay_steps: TensorLike
    t_mul: TensorLike = 2.0
    m_mul: TensorLike = 1.0
    alpha: TensorLike = 0.0
    name: str | None = None

    _decay = cosine_decay_restarts


@schedule
class LinearCosineDecay(DecaySchedule):
    """Linear decay combined with cosine waves: rate * ((alpha + linear) * cosine + beta).

    Args:
      initial_learning_rate: rate at step 0.
      decay_steps: number of steps of the decay.
      num_periods: number of cosine periods.
      alpha, beta: coefficients of the formula.
    """

    initial_learning_rate: TensorLike
    decay_steps: TensorLike
    num_periods: TensorLike = 0.5
    alpha: TensorLike = 0.0
    beta: TensorLike = 0.001
    name: str | None = None

    _decay = linear_cosine_decay


@schedule
class NoisyLinearCosineDecay(DecaySchedule):
    """LinearCosineDecay plus noise of variance initial_variance / (1 + step)^variance_decay.

    Args:
      initial_learning_rate, decay_steps, num_periods, alpha, beta: as in `LinearCosineDecay`.
      initial_variance, variance_decay: parameters of the noise variance.
    """

    initial_learning_rate: TensorLike
    decay_steps: TensorLike
    initial_variance: TensorLike = 1.0
    variance_decay: TensorLike = 0.55
    num_periods: TensorLike = 0.5
    alpha: TensorLike = 0.0
    beta: TensorLike = 0.001
    name: str | None = None

    _decay = noisy_linear_cosine_decay
