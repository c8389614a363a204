"""Learning rate schedules, which decrease the rate with the number of steps.

Each function returns a scalar tensor of the dtype of `learning_rate`, or, in eager mode, a function that returns it.
`global_step` is an integer scalar (a variable, tensor or number); `name` is the name scope of the nodes.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

from tfmini._src.base import dtypes
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.graph.convert_to_tensor import convert_n_to_tensor, convert_to_tensor
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops

Decay = TypeVar("Decay", bound=Callable[..., Tensor])


def _scope(name: str | None, default: str) -> Any:
    return name_scope(name or default)


def _callable_when_eager(decay: Decay) -> Decay:
    """Decorates a decay to return, in eager mode, a function without arguments that returns the current rate."""

    @functools.wraps(decay)
    def by_step(*args: Any, **kwargs: Any) -> Any:
        return partial(decay, *args, **kwargs) if executing_eagerly() else decay(*args, **kwargs)

    return by_step  # type: ignore[return-value]


def _rate_and_numbers(learning_rate: Any, *numbers: Any) -> list[Tensor]:
    """Returns the initial rate as a tensor, and other numbers in its dtype."""
    rate = convert_to_tensor(learning_rate, name="initial_learning_rate")
    return [rate, *(ops.cast(number, rate.dtype) for number in numbers)]


def _progress(
    learning_rate: Any, global_step: Any, decay_steps: Any, decay_rate: Any, staircase: bool
) -> tuple[Tensor, Tensor, Tensor]:
    """Returns the initial rate, `decay_rate` in its dtype, and the number of decay intervals so far."""
    rate, decay_steps, decay_rate = _rate_and_numbers(learning_rate, decay_steps, decay_rate)
    progress = ops.cast(global_step, rate.dtype) / decay_steps
    return rate, decay_rate, ops.floor(progress) if staircase else progress


@_callable_when_eager
def exponential_decay(
    learning_rate: TensorLike,
    global_step: TensorLike,
    decay_steps: TensorLike,
    decay_rate: TensorLike,
    staircase: bool = False,
    name: str | None = None,
) -> Tensor:
    """Returns `learning_rate * decay_rate ** (global_step / decay_steps)`.

    Args:
      learning_rate: the initial rate.
      global_step: the current step.
      decay_steps: the decay interval in steps.
      decay_rate: the factor per interval.
      staircase: whether to decay in discrete intervals.

    Example: `tf.train.exponential_decay(0.1, global_step, 100, 0.96, staircase=True)`.
    """
    with _scope(name, "ExponentialDecay") as scope:
        rate, factor, intervals = _progress(
            learning_rate, global_step, decay_steps, decay_rate, staircase
        )
        return ops.multiply(rate, ops.pow(factor, intervals), name=scope)


@arguments_of(exponential_decay)
def natural_exp_decay(
    learning_rate: Any, global_step: Any, decay_steps: Any, decay_rate: Any, *options: Any
) -> Tensor:
    """Returns `learning_rate * exp(-decay_rate * global_step / decay_steps)`.

    Arguments are as in `exponential_decay`.
    """
    factor = ops.exp(ops.negative(decay_rate))
    return exponential_decay(learning_rate, global_step, decay_steps, factor, *options)


@_callable_when_eager
@arguments_of(exponential_decay)
def inverse_time_decay(*arguments: Any) -> Tensor:
    """Returns `learning_rate / (1 + decay_rate * global_step / decay_steps)`.

    Arguments are as in `exponential_decay`.
    """
    *schedule, name = arguments
    with _scope(name, "InverseTimeDecay") as scope:
        rate, decay_rate, progress = _progress(*schedule)
        one = ops.cast(ops.constant(1), rate.dtype)
        return ops.divide(rate, ops.add(one, ops.multiply(decay_rate, progress)), name=scope)


def piecewise_constant(
    x: TensorLike, boundaries: Sequence[Any], values: Sequence[Any], name: str | None = None
) -> Tensor:
    """Returns values[0] while `x <= boundaries[0]`, values[1] while `x <= boundaries[1]`, and so on.

    Args:
      x: a scalar, usually the global step.
      boundaries: increasing numbers of the dtype of `x`.
      values: one more value than boundaries, all of one dtype.

    Raises:
      ValueError: if dtypes or lengths do not match.

    Example: `tf.train.piecewise_constant(global_step, [1000, 2000], [0.1, 0.01, 0.001])`.
    """
    boundaries = convert_n_to_tensor(boundaries)
    values = convert_n_to_tensor(values)
    x_tensor = convert_to_tensor(x)
    expected = x_tensor.dtype.base_dtype
    for i, boundary in enumerate(boundaries):
        if boundary.dtype.base_dtype != expected:
            if boundary.dtype.base_dtype != dtypes.int32 or expected != dtypes.int64:
                raise ValueError(
                    f"Boundaries ({boundary.dtype.base_dtype}) must have the same dtype as x ({expected})."
                )
            boundaries[i] = ops.cast(boundary, expected)
    for value in values[1:]:
        if value.dtype.base_dtype != values[0].dtype.base_dtype:
            raise ValueError(
                f"Values must have elements all with the same dtype ({values[0].dtype.base_dtype} vs "
                f"{value.dtype.base_dtype})."
            )
    if len(boundaries) != len(values) - 1:
        raise ValueError("The length of boundaries should be 1 less than the length of values")
    return _piecewise_value(x, boundaries, values, name)


@_callable_when_eager
def _piecewise_value(x: Any, boundaries: Any, values: Any, name: str | None) -> Tensor:
    with _scope(name, "PiecewiseConstant"):
        step = convert_to_tensor(x)
        pairs = [
            (step <= boundaries[0], lambda: values[0]),
            (step > boundaries[-1], lambda: values[-1]),
        ]
        for low, high, value in zip(boundaries[:-1], boundaries[1:], values[1:-1]):
            pairs.append(((step > low) & (step <= high), partial(_identity, value)))
        return ops.case(pairs, lambda: values[0], exclusive=True)


def _identity(value: Any) -> Any:
    return value


@_callable_when_eager
def polynomial_decay(
    learning_rate: TensorLike,
    global_step: TensorLike,
    decay_steps: TensorLike,
    end_learning_rate: TensorLike = 0.0001,
    power: TensorLike = 1.0,
    cycle: bool = False,
    name: str | None = None,
) -> Tensor:
    """Decays the rate polynomially from `learning_rate` to `end_learning_rate` in `decay_steps`.

    Args:
      learning_rate, global_step, decay_steps: as in `cosine_decay`.
      end_learning_rate: final learning rate.
      power: exponent of the polynomial; 1 is linear.
      cycle: whether to restart after `decay_steps`, extending the decay to the next multiple of `decay_steps`.
    """
    with _scope(name, "PolynomialDecay") as scope:
        numbers = (end_learning_rate, power, global_step, decay_steps)
        rate, end, exponent, step, length = _rate_and_numbers(learning_rate, *numbers)
        if cycle:
            cycles = ops.cond(ops.equal(step, 0), lambda: 1.0, lambda: ops.ceil(step / decay_steps))
            length = ops.multiply(length, cycles)
        else:
            step = ops.minimum(step, decay_steps)
        progress = ops.divide(step, length)
        return ops.add(ops.multiply(rate - end, ops.pow(1 - progress, exponent)), end, name=scope)


@_callable_when_eager
def cosine_decay(
    learning_rate: TensorLike,
    global_step: TensorLike,
    decay_steps: TensorLike,
    alpha: float = 0.0,
    name: str | None = None,
) -> Tensor:
    """Decays the rate from `learning_rate` to `alpha * learning_rate` along a half cosine (Loshchilov, Hutter 2016).

    Args:
      learning_rate: the initial rate.
      global_step: the current step.
      decay_steps: number of steps of the decay.
      alpha: the final rate as a fraction of `learning_rate`.
    """
    with _scope(name, "CosineDecay"):
        rate, decay_steps = _rate_and_numbers(learning_rate, decay_steps)
        step = ops.minimum(ops.cast(global_step, rate.dtype), decay_steps)
        fraction = step / decay_steps
        cosine = 0.5 * (1.0 + ops.cos(ops.constant(math.pi) * fraction))
        return ops.multiply(rate, (1 - alpha) * cosine + alpha)


@_callable_when_eager
def cosine_decay_restarts(
    learning_rate: TensorLike,
    global_step: TensorLike,
    first_decay_steps: TensorLike,
    t_mul: float = 2.0,
    m_mul: float = 1.0,
    alpha: float = 0.0,
    name: str | None = None,
) -> Tensor:
    """Decays the rate along half cosines with warm restarts (SGDR, Loshchilov and Hutter, 2016).

    Args:
      learning_rate: the initial rate.
      global_step: the current step.
      first_decay_steps: the length of the first period in steps.
      t_mul: ratio of successive period lengths.
      m_mul: ratio of successive initial rates.
      alpha: the final rate of a period as a fraction of its initial rate.
    """
    with _scope(name, "SGDRDecay") as scope:
        numbers = (first_decay_steps, alpha, t_mul, m_mul)
        rate, first_decay_steps, remaining, period_growth, lower = _rate_and_numbers(
            learning_rate, *numbers
        )
        progress = ops.cast(global_step, rate.dtype) / first_decay_steps

        def equal_periods() -> tuple:
            restarts = ops.floor(progress)
            return restarts, progress - restarts

        def growing_periods() -> tuple:
            restarts = ops.floor(
                ops.log(1.0 - progress * (1.0 - period_growth)) / ops.log(period_growth)
            )
            before = (1.0 - period_growth**restarts) / (1.0 - period_growth)
            return restarts, (progress - before) / period_growth**restarts

        restarts, fraction = ops.cond(ops.equal(period_growth, 1.0), equal_periods, growing_periods)
        peak = lower**restarts
        cosine = 0.5 * peak * (1.0 + ops.cos(ops.constant(math.pi) * fraction))
        return ops.multiply(rate, (1 - remaining) * cosine + remaining, name=scope)


@_callable_when_eager
def linear_cosine_decay(
    learning_rate: TensorLike,
    global_step: TensorLike,
    decay_steps: TensorLike,
    num_periods: float = 0.5,
    alpha: float = 0.0,
    beta: float = 0.001,
    name: str | None = None,
) -> Tensor:
    """Returns `(alpha + linear) * cosine + beta` of `learning_rate`, a linear cosine decay (Bello et al., 2017).

    Args:
      learning_rate, global_step, decay_steps: as in `cosine_decay`.
      num_periods: number of cosine periods.
      alpha: see the formula.
      beta: see the formula.
    """
    with _scope(name, "LinearCosineDecay") as scope:
        rate, *numbers = _rate_and_numbers(learning_rate, decay_steps, num_periods, alpha, beta)
        return _linear_cosine(rate, global_step, numbers, scope)


@_callable_when_eager
def noisy_linear_cosine_decay(
    learning_rate: TensorLike,
    global_step: TensorLike,
    decay_steps: TensorLike,
    initial_variance: float = 1.0,
    variance_decay: float = 0.55,
    num_periods: float = 0.5,
    alpha: float = 0.0,
    beta: float = 0.001,
    name: str | None = None,
) -> Tensor:
    """Same as `linear_cosine_decay`, with noise of variance `initial_variance / (1 + step) ** variance_decay` in the
    linear term.
    """
    with _scope(name, "NoisyLinearCosineDecay") as scope:
        numbers = (decay_steps, initial_variance, variance_decay, num_periods, alpha, beta)
        rate, steps, variance, falling, *cosine = _rate_and_numbers(learning_rate, *numbers)

        def add_noise(linear: Tensor, step: Tensor) -> Tensor:
            deviation = ops.sqrt(variance / ops.pow(1.0 + step, falling))
            return linear + ops.random_normal(linear.shape, stddev=deviation)

        return _linear_cosine(rate, global_step, [steps, *cosine], scope, add_noise)


def _linear_cosine(
    rate: Tensor,
    global_step: Any,
    numbers: Sequence[Tensor],
    scope: str,
    add_noise: Callable[[Tensor, Tensor], Tensor] | None = None,
) -> Tensor:
    """Returns the rate of a linear cosine decay, whose linear term `add_noise(linear, step)` changes."""
    decay_steps, periods, alpha, beta = numbers
    step = ops.minimum(ops.cast(global_step, rate.dtype), decay_steps)
    linear = (decay_steps - step) / decay_steps
    if add_noise:
        linear = add_noise(linear, step)
    progress = step / decay_steps
    fraction = 2.0 * periods * progress
    cosine = 0.5 * (1.0 + ops.cos(ops.constant(math.pi) * fraction))
    return ops.multiply(rate, (alpha + linear) * cosine + beta, name=scope)
