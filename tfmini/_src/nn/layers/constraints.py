"""Projections of weights, applied after an optimizer's update, with lookup by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.nn.layers.deserialize import described, deserialized, found
from tfmini._src.nn.layers.keras_config import floatx
from tfmini._src.ops import ops

_EPSILON = 1e-7


class Constraint:
    """Base of projections: `__call__` of a derived class maps weights to new weights."""

    def __call__(self, w: Any) -> Any:
        raise NotImplementedError

    def get_config(self) -> dict[str, Any]:
        """The arguments that make it again: none."""
        return {}


class _AlongAxis(Constraint):
    """Base of constraints on the norms of weight vectors along `axis` (or several axes)."""

    def __init__(self, axis: Any = 0):
        self.axis = axis

    def _squares(self, w: Any) -> Any:
        return ops.reduce_sum(ops.square(w), axis=self.axis, keepdims=True)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make it again."""
        return dict(vars(self))


class MaxNorm(_AlongAxis):
    """Shortens the vectors that are longer than `max_value`."""

    def __init__(self, max_value: float = 2, axis: Any = 0):
        self.max_value = max_value
        super().__init__(axis)

    def __call__(self, w: Any) -> Any:
        norms = _root(self._squares(w))
        return w * (_clipped(norms, 0, self.max_value) / (_EPSILON + norms))


class MinMaxNorm(_AlongAxis):
    """Moves the vectors' lengths towards the interval from `min_value` to `max_value` by `rate`."""

    def __init__(
        self, min_value: float = 0.0, max_value: float = 1.0, rate: float = 1.0, axis: Any = 0
    ):
        self.min_value = min_value
        self.max_value = max_value
        self.rate = rate
        super().__init__(axis)

    def __call__(self, w: Any) -> Any:
        norms = _root(self._squares(w))
        clipped = _clipped(norms, self.min_value, self.max_value)
        wanted = self.rate * clipped + (1 - self.rate) * norms
        return w * (wanted / (_EPSILON + norms))


class UnitNorm(_AlongAxis):
    """Gives all vectors the length 1."""

    def __call__(self, w: Any) -> Any:
        return w / (_EPSILON + _root(self._squares(w)))


class NonNeg(Constraint):
    """Sets negative weights to 0."""

    def __call__(self, w: Any) -> Any:
        return w * ops.cast(ops.greater_equal(w, 0.0), floatx())


def _root(x: Any) -> Any:
    """The square root of `x`, which rounding may have made negative."""
    zero, infinity = (ops.constant(v, dtype=x.dtype.base_dtype) for v in (0.0, np.inf))
    return ops.sqrt(ops.clip_by_value(x, zero, infinity))


def _clipped(x: Any, low: float, high: float) -> Any:
    least, most = (ops.constant(v, dtype=x.dtype.base_dtype) for v in (low, max(low, high)))
    return ops.clip_by_value(x, least, most)


KNOWN: dict[str, Callable] = {
    "MaxNorm": MaxNorm,
    "MinMaxNorm": MinMaxNorm,
    "NonNeg": NonNeg,
    "UnitNorm": UnitNorm,
    "max_norm": MaxNorm,
    "maxnorm": MaxNorm,
    "min_max_norm": MinMaxNorm,
    "non_neg": NonNeg,
    "nonneg": NonNeg,
    "unit_norm": UnitNorm,
    "unitnorm": UnitNorm,
}


def find_constraint(identifier: Any) -> Any:
    """The constraint that a name or a configuration stands for; functions are returned unchanged.

    Raises:
      ValueError: if there is none of that name, or `identifier` is of another kind.
    """
    if isinstance(identifier, str):
        identifier = {"class_name": identifier, "config": {}}
    return found(identifier, KNOWN, "constraint")


def serialize(constraint: Any) -> Any:
    """The configuration of a constraint."""
    return described(constraint)


def deserialize(config: Any, custom_objects: Any = None) -> Any:
    """The constraint that a name or configuration stands for.

    Args:
      config: a name, or {"class_name": ..., "config": ...}.
      custom_objects: what there is besides, by name.
    """
    return deserialized(config, KNOWN, custom_objects, "constraint")


get = find_constraint
