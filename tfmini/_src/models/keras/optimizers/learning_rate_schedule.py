"""`tf.keras.optimizers.schedules`: learning rates that depend on the step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, TypeVar, dataclass_transform

from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.nn.layers.deserialize import to_config
from tfmini._src.ops import ops
from tfmini._src.train.optimizers.learning_rate_decay import (
    exponential_decay,
    inverse_time_decay,
    polynomial_decay,
)

Class = TypeVar("Class", bound=type)


class LearningRateSchedule:
    """Base class of schedules; subclasses return the rate of a step in `__call__`.

    Built-in schedules are dataclasses of their arguments.
    """

    def __call__(self, step: TensorLike) -> Any:
        """Returns the rate at a step, a float scalar."""
        raise NotImplementedError("Learning rate schedule must override __call__")

    def get_config(self) -> dict[str, Any]:
        """Returns the constructor arguments, as a dict."""
        if not is_dataclass(self):
            raise NotImplementedError("Learning rate schedule must override get_config")
        return self._values()

    def _values(self) -> dict[str, Any]:
        arguments = fields(self)  # type: ignore[arg-type]  # of subclasses
        return {field.name: getattr(self, field.name) for field in arguments}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Any:
        """Creates a schedule from the result of `get_config`."""
        return cls(**config)


def serialize(learning_rate_schedule: LearningRateSchedule) -> Any:
    """Returns the configuration of a schedule."""
    return to_config(learning_rate_schedule)


@dataclass_transform(eq_default=False)
def schedule(cls: Class) -> Class:
    """Makes a class a dataclass of its arguments, with defaults in the constructor instead of class attributes."""
    dataclass(eq=False, repr=False)(cls)
    for field in fields(cls):
        if field.name in vars(cls):
            delattr(cls, field.name)
    return cls


class DecaySchedule(LearningRateSchedule):
    """Base class of schedules computed by a `tf.train` function with the same arguments and the step."""

    _decay: Callable

    def __call__(self, step: TensorLike) -> Any:
        """Returns the rate at a step."""
        options = self._values()
        rate = type(self)._decay(options.pop("initial_learning_rate"), step, **options)
        return rate() if callable(rate) else rate  # a function in eager mode


@schedule
class _DecayByRate(DecaySchedule):
    """Decay by `decay_rate` every `decay_steps` steps.

    Args:
      initial_learning_rate: rate at step 0.
      decay_steps: decay interval in steps.
      decay_rate: decay factor or rate.
      staircase: whether to change the rate only at multiples of `decay_steps`.
    """

    initial_learning_rate: TensorLike
    decay_steps: TensorLike
    decay_rate: TensorLike
    staircase: bool = False
    name: str | None = None


class ExponentialDecay(_DecayByRate):
    __doc__ = f"initial_learning_rate * decay_rate^(step / decay_steps).\n{_DecayByRate.__doc__}"

    _decay = exponential_decay


class InverseTimeDecay(_DecayByRate):
    __doc__ = (
        f"initial_learning_rate / (1 + decay_rate * step / decay_steps).\n{_DecayByRate.__doc__}"
    )

    _decay = inverse_time_decay


@schedule
class PiecewiseConstantDecay(LearningRateSchedule):
    """A rate that is constant between boundaries.

    Args:
      boundaries: steps after which the rate changes.
      values: the rates, one more than boundaries.

    Raises:
      ValueError: if the lengths do not match.

    Example:
      PiecewiseConstantDecay([100, 200], [1.0, 0.5, 0.1])
    """

    boundaries: Sequence[Any]
    values: Sequence[Any]
    name: str | None = None

    def __post_init__(self) -> None:
        if len(self.boundaries) != len(self.values) - 1:
            raise ValueError("The length of boundaries should be 1 less than the length of values")

    def __call__(self, step: TensorLike) -> Any:
        """Returns the rate at a step."""
        with name_scope(self.name or "PiecewiseConstant"):
            boundaries = [ops.convert_to_tensor(end) for end in self.boundaries]
            rates = [ops.convert_to_tensor(rate) for rate in self.values]
            step = ops.convert_to_tensor(step)
            boundaries = [ops.cast(end, step.dtype.base_dtype) for end in boundaries]
            cases: list[Any] = [
                (step <= boundaries[0], lambda: rates[0]),
                (step > boundaries[-1], lambda: rates[-1]),
            ]
            for low, high, rate in zip(boundaries[:-1], boundaries[1:], rates[1:-1]):
                constant: Any = lambda rate=rate: rate  # noqa: E731
                cases.append(((step > low) & (step <= high), constant))
            return ops.case(cases, lambda: rates[0], exclusive=True)


@schedule
class PolynomialDecay(DecaySchedule):
    """Polynomial decay: (initial - end) * (1 - step / decay_steps)^power + end.

    Args:
      initial_learning_rate: rate at step 0.
      decay_steps: number of steps of the decay.
      end_learning_rate: final rate.
      power: degree of the polynomial; 1 is linear.
      cycle: whether to restart by extending `decay_steps` to its next multiple.
    """

    initial_learning_rate: TensorLike
    decay_steps: TensorLike
    end_learning_rate: TensorLike = 0.0001
    power: TensorLike = 1.0
    cycle: bool = False
    name: str | None = None

    _decay = polynomial_decay
