"""Copies arrays to host memory outside a step, while any stream may still be writing to them."""

from __future__ import annotations

from typing import Any

import numpy as np


def host_copy(array: Any) -> np.ndarray:
    """Returns a copy of a CuPy array, made after all work submitted to its GPU."""
    with array.device as physical:
        physical.synchronize()
        return array.get()
