"""`tensorflow.python.ops.distributions.special_math`: `erfinv`, and the bounds of the ranges of `log_ndtr`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.probability.distributions.ndtri import ndtri

__all__ = [
    "LOGNDTR_FLOAT32_LOWER",
    "LOGNDTR_FLOAT32_UPPER",
    "LOGNDTR_FLOAT64_LOWER",
    "LOGNDTR_FLOAT64_UPPER",
    "erfinv",
]

LOGNDTR_FLOAT64_LOWER = np.array(-20, np.float64)
LOGNDTR_FLOAT32_LOWER = np.array(-10, np.float32)
LOGNDTR_FLOAT64_UPPER = np.array(8, np.float64)
LOGNDTR_FLOAT32_UPPER = np.array(5, np.float32)


def erfinv(x: Any, name: str = "erfinv") -> Tensor:
    """Returns the inverse of the error function: ndtri((x + 1) / 2) / sqrt(2).

    Args:
      x: float32 or float64, from -1 to 1.

    Raises:
      TypeError: for another dtype.
    """
    with name_scope(name, values=[x]):
        x = convert_to_tensor(x, name="x")
        if x.dtype.as_numpy_dtype not in (np.float32, np.float64):
            raise TypeError(f"x.dtype={x.dtype} is not handled, see docstring for supported types.")
        value: Tensor = ndtri((x + 1.0) / 2.0) / math.sqrt(2)
        return value
