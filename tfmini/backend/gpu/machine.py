"""The GPUs of this process, shared by its sessions: made at the first use, with the memory asked for then."""

from __future__ import annotations

import ctypes
import threading
from typing import Any

from tfmini.backend.gpu.device import LogicalGpu

_lock = threading.Lock()
_made: dict[str, LogicalGpu] = {}


def gpus(config: Any, task: str) -> dict[str, LogicalGpu]:
    """The GPUs of a session under a ConfigProto (or None), by their names below `task`."""
    with _lock:
        try:
            ctypes.CDLL("libcuda.so.1")  # a driver, without which CuPy is no use
            import cupy  # noqa: PLC0415  only where there is a GPU

            count = cupy.cuda.runtime.getDeviceCount()
        except (OSError, ImportError):
            return {}
        for n in range(count):
            name = f"{task}/device:GPU:{n}"
            if name not in _made:
                with cupy.cuda.Device(n):
                    free, total = cupy.cuda.runtime.memGetInfo()
                _made[name] = LogicalGpu(cupy, n, name, int(free * 0.9), True)
        return dict(_made)
