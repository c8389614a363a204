"""Constants derived from shapes, copied to a GPU only once."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.devices.arrays import ArrayModule
from tfmini._src.devices.cuda.active_gpus import gpu_in_use


def cache_on_repeat(xp: ArrayModule, value: np.ndarray) -> Any:
    """Like `fixed`, for a value that may change between runs; the copy is cached when the value repeats."""
    gpu = None if xp is np else gpu_in_use()
    return xp.asarray(value) if gpu is None else gpu.fix_on_repeat(value)


def fixed(xp: ArrayModule, value: np.ndarray) -> Any:
    """Returns `xp.asarray(value)`, read-only, for a value that depends only on shapes.

    Copies to the GPU fail during capture (cupy/cuda/memory.pyx, copy_from_host_async), so the array is cached on a GPU.
    """
    gpu = None if xp is np else gpu_in_use()
    return xp.asarray(value) if gpu is None else gpu.fixed(value)
