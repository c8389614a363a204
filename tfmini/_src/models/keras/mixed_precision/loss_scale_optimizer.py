"""A Keras optimizer with loss scaling."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NoReturn

from tfmini._src.base import logs
from tfmini._src.base.read_only import read_only
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.models.keras.optimizers.optimizer_v2 import OptimizerV2
from tfmini._src.nn.layers.backend.session import track
from tfmini._src.ops import ops
from tfmini._src.train.optimizers.loss_scale import LossScale, apply_if_finite, to_loss_scale


class LossScaleOptimizer(OptimizerV2):
    """Scales the loss of another optimizer; dynamic scaling skips steps with nonfinite gradients.

    Args:
      opt: an optimizer of `tf.keras.optimizers`, without `clipnorm` and `clipvalue`.
      loss_scale: a `tf.train.experimental.LossScale`, a number, or "dynamic".

    Raises:
      ValueError: if `opt` is not an optimizer, or clips gradients; for an invalid `loss_scale`.

    Example:
      optimizer = tf.keras.mixed_precision.experimental.LossScaleOptimizer(tf.keras.optimizers.SGD(0.1), "dynamic")
      model.compile(optimizer, "mse")
    """

    def __init__(self, opt: OptimizerV2, loss_scale: LossScale | str | float):
        if not isinstance(opt, OptimizerV2):
            raise ValueError(f'"opt" must be an instance of OptimizerV2, but got: {opt}')
        for option in ("clipnorm", "clipvalue"):
            if hasattr(opt, option):
                raise ValueError(
                    f"LossScaleOptimizer does not support wrapping optimizers with a {option}. "
                    f"Optimizer {opt} has {option} {getattr(opt, option)}"
                )
        self._hyper = {}
        self._slots = {}  # the wrapped optimizer keeps its own
        self._optimizer = opt
        self._loss_scale = to_loss_scale(loss_scale)
        for _, variable in self._loss_scale._checkpoint_dependencies:
            track(variable)
        self._track_trackable(opt, "base_optimizer")
        self._track_trackable(self._loss_scale, "loss_scale")

    loss_scale: LossScale = read_only("The LossScale.")

    def get_scaled_loss(self, loss: Any) -> Any:
        """Scales a loss.

        Args:
          loss: a tensor, or a function without arguments that returns one; the result is of the same kind.
        """
        scale = self._loss_scale()
        if not callable(loss):
            return loss * ops.cast(scale, loss.dtype)

        def scale_loss() -> Any:
            value = loss()
            return value * ops.cast(scale, value.dtype)

        return scale_loss

    def get_unscaled_gradients(self, grads: list[Any]) -> list[Any]:
        """Divides gradients by the loss scale.

        Args:
          grads: tensors or None.
        """
        factor = 1.0 / self._loss_scale()
        return [None if g is None else g * ops.cast(factor, g.dtype) for g in grads]

    def _compute_gradients(self, loss: Any, var_list: Any, grad_loss: Any = None) -> list:
        pairs = self._optimizer._compute_gradients(self.get_scaled_loss(loss), var_list, grad_loss)
        grads = self.get_unscaled_gradients([grad for grad, _ in pairs])
        return [(grad, var) for grad, (_, var) in zip(grads, pairs)]

    def get_gradients(self, loss: TensorLike, params: TensorLike) -> list[Any]:
        """Returns the unscaled gradients, computed from the scaled loss.

        Raises:
          ValueError: if the loss does not depend on one of `params`.
        """
        grads = self._optimizer.get_gradients(self.get_scaled_loss(loss), params)
        return self.get_unscaled_gradients(grads)

    def apply_gradients(
        self, grads_and_vars: Iterable[tuple[Any, Any]], name: str | None = None
    ) -> Any:
        """Returns the op that updates variables and the scale; dynamic scaling skips steps with nonfinite gradients.

        Args: same as in `tf.keras.optimizers.Optimizer.apply_gradients`.
        """
        pairs = tuple(grads_and_vars)
        return apply_if_finite(
            self._loss_scale,
            pairs,
            lambda pairs: self._optimizer.apply_gradients(list(pairs), name),
        )

    @property
    def iterations(self) -> Any:
        """The update count variable of the wrapped optimizer."""
        return self._optimizer.iterations

    @iterations.setter
    def iterations(self, variable: Any) -> None:
        self._optimizer.iterations = variable

    @property
    def learning_rate(self) -> Any:
        """The learning rate of the wrapped optimizer; also available as `lr`."""
        return self._optimizer.learning_rate

    @learning_rate.setter
    def learning_rate(self, value: TensorLike) -> None:
        self._optimizer.learning_rate = value

    lr: Any = read_only("Alias of `learning_rate`.", "_optimizer.learning_rate")

    def get_slot_names(self) -> list[str]:
        """Returns the slot names of the wrapped optimizer."""
        return self._optimizer.get_slot_names()

    weights: list = read_only("The variables of the wrapped optimizer.", "_optimizer.weights")

    def variables(self) -> list[Any]:
        """Returns `weights`."""
        return self.weights

    def get_config(self) -> NoReturn:
        """Raises NotImplementedError, as in TensorFlow 1.15."""
        raise NotImplementedError("get_config() is not yet implemented for LossScaleOptimizers")

    @classmethod
    def from_config(
        cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None
    ) -> NoReturn:
        """Raises NotImplementedError, as in TensorFlow 1.15."""
        raise NotImplementedError("from_config() is not yet implemented for LossScaleOptimizers")


def policy_optimizer(optimizer: Any, policy: Any) -> Any:
    """Returns the optimizer to compile a model with, wrapped if the policy scales the loss."""
    scale = getattr(policy, "loss_scale", None)
    if scale is None:
        return optimizer
    if isinstance(optimizer, LossScaleOptimizer):
        if optimizer.loss_scale != scale:
            logs.warning(
                "LossScale of LossScaleOptimizer passed to compile (%s) is not the same as the dtype policy's loss "
                "scale (%s). Because the dtype policy has a loss scale, you should pass an optimizer that is not "
                "wrapped with a LossScaleOptimizer,",
                optimizer.loss_scale,
                scale,
            )
        return optimizer
    if isinstance(optimizer, list):
        raise ValueError(
            "When a dtype policy with a loss scale is used, you can only pass a single optimizer. Using policy "
            f"{policy} and got optimizers: {optimizer}"
        )
    if not isinstance(optimizer, OptimizerV2):
        raise ValueError(
            '"optimizer" must be an instance of tf.keras.optimizers.Optimizer when a dype policy with a loss scale  '
            f"used, but got: {optimizer}. Using policy: {policy}"
        )
    return LossScaleOptimizer(optimizer, scale)
