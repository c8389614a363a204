"""Constants that kernels derive from shapes: sent to a GPU once."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.devices.cuda.active_gpus import gpu_in_use


def seen_before(xp: Any, value: np.ndarray) -> Any:
    """As `fixed`, of what each run may have another one: kept from the second time on that it is the same."""
    gpu = None if xp is np else gpu_in_use()
    return xp.asarray(value) if gpu is None else gpu.fixed_if_seen(value)


def fixed(xp: Any, value: np.ndarray) -> Any:
    """`xp.asarray(value)` of a value that depends on shapes alone; it is read-only.

    A copy to the card is what a recording refuses (cupy/cuda/memory.pyx, copy_from_host_async): on a GPU it is kept.
    """
    gpu = None if xp is np else gpu_in_use()
    return xp.asarray(value) if gpu is None else gpu.fixed(value)
