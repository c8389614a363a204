"""An optimizer wrapper that scales the loss and unscales the gradients."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base import logs
from tfmini._src.base.names.public import PublicNames
from tfmini._src.graph.composite_values import IndexedSlices
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.session.default_config import REWRITES, set_experimental_options
from tfmini._src.train.optimizers.loss_scale import DynamicLossScale, apply_if_finite, to_loss_scale
from tfmini._src.train.optimizers.optimizer import Optimizer

# Late: Keras depends on optimizers.
_keras = PublicNames("tfmini.keras.mixed_precision.experimental", "LossScaleOptimizer".__eq__)


class MixedPrecisionLossScaleOptimizer(Optimizer):
    """Scales the loss of another optimizer; a dynamic scale skips steps with non-finite gradients.

    Args:
      opt: the optimizer.
      loss_scale: a `LossScale`, a number, or "dynamic".

    Raises:
      ValueError: if `opt` is not an optimizer, or `loss_scale` is invalid.

    Example:
      opt = tf.train.experimental.MixedPrecisionLossScaleOptimizer(tf.train.AdamOptimizer(), "dynamic")
      train_op = opt.minimize(loss)
    """

    def __init__(self, opt: Optimizer, loss_scale: Any) -> None:
        if not isinstance(opt, Optimizer):
            raise ValueError(f'"opt" must be an instance of Optimizer, but got: {type(opt)}')
        super().__init__(opt._use_locking, opt.get_name())
        self._optimizer = opt
        self._loss_scale = to_loss_scale(loss_scale)
        self._track_trackable(opt, "base_optimizer")
        self._track_trackable(self._loss_scale, "loss_scale")

    def compute_gradients(
        self,
        loss: TensorLike,
        var_list: Sequence[Any] | None = None,
        gate_gradients: int = Optimizer.GATE_OP,
        aggregation_method: int | None = None,
        colocate_gradients_with_ops: bool = False,
        grad_loss: Any = None,
    ) -> list[tuple[Any, Any]]:
        """Returns (gradient, variable) pairs, with gradients of the scaled loss that have been unscaled.

        Args: same as in `tf.train.Optimizer.compute_gradients`.
        """
        scale = self._loss_scale()
        scaled: Any = (lambda: loss() * scale) if callable(loss) else loss * scale
        pairs = self._optimizer.compute_gradients(
            loss=scaled,
            var_list=var_list,
            gate_gradients=gate_gradients,
            aggregation_method=aggregation_method,
            colocate_gradients_with_ops=colocate_gradients_with_ops,
            grad_loss=grad_loss,
        )
        factor = 1 / self._loss_scale()
        return [(None if grad is None else _times(grad, factor), var) for grad, var in pairs]

    def apply_gradients(
        self,
        grads_and_vars: Any,
        global_step: TensorLike | None = None,
        name: str | None = None,
    ) -> Any:
        """Updates the variables, then `global_step`; with a dynamic scale, only if all gradients are finite.

        Args: same as in `tf.train.Optimizer.apply_gradients`.
        """
        pairs = tuple(grads_and_vars)
        if not isinstance(self._loss_scale, DynamicLossScale):
            return self._optimizer.apply_gradients(pairs, global_step, name)
        name = self.get_name() if name is None else name
        wrapped_name = f"{name}-wrapped"
        return apply_if_finite(
            self._loss_scale,
            pairs,
            lambda pairs: self._optimizer.apply_gradients(pairs, global_step, wrapped_name),
            name,
        )


def _times(grad: Any, factor: Any) -> Any:
    if isinstance(grad, IndexedSlices):
        return IndexedSlices(grad.values * factor, grad.indices, grad.dense_shape)
    return grad * factor


def enable_mixed_precision_graph_rewrite(opt: Any, loss_scale: Any = "dynamic") -> Any:
    """Adds loss scaling to an optimizer; new sessions compute matrix products and convolutions on GPUs in float16.

    Sessions rewrite float32 graphs according to TensorFlow 1.15's op lists: products and convolutions, and safe ops
    between them. Variables and CPU operations stay in float32.

    Args:
      opt: an optimizer of `tf.train` or of `tf.keras.optimizers`.
      loss_scale: a `LossScale`, a number, or "dynamic".

    Returns:
      A `MixedPrecisionLossScaleOptimizer`, or Keras's `LossScaleOptimizer`.

    Raises:
      ValueError: if `opt` is not an optimizer or already scales its loss, or Keras has a mixed precision policy.
    """
    if REWRITES.policy_is_set:
        raise ValueError(
            "The mixed precision graph rewrite cannot be enabled, because a keras mixed precision Policy has been set. "
            "At most, one of the following functions can be called:\n\n"
            "  1. tf.keras.mixed_precision.experimental.set_policy() (You called this first)\n"
            "  2. tf.train.experimental.enable_mixed_precision_graph_rewrite() (You called this second)"
        )
    if REWRITES.is_too_late:
        logs.warning(
            "You already have existing Sessions that do not use mixed precision. "
            "enable_mixed_precision_graph_rewrite() will not affect these Sessions."
        )
    if isinstance(opt, MixedPrecisionLossScaleOptimizer):
        raise ValueError(
            '"opt" must not already be an instance of a MixedPrecisionLossScaleOptimizer. '
            "`enable_mixed_precision_graph_rewrite` will automatically wrap the optimizer with a "
            "MixedPrecisionLossScaleOptimizer."
        )
    if type(opt).__name__ == "LossScaleOptimizer":
        raise ValueError(
            '"opt" must not already be an instance of a LossScaleOptimizer. `enable_mixed_precision_graph_rewrite` '
            "will automatically wrap the optimizer with a LossScaleOptimizer."
        )
    is_keras = any(base.__name__ == "OptimizerV2" for base in type(opt).__mro__)
    if not is_keras and not isinstance(opt, Optimizer):
        raise ValueError(
            '"opt" must be an instance of a tf.train.Optimizer or a tf.keras.optimizers.Optimizer, '
            f"but got: {opt}"
        )
    wrap = _keras["LossScaleOptimizer"] if is_keras else MixedPrecisionLossScaleOptimizer
    wrapped = wrap(opt, loss_scale)
    set_experimental_options({"auto_mixed_precision": True})
    REWRITES.enabled = True
    return wrapped


def disable_mixed_precision_graph_rewrite() -> None:
    """Disables the rewrite for later sessions and permits Keras policies again; optimizers remain wrapped."""
    if not REWRITES.enabled:
        logs.warning(
            "disable_mixed_precision_graph_rewrite() called when mixed precision is already disabled."
        )
    set_experimental_options({"auto_mixed_precision": False})
    REWRITES.enabled = False
