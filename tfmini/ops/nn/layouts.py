"""How images lie in memory: [batch, rows, columns, depth] for the kernels, whatever a node's data format is."""

from __future__ import annotations

from typing import Any

import numpy as np


def widened(array: Any) -> Any:
    """Half precision as float32, in which sums are accumulated."""
    return array.astype(np.float32) if array.dtype.itemsize == 2 else array


def narrowed(dtype: Any, array: Any) -> Any:
    """`array` in the dtype of the result."""
    return array if array.dtype == dtype else array.astype(dtype)


def channels_last(xp: Any, x: Any, channels_first: bool) -> Any:
    """Images of either order as [batch, rows, columns, depth]."""
    return xp.ascontiguousarray(x.transpose(0, 2, 3, 1)) if channels_first else x


def channels_restored(xp: Any, x: Any, channels_first: bool) -> Any:
    """The reverse of `channels_last`."""
    return xp.ascontiguousarray(x.transpose(0, 3, 1, 2)) if channels_first else x
