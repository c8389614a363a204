"""Constraints: projections of weights, applied after an optimizer's update, with lookup by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.shapes import TensorShape
from tfmini._src.functions.functional_ops import map_fn
from tfmini._src.graph.tensor import Tensor
from tfmini._src.nn.layers.backend.config import floatx
from tfmini._src.nn.layers.deserialize import Identifier, deserialize_object, resolve, to_config
from tfmini._src.ops import ops
from tfmini._src.variables.variable import Variable

_EPSILON = 1e-7


class Constraint:
    """Base class of constraints; subclasses map weights to new weights in `__call__`."""

    def __call__(self, w: Tensor | Variable) -> Any:
        return w

    def get_config(self) -> dict[str, Any]:
        """Returns the constructor arguments: none by default."""
        return {}


class _AlongAxis(Constraint):
    """Base class of constraints on the norms of weight vectors along `axis` (or several axes)."""

    def __init__(self, axis: int | Sequence[int] = 0):
        self.axis = axis

    def _squares(self, w: Any) -> Any:
        return ops.reduce_sum(ops.square(w), axis=self.axis, keepdims=True)

    def get_config(self) -> dict[str, Any]:
        """Returns the constructor arguments, as plain data."""
        return dict(vars(self))


class MaxNorm(_AlongAxis):
    """Clips vector lengths to `max_value`."""

    def __init__(self, max_value: float = 2, axis: int | Sequence[int] = 0):
        self.max_value = max_value
        super().__init__(axis)

    def __call__(self, w: Tensor | Variable) -> Any:
        norms = _non_negative_sqrt(self._squares(w))
        return w * (_clip_by_constants(norms, 0, self.max_value) / (_EPSILON + norms))


class MinMaxNorm(_AlongAxis):
    """Moves vector lengths towards the interval [min_value, max_value] at rate `rate`."""

    def __init__(
        self,
        min_value: float = 0.0,
        max_value: float = 1.0,
        rate: float = 1.0,
        axis: int | Sequence[int] = 0,
    ):
        self.min_value = min_value
        self.max_value = max_value
        self.rate = rate
        super().__init__(axis)

    def __call__(self, w: Tensor | Variable) -> Any:
        norms = _non_negative_sqrt(self._squares(w))
        clipped = _clip_by_constants(norms, self.min_value, self.max_value)
        target = self.rate * clipped + (1 - self.rate) * norms
        return w * (target / (_EPSILON + norms))


class UnitNorm(_AlongAxis):
    """Scales all vectors to unit length."""

    def __call__(self, w: Tensor | Variable) -> Any:
        return w / (_EPSILON + _non_negative_sqrt(self._squares(w)))


class NonNeg(Constraint):
    """Sets negative weights to 0."""

    def __call__(self, w: Tensor | Variable) -> Any:
        return w * ops.cast(ops.greater_equal(w, 0.0), floatx())


def _non_negative_sqrt(x: Any) -> Any:
    """Returns the square root of `x`, which may be slightly negative because of rounding."""
    zero, infinity = (ops.constant(v, dtype=x.dtype.base_dtype) for v in (0.0, np.inf))
    return ops.sqrt(ops.clip_by_value(x, zero, infinity))


def _clip_by_constants(x: Any, low: float, high: float) -> Any:
    lower, upper = (ops.constant(v, dtype=x.dtype.base_dtype) for v in (low, max(low, high)))
    return ops.clip_by_value(x, lower, upper)


class RadialConstraint(Constraint):
    """Makes a kernel [rows, columns, channels, filters] constant on each ring around its center.

    The weight of a ring is the weight at its intersection with the kernel's diagonal.

    Raises:
      ValueError: when called with weights of the wrong rank.
    """

    def __call__(self, w: Tensor | Variable) -> Any:
        shape = w.shape
        if shape.ndims != 4:
            raise ValueError(f"The weight tensor must be of rank 4, but is of shape: {shape}")
        rows, columns, channels, filters = shape.as_list()
        flat = ops.reshape(w, (rows, columns, channels * filters))
        flat = ops.stack(ops.unstack(flat, axis=-1), axis=0)
        kernels = map_fn(_symmetric_rings, flat)
        kernels = ops.stack(ops.unstack(kernels, axis=0), axis=-1)
        return ops.reshape(kernels, (rows, columns, channels, filters))


def _symmetric_rings(kernel: Any) -> Any:
    """Builds a kernel [rows, columns] from its center outwards."""
    block_pattern = ops.constant([[1, 1], [1, 1]], dtype=dtypes.int32)
    size = ops.shape(kernel)[0]
    start = ops.cast(size / 2, dtypes.int32)

    def middle() -> Any:
        return kernel[start - 1 : start, start - 1 : start]

    first = ops.cond(
        ops.cast(ops.floormod(size, 2), dtypes.bool),
        middle,
        lambda: middle() + ops.zeros((2, 2), dtype=kernel.dtype),
    )
    index = ops.cond(
        ops.cast(ops.floormod(size, 2), dtypes.bool),
        lambda: ops.constant(0, dtype=dtypes.int32),
        lambda: ops.constant(1, dtype=dtypes.int32),
    )

    def grow(i: Any, inner: Any) -> tuple:
        value = kernel[start + i, start + i]
        return i + 1, ops.pad(inner, block_pattern, constant_values=value)

    return ops.while_loop(
        lambda i, *_: ops.less(i, start),
        grow,
        [index, first],
        shape_invariants=[index.shape, TensorShape([None, None])],
    )[1]


CONSTRAINTS: dict[str, Callable] = {
    "MaxNorm": MaxNorm,
    "MinMaxNorm": MinMaxNorm,
    "NonNeg": NonNeg,
    "RadialConstraint": RadialConstraint,
    "UnitNorm": UnitNorm,
    "max_norm": MaxNorm,
    "maxnorm": MaxNorm,
    "min_max_norm": MinMaxNorm,
    "non_neg": NonNeg,
    "nonneg": NonNeg,
    "radial_constraint": RadialConstraint,
    "unit_norm": UnitNorm,
    "unitnorm": UnitNorm,
}


def find_constraint(identifier: Identifier) -> Any:
    """Resolves a name or configuration to a constraint; functions are returned unchanged.

    Raises:
      ValueError: for an unknown name, or an `identifier` of an unsupported type.
    """
    if identifier is None:
        return None
    if isinstance(identifier, str):
        identifier = {"class_name": identifier, "config": {}}
    return resolve(identifier, CONSTRAINTS, "constraint")


def serialize(constraint: str | Callable[..., Any] | None) -> Any:
    """Returns the configuration of a constraint."""
    return to_config(constraint)


def deserialize(config: Identifier, custom_objects: dict[str, Any] | None = None) -> Any:
    """Creates a constraint from a name or configuration.

    Args:
      config: a name, or {"class_name": ..., "config": ...}.
      custom_objects: additional objects by name.
    """
    return deserialize_object(config, CONSTRAINTS, custom_objects, "constraint")


get = find_constraint
