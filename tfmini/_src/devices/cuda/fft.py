"""Synchronization of Fourier transforms when logical GPUs share a physical GPU.

CuPy caches cuFFT plans by thread and GPU, regardless of the stream (cupy/fft/_cache.pyx, get_plan_cache), and each
plan has one work area: if another logical GPU used the plan last, the stream of that GPU is synchronized.
"""

from __future__ import annotations

import threading

import numpy as np

from tfmini._src.devices.arrays import ArrayModule
from tfmini._src.devices.cuda.active_gpus import gpu_in_use

_thread_state = threading.local()  # .streams: by physical GPU, the stream of the last transform


def wait_for_others(xp: ArrayModule) -> None:
    """Makes later work on a GPU wait for the transforms of other GPUs; must be called before functions of `xp.fft`."""
    gpu = None if xp is np else gpu_in_use()
    if gpu is None:
        return
    streams = _thread_state.__dict__.setdefault("streams", {})
    before = streams.get(gpu.ordinal)
    if before is not None and before is not gpu.compute:
        gpu.compute.wait_event(gpu.mark(before))
    streams[gpu.ordinal] = gpu.compute
