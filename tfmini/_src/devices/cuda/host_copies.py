"""Copies to host memory outside of a step, of arrays that any stream may still be writing."""

from __future__ import annotations

from typing import Any

import numpy as np


def host_copy(array: Any) -> np.ndarray:
    """A copy of CuPy's array, once all work submitted to its card is done."""
    with array.device as card:
        card.synchronize()
        return array.get()
