"""Loss scaling, which prevents underflow of small float16 gradients."""

from __future__ import annotations

import abc
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.nest.structure import flatten
from tfmini._src.base.read_only import read_only
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.replica_modes import current_replica, current_strategy, is_cross_replica
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.ops.control_flow.case import smart_cond
from tfmini._src.variables.trackable import Trackable
from tfmini._src.variables.variable_creator import create

Update = tuple[Any, Any]


class LossScale(Trackable, abc.ABC):
    """Base class of loss scales; calling an instance returns the scale, a float32 scalar."""

    def __init__(self) -> None:
        """Creates a loss scale."""

    @abc.abstractmethod
    def __call__(self) -> Tensor:
        """Returns the current scale, a scalar float32 Tensor."""

    @abc.abstractmethod
    def update(self, grads: Iterable[Any]) -> Update:
        """Updates the scale after a step.

        Args:
          grads: the unscaled gradients, in any nest; None is ignored.

        Returns:
          (an operation that updates the scale, a bool or scalar bool Tensor that tells whether to apply the gradients).
        """

    @abc.abstractmethod
    def get_config(self) -> dict[str, Any]:
        """Returns the constructor arguments, as a dict."""

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Any:
        """Creates a loss scale from a result of `get_config`."""
        return cls(**config)


class FixedLossScale(LossScale):
    """A constant scale.

    Args:
      loss_scale_value: a number of at least 1.

    Raises:
      ValueError: if it is less than 1.
    """

    def __init__(self, loss_scale_value: float) -> None:
        super().__init__()
        if not isinstance(loss_scale_value, int | float):
            raise ValueError("loss_scale_value must be a Python int or float.")
        if loss_scale_value < 1:
            raise ValueError("loss_scale_value must be at least 1.")
        self._loss_scale_value = float(loss_scale_value)

    def __call__(self) -> Tensor:
        """Returns the constant scale, a scalar float32 Tensor."""
        return convert_to_tensor(self._loss_scale_value)

    def update(self, grads: Iterable[Any]) -> Update:
        """Does nothing, since gradients are always applied."""
        return ops.no_op(), True

    def __repr__(self) -> str:
        return f"FixedLossScale({self._loss_scale_value})"

    def get_config(self) -> dict[str, Any]:
        """Returns the constructor arguments, as a dict."""
        return {"loss_scale_value": self._loss_scale_value}


