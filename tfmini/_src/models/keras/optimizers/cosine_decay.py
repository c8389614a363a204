"""Learning rate schedules based on a cosine, for `tf.keras.experimental`."""

from __future__ import annotations

import math
from typing import Any

from tfmini._src.graph.scopes import name_scope
from tfmini._src.models.keras.optimizers.learning_rate_schedule import LearningRateSchedule
from tfmini._src.ops import ops


def _wave(fraction: Any) -> Any:
    """1 + cos(pi * fraction)."""
    return 1.0 + ops.cos(ops.constant(math.pi) * fraction)


class CosineDecay(LearningRateSchedule):
    """Decay from `initial_learning_rate` to `alpha` times it, along half a cosine, in `decay_steps` steps.

    Args:
      initial_learning_rate: the rate of step 0.
      decay_steps: how many steps it takes.
      alpha: the share of the rate that is left.
      name: the name of the scope.
    """

    def __init__(
        self, initial_learning_rate: Any, decay_steps: Any, alpha: Any = 0.0, name: Any = None
    ):
        self.initial_learning_rate = initial_learning_rate
        self.decay_steps = decay_steps
        self.alpha = alpha
        self.name = name

    def __call__(self, step: Any) -> Any:
        """The rate of a step."""
        with name_scope(self.name or "CosineDecay"):
            rate = ops.convert_to_tensor(self.initial_learning_rate, name="initial_learning_rate")
            dtype = rate.dtype
            steps = ops.cast(self.decay_steps, dtype)
            done = ops.minimum(ops.cast(step, dtype), steps)
            decayed = 0.5 * _wave(done / steps)
            return ops.multiply(rate, (1 - self.alpha) * decayed + self.alpha)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make such a schedule again."""
        names = ("initial_learning_rate", "decay_steps", "alpha", "name")
        return {name: getattr(self, name) for name in names}


class CosineDecayRestarts(LearningRateSchedule):
    """Repeated half cosines ("SGDR"), each `t_mul` times as long and `m_mul` times as high as the last.

    Args:
      initial_learning_rate: the rate of step 0.
      first_decay_steps: how many steps the first takes.
      t_mul, m_mul: how much longer and higher each next one is.
      alpha: the share of the rate at which each ends.
      name: the name of the scope.
    """

    def __init__(
        self,
        initial_learning_rate: Any,
        first_decay_steps: Any,
        t_mul: Any = 2.0,
        m_mul: Any = 1.0,
        alpha: Any = 0.0,
        name: Any = None,
    ):
        self.initial_learning_rate = initial_learning_rate
        self.first_decay_steps = first_decay_steps
        self._t_mul = t_mul
        self._m_mul = m_mul
        self.alpha = alpha
        self.name = name

    def __call__(self, step: Any) -> Any:
        """The rate of a step."""
        with name_scope(self.name or "SGDRDecay") as name:
            rate = ops.convert_to_tensor(self.initial_learning_rate, name="initial_learning_rate")
            dtype = rate.dtype
            first = ops.cast(self.first_decay_steps, dtype)
            alpha = ops.cast(self.alpha, dtype)
            longer = ops.cast(self._t_mul, dtype)
            higher = ops.cast(self._m_mul, dtype)
            fraction = ops.cast(step, dtype) / first

            def alike() -> tuple:
                restarts = ops.floor(fraction)
                return restarts, fraction - restarts

            def growing() -> tuple:
                restarts = ops.floor(ops.log(1.0 - fraction * (1.0 - longer)) / ops.log(longer))
                before = (1.0 - longer**restarts) / (1.0 - longer)
                return restarts, (fraction - before) / longer**restarts

            restarts, fraction_left = ops.cond(ops.equal(longer, 1.0), alike, growing)
            height = higher**restarts
            decayed = 0.5 * height * _wave(fraction_left)
            return ops.multiply(rate, (1 - alpha) * decayed + alpha, name=name)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make such a schedule again."""
        return {
            "initial_learning_rate": self.initial_learning_rate,
            "first_decay_steps": self.first_decay_steps,
            "t_mul": self._t_mul,
            "m_mul": self._m_mul,
            "alpha": self.alpha,
            "name": self.name,
        }


class LinearCosineDecay(LearningRateSchedule):
    """Linear decay times cosine waves: rate * ((alpha + line) * wave + beta).

    Args:
      initial_learning_rate: the rate of step 0.
      decay_steps: how many steps it takes.
      num_periods: how many cosines there are.
      alpha, beta: the numbers of the formula.
      name: the name of the scope.
    """

    def __init__(
        self,
        initial_learning_rate: Any,
        decay_steps: Any,
        num_periods: Any = 0.5,
        alpha: Any = 0.0,
        beta: Any = 0.001,
        name: Any = None,
    ):
        self.initial_learning_rate = initial_learning_rate
        self.decay_steps = decay_steps
        self.num_periods = num_periods
        self.alpha = alpha
        self.beta = beta
        self.name = name

    def _numbers(self) -> list:
        return []

    def _line(self, line: Any, done: Any, numbers: list) -> Any:
        return line

    def __call__(self, step: Any) -> Any:
        """The rate of a step."""
        with name_scope(self.name or type(self).__name__) as name:
            rate = ops.convert_to_tensor(self.initial_learning_rate, name="initial_learning_rate")
            dtype = rate.dtype
            steps = ops.cast(self.decay_steps, dtype)
            numbers = [ops.cast(number, dtype) for number in self._numbers()]
            periods, alpha, beta = (
                ops.cast(number, dtype) for number in (self.num_periods, self.alpha, self.beta)
            )
            done = ops.minimum(ops.cast(step, dtype), steps)
            line = self._line((steps - done) / steps, done, numbers)
            decayed = 0.5 * _wave(2.0 * periods * (done / steps))
            return ops.multiply(rate, (alpha + line) * decayed + beta, name=name)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make such a schedule again."""
        names = ("initial_learning_rate", "decay_steps", "num_periods", "alpha", "beta", "name")
        return {name: getattr(self, name) for name in names}


class NoisyLinearCosineDecay(LinearCosineDecay):
    """LinearCosineDecay plus noise of variance initial_variance / (1 + step)^variance_decay.

    Args:
      initial_learning_rate: the rate of step 0.
      decay_steps: how many steps it takes.
      initial_variance, variance_decay: the numbers of the noise's variance.
      num_periods: how many cosines there are.
      alpha, beta: the numbers of the formula.
      name: the name of the scope.
    """

    def __init__(
        self,
        initial_learning_rate: Any,
        decay_steps: Any,
        initial_variance: Any = 1.0,
        variance_decay: Any = 0.55,
        num_periods: Any = 0.5,
        alpha: Any = 0.0,
        beta: Any = 0.001,
        name: Any = None,
    ):
        super().__init__(initial_learning_rate, decay_steps, num_periods, alpha, beta, name)
        self.initial_variance = initial_variance
        self.variance_decay = variance_decay

    def _numbers(self) -> list:
        return [self.initial_variance, self.variance_decay]

    def _line(self, line: Any, done: Any, numbers: list) -> Any:
        variance = numbers[0] / ops.pow(1.0 + done, numbers[1])
        return line + ops.random_normal(line.shape, stddev=ops.sqrt(variance))

    def get_config(self) -> dict[str, Any]:
        """The arguments that make such a schedule again."""
        own = {"initial_variance": self.initial_variance, "variance_decay": self.variance_decay}
        return {**super().get_config(), **own}
