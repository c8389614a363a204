"""Optimizer wrapper that scales the loss and skips steps with nonfinite gradients."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.names.signature import arguments_of
from tfmini._src.contrib.mixed_precision.loss_scale_manager import LossScaleManager
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.operation import Operation
from tfmini._src.ops import ops
from tfmini._src.train.optimizers.optimizer import Optimizer


class LossScaleOptimizer(Optimizer):
    """Scales the loss, divides the gradients by the scale, and skips steps with nonfinite gradients.

    Args:
      opt: the wrapped optimizer.
      loss_scale_manager: a `LossScaleManager`, updated after each step.

    Micikevicius et al., "Mixed Precision Training", 2018.

    Example:
      mixed = tf.contrib.mixed_precision
      opt = mixed.LossScaleOptimizer(tf.train.AdamOptimizer(), mixed.FixedLossScaleManager(128))
      train_op = opt.minimize(loss)
    """

    def __init__(self, opt: Optimizer, loss_scale_manager: LossScaleManager):
        self._opt = opt
        self._loss_scale_manager = loss_scale_manager

    @arguments_of(Optimizer.compute_gradients)
    def compute_gradients(self, loss: Any, **options: Any) -> list[tuple[Any, Any]]:
        """Returns the (gradient, variable) pairs of the loss: gradients of the scaled loss, divided by the scale.

        Takes the arguments of `tf.train.Optimizer.compute_gradients`.
        """
        scale = self._loss_scale_manager.get_loss_scale()

        def scale_loss() -> Any:
            value = loss() if callable(loss) else loss
            return value * ops.cast(scale, value.dtype.base_dtype)

        scaled_loss: Any = scale_loss if executing_eagerly() else scale_loss()
        pairs = self._opt.compute_gradients(scaled_loss, **options)
        inverse = ops.reciprocal(scale)
        return [
            (None if grad is None else grad * ops.cast(inverse, grad.dtype.base_dtype), var)
            for grad, var in pairs
        ]

    @arguments_of(Optimizer.apply_gradients)
    def apply_gradients(self, grads_and_vars: Any, global_step: Any, name: Any) -> Operation:
        """Updates the variables and `global_step` if all gradients are finite, then the scale.

        Takes the arguments of `tf.train.Optimizer.apply_gradients`.
        """
        finite = [ops.reduce_all(ops.is_finite(grad)) for grad, _ in grads_and_vars]
        all_finite = ops.reduce_all(finite)

        def apply() -> Any:
            return self._opt.apply_gradients(grads_and_vars, global_step, name)

        updated = ops.cond(all_finite, apply, ops.no_op)
        return ops.group(updated, self._loss_scale_manager.update_loss_scale(all_finite))
