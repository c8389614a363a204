"""Regularizers: penalties on weights, with lookup by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.graph.tensor import Tensor
from tfmini._src.nn.layers.deserialize import Identifier, deserialize_object, resolve, to_config
from tfmini._src.ops import ops
from tfmini._src.variables.variable import Variable


class Regularizer:
    """Base class of regularizers; subclasses map a tensor to a scalar penalty in `__call__`."""

    def __call__(self, x: Tensor | Variable) -> Any:
        return 0.0

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Any:
        """Recreates a regularizer from the result of `get_config`."""
        return cls(**config)


class L1L2(Regularizer):
    """Regularizer with the penalty l1 * sum(|x|) + l2 * sum(x^2).

    Args:
      l1: the factor of the sum of absolute values.
      l2: the factor of the sum of squares.
    """

    def __init__(self, l1: float = 0.0, l2: float = 0.0):
        self.l1 = np.asarray(l1, np.float32)
        self.l2 = np.asarray(l2, np.float32)

    def __call__(self, x: Tensor | Variable) -> Any:
        if not self.l1 and not self.l2:
            return ops.constant(0.0, dtype="float32")
        penalty: Any = 0.0
        if self.l1:
            penalty += self.l1 * ops.reduce_sum(ops.abs(x))
        if self.l2:
            penalty += self.l2 * ops.reduce_sum(ops.square(x))
        return penalty

    def get_config(self) -> dict[str, Any]:
        """Returns the constructor arguments, as plain data."""
        return {"l1": float(self.l1), "l2": float(self.l2)}


def l1(l: float = 0.01) -> L1L2:  # noqa: E741  # the argument's name in TensorFlow
    """Returns a regularizer with the penalty l * sum(|x|)."""
    return L1L2(l1=l)


def l2(l: float = 0.01) -> L1L2:  # noqa: E741
    """Returns a regularizer with the penalty l * sum(x^2)."""
    return L1L2(l2=l)


def l1_l2(l1: float = 0.01, l2: float = 0.01) -> L1L2:
    """Returns a regularizer with the penalty l1 * sum(|x|) + l2 * sum(x^2)."""
    return L1L2(l1=l1, l2=l2)


REGULARIZERS: dict[str, Callable] = {"L1L2": L1L2, "l1": l1, "l2": l2, "l1_l2": l1_l2}


def find_regularizer(identifier: Identifier) -> Any:
    """Resolves a name or configuration to a regularizer; functions are returned unchanged."""
    if identifier is None:
        return None
    if isinstance(identifier, (str, dict)) or callable(identifier):
        return resolve(identifier, REGULARIZERS, "regularizer")
    raise ValueError("Could not interpret regularizer identifier:", identifier)


def serialize(regularizer: str | Callable[..., Any] | None) -> Any:
    """Returns the configuration of a regularizer."""
    return to_config(regularizer)


def deserialize(config: Identifier, custom_objects: dict[str, Any] | None = None) -> Any:
    """Creates a regularizer from a name or configuration.

    Args:
      config: a name, or {"class_name": ..., "config": ...}.
      custom_objects: additional objects by name.
    """
    return deserialize_object(config, REGULARIZERS, custom_objects, "regularizer")


get = find_regularizer