class DynamicLossScale(LossScale):
    """A scale that grows while gradients are finite, and shrinks on overflow.

    Args:
      initial_loss_scale: the initial scale.
      increment_period: number of consecutive steps with finite gradients before the scale grows.
      multiplier: the factor of growth and shrinkage; the scale is at least 1.

    Example: `tf.train.experimental.MixedPrecisionLossScaleOptimizer(opt, DynamicLossScale(increment_period=500))`.
    """

    initial_loss_scale: float = read_only("The initial scale.")
    increment_period: int = read_only(
        "Number of consecutive steps with finite gradients before the scale increases."
    )
    multiplier: float = read_only("Factor by which the scale increases or decreases.")

    def __init__(
        self,
        initial_loss_scale: float = 2**15,
        increment_period: int = 2000,
        multiplier: float = 2.0,
    ) -> None:
        super().__init__()
        self._initial_loss_scale = float(initial_loss_scale)
        self._increment_period = int(increment_period)
        self._multiplier = float(multiplier)
        self._current_loss_scale = create(
            self._initial_loss_scale,
            name="current_loss_scale",
            dtype=dtypes.float32,
            trainable=False,
            use_resource=True,
        )
        self._num_good_steps = create(
            0, name="good_steps", dtype=dtypes.int64, trainable=False, use_resource=True
        )
        self._track_trackable(self._current_loss_scale, "current_loss_scale")
        self._track_trackable(self._num_good_steps, "good_steps")

    def __call__(self) -> Tensor:
        """Returns the value of the scale variable, a scalar float32 Tensor."""
        return convert_to_tensor(self._current_loss_scale)

    def update(self, grads: Iterable[Any]) -> Update:
        """Updates the scale; gradients are applied only if all are finite."""
        flat = flatten(grads)
        strategy = current_strategy()
        if strategy is None:
            is_finite = _are_finite(flat)
        else:
            counts = strategy.extended.call_for_each_replica(
                lambda grads: ops.cast(_are_finite(grads), dtypes.float32), args=(flat,)
            )
            count = strategy.reduce("SUM", counts, axis=None)
            is_finite = ops.equal(count, strategy.num_replicas_in_sync)
        return ops.cond(is_finite, self._grow_if_due, self._shrink), is_finite

    def _grow_if_due(self) -> Any:
        return ops.cond(
            self._num_good_steps + 1 >= self._increment_period,
            self._grow,
            lambda: _op_in_graphs(self._num_good_steps.assign_add(1)),
        )

    def _grow(self) -> Any:
        larger = self._current_loss_scale * self._multiplier
        grow_op = ops.cond(
            ops.is_finite(larger), lambda: self._current_loss_scale.assign(larger).op, ops.no_op
        )
        return ops.group(grow_op, self._num_good_steps.assign(0))

    def _shrink(self) -> Any:
        smaller = ops.maximum(self._current_loss_scale / self._multiplier, 1)
        return ops.group(self._num_good_steps.assign(0), self._current_loss_scale.assign(smaller))

    def __repr__(self) -> str:
        config = self.get_config()
        if executing_eagerly():
            now = {
                "current_loss_scale": self._current_loss_scale.numpy(),
                "num_good_steps": self._num_good_steps.numpy(),
            }
            config = {**now, **config}
        arguments = ", ".join(f"{name}={value}" for name, value in config.items())
        return f"DynamicLossScale({arguments})"

    def get_config(self) -> dict[str, Any]:
        """Returns the constructor arguments, as a dict."""
        return {
            "initial_loss_scale": self._initial_loss_scale,
            "increment_period": self._increment_period,
            "multiplier": self._multiplier,
        }


def _are_finite(grads: Iterable[Any]) -> Any:
    """Whether all elements of all gradients are finite."""
    return ops.reduce_all([ops.reduce_all(ops.is_finite(g)) for g in grads if g is not None])


def apply_if_finite(
    scale: LossScale, grads_and_vars: Sequence[Any], apply: Callable, name: str | None = None
) -> Any:
    """Updates a scale, and applies the gradients if they are finite in all replicas.

    Args:
      apply: function that applies (gradient, variable) pairs.
      name: the name of the operation.

    Raises:
      ValueError: in cross-replica context.
    """

    def merged(strategy: Any, pairs: Any) -> Any:
        update, suits = scale.update([grad for grad, _ in pairs])

        def apply_all() -> Any:
            if strategy is None:
                ops.constant(0)  # the replica index, for which TensorFlow creates a node
                return apply(pairs)
            variables = [var for _, var in pairs]  # distributed ones
            return strategy.group(
                strategy.extended.call_for_each_replica(
                    lambda grads: apply(list(zip(grads, variables))),
                    args=([grad for grad, _ in pairs],),
                )
            )

        apply_op = apply_all() if suits is True else smart_cond(suits, apply_all, ops.no_op)
        return ops.group(apply_op, update, name=name)

    if current_strategy() is None:
        return merged(None, grads_and_vars)
    if is_cross_replica():
        raise ValueError("apply_gradients() must be called in a replica context.")
    return current_replica().merge_call(merged, args=(grads_and_vars,))


def _op_in_graphs(assign_op: Any) -> Any:
    """Returns the operation of an assignment; in eager mode, the variable."""
    return assign_op if executing_eagerly() else assign_op.op


def to_loss_scale(identifier: Any) -> Any:
    """Converts a number, "dynamic" or a LossScale to a LossScale; returns None unchanged.

    Raises:
      ValueError: for any other argument.
    """
    if isinstance(identifier, int | float):
        return FixedLossScale(identifier)
    if isinstance(identifier, LossScale) or identifier is None:
        return identifier
    if identifier == "dynamic":
        return DynamicLossScale()
    raise ValueError(f"Could not interpret loss scale identifier: {identifier}")
