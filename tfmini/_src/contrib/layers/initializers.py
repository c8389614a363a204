"""Initializers of `tf.contrib.layers`: factories of initializer functions."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.ops import ops


def xavier_initializer(
    uniform: bool = True, seed: int | None = None, dtype: DTypeLike = dtypes.float32
) -> Callable[..., Any]:
    """Returns a Xavier (Glorot) initializer, whose variance 2 / (inputs + outputs) preserves the gradient scale.

    Args:
      uniform: whether to use a uniform instead of a truncated normal distribution.
      seed: op-level seed.
      dtype: default DType, which must be floating.
    """
    return variance_scaling_initializer(1.0, "FAN_AVG", uniform, seed, dtype)


xavier_initializer_conv2d = xavier_initializer


def variance_scaling_initializer(
    factor: float = 2.0,
    mode: str = "FAN_IN",
    uniform: bool = False,
    seed: int | None = None,
    dtype: Any = dtypes.float32,
) -> Callable[..., Any]:
    """Returns an initializer with variance factor / n.

    Args:
      factor: a positive number; 2.0 is He initialization.
      mode: definition of n: "FAN_IN" (inputs), "FAN_OUT" (outputs) or "FAN_AVG" (their mean).
      uniform: whether to use a uniform instead of a truncated normal distribution.
      seed: op-level seed.
      dtype: default DType, which must be floating.

    Returns:
      `f(shape, dtype, partition_info=None)`, which returns a tensor.

    Raises:
      TypeError: for any other mode or dtype.
    """
    if not dtype.is_floating:
        raise TypeError("Cannot create initializer for non-floating point type.")
    if mode not in ("FAN_IN", "FAN_OUT", "FAN_AVG"):
        raise TypeError("Unknown mode %s [FAN_IN, FAN_OUT, FAN_AVG]", mode)

    def _initializer(shape: Any, dtype: Any = dtype, partition_info: Any = None) -> Any:
        if not dtype.is_floating:
            raise TypeError("Cannot create initializer for non-floating point type.")
        fan_in, fan_out = _fans(shape)
        n = {"FAN_IN": fan_in, "FAN_OUT": fan_out, "FAN_AVG": (fan_in + fan_out) / 2.0}[mode]
        if uniform:
            limit = math.sqrt(3.0 * factor / n)
            return ops.random_uniform(shape, -limit, limit, dtype, seed=seed)
        # A normal distribution truncated at two standard deviations has about 1/1.3 of its variance.
        return ops.truncated_normal(shape, 0.0, math.sqrt(1.3 * factor / n), dtype, seed=seed)

    return _initializer


def _fans(shape: Sequence[int]) -> tuple[float, float]:
    """Returns the fan-in and fan-out of a layer with weights of this shape."""
    if not shape:
        return 1.0, 1.0
    field = 1.0
    for size in shape[:-2]:
        field *= float(size)
    return float(shape[-2 if len(shape) > 1 else -1]) * field, float(shape[-1]) * field
