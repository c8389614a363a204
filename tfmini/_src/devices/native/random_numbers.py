"""Random numbers from Philox streams: the same bits as `devices.numpy.random_distributions` makes with numpy."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from tfmini._src.devices.native.library import Pointer, address, function
from tfmini._src.devices.threads import thread_count

_INDEX = ctypes.c_int64


class _Stream(ctypes.Structure):
    _fields_ = (
        ("key0", ctypes.c_uint32),
        ("key1", ctypes.c_uint32),
        ("high", ctypes.c_uint64),
        ("offset", ctypes.c_uint64),
    )


def fill(
    name: str, stream: Any, size: int, width: int, dtype: Any, region: int = 0
) -> np.ndarray | None:
    """`size` numbers of a stream (`devices.numpy.philox.Stream`), `width` from each block; None without a library.

    Args:
      name: of the kernel, without "random_".
      region: the blocks that a group of truncated normals has to itself.
    """
    types = (ctypes.POINTER(_Stream), Pointer, _INDEX, _INDEX) + (_INDEX,) * bool(region)
    kernel = function(f"random_{name}", *types)
    if kernel is None:
        return None
    blocks = -(-size // width)
    out = np.empty(blocks * width, dtype)
    given = ctypes.byref(_Stream(*stream.key, stream.high, stream.offset))
    more = (region,) * bool(region)
    kernel(given, address(out), blocks, thread_count(), *more)
    return out[:size]
