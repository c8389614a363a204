"""Concatenates arrays of one dtype on any device; on a GPU, with one launch for up to 64 arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tfmini._src.devices.arrays import Array, ArrayModule
from tfmini._src.devices.cuda import concat, launch


def concatenate(xp: ArrayModule, arrays: Sequence[Any], axis: int = 0) -> Array:
    """Same as `xp.concatenate`."""
    return concat.join(xp, arrays, axis) if _runs_cuda(xp) else xp.concatenate(arrays, axis)


def stack(xp: ArrayModule, arrays: Sequence[Any], axis: int) -> Array:
    """Same as `xp.stack` for arrays of one shape, along an axis from 0 to their rank."""
    return concat.stack(xp, arrays, axis) if _runs_cuda(xp) else xp.stack(arrays, axis)


def _runs_cuda(xp: ArrayModule) -> bool:
    """Whether `xp` is CuPy; never loads `launch` on the host."""
    return xp is not np and launch.runs_cuda(xp)
