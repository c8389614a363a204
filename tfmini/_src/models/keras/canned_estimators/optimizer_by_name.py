"""tf.keras optimizers by name."""

from __future__ import annotations

from typing import Any

from tfmini._src.models.keras.optimizers.moment_optimizers import Adam, RMSprop
from tfmini._src.models.keras.optimizers.optimizer_v2 import OptimizerV2
from tfmini._src.models.keras.optimizers.single_op_optimizers import SGD, Adagrad, Ftrl
from tfmini._src.train.global_step import get_or_create_global_step

_OPTIMIZERS = {"Adagrad": Adagrad, "Adam": Adam, "Ftrl": Ftrl, "RMSProp": RMSprop, "SGD": SGD}


def create_optimizer(optimizer: Any, learning_rate: float | None = None) -> OptimizerV2:
    """Creates an optimizer from a name or function; returns an optimizer unchanged.

    Args:
      optimizer: "Adagrad", "Adam", "Ftrl", "RMSProp" or "SGD", a function without arguments, or a tf.keras
        optimizer.
      learning_rate: learning rate of an optimizer created by name; None for the optimizer's default.

    Raises:
      ValueError: for an unknown name or object.
    """
    if isinstance(optimizer, str):
        if optimizer not in _OPTIMIZERS:
            raise ValueError(
                f"Unsupported optimizer name: {optimizer}. Supported names are: {tuple(sorted(_OPTIMIZERS))}"
            )
        return _OPTIMIZERS[optimizer](**({"learning_rate": learning_rate} if learning_rate else {}))
    if callable(optimizer):
        optimizer = optimizer()
    if not isinstance(optimizer, OptimizerV2):
        raise ValueError(
            f"The given object is not a tf.keras.optimizers.Optimizer instance. Given: {optimizer}"
        )
    return optimizer


def count_steps(optimizer: OptimizerV2) -> OptimizerV2:
    """Makes the global step, which hooks read, the step counter of the optimizer."""
    optimizer.iterations = get_or_create_global_step()
    return optimizer
