"""Loss scale managers: the loss scale and its updates during training."""

from __future__ import annotations

import abc
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.ops import ops
from tfmini._src.variables.variable_creator import create as variable


class LossScaleManager(abc.ABC):
    """Interface of loss scale managers, which adapt the scale depending on whether gradients are finite."""

    @abc.abstractmethod
    def get_loss_scale(self) -> Any:
        """Returns the loss scale, a float32 scalar tensor or variable."""

    @abc.abstractmethod
    def update_loss_scale(self, finite_grads: TensorLike) -> Any:
        """Creates the operation that updates the scale after a step.

        Args:
          finite_grads: bool scalar, whether all gradients were finite.
        """


class FixedLossScaleManager(LossScaleManager):
    """A constant loss scale.

    Args:
      loss_scale: the scale, a number.

    Raises:
      ValueError: if the scale is below 1.
    """

    def __init__(self, loss_scale: float):
        if loss_scale < 1:
            raise ValueError("loss scale must be at least 1.")
        self._loss_scale = convert_to_tensor(loss_scale, dtype=dtypes.float32)

    def get_loss_scale(self) -> Any:
        """Returns the loss scale, a float32 scalar."""
        return self._loss_scale

    def update_loss_scale(self, finite_grads: TensorLike) -> Operation:
        """Creates a no-op: the loss scale is fixed."""
        return ops.no_op()


class ExponentialUpdateLossScaleManager(LossScaleManager):
    """A loss scale that grows after n consecutive finite steps, and shrinks after m nonfinite ones.

    Args:
      init_loss_scale: initial scale.
      incr_every_n_steps: number of finite steps before the scale grows.
      decr_every_n_nan_or_inf: number of nonfinite steps (since the last change) before the scale shrinks, to 1 or more.
      incr_ratio: growth factor, applied if the result is finite.
      decr_ratio: shrink factor.

    Example:
      manager = tf.contrib.mixed_precision.ExponentialUpdateLossScaleManager(2.0**15, 1000)
    """

    def __init__(
        self,
        init_loss_scale: float,
        incr_every_n_steps: int,
        decr_every_n_nan_or_inf: int = 2,
        incr_ratio: float = 2,
        decr_ratio: float = 0.8,
    ):
        self._incr_every_n_steps = incr_every_n_steps
        self._decr_every_n_nan_or_inf = decr_every_n_nan_or_inf
        self._incr_ratio = incr_ratio
        self._decr_ratio = decr_ratio
        start = convert_to_tensor(init_loss_scale, dtypes.float32)
        self._loss_scale = variable(
            name="loss_scale", initial_value=start, dtype=dtypes.float32, trainable=False
        )
        self._num_good_steps = _counter("good_steps")
        self._num_bad_steps = _counter("bad_steps")

    def get_loss_scale(self) -> Any:
        """Returns the loss scale variable."""
        return self._loss_scale

    def update_loss_scale(self, finite_grads: TensorLike) -> Any:
        """Creates the operation that updates the scale and the counts; see `LossScaleManager`."""
        return ops.cond(finite_grads, self._count_good_step, self._count_bad_step)

    def _count_good_step(self) -> Any:
        def count_step() -> Any:
            return ops.assign_add(self._num_good_steps, 1).op

        is_due = self._num_good_steps + 1 >= self._incr_every_n_steps
        return ops.cond(is_due, self._grow, count_step)

    def _count_bad_step(self) -> Any:
        def count_step() -> Any:
            count_update = ops.assign_add(self._num_bad_steps, 1)
            return ops.group(count_update, ops.assign(self._num_good_steps, 0))

        is_due = self._num_bad_steps + 1 >= self._decr_every_n_nan_or_inf
        return ops.cond(is_due, self._shrink, count_step)

    def _grow(self) -> Any:
        def larger() -> Any:
            return self._loss_scale * self._incr_ratio

        finite = ops.is_finite(self._loss_scale * self._incr_ratio)
        factor = ops.cond(finite, larger, lambda: self._loss_scale)
        return ops.group(ops.assign(self._loss_scale, factor), self._reset_counts())

    def _shrink(self) -> Any:
        factor = ops.maximum(1.0, self._loss_scale * self._decr_ratio)
        return ops.group(ops.assign(self._loss_scale, factor), self._reset_counts())

    def _reset_counts(self) -> Operation:
        reset_good = ops.assign(self._num_good_steps, 0)
        return ops.group(reset_good, ops.assign(self._num_bad_steps, 0))


def _counter(name: str) -> Any:
    return variable(name=name, initial_value=0, dtype=dtypes.int32, trainable=False)
