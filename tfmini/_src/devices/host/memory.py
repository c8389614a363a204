"""C heap tuning that retains freed memory for later arrays.

A step allocates arrays of the same sizes each time. By default glibc returns large freed blocks, and free blocks at the
end of the heap, to the system, so each new array costs a page fault per 4 kB. All threads share one heap, since
each of glibc's per-thread heaps would retain its own peak, which `malloc_trim` does not return.
"""

from __future__ import annotations

import ctypes
import functools
import mmap
import sys
from typing import Any

# Names and numbers of malloc.h.
_M_TRIM_THRESHOLD = -1
_M_MMAP_THRESHOLD = -3
_M_ARENA_MAX = -8

_MAX_FREE_BYTES = 256 << 20  # maximum bytes of free memory kept by the process
_MAX_HEAP_ARRAY = 32 << 20  # bytes of the largest arrays on the heap, which is glibc's own maximum
_HEAPS = 1


@functools.cache
def keep_freed_memory() -> bool:
    """Configures glibc to retain freed memory, once per process; returns False for other C libraries."""
    mallopt = _function("mallopt")
    if mallopt is None:
        return False
    settings = {
        _M_TRIM_THRESHOLD: _MAX_FREE_BYTES,
        _M_MMAP_THRESHOLD: _MAX_HEAP_ARRAY,
        _M_ARENA_MAX: _HEAPS,
    }
    return all(mallopt(setting, value) for setting, value in settings.items())


def release_freed_memory() -> None:
    """Returns freed heap memory to the system; does nothing without glibc."""
    trim = _function("malloc_trim")
    if trim is not None:
        trim(0)


def resident_bytes() -> int:
    """Returns the resident memory of the process in bytes; 0 on systems without /proc."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * mmap.PAGESIZE
    except OSError:
        return 0


def _function(name: str) -> Any:
    return None if sys.platform == "win32" else getattr(ctypes.CDLL(None), name, None)
