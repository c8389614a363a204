"""Optimizers by name."""

from __future__ import annotations

from typing import Any

from tfmini._src.train.optimizers.adagrad import AdagradOptimizer
from tfmini._src.train.optimizers.adam import AdamOptimizer
from tfmini._src.train.optimizers.ftrl import FtrlOptimizer
from tfmini._src.train.optimizers.gradient_descent import GradientDescentOptimizer
from tfmini._src.train.optimizers.optimizer import Optimizer
from tfmini._src.train.optimizers.rmsprop import RMSPropOptimizer

_OPTIMIZERS = {
    "Adagrad": AdagradOptimizer,
    "Adam": AdamOptimizer,
    "Ftrl": FtrlOptimizer,
    "RMSProp": RMSPropOptimizer,
    "SGD": GradientDescentOptimizer,
}


def create_optimizer(optimizer: Any, learning_rate: float | None = None) -> Optimizer:
    """Creates an optimizer from a name or function; returns an Optimizer unchanged.

    Args:
      optimizer: "Adagrad", "Adam", "Ftrl", "RMSProp" or "SGD", a function without arguments, or an Optimizer.
      learning_rate: required for an optimizer given by name.

    Raises:
      ValueError: for an unknown name or object.
    """
    if isinstance(optimizer, str):
        if optimizer not in _OPTIMIZERS:
            raise ValueError(
                f"Unsupported optimizer name: {optimizer}. Supported names are: {tuple(sorted(_OPTIMIZERS))}"
            )
        if not learning_rate:
            raise ValueError("learning_rate must be specified when opt is string.")
        return _OPTIMIZERS[optimizer](learning_rate=learning_rate)
    if callable(optimizer):
        optimizer = optimizer()
    if not isinstance(optimizer, Optimizer):
        raise ValueError(f"The given object is not an Optimizer instance. Given: {optimizer}")
    return optimizer
